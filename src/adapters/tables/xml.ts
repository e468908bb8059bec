import { broken } from './refusals.ts'

/** A start tag with its attributes as they stand, an end tag, or text still escaped, perhaps in several pieces. */
export type XmlSink = {
  readonly open: (name: string, attributes: string) => void
  readonly close: (name: string) => void
  readonly text: (escaped: string) => void
}

/** Office programs write no longer tags or comments. */
const MAX_TAG = 65_536
const COLON = 0x3a
const SLASH = 0x2f
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/**
 * Decodes the entities of XML text. @throws broken for an entity that the document defines: those can expand without
 * end
 */
export const unescaped = (text: string): string =>
  text.includes('&')
    ? text.replace(/&([^;&]{0,10};?)/g, (_, entity: string) => {
        const [, hex, decimal] = /^#(?:x([\da-fA-F]{1,6})|(\d{1,7}));$/.exec(entity) ?? []
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        const known = NAMED[entity.slice(0, -1)]
        if (known !== undefined && entity.endsWith(';')) return known
        if (!(code <= 0x10ffff)) throw broken()
        return String.fromCodePoint(code)
      })
    : text

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
/** The value of an attribute, whatever the prefix of its name. Only this attribute is cut out, because a sheet has millions of them. */
export function attribute(attributes: string, name: string): string | undefined {
  for (let at = attributes.indexOf(name); at !== -1; at = attributes.indexOf(name, at + 1)) {
    const before = attributes.charCodeAt(at - 1)
    if (at > 0 && !isBlank(before) && before !== COLON) continue
    let from = at + name.length
    while (isBlank(attributes.charCodeAt(from))) from += 1
    if (attributes[from] !== '=') continue
    do from += 1
    while (isBlank(attributes.charCodeAt(from)))
    const quote = attributes[from]
    const end = quote === '"' || quote === "'" ? attributes.indexOf(quote, from + 1) : -1
    if (end === -1) throw broken()
    return unescaped(attributes.slice(from + 1, end))
  }
  return undefined
}

/**
 * The index after the tag that begins at `start`; undefined until all of it has arrived. A quoted value may contain a
 * `>`.
 */
function endOfTag(buffer: string, start: number): number | undefined {
  let quote = 0
  for (let at = start + 1; at < buffer.length; at++) {
    const code = buffer.charCodeAt(at)
    if (code === 0x3c) throw broken()
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === 0x22 || code === 0x27) quote = code
    else if (code === 0x3e) return at
  }
  return undefined
}

/**
 * A streaming XML parser: `sink` decides what is stored. Names lose their prefix. Document types are refused, and with
 * them every entity that is not XML's own. @throws broken
 */
export function createXmlReader({ open, close, text }: XmlSink) {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let held = ''
  return (bytes: Uint8Array, last: boolean): void => {
    const buffer = held + utf8.decode(bytes, { stream: !last })
    let at = 0
    while (at < buffer.length) {
      const start = buffer.indexOf('<', at)
      if (start !== at) text(buffer.slice(at, start === -1 ? undefined : start))
      at = start === -1 ? buffer.length : start
      if (start === -1) break
      const mark = buffer.charCodeAt(start + 1)
      if (mark === 0x3f || mark === 0x21) {
        const [begin, end] = mark === 0x3f ? ['<?', '?>'] : ['<!--', '-->']
        const until = buffer.indexOf(end, start + begin.length)
        if (!begin.startsWith(buffer.slice(start, start + begin.length))) throw broken()
        if (until === -1) break
        at = until + end.length
        continue
      }
      const end = endOfTag(buffer, start)
      if (end === undefined) break
      at = end + 1
      const closes = mark === SLASH
      const alone = buffer.charCodeAt(end - 1) === SLASH
      let from = start + (closes ? 2 : 1)
      const until = alone ? end - 1 : end
      let to = from
      while (to < until && !isBlank(buffer.charCodeAt(to))) {
        if (buffer.charCodeAt(to) === COLON) from = to + 1
        to += 1
      }
      const name = buffer.slice(from, to)
      if (closes) close(name)
      else {
        open(name, buffer.slice(to, until))
        if (alone) close(name)
      }
    }
    held = buffer.slice(at)
    if (held.length > (last ? 0 : MAX_TAG)) throw broken()
  }
}
