import { MAX_CELL, MAX_CELLS, MAX_CHARACTERS, MAX_COLUMNS } from '../../core/budgets.ts'
import {
  broken,
  longCell,
  tooManyCells,
  tooManyCharacters,
  tooManyColumns,
  tooManyRows,
  unknownEncoding,
} from './refusals.ts'

/** Decodes UTF-8, UTF-16 with its mark, or Windows-1252, which Excel writes in French; anything else is refused. */
function textOf(bytes: Uint8Array): string {
  const [a, b] = bytes
  const decode = (encoding: string) => new TextDecoder(encoding, { fatal: true }).decode(bytes)
  try {
    if (a === 0xff && b === 0xfe) return decode('utf-16le')
    if (a === 0xfe && b === 0xff) return decode('utf-16be')
    if (bytes.includes(0)) throw new TypeError('no text')
    try {
      return decode('utf-8')
    } catch {
      const text = decode('windows-1252')
      // Bytes that Windows-1252 does not define are decoded as control characters.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose
      if (/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/.test(text)) throw new TypeError('no text')
      return text
    }
  } catch {
    throw unknownEncoding()
  }
}

/** Characters of the first lines that suffice to detect the delimiter. */
const FIRST_LINES = 16_384
/**
 * Detects the delimiter: most of the first lines contain it. A title may stand above the headings, and the headings
 * themselves contain no other of the three, while cells may contain all.
 */
function delimiterOf(text: string): string {
  const lines = text.replace(/"[^"]*"/g, '').split(/[\r\n]+/, 30)
  const times = (d: string): number => lines.filter((line) => line.includes(d)).length
  return ['\t', ';', ','].reduce((best, d) => (times(d) > times(best) ? d : best))
}

const QUOTE = 0x22
const CR = 0x0d
const LF = 0x0a

/**
 * The rows of RFC 4180 text with any line endings. Limits are checked while reading, so that no file produces more than
 * one row too many. @throws validation_failed with a sentence
 */
export function csvRows(bytes: Uint8Array, maxRows: number, linesAbove = 0): string[][] {
  // `sep=;` as first line is an instruction to spreadsheet programs: the headings follow it.
  const text = textOf(bytes)
  const [mark = '', named] = /^\ufeff?(?:sep=([;,\t])\r?\n)?/i.exec(text.slice(0, 16)) ?? []
  const divides = (named ?? delimiterOf(text.slice(mark.length, mark.length + FIRST_LINES))).charCodeAt(0)
  const rows: string[][] = []
  let cells = 0
  let characters = 0
  let columns = 0
  /** Rows completed so far, the headings included. */
  let lines = 0
  let at = mark.length

  const ends = (code: number): boolean => code === divides || code === CR || code === LF
  function plainCell(): string {
    const from = at
    while (at < text.length && !ends(text.charCodeAt(at))) at += 1
    if (at - from > MAX_CELL) throw longCell(MAX_CELL)
    return text.slice(from, at)
  }
  function quotedCell(): string {
    let value = ''
    let from = at + 1
    for (;;) {
      const quote = text.indexOf('"', from)
      if (quote === -1) throw broken()
      value += text.slice(from, quote)
      if (value.length > MAX_CELL) throw longCell(MAX_CELL)
      at = quote + 1
      if (text.charCodeAt(at) !== QUOTE) break
      value += '"'
      from = at + 1
    }
    while (text[at] === ' ') at += 1
    if (at < text.length && !ends(text.charCodeAt(at))) throw broken()
    return value
  }
  /** Blank lines count, as in a spreadsheet; those after the last row are dropped. */
  function keep(cell: string): void {
    columns += 1
    if (columns > MAX_COLUMNS) throw tooManyColumns(MAX_COLUMNS)
    if (cell !== '') {
      if (lines > maxRows + linesAbove) throw tooManyRows(maxRows)
      cells += 1
      if (cells > MAX_CELLS) throw tooManyCells(MAX_CELLS)
      characters += cell.length
      if (characters > MAX_CHARACTERS) throw tooManyCharacters(MAX_CHARACTERS)
    }
    if (lines > maxRows + linesAbove) return
    if (columns === 1) rows.push([cell])
    else rows.at(-1)?.push(cell)
  }

  while (at < text.length) {
    keep(text.charCodeAt(at) === QUOTE ? quotedCell() : plainCell())
    const code = text.charCodeAt(at)
    at += 1
    if (code === CR && text.charCodeAt(at) === LF) at += 1
    if (code !== divides) {
      lines += 1
      columns = 0
    } else if (at === text.length) keep('')
  }
  return rows
}
