import type { ReadSheet } from '../../../adapters/tables/port.ts'
import { addMonths } from '../../../core/dates.ts'
import { COLUMNS, IMPORT_KINDS, type ImportKind } from '../../../core/import-columns.ts'
import {
  columnOf,
  type Fix,
  HEADING_LINES,
  letters,
  MAX_ROWS,
  type Mapping,
  monthWritten,
  PAID_MONTHS,
  type Problem,
  plain,
  type Row,
  readCell,
  type SheetColumn,
} from './rules.ts'

/** What is wrong with the headings, and which column is what. */
export type Headings = {
  /** The line of the headings, counted from 0. */
  readonly line: number
  readonly columns: readonly SheetColumn[]
  /** The headings in the file, by member. */
  readonly written: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}
/** Words that say nothing of what is in a column. */
const NOISE = new Set(
  'de du des d la le les l et en of the and n no num numero fcfa cfa xaf f frs par per mois month mensuel monthly'.split(
    ' ',
  ),
)
const unbracketed = (heading: string): string => heading.replace(/[([{][^)\]}]{0,60}[)\]}]?/g, ' ')
/** A heading by the words that matter, without their plural. */
const essential = (heading: string): string =>
  (unbracketed(heading).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    .map(plain)
    .filter((word) => !NOISE.has(word))
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
    .join('')
const KNOWN: Readonly<Record<ImportKind, ReadonlyMap<string, string>>> = Object.fromEntries(
  IMPORT_KINDS.map((kind) => {
    const known = new Map<string, string>()
    for (const key of [plain, essential])
      for (const [member, { names }] of Object.entries(COLUMNS[kind]))
        for (const name of [member, ...names])
          if (key(name) !== '' && !known.has(key(name))) known.set(key(name), member)
    return [kind, known]
  }),
) as never
/** The member that a heading means. */
const memberOf = (kind: ImportKind, heading: string): string | undefined =>
  heading.length > 80
    ? undefined
    : (KNOWN[kind].get(plain(heading)) ??
      KNOWN[kind].get(plain(unbracketed(heading))) ??
      KNOWN[kind].get(essential(heading)))

/** The set of headings by which a mapping is remembered. */
export const headingsKey = (columns: readonly Pick<SheetColumn, 'heading'>[]): string =>
  columns
    .map(({ heading }) => plain(heading))
    .filter((heading) => heading !== '')
    .sort()
    .join('|')

/** How many members the cells of a line name. */
const namedIn = (kind: ImportKind, cells: readonly string[]): number =>
  new Set(cells.map((cell) => memberOf(kind, cell)).filter((member) => member !== undefined)).size
/** The line of the headings: of the first ones that which names the most members; the first filled one if none does. */
function headingLine(kind: ImportKind, rows: readonly (readonly string[])[]): number {
  const named = rows.slice(0, HEADING_LINES).map((cells) => namedIn(kind, cells))
  const most = Math.max(0, ...named)
  const filled = rows.findIndex((cells) => cells.some((cell) => cell.trim() !== ''))
  return most >= 2 ? named.indexOf(most) : Math.max(0, filled)
}
/** Whether a sheet has headings of a kind, or of any. */
export const hasHeadings = ({ rows }: ReadSheet, kind?: ImportKind): boolean =>
  (kind ? [kind] : IMPORT_KINDS).some((one) => rows.slice(0, HEADING_LINES).some((cells) => namedIn(one, cells) >= 2))

/** The kind of a sheet's rows: that of which the most columns are known, first among those that lack none. */
export function kindOfSheet(rows: readonly (readonly string[])[]): ImportKind {
  const judged = (['leases', 'tenants', 'units', 'properties'] as const).map((kind) => {
    const members = new Set((rows[headingLine(kind, rows)] ?? []).map((cell) => memberOf(kind, cell)))
    // Of leases the property and the day of the start may be said beside the sheet.
    const needed = Object.entries(COLUMNS[kind]).filter(
      ([member, { required }]) => required && !(kind === 'leases' && ['property', 'startDate'].includes(member)),
    )
    return {
      kind,
      whole: needed.every(([member]) => members.has(member)),
      known: [...members].filter((member) => member !== undefined).length,
    }
  })
  const [best] = judged.toSorted((a, b) => Number(b.whole) - Number(a.whole) || b.known - a.known)
  return best?.kind ?? 'leases'
}

const say = (en: string, fr: string): Problem['message'] => ({ en, fr })
function unnamed(kind: ImportKind): Problem['message'] {
  const needed = Object.values(COLUMNS[kind]).filter(({ required }) => required)
  const [fr, en] = [0, 1].map((i) => needed.map(({ names }) => names[i]).join(', '))
  return say(
    `No line with the headings of the columns was found: ${en}. Take them from the template, or say which column is what.`,
    `Aucune ligne ne porte les titres des colonnes\u00a0: ${fr}. Reprenez ceux du modèle, ou dites ce que contient chaque colonne.`,
  )
}

/** A dash, dots or blanks stand for an empty cell. */
const isBlank = (cell: string): boolean => /^[\s\u00a0\u2010-\u2015_./-]*$/.test(cell)
const LABEL = /^\p{L}{1,3}[\s.-]?\d{1,4}\p{L}?$/u
/** The share of filled cells that pass. */
const share = (cells: readonly string[], passes: (cell: string) => boolean): number =>
  cells.length === 0 ? 1 : cells.filter(passes).length / cells.length
const CERTAIN = 0.9

export type ReadingOptions = {
  readonly headingRow?: number | undefined
  readonly mapping?: Mapping | undefined
  /** The mapping of an earlier file with the same headings. */
  readonly remembered?: ((key: string) => Mapping | undefined) | undefined
  /** The members that the caller says beside the sheet, which needs no column for them. */
  readonly said?: readonly string[]
}

/** Which column of a sheet is what. Columns that nobody knows are left aside. */
export function readHeadings(
  kind: ImportKind,
  { rows }: Pick<ReadSheet, 'rows'>,
  options: ReadingOptions = {},
): Headings {
  const line = options.headingRow === undefined ? headingLine(kind, rows) : options.headingRow - 1
  const headings = rows[line] ?? []
  const below = rows.slice(line + 1)
  const key = headingsKey(headings.map((heading) => ({ heading })))
  const remembered = options.mapping ? undefined : options.remembered?.(key)
  const mapping = options.mapping ?? remembered
  const problems: Problem[] = []
  const written = new Map<string, string>()
  const width = Math.max(headings.length, ...below.slice(0, HEADING_LINES).map((cells) => cells.length))
  const taken = new Set<string>()
  const readable = (index: number, member: string): number => {
    const column = COLUMNS[kind][member]
    const cells = below.map((cells) => cells[index] ?? '').filter((cell) => !isBlank(cell))
    return column ? share(cells, (cell) => 'value' in readCell(column.kind, cell, column.words)) : 1
  }
  /** Numbers of rows under `Numéro` are no phone numbers. */
  const isOrdinal = (index: number, member: string): boolean => {
    const cells = below.map((cells) => cells[index] ?? '').filter((cell) => !isBlank(cell))
    return member === 'phoneNumber' && cells.length > 1 && share(cells, (cell) => /^\d{1,4}$/.test(cell.trim())) > 0.5
  }
  const mapped = Array.from({ length: width }, (_, index): SheetColumn => {
    const heading = (headings[index] ?? '').trim().slice(0, 60)
    const place = { index, letter: letters(index), heading }
    const given = mapping?.find(({ column }) => column === index)
    const by = options.mapping ? ('CALLER' as const) : ('REMEMBERED' as const)
    const month = monthWritten(heading)
    if (given) {
      const { member } = given
      if (member === null || (member !== PAID_MONTHS && !COLUMNS[kind][member])) return { ...place, by, certain: true }
      return { ...place, member, by, certain: true, ...(member === PAID_MONTHS && month && { month }) }
    }
    const member = memberOf(kind, heading)
    if (member !== undefined && !isOrdinal(index, member))
      return { ...place, member, by: 'HEADING', certain: readable(index, member) >= CERTAIN }
    if (kind === 'leases' && month) return { ...place, member: PAID_MONTHS, month, by: 'HEADING', certain: true }
    return { ...place, by: 'NONE', certain: true }
  })
  const columns = mapped.map((column): SheetColumn => {
    const { index, member, heading, ...place } = column
    if (member === undefined || member === PAID_MONTHS) return column
    if (taken.has(member)) {
      if (plain(heading) === plain(written.get(member) ?? ''))
        problems.push({
          row: line + 1,
          column: heading,
          message: say('This column is there twice.', 'Cette colonne apparaît deux fois.'),
        })
      // Of two headings of one meaning the first counts.
      return { ...place, index, heading, by: 'NONE', certain: false }
    }
    taken.add(member)
    if (heading !== '') written.set(member, heading)
    return column
  })
  const guessed = columns.map((column): SheetColumn => {
    if (column.by !== 'NONE' || taken.size === 0) return column
    const cells = below.map((cells) => cells[column.index] ?? '').filter((cell) => !isBlank(cell))
    const member =
      cells.length === 0
        ? undefined
        : (['phoneNumber', 'unit'] as const).find(
            (one) =>
              COLUMNS[kind][one] &&
              !taken.has(one) &&
              share(cells, (cell) => (one === 'unit' ? LABEL.test(cell.trim()) : 'value' in readCell('phone', cell))) >=
                CERTAIN,
          )
    if (member === undefined) return column
    taken.add(member)
    if (column.heading !== '') written.set(member, column.heading)
    return { ...column, member, by: 'VALUES', certain: false }
  })
  // Rows without headings: one sentence for all, instead of one for each name and each figure.
  if (taken.size === 0)
    return { line, columns: guessed, written, problems: [{ row: line + 1, message: unnamed(kind) }] }
  const saysPaid = guessed.some(({ member }) => member === 'paidUntil' || member === PAID_MONTHS)
  for (const [member, { required, names }] of Object.entries(COLUMNS[kind]))
    if (required && !taken.has(member) && !options.said?.includes(member) && !(member === 'startDate' && saysPaid))
      problems.push({
        row: line + 1,
        column: say(names[1], names[0]),
        message: say(`The column ${names[1]} is missing.`, `La colonne ${names[0]} manque.`),
      })
  return { line, columns: guessed, written, problems }
}

/** A line below the headings; `at` counts as a spreadsheet does. One that is left out says why. */
export type Line = {
  readonly at: number
  readonly outcome?: 'TOTAL' | 'EMPTY' | 'HIDDEN' | 'VACANT'
  readonly values: Row
  readonly problems: readonly Problem[]
}
export type LineOptions = {
  readonly fixes?: readonly Fix[] | undefined
  /** Whether rows that a filter has hidden come in too. */
  readonly hidden?: boolean | undefined
  /** The members that the caller says beside the sheet. */
  readonly said?: readonly string[]
  /** The last month that is paid, of rows that do not say it. */
  readonly paidUntil?: string | undefined
  /** The year of months without one. */
  readonly year: number
}

/** The members whose merged cells are filled down: never an amount, which would count twice. */
const FILLED_DOWN = ['property', 'unit', 'tenant', 'fullName', 'name']
/** The members that a vacant unit may have filled in. */
const OF_UNIT = ['property', 'unit', 'rentAmount']
/** What people write in place of a tenant. */
const VACANT = ['libre', 'vacant', 'vacante', 'vide', 'inoccupe', 'disponible', 'empty', 'free', 'available', 'neant']
const isOfTenant = (member: string): boolean => member === 'tenant' || member === 'phoneNumber'
const TOTAL = /^(?:sous|grand|sub)?(?:total|totaux|somme|sum|ensemble)(?:general|generaux|mensuel|loyers?|caution)?s?$/
const MESSAGES = {
  headless: say('There is no heading above this cell.', 'Il n’y a pas de titre au-dessus de cette cellule.'),
  uncomputed: say(
    'This formula was never computed. Type what it gives, or open and save the file in Excel.',
    'Cette formule n’a jamais été calculée. Tapez son résultat, ou ouvrez et enregistrez le fichier dans Excel.',
  ),
  needed: say('Must be filled in.', 'Doit être rempli.'),
  tooMany: say(
    `The file has more than ${MAX_ROWS} rows. Divide it and bring in one part after the other.`,
    `Le fichier a plus de ${MAX_ROWS} lignes. Divisez-le et importez-le en plusieurs parties.`,
  ),
} as const
export const TOO_MANY_ROWS = MESSAGES.tooMany

/** The lines below the headings, each read or left out. */
export function readLines(kind: ImportKind, sheet: ReadSheet, head: Headings, options: LineOptions): Line[] {
  const { rows, merged, hiddenLines, uncomputed } = sheet
  const { columns, line } = head
  const mapped = columns.filter(({ member }) => member !== undefined)
  const cellAt = (at: number, index: number): string =>
    isBlank(rows[at]?.[index] ?? '') ? '' : (rows[at]?.[index] ?? '')
  const isEmpty = (at: number): boolean =>
    mapped.every(({ index }) => cellAt(at, index) === '' && !uncomputed.has(`${at}:${index}`))
  const empty = new Set(rows.flatMap((_, at) => (at > line && isEmpty(at) ? [at] : [])))
  const filled = new Map<string, string>()
  for (const { column, from, to } of merged)
    if (columns.some(({ index, member }) => index === column && FILLED_DOWN.includes(member ?? '')))
      for (let at = Math.max(from, line) + 1; at <= to; at++) filled.set(`${at}:${column}`, cellAt(from, column))
  const money = mapped.filter(({ member }) => COLUMNS[kind][member ?? '']?.kind === 'francs')
  const sums = new Map<number, number>()
  const lines: Line[] = []
  for (let at = line + 1; at < rows.length; at++) {
    const left = (outcome: NonNullable<Line['outcome']>): void =>
      void lines.push({ at: at + 1, outcome, values: {}, problems: [] })
    if (empty.has(at)) {
      left('EMPTY')
      continue
    }
    if (isTotal(rows[at] ?? [], at)) {
      left('TOTAL')
      continue
    }
    if (hiddenLines.has(at) && !options.hidden) {
      left('HIDDEN')
      continue
    }
    for (const { index } of money) {
      const read = readCell('francs', cellAt(at, index))
      if ('value' in read) sums.set(index, (sums.get(index) ?? 0) + Number(read.value))
    }
    const read = readLine(at)
    lines.push(isVacant(read.values, read.filled) ? { ...read.line, outcome: 'VACANT', problems: [] } : read.line)
  }
  return lines

  /** A row that names no home, and adds up those above or says that it does. */
  function isTotal(cells: readonly string[], at: number): boolean {
    const others = mapped.filter(({ index }) => !money.some((one) => one.index === index) && cellAt(at, index) !== '')
    const says = cells.findIndex((cell) => TOTAL.test(plain(cell.slice(0, 60))))
    if (says !== -1) return others.every(({ index }) => index === says)
    const amounts = money.filter(({ index }) => cellAt(at, index) !== '')
    return (
      others.length === 0 &&
      amounts.length > 0 &&
      amounts.every(({ index }) => {
        const read = readCell('francs', cellAt(at, index))
        return 'value' in read && read.value === sums.get(index)
      })
    )
  }
  /** A row of leases that names a unit and no tenant: the unit is vacant. */
  function isVacant(values: Row, members: readonly string[]): boolean {
    return kind === 'leases' && values.unit !== undefined && members.every((member) => OF_UNIT.includes(member))
  }
  function readLine(at: number) {
    const row = at + 1
    const values: Record<string, unknown> = {}
    const problems: Problem[] = []
    const wrong = new Set<string>()
    const members: string[] = []
    const months: { readonly month: string; readonly text: string }[] = []
    const problem = (member: string, message: Problem['message']): void => {
      const column = columnOf(kind, head, member)
      wrong.add(member)
      problems.push({ row, ...(column && { column }), message })
    }
    const take = (member: string, raw: string): void => {
      const column = COLUMNS[kind][member]
      if (!column) return
      const read = readCell(column.kind, raw, column.words)
      if ('value' in read) values[member] = read.value
      else problem(member, read.message)
    }
    const fixes = new Map((options.fixes ?? []).filter((fix) => fix.row === row).map((fix) => [fix.member, fix.value]))
    for (const { index, member, month } of mapped) {
      if (member === undefined || fixes.has(member)) continue
      const raw = cellAt(at, index) || (filled.get(`${at}:${index}`) ?? '')
      if (uncomputed.has(`${at}:${index}`) && member !== PAID_MONTHS) problem(member, MESSAGES.uncomputed)
      else if (member === PAID_MONTHS) months.push({ month: month ?? '', text: raw })
      else if (raw !== '' && !(isOfTenant(member) && VACANT.includes(plain(raw)))) {
        members.push(member)
        take(member, raw)
      }
    }
    for (const [member, value] of fixes)
      if (value.trim() !== '') {
        members.push(member)
        take(member, value)
      }
    // In CSV a stray separator shifts the cells after it, so a cell beyond the headings is an error.
    if (sheet.name === undefined)
      for (const [i, cell] of (rows[at] ?? []).entries())
        if (i >= (rows[line]?.length ?? 0) && cell.trim() !== '')
          problems.push({ row, column: letters(i), message: MESSAGES.headless })
    if (values.givenNames !== undefined) {
      const member = kind === 'tenants' ? 'fullName' : 'tenant'
      values[member] = [values[member], values.givenNames].filter((name) => name !== undefined).join(' ')
      delete values.givenNames
    }
    if (months.length > 0) {
      if (months.some(({ text }) => text !== '')) members.push(PAID_MONTHS)
      addPaid(values, months, options.year)
    }
    if (kind === 'leases' && values.billFrom === undefined) values.paidUntil ??= options.paidUntil
    if (values.paidUntil === undefined) delete values.paidUntil
    for (const [member, { required }] of Object.entries(COLUMNS[kind]))
      if (required && values[member] === undefined && !wrong.has(member) && !options.said?.includes(member))
        if (member !== 'startDate' || values.paidUntil === undefined)
          // Who says until when the rent is paid need not know the first day.
          problem(member, MESSAGES.needed)
    return { line: { at: row, values: values as Row, problems }, values, filled: members }
  }
}

/**
 * The last month without a gap of the columns of months; what lacks of a part of the next one is owed. A column of its
 * own says it better.
 */
function addPaid(
  values: Record<string, unknown>,
  months: readonly { readonly month: string; readonly text: string }[],
  year: number,
): void {
  if (values.paidUntil !== undefined || values.billFrom !== undefined) return
  const ordered = months
    .filter(({ month }) => month !== '')
    .map(({ month, text }) => ({ month: month.startsWith('-') ? `${year}${month}` : month, text }))
    .sort((a, b) => (a.month < b.month ? -1 : 1))
  const isPaid = (text: string): boolean => text !== '' && !/^(?:0+|non?|impaye|unpaid|doit)$/.test(plain(text))
  const first = ordered.findIndex(({ text }) => isPaid(text))
  if (first === -1) return
  const gap = ordered.findIndex(({ text }, i) => i > first && !isPaid(text))
  const run = ordered.slice(first, gap === -1 ? undefined : gap)
  const last = run.at(-1)
  if (!last) return
  values.paidUntil = last.month
  const rent = values.rentAmount as number | undefined
  const read = readCell('francs', last.text)
  const amount = 'value' in read ? Number(read.value) : undefined
  if (rent !== undefined && amount !== undefined && amount < rent && values.openingBalance === undefined)
    values.openingBalance = rent - amount
}

/**
 * The first day that is billed when the rent is paid until a month: that of the first period that begins after it;
 * undefined where nothing is paid yet. A lease of the 15th is billed from the 15th after.
 */
export function billFromAfter(startDate: string, paidUntil: string): string | undefined {
  if (startDate.slice(0, 7) > paidUntil) return undefined
  const [y = 0, m = 0] = startDate.split('-').map(Number)
  const [year = 0, month = 0] = paidUntil.split('-').map(Number)
  return addMonths(startDate, (year - y) * 12 + (month - m) + 1)
}
