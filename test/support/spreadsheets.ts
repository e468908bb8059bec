// Workbooks written by hand, good ones and those that are made to do harm; streamed, so that a bomb is small here too.
import { zip } from '../../src/adapters/archive/zip.ts'

const AT = new Date('2026-01-01T00:00:00Z')
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

type Content = string | Iterable<string>
export type Book = {
  /** What stands in sheetData, or the whole part where it begins with `<?xml`. */
  readonly sheet?: Content
  readonly texts?: Content
  readonly styles?: Content
  readonly workbook?: string
  readonly more?: readonly { readonly name: string; readonly content: Content }[]
}

export function* wrapped(open: string, content: Content, close: string): Generator<string> {
  yield open
  yield* typeof content === 'string' ? [content] : content
  yield close
}
/** A piece again and again. */
export function* times(n: number, piece: string | ((i: number) => string)): Generator<string> {
  let slice = ''
  for (let i = 0; i < n; i++) {
    slice += typeof piece === 'string' ? piece : piece(i)
    if (slice.length < 65_536) continue
    yield slice
    slice = ''
  }
  yield slice
}

export async function workbook({ sheet = '', texts, styles, workbook: book = '', more = [] }: Book) {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const whole = typeof sheet === 'string' && sheet.startsWith('<?xml')
  const files = [
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${book}<sheets><sheet name="x" sheetId="1" r:id="r1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'sharedStrings', 'sharedStrings.xml')}${relation('r3', 'styles', '/xl/styles.xml')}</Relationships>`,
    },
    ...(texts === undefined ? [] : [{ name: 'xl/sharedStrings.xml', content: wrapped('<sst>', texts, '</sst>') }]),
    ...(styles === undefined
      ? []
      : [{ name: 'xl/styles.xml', content: wrapped('<styleSheet>', styles, '</styleSheet>') }]),
    {
      name: 'xl/worksheets/sheet1.xml',
      content: whole ? sheet : wrapped('<worksheet><sheetData>', sheet, '</sheetData></worksheet>'),
    },
    ...more,
  ]
  return new Uint8Array(await new Response(zip(files, AT)).arrayBuffer())
}

const letters = (i: number): string =>
  (i < 26 ? '' : letters(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26))
/** Rows of so many numbered cells. */
export const grid = (rows: number, columns: number): Iterable<string> =>
  times(
    rows,
    (i) =>
      `<row r="${i + 1}">${Array.from({ length: columns }, (_, c) => `<c r="${letters(c)}${i + 1}"><v>${i}</v></c>`).join('')}</row>`,
  )
