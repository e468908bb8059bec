// The handbook's chapters, from Markdown to whole pages; scripts/embed.ts puts them into the program.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { Html, html } from '../src/core/html.ts'

const LANGUAGES = ['en', 'fr'] as const
type Language = (typeof LANGUAGES)[number]
type Chapter = { readonly language: Language; readonly name: string; readonly title: string; readonly text: string }
const TEXTS = {
  en: { handbook: 'Handbook', contents: 'All chapters', other: 'Français', api: 'API reference' },
  fr: { handbook: 'Manuel', contents: 'Tous les chapitres', other: 'English', api: 'Référence de l’API' },
} as const
/** The chapter that lists the others; GitHub shows it for the folder. */
const INDEX = 'README'

const addressOf = (name: string, language: Language): string =>
  `/docs/handbook${name === INDEX ? '' : `/${name}`}?lang=${language}`

/** The id of a heading as GitHub makes it, so that links into a chapter work in both places. */
export const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** `settings.md#https` → the served address. @throws Error for a relative link that leaves the handbook */
function served(href: string, language: Language, chapters: readonly Chapter[]): string {
  if (/^(https?:|#)/.test(href)) return href
  const [, folder, name = '', fragment = ''] = /^(?:\.\.\/(en|fr)\/)?([A-Za-z-]+)\.md(#.*)?$/.exec(href) ?? []
  const to = chapters.find((c) => c.name === name && c.language === (folder ?? language))
  if (to === undefined) throw new Error(`The handbook has no chapter ${href} (linked from one in ${language})`)
  return addressOf(to.name, to.language) + fragment
}

/** `../../pictures/where.svg` → the picture itself, so that a chapter is one file. @throws Error for anything else */
function drawn(href: string, folder: string): string {
  if (!/^\.\.\/\.\.\/pictures\/[a-z]+\.svg$/.test(href)) throw new Error(`The handbook takes no picture ${href}`)
  return `data:image/svg+xml;base64,${readFileSync(join(folder, 'en', href)).toString('base64')}`
}

function bodyOf(chapter: Chapter, chapters: readonly Chapter[], folder: string): Html {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = idOf(text.replaceAll('`', ''))
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const to = served(href, chapter.language, chapters)
        return html`<a href="${to}">${new Html(this.parser.parseInline(tokens))}</a>`.text
      },
      image: ({ href, text }) => html`<img src="${drawn(href, folder)}" alt="${text}">`.text,
      table({ header, rows }) {
        const content = (cell: Tokens.TableCell) => new Html(this.parser.parseInline(cell.tokens))
        // On a phone cells stand below each other, without the headings: numbers and defaults say what they are.
        const named = (column: number) => column > 0 && (header.length > 3 || column < header.length - 1)
        const line = (cells: Tokens.TableCell[]) =>
          html`<tr>${cells.map((cell, i) =>
            named(i) ? html`<td data-name="${header[i]?.text}">${content(cell)}</td>` : html`<td>${content(cell)}</td>`,
          )}</tr>\n`
        return html`<table>
<thead>
<tr>${header.map((cell) => html`<th scope="col">${content(cell)}</th>`)}</tr>
</thead>
<tbody>
${rows.map(line)}</tbody>
</table>
`.text
      },
      // A long line of a program is moved sideways, also with the keyboard.
      code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>\n`.text,
      html({ text }) {
        throw new Error(`${chapter.name}.md: the handbook takes no HTML: ${text.trim()}`)
      },
    },
  })
  return new Html(marked.parse(chapter.text, { async: false }))
}

function pageOf(chapter: Chapter, chapters: readonly Chapter[], folder: string, stylesheet: string): string {
  const { language, name, title } = chapter
  const t = TEXTS[language]
  const other = language === 'en' ? 'fr' : 'en'
  const twin = chapters.find((c) => c.name === name && c.language === other) ?? {
    name: INDEX,
    language: other,
  }
  const entry = (c: Chapter): Html =>
    c.name === name
      ? html`<li><a href="${addressOf(c.name, language)}" aria-current="page">${c.title}</a></li>\n`
      : html`<li><a href="${addressOf(c.name, language)}">${c.title}</a></li>\n`
  const list = html`<ol class="chapters">
${chapters.filter((c) => c.language === language && c.name !== INDEX).map(entry)}</ol>`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Loyer</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<header>
<p><a class="home" href="${addressOf(INDEX, language)}">Loyer</a> ${t.handbook}</p>
<p><a href="/docs">${t.api}</a> <a href="${addressOf(twin.name, twin.language)}" hreflang="${other}" lang="${other}">${t.other}</a></p>
</header>
<nav aria-label="${t.contents}">
${list}
</nav>
<main>
${bodyOf(chapter, chapters, folder)}</main>
<footer><details><summary>${t.contents}</summary>${list}</details></footer>
</body>
</html>
`.text
}

/** The chapters below `folder` in the order of their language's index, which has to name each of them. */
function chaptersIn(folder: string): Chapter[] {
  return LANGUAGES.flatMap((language) => {
    const read = (name: string): Chapter => {
      const text = readFileSync(join(folder, language, `${name}.md`), 'utf8')
      const title = /^# (.+)$/m.exec(text)?.[1]
      if (title === undefined) throw new Error(`${language}/${name}.md has no title`)
      return { language, name, title, text }
    }
    const index = read(INDEX)
    const linked = [...index.text.matchAll(/\]\(([a-z-]+)\.md\)/g)].map(([, name = '']) => name)
    const names = [...new Set(linked)]
    const files = globSync('*.md', { cwd: join(folder, language) }).map((file) => basename(file, '.md'))
    const lost = files.filter((name) => name !== INDEX && !names.includes(name))
    if (lost.length > 0) throw new Error(`${language}/README.md does not name ${lost.join(', ')}`)
    return [index, ...names.map(read)]
  })
}

/** Served name (`handbook/en/settings.html`) → page. */
export function handbookPages(folder: string, stylesheet: string): Map<string, Uint8Array> {
  const chapters = chaptersIn(folder)
  const served = (c: Chapter) => `handbook/${c.language}/${c.name === INDEX ? 'index' : c.name}.html`
  return new Map(chapters.map((c) => [served(c), new TextEncoder().encode(pageOf(c, chapters, folder, stylesheet))]))
}
