import type { Cell, CellKind, Sheet } from './port.ts'

const SLICE = 500

function rate(basisPoints: number, locale: 'fr' | 'en'): string {
  const text = (basisPoints / 100).toFixed(2)
  return `${locale === 'fr' ? text.replace('.', ',') : text}%`
}

// Characters that begin a formula in some spreadsheet program, in half and full width; plain numbers and phone numbers
// are exempt.
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
const NUMBER = /^[+-]\d+$/

/** A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function field(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function cellOf(cell: Cell, kind: CellKind, locale: 'fr' | 'en'): string {
  if (cell === undefined) return ''
  if (typeof cell === 'string') return field(cell)
  return kind === 'rate' ? rate(cell, locale) : String(cell)
}

/** RFC 4180 with semicolons, which Excel expects where the comma is the decimal sign; the BOM tells it UTF-8. */
export async function* csv(
  { columns, rows }: Sheet,
  locale: 'fr' | 'en',
  rest: () => Promise<void>,
): AsyncGenerator<string> {
  yield `\ufeff${columns.map(({ heading }) => field(heading)).join(';')}\r\n`
  let text = ''
  let count = 0
  for await (const row of rows) {
    text += `${columns.map(({ kind }, i) => cellOf(row[i], kind, locale)).join(';')}\r\n`
    count += 1
    if (count % SLICE > 0) continue
    yield text
    text = ''
    await rest()
  }
  yield text
}
