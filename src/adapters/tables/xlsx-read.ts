import { MAX_CELL, MAX_CELLS, MAX_CHARACTERS, MAX_COLUMNS, SPREADSHEET } from '../../core/budgets.ts'
import { DAY_MS } from '../../core/dates.ts'
import type { ReadFile, ReadSheet } from './port.ts'
import { beyond, broken, longCell, tooManyCells, tooManyCharacters, unpacksTooMuch } from './refusals.ts'
import { type Rest, type Unpack, unpacker } from './unpack.ts'
import { attribute, unescaped, type XmlSink } from './xml.ts'

/** Days from 1899-12-30, and from 1904-01-01, to 1970-01-01. */
const EPOCHS = { 1900: 25_569, 1904: 24_107 } as const
const WORKBOOK = 'xl/workbook.xml'
const RELATIONS = 'xl/_rels/workbook.xml.rels'

/** Collects the text of one element at a time, up to the limit of a cell and a total limit. */
function collector() {
  let text: string | undefined
  let characters = 0
  return {
    begin: () => {
      text ??= ''
    },
    add: (piece: string) => {
      if (text === undefined) return
      text += piece
      // An escaped character takes at most ten.
      if (text.length > MAX_CELL * 10) throw longCell(MAX_CELL)
    },
    take: (): string => {
      // Copied, because a substring keeps the whole text that it was cut from in memory.
      const whole = Buffer.from(unescaped(text ?? '')).toString()
      text = undefined
      if (whole.length > MAX_CELL) throw longCell(MAX_CELL)
      characters += whole.length
      if (characters > MAX_CHARACTERS) throw tooManyCharacters(MAX_CHARACTERS)
      return whole
    },
  }
}
/** Office programs write characters that XML has not as _x000D_. */
const plainText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\da-fA-F]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

const none = (): void => {}
const onOpen = (open: XmlSink['open']): XmlSink => ({ open, close: none, text: none })

/** Paths of the sheets, the shared texts and the formats, and the workbook's calendar. */
async function findParts(unpack: Unpack) {
  const listed: { id: string; name: string; isHidden: boolean }[] = []
  let isComputed = true
  let epoch: number = EPOCHS[1900]
  const targets = new Map<string, string>()
  const paths = { texts: 'xl/sharedStrings.xml', styles: 'xl/styles.xml' }
  await unpack(
    WORKBOOK,
    onOpen((name, attributes) => {
      if (name === 'sheet') {
        if (listed.length === SPREADSHEET.parts) throw unpacksTooMuch()
        const isHidden = (attribute(attributes, 'state') ?? 'visible') !== 'visible'
        const sheetName = (attribute(attributes, 'name') ?? '').slice(0, 60)
        listed.push({ id: attribute(attributes, 'id') ?? '', name: sheetName, isHidden })
      }
      // A program that computes nothing leaves that to the next one, with zeros in place of what formulas give.
      if (name === 'calcPr') isComputed = !['1', 'true'].includes(attribute(attributes, 'fullCalcOnLoad') ?? '')
      if (name === 'workbookPr' && ['1', 'true'].includes(attribute(attributes, 'date1904') ?? '')) epoch = EPOCHS[1904]
    }),
  )
  await unpack(
    RELATIONS,
    onOpen((name, attributes) => {
      if (name !== 'Relationship') return
      if (targets.size > SPREADSHEET.parts) throw unpacksTooMuch()
      const target = attribute(attributes, 'Target') ?? ''
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`
      const type = attribute(attributes, 'Type') ?? ''
      if (type.endsWith('/sharedStrings')) paths.texts = path
      if (type.endsWith('/styles')) paths.styles = path
      targets.set(attribute(attributes, 'Id') ?? '', path)
    }),
  )
  const sheets = listed.flatMap(({ id, ...sheet }) => {
    const path = targets.get(id)
    return path === undefined ? [] : [{ ...sheet, path }]
  })
  if (sheets.length === 0) throw broken()
  return { ...paths, sheets, epoch, isComputed }
}

/** Formats of dates and times that every office program knows by number. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
/**
 * Whether a custom format contains day, month, year or hour outside quoted text. Brackets hold no other `[`: otherwise a
 * flood of them would be searched to its end from each one.
 */
const isDateFormat = (code: string): boolean =>
  /[dmyhs]/i.test(code.replace(/\[(?!h+\]|m+\]|s+\])[^\][]*\]|"[^"]*"|\\.|_.|\*.|general/gi, ''))

function stylesSink(dates: boolean[]): XmlSink {
  const own = new Map<number, boolean>()
  let within = false
  return {
    open(name, attributes) {
      if (own.size > SPREADSHEET.formats || dates.length > SPREADSHEET.formats) throw unpacksTooMuch()
      if (name === 'cellXfs') within = true
      if (name === 'numFmt')
        own.set(Number(attribute(attributes, 'numFmtId')), isDateFormat(attribute(attributes, 'formatCode') ?? ''))
      if (name !== 'xf' || !within) return
      const id = Number(attribute(attributes, 'numFmtId') ?? 0)
      dates.push(own.get(id) ?? isBuiltInDate(id))
    },
    close(name) {
      if (name === 'cellXfs') within = false
    },
    text: none,
  }
}

function textsSink(texts: string[]): XmlSink {
  const collected = collector()
  let within = false
  let spoken = false
  return {
    open(name) {
      if (name === 'rPh') spoken = true
      if (name === 't' && !spoken) within = true
      if (name === 't') collected.begin()
    },
    close(name) {
      if (name === 't') within = false
      if (name === 'rPh') spoken = false
      if (name !== 'si') return
      if (texts.length === MAX_CELLS) throw unpacksTooMuch()
      texts.push(plainText(collected.take()))
    },
    text: (piece) => within && collected.add(piece),
  }
}

/** Column and row of a reference such as AB12, from 1; row 0 for anything else. No pattern: a sheet has millions of them. */
function placeOf(reference: string): { readonly column: number; readonly line: number } {
  let [at, column, line] = [0, 0, 0]
  const digitAt = (i: number, first: number): number => {
    const digit = reference.charCodeAt(i) - first
    return digit >= 0 ? digit : Number.NaN
  }
  for (let letter = digitAt(0, 0x41); letter < 26 && at < 3; letter = digitAt(at, 0x41)) {
    column = column * 26 + letter + 1
    at += 1
  }
  const from = at
  for (let digit = digitAt(at, 0x30); digit < 10 && at < from + 7; digit = digitAt(at, 0x30)) {
    line = line * 10 + digit
    at += 1
  }
  return at === reference.length && from > 0 ? { column, line } : { column, line: 0 }
}

type Book = {
  readonly texts: readonly string[]
  readonly dates: readonly boolean[]
  readonly epoch: number
  readonly isComputed: boolean
}
type Cell = { readonly type: string; readonly style: number; isFormula?: true }
/** What is filled in as a sheet is read. */
type Reading = {
  readonly rows: string[][]
  readonly hiddenLines: Set<number>
  readonly merged: { readonly column: number; readonly from: number; readonly to: number }[]
  readonly uncomputed: Set<string>
}

function cellText({ type, style }: Cell, value: string, { texts, dates, epoch }: Book): string {
  if (type === 'str' || type === 'inlineStr') return plainText(value)
  if (value === '' || type === 'e') return value
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'd') return value.slice(0, 10)
  const number = Number(value)
  if (type === 's') {
    const text = texts[number]
    if (text === undefined) throw broken()
    return text
  }
  if (!Number.isFinite(number)) throw broken()
  if (!dates[style]) return String(number)
  const date = new Date(Math.round((number - epoch) * DAY_MS))
  if (Number.isNaN(date.getTime())) throw broken()
  return date.toISOString().slice(0, 10)
}

/** Rows and cells must ascend without duplicates: each reference is checked before anything is allocated for it. */
function sheetSink({ rows, hiddenLines, merged, uncomputed }: Reading, maxRows: number, book: Book): XmlSink {
  const collected = collector()
  let line = 0
  let column = 0
  let cells = 0
  let characters = 0
  let cell: Cell | undefined
  let reference: string | undefined
  let within = false
  let spoken = false

  function beginRow(attributes: string): void {
    const stated = attribute(attributes, 'r')
    const next = stated === undefined ? line + 1 : Number(stated)
    if (!Number.isSafeInteger(next) || next <= line) throw broken()
    line = next
    column = 0
    if (line <= maxRows + 1 && ['1', 'true'].includes(attribute(attributes, 'hidden') ?? '')) hiddenLines.add(line - 1)
  }
  function keepMerged(attributes: string): void {
    const [first = '', last = ''] = (attribute(attributes, 'ref') ?? '').split(':')
    const [from, to] = [placeOf(first), placeOf(last)]
    if (from.line === 0 || to.line <= from.line || from.column > MAX_COLUMNS) return
    if (merged.length === SPREADSHEET.formats) throw unpacksTooMuch()
    merged.push({ column: from.column - 1, from: from.line - 1, to: Math.min(to.line, rows.length) - 1 })
  }
  function beginCell(attributes: string): void {
    const stated = attribute(attributes, 'r')
    if (stated === undefined) column += 1
    else {
      const place = placeOf(stated)
      if (place.line !== line || place.column <= column) throw broken()
      column = place.column
    }
    reference = stated
    cell = { type: attribute(attributes, 't') ?? 'n', style: Number(attribute(attributes, 's') ?? 0) }
  }
  function endCell(): void {
    const value = cell ? cellText(cell, collected.take(), book) : ''
    const isUncomputed = cell?.isFormula && (value === '' || (!book.isComputed && value === '0'))
    cell = undefined
    if (value === '' && !isUncomputed) return
    // A cell that has a colour and nothing in it may stand anywhere.
    if (line > maxRows + 1 || column > MAX_COLUMNS)
      throw beyond(reference ?? `${line}:${column}`, maxRows + 1, MAX_COLUMNS)
    if (isUncomputed) uncomputed.add(`${line - 1}:${column - 1}`)
    cells += 1
    if (cells > MAX_CELLS) throw tooManyCells(MAX_CELLS)
    // A shared text stands once in the file, and is copied wherever the rows go.
    characters += value.length
    if (characters > MAX_CHARACTERS) throw tooManyCharacters(MAX_CHARACTERS)
    while (rows.length < line) rows.push([])
    const row = rows[line - 1] ?? []
    while (row.length < column - 1) row.push('')
    row.push(value)
  }
  return {
    open(name, attributes) {
      if (name === 'row') beginRow(attributes)
      else if (name === 'c') beginCell(attributes)
      else if (name === 'rPh') spoken = true
      else if (name === 'mergeCell') keepMerged(attributes)
      else if (name === 'f' && cell) cell.isFormula = true
      else if (cell && !spoken && name === (cell.type === 'inlineStr' ? 't' : 'v')) {
        within = true
        collected.begin()
      }
    },
    close(name) {
      if (name === 'c') endCell()
      else if (name === 'rPh') spoken = false
      else if (name === 't' || name === 'v') within = false
    },
    text: (piece) => within && collected.add(piece),
  }
}

/** A sheet as text, read in one pass without other copies: the first that is wanted. @throws validation_failed */
export async function xlsxSheet(
  bytes: Uint8Array<ArrayBuffer>,
  maxRows: number,
  rest: Rest,
  isWanted: (sheet: ReadSheet) => boolean,
): Promise<ReadFile> {
  const unpack = unpacker(bytes, rest)
  const { sheets, texts: textsAt, styles: stylesAt, epoch, isComputed } = await findParts(unpack)
  const texts: string[] = []
  const dates: boolean[] = []
  await unpack(textsAt, textsSink(texts))
  await unpack(stylesAt, stylesSink(dates))
  const withOthers = (sheet: ReadSheet): ReadFile => ({
    ...sheet,
    others: sheets
      .filter(({ name }) => name !== sheet.name)
      .slice(0, SHEETS_NAMED)
      .map(({ name, isHidden }) => ({ name, isHidden })),
  })
  let first: ReadSheet | undefined
  let refusal: unknown
  for (const { path, name, isHidden } of sheets.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden))) {
    const reading: Reading = { rows: [], hiddenLines: new Set(), merged: [], uncomputed: new Set() }
    try {
      await unpack(path, sheetSink(reading, maxRows, { texts, dates, epoch, isComputed }))
      const sheet = { ...reading, name, isHidden }
      if (isWanted(sheet)) return withOthers(sheet)
      first ??= sheet
    } catch (e) {
      // A long sheet of something else does not keep the next one out.
      refusal ??= e
    }
  }
  if (refusal || !first) throw refusal ?? broken()
  return withOthers(first)
}
/** Most other sheets that are named. */
const SHEETS_NAMED = 50
