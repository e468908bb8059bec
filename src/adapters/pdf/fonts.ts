import { Buffer } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import anyAscii from 'any-ascii'
import { formatDate } from '../../core/dates.ts'
import { fonts as packed } from './fonts.gen.ts'
import { readFont } from './internals.ts'

const unpack = (text: string) => readFont(gunzipSync(Buffer.from(text, 'base64')))
export const FONTS = { regular: unpack(packed.regular), bold: unpack(packed.bold) }
export type Cut = keyof typeof FONTS

const MAX_KNOWN = 4096
const known = new Map<string, string>()

/** A character as the font can draw it: itself, or its transliteration where the font has no glyph. */
function drawn(char: string): string {
  let text = known.get(char)
  if (text === undefined) {
    const code = char.codePointAt(0) ?? 0
    // A lone surrogate is no character; a character without transliteration shows as a question mark.
    const other = char.isWellFormed() ? anyAscii(char) : ''
    text = FONTS.regular.hasGlyphForCodePoint(code) ? char : /[\p{L}\p{M}]/u.test(char) ? other : other || '?'
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(char, text)
  }
  return text
}

/** Invisible characters: controls, zero-width blanks, direction marks. */
const SHAPELESS = /(?!\n)[\p{Cc}\p{Cf}]/gu
const MONTHS = [...Array(12).keys()].flatMap((month) =>
  (['fr', 'en'] as const).map(
    (locale) => formatDate(`2000-${String(month + 1).padStart(2, '0')}-02`, locale).split(' ')[1],
  ),
)
/** "ci-dessus" stays whole, and with the word before it. */
const HERE = /[ \u00a0](ci|Ci)-(?=des(?:sus|sous)\b)/g
/** Non-breaking blanks: before double punctuation and units, within a date, after n°, around CFA. */
const BOUND = new RegExp(
  [
    ' (?=[;:?!»%](?:\\s|$))',
    '(?<=«) ',
    '(?<=(?:^|[\\s(])(?:n°|N°|No\\.|art\\.|du|au|le|from|to|until|by|on)) (?=\\d)',
    `(?<=(?:^|\\D)(?:\\d{1,2}|1er)) (?=(?:${MONTHS.join('|')}) )`,
    `(?<=(?:\\d|1er)\\s(?:${MONTHS.join('|')})) (?=\\d{4})`,
    '(?<=francs?) (?=CFA)',
    '(?<=CFA) (?=francs?)',
    '(?<=\\d) (?=m²|mois|months?\\b)',
  ].join('|'),
  'g',
)

/**
 * Text that the fonts can draw without a missing-glyph box. Latin (with Ŋ Ɛ Ɔ and every accent), Greek and Cyrillic
 * stay; other scripts are transliterated. Blanks that must not break become non-breaking.
 */
export function printable(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(SHAPELESS, '')
    .replace(BOUND, '\u00a0')
    .replace(HERE, '\u00a0$1\u2011')
  if (/^[\n\x20-\x7e\u00a0-\u017f\u2011\u2013\u2019\u2212]*$/.test(plain)) return plain
  let out = ''
  for (const char of plain) out += char === '\n' ? char : drawn(char)
  return out
}
