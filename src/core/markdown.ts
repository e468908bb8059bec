import { type Html, html } from './html.ts'

const bold = (line: string): Html[] =>
  line.split('**').map((part, i) => (i % 2 === 1 ? html`<b>${part}</b>` : html`${part}`))

/** Headings, paragraphs, numbered lines and **bold** of a Markdown text, as the terms are written; all else stays text. */
export const markdown = (text: string): Html[] =>
  text
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, heading] = /^#+\s+(.*)/.exec(line) ?? []
      return heading === undefined ? html`<p>${bold(line)}</p>` : html`<p><b>${heading}</b></p>`
    })
