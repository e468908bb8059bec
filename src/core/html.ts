const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (value: string): string => value.replace(/[&<>"']/g, (c) => ESCAPES[c] ?? c)

/** A fragment of trusted markup. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type Part = string | number | Html | readonly Html[] | undefined | false
const render = (part: Part): string => {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  return typeof part === 'object' ? part.map((p) => p.text).join('') : escaped(String(part))
}
/** Escapes every interpolated value except Html. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((out, s, i) => out + render(parts[i - 1]) + s))

/** A text as part of an address, cut after `most` units: half of a pair that the cut leaves cannot be encoded as it is. */
export const inUrl = (text: string, most: number): string => encodeURIComponent(text.slice(0, most).toWellFormed())
