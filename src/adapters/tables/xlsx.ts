import { DAY_MS } from '../../core/dates.ts'
import type { Zip } from '../archive/port.ts'
import type { Cell, CellKind, Sheet } from './port.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
const relations = (...list: string[]) =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`
const override = (part: string, type: string) => `<Override PartName="/xl/${part}" ContentType="${TYPE}.${type}+xml"/>`

const TYPES = `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('workbook.xml', 'sheet.main')}${override('worksheets/sheet1.xml', 'worksheet')}${override('styles.xml', 'styles')}</Types>`

/** Styles by number: plain, heading, and the formats built into every spreadsheet program: 1,234 · 14/03/2026 · 12.50%. */
const STYLE = { plain: 0, heading: 1, amount: 2, date: 3, rate: 4 } as const
const styled = (format: number, font = 0) =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">${styled(0)}${styled(0, 1)}${styled(3)}${styled(14)}${styled(10)}</cellXfs></styleSheet>`

const WIDTH: Readonly<Record<CellKind, number>> = { text: 24, amount: 14, count: 10, date: 12, rate: 10 }
const SLICE = 250

const escaped = (text: string): string => (/^[\w .,:/+-]*$/.test(text) ? text : escapedAll(text))
const escapedAll = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot hold them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
const styleOf = (style: number): string => (style === STYLE.plain ? '' : ` s="${style}"`)
const text = (at: string, value: string, style: number): string =>
  `<c r="${at}" t="inlineStr"${styleOf(style)}><is><t${/^\s|\s$|\n/.test(value) ? ' xml:space="preserve"' : ''}>${escaped(value)}</t></is></c>`
const number = (at: string, value: number, style: number): string => `<c r="${at}"${styleOf(style)}><v>${value}</v></c>`
/** A, B … Z, AA, AB … */
const letters = (i: number): string =>
  (i < 26 ? '' : letters(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26))

function cellOf(at: string, cell: Cell, kind: CellKind): string {
  if (cell === undefined) return ''
  if (kind === 'date' && cell !== '') return number(at, Date.parse(String(cell)) / DAY_MS + 25_569, STYLE.date)
  // An inline string is never a formula, whatever it begins with.
  if (typeof cell === 'string') return text(at, cell, STYLE.plain)
  if (kind === 'rate') return number(at, cell / 10_000, STYLE.rate)
  return number(at, cell, kind === 'amount' ? STYLE.amount : STYLE.plain)
}

async function* sheetOf({ columns, rows }: Sheet, rest: () => Promise<void>): AsyncGenerator<string> {
  const names = columns.map((_, i) => letters(i))
  const widths = columns.map(
    ({ kind, heading: { length } }, i) =>
      `<col min="${i + 1}" max="${i + 1}" width="${Math.max(WIDTH[kind], Math.min(length, 30) + 2)}" customWidth="1"/>`,
  )
  const heading = columns.map(({ heading: h }, i) => text(`${names[i]}1`, h, STYLE.heading))
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${heading.join('')}</row>`
  let slice = ''
  let line = 1
  for await (const row of rows) {
    line += 1
    slice += `<row r="${line}">${columns.map(({ kind }, i) => cellOf(`${names[i]}${line}`, row[i], kind)).join('')}</row>`
    if (line % SLICE > 0) continue
    yield slice
    slice = ''
    await rest()
  }
  yield slice
  yield '</sheetData></worksheet>'
}

/** Written by hand: the sheets are plain, and a library takes ten times as long. */
export function xlsx(zip: Zip, sheet: Sheet, at: Date, rest: () => Promise<void>) {
  const name = escaped(sheet.name.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31))
  return zip(
    [
      { name: '[Content_Types].xml', content: TYPES },
      { name: '_rels/.rels', content: relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')) },
      {
        name: 'xl/workbook.xml',
        content: `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: relations(
          relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
          relation('rId2', 'styles', 'styles.xml'),
        ),
      },
      { name: 'xl/styles.xml', content: STYLES },
      { name: 'xl/worksheets/sheet1.xml', content: sheetOf(sheet, rest) },
    ],
    at,
  )
}
