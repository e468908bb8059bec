// The handbook as it is served, and what it says of settings, commands and places against the program.
import { describe, expect, test } from 'bun:test'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { idOf } from '../../../../scripts/handbook.ts'
import { KEYS, SECRETS } from '../../../../src/config.ts'
import { createTestApp } from '../../../support/app.ts'

const top = join(import.meta.dirname, '../../../..')
const folder = join(top, 'src/web/handbook')
const read = (file: string): string => readFileSync(join(top, file), 'utf8')
const { call } = createTestApp()
const html = { accept: 'text/html,*/*;q=0.8' }

const chapters = ['en', 'fr'].flatMap((language) =>
  globSync('*.md', { cwd: join(folder, language) }).map((file) => {
    const name = basename(file, '.md')
    const path = `/docs/handbook${name === 'README' ? '' : `/${name}`}?lang=${language}`
    return { language, path, file: `src/web/handbook/${language}/${file}` }
  }),
)
const pages = globSync('**/*.md', { cwd: top, exclude: ['node_modules', 'dist', 'tmp'] })

test('both languages have chapters, and every French one an English twin', () => {
  const names = (language: string) => chapters.filter((c) => c.language === language).map((c) => basename(c.file))
  expect(names('fr').length).toBeGreaterThan(5)
  expect(names('en')).toEqual(expect.arrayContaining(names('fr')))
})

describe.each(chapters)('$path', ({ language, path, file }) => {
  test('is a page for everybody, in its language, that runs and loads nothing foreign', async () => {
    const page = await call(undefined, `GET ${path}`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-language')).toBe(language)
    expect(page.headers.get('vary')).toBe('Accept-Encoding, Accept-Language')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|script-src/)
    expect(page.text).toContain(`<html lang="${language}">`)
    expect(page.text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|<img src="(?!data:image\/svg\+xml;base64,)/)
    const title = /^# (.+)$/m.exec(read(file))?.[1] ?? 'no title'
    expect(page.text).toContain(`<title>${title.replaceAll("'", '&#39;')} – Loyer</title>`)
  })

  test('is not sent again to a browser that has it', async () => {
    const etag = (await call(undefined, `GET ${path}`)).headers.get('etag') ?? 'none'
    const again = await call(undefined, `GET ${path}`, undefined, { 'if-none-match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('its links within the service lead somewhere, and to a heading that is there', async () => {
    const { text } = await call(undefined, `GET ${path}`)
    const links = [...text.matchAll(/href="(\/[^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
    expect(links.length).toBeGreaterThan(5)
    for (const link of new Set(links)) {
      const [to = '', fragment] = link.split('#')
      const answer = await call(undefined, `GET ${to}`, undefined, html)
      expect([link, answer.status]).toEqual([link, 200])
      if (fragment !== undefined)
        expect([link, answer.text]).toEqual([link, expect.stringContaining(`id="${fragment}"`)])
    }
  })
})

const languages: [accept: string, path: string, language: string][] = [
  ['fr-CM, fr;q=0.9, en;q=0.5', '/docs/handbook/backup', 'fr'],
  ['en-GB', '/docs/handbook/backup', 'en'],
  ['fr', '/docs/handbook', 'fr'],
  ['fr', '/docs/handbook?lang=en', 'en'],
  ['fr', '/docs/handbook/decisions', 'fr'],
  ['en', '/docs/handbook/start?lang=fr', 'fr'],
  // written in English only
  ['fr', '/docs/handbook/threats', 'en'],
  ['fr', '/docs/handbook/threats?lang=fr', 'en'],
  ['en', '/docs/handbook?lang=de', 'en'],
]
test.each(languages)('Accept-Language %p: %s is in %s', async (accept, path, language) => {
  const page = await call(undefined, `GET ${path}`, undefined, { 'accept-language': accept })
  expect([page.status, page.headers.get('content-language')]).toEqual([200, language])
})

const unknown = [
  'nothing',
  'README',
  'index.html',
  'settings.md',
  'Settings',
  '..%2f..%2fdocs%2finit.js',
  'en/settings',
]
test.each(unknown)('/docs/handbook/%s is a page that says so, in the language of the browser', async (chapter) => {
  for (const [language, words] of [
    ['fr', 'Page introuvable'],
    ['en', 'Page not found'],
  ] as const) {
    const line = `GET /docs/handbook/${chapter}`
    const page = await call(undefined, line, undefined, { ...html, 'accept-language': language })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-language')).toBe(language)
    expect(page.text).toContain(words)
    expect(page.text).toContain(`<html lang="${language}">`)
  }
  const other = await call(undefined, `GET /docs/handbook/${chapter}`)
  expect([other.status, other.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8'])
})

/** First cell → the whole row, of every table of a chapter. */
const settingsIn = (file: string): [name: string, row: string][] =>
  [...read(file).matchAll(/^\| `([A-Z_]+)` \|.*$/gm)].map(([row, name = '']) => [name, row])

test('the chapter on settings has a row for each setting and no other, and marks the secrets', () => {
  const rows = settingsIn('src/web/handbook/en/settings.md')
  expect(rows.map(([name]) => name).sort()).toEqual([...KEYS].sort())
  const secret = rows.filter(([, row]) => row.includes('| secret: ')).map(([name]) => name)
  expect(secret.sort()).toEqual([...SECRETS].sort())
})

test.each(['en', 'fr'])('the chapter on operations (%s) has a row for each exit code and no other', (language) => {
  const sources = globSync('{src,db}/**/*.ts', { cwd: top, exclude: ['**/*.gen.ts'] })
    .map(read)
    .join('\n')
  const codes = [...sources.matchAll(/(?:StoreError\(|exitCode: )\s*(\d+)\b/g)].map(([, code]) => Number(code))
  const rows = [...read(`src/web/handbook/${language}/operations.md`).matchAll(/^\| (\d+) \|/gm)]
  expect(new Set(rows.map(([, code]) => Number(code)))).toEqual(new Set([0, 1, 64, ...codes]))
})

test.each(pages)('%s names no setting, command or file that there is none of', (file) => {
  const text = read(file)
  for (const [, name = ''] of text.matchAll(
    /\b((?:LOYER|MESSAGING|WEBHOOK|TWILIO|INFOBIP|WHATSAPP|OIDC|AUTH)_[A-Z_]+)\b/g,
  ))
    expect([name, KEYS.map(String).includes(name.replace(/_FILE$/, ''))]).toEqual([name, true])
  const sources = globSync('src/{main,commands/*}.ts', { cwd: top }).map(read).join('')
  const commands = [...sources.matchAll(/^ {2}loyer ([a-z][a-z -]*?)(?= {2}| --| FILE|$)/gm)].map(([, command = '']) =>
    command.trim(),
  )
  expect(commands.length).toBeGreaterThan(8)
  for (const [, given = ''] of text.matchAll(/(?:^|`)loyer ([a-z][a-z -]*)/gm)) {
    const known = commands.some((command) => `${given.trim()} `.startsWith(`${command} `))
    expect([given, known]).toEqual([given, true])
  }
})

test.each(pages)('%s links to files and headings that are there', (file) => {
  expect(read(file)).not.toContain('](#)')
  for (const [, target = ''] of read(file).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
    const [path = '', fragment] = target.split('#')
    const to = path === '' ? file : join(dirname(file), path)
    expect([target, existsSync(join(top, to))]).toEqual([target, true])
    if (fragment === undefined) continue
    const headings = [...read(to).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => idOf(heading.replaceAll('`', '')))
    expect([target, headings]).toEqual([target, expect.arrayContaining([fragment])])
  }
})

test.each(['README.md', '.github/CONTRIBUTING.md'])(
  '%s names no place of the sources that there is none of',
  (file) => {
    const places = [...read(file).matchAll(/`((?:src|db|test|scripts)\/[\w./-]+)`/g)].map(([, place = '']) => place)
    expect(places.length).toBeGreaterThan(0)
    expect(places.filter((place) => !existsSync(join(top, place)))).toEqual([])
  },
)
