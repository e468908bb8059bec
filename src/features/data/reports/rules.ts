import { addDays, daysBetween, daysInclusive, maxDate, minDate } from '../../../core/dates.ts'
import type { AccountAmounts } from '../../../core/owner-amounts.ts'

/** How a report looks as a PDF: its columns with their share of the page width, and the figures at the top. */
type Paper = {
  readonly grouped: boolean
  readonly columns: readonly (readonly [share: number, ...members: string[]])[]
  readonly headline: readonly [member: string, ...more: string[]]
}
export type PaperName =
  | 'rent-roll'
  | 'arrears'
  | 'collection'
  | 'occupancy'
  | 'tva-journal'
  | 'owner-account'
  | 'profit-loss'
export const PAPERS: Readonly<Record<PaperName, Paper>> = {
  'rent-roll': {
    grouped: true,
    columns: [
      [0.19, 'unitLabel', 'tenantName'],
      [0.155, 'invoiceNumber'],
      [0.135, 'periodStart', 'periodEnd'],
      [0.11, 'grossAmount'],
      [0.09, 'creditedAmount', 'waivedAmount'],
      [0.1, 'amountPaid'],
      [0.1, 'balanceAmount'],
      [0.12, 'status'],
    ],
    headline: ['balanceAmount', 'grossAmount', 'creditedAmount', 'amountPaid'],
  },
  arrears: {
    grouped: true,
    columns: [
      [0.22, 'unitLabel', 'tenantName', 'tenantPhoneNumber'],
      [0.155, 'invoiceNumber'],
      [0.135, 'dueDate'],
      [0.08, 'daysLate'],
      [0.115, 'grossAmount'],
      [0.085, 'creditedAmount'],
      [0.105, 'amountPaid'],
      [0.105, 'balanceAmount'],
    ],
    headline: ['balanceAmount'],
  },
  collection: {
    grouped: true,
    columns: [
      [0.18, 'month'],
      [0.12, 'invoices'],
      [0.18, 'invoicedAmount'],
      [0.18, 'paidAmount'],
      [0.18, 'balanceAmount'],
      [0.16, 'collectionRate'],
    ],
    headline: ['collectionRate', 'invoicedAmount', 'paidAmount'],
  },
  occupancy: {
    grouped: false,
    columns: [
      [0.34, 'propertyName'],
      [0.12, 'units'],
      [0.14, 'unitDays'],
      [0.13, 'occupiedDays'],
      [0.13, 'vacantDays'],
      [0.14, 'occupancyRate'],
    ],
    headline: ['occupancyRate', 'occupiedDays', 'vacantDays'],
  },
  'tva-journal': {
    grouped: false,
    columns: [
      [0.16, 'creditNoteNumber', 'invoiceNumber', 'issuedOn'],
      [0.24, 'tenantName', 'tenantNiu', 'propertyName', 'unitLabel'],
      [0.11, 'kind', 'status', 'cancelledOn'],
      [0.09, 'tvaBasisPoints'],
      [0.14, 'netAmount', 'standingNetAmount'],
      [0.12, 'tvaAmount', 'standingTvaAmount'],
      [0.14, 'grossAmount', 'standingGrossAmount'],
    ],
    headline: ['standingTvaAmount', 'standingNetAmount', 'standingGrossAmount'],
  },
  'owner-account': {
    grouped: true,
    columns: [
      [0.16, 'happenedOn'],
      [0.36, 'line', 'kind'],
      [0.28, 'label'],
      [0.2, 'dueAmount'],
    ],
    headline: ['dueAmount'],
  },
  'profit-loss': {
    grouped: true,
    columns: [
      [0.4, 'line'],
      [0.2, 'kind'],
      [0.2, 'waivedAmount'],
      [0.2, 'resultAmount'],
    ],
    headline: ['resultAmount'],
  },
}

/** Lines that are read and written within some ten milliseconds, while a thread takes longer to start. */
const SHORT = 1_000
/** Months of invoices that a report may read of a lease, where they are not those of its period: what is late, or everything. */
const MONTHS: Readonly<Partial<Record<ReportName, number>>> = {
  arrears: 3,
  'owner-statement': 36,
  'owner-account': 36,
  'profit-loss': 36,
}
/** Whether a report is short, by the number of units and leases that its organization has ever had. */
export const isShort = (name: ReportName, places: number, { from, to }: { from: string; to: string }): boolean =>
  places * (MONTHS[name] ?? Math.ceil(daysInclusive(from, to) / 31)) <= SHORT

export const FORMATS = ['json', 'csv', 'xlsx', 'pdf'] as const
export type Format = (typeof FORMATS)[number]

/** The status of a unit in the rent roll: that of its invoice, or why there is none. */
export const ROLL_STATUS = ['ISSUED', 'OVERDUE', 'PAID', 'CREDITED', 'NOT_INVOICED', 'VACANT'] as const
export const AGES = ['DAYS_0_30', 'DAYS_31_60', 'DAYS_61_90', 'OVER_90_DAYS'] as const
export type Age = (typeof AGES)[number]

/** The most days that a report covers. */
export const MOST_DAYS = 366

/** The age group of a debt, by the days since it was due. */
export const ageOf = (daysLate: number): Age =>
  daysLate <= 30 ? 'DAYS_0_30' : daysLate <= 60 ? 'DAYS_31_60' : daysLate <= 90 ? 'DAYS_61_90' : 'OVER_90_DAYS'

/** `part` of `whole` in basis points (10000 is all), rounded half up; undefined if `whole` is 0. */
export const rateOf = (part: number, whole: number): number | undefined =>
  whole === 0 ? undefined : Number((BigInt(part) * 20_000n + BigInt(whole)) / (2n * BigInt(whole)))

type Span = { readonly startDate: string; readonly endDate?: string | null }
/** How many days from `from` to `to`, both included, at least one of the spans covers. */
export function daysCovered(spans: readonly Span[], from: string, to: string): number {
  let days = 0
  let next = from
  for (const { startDate, endDate } of spans.toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1))) {
    const start = maxDate(startDate, next)
    const end = endDate == null ? to : minDate(endDate, to)
    if (end < start) continue
    days += daysInclusive(start, end)
    next = addDays(end, 1)
  }
  return days
}

/** First and last day of a date's month. */
export function monthOf(date: string): { from: string; to: string } {
  const from = `${date.slice(0, 8)}01`
  const near = addDays(from, 31)
  return { from, to: addDays(`${near.slice(0, 8)}01`, -1) }
}

/** Whether more can still happen in the time of a report; arrears are those of a day. */
export const isProvisional = (name: ReportName, to: string, today: string): boolean => name !== 'arrears' && to >= today

export const daysLate = (dueDate: string, asOf: string): number => daysBetween(dueDate, asOf)

export type ColumnKind = 'text' | 'phone' | 'word' | 'amount' | 'count' | 'date' | 'rate'
/** A report's columns in the order of the sheet; texts.ts has their headings. */
export const COLUMNS = {
  'rent-roll': {
    propertyName: 'text',
    unitLabel: 'text',
    tenantName: 'text',
    rentAmount: 'amount',
    invoiceNumber: 'text',
    periodStart: 'date',
    periodEnd: 'date',
    dueDate: 'date',
    grossAmount: 'amount',
    creditedAmount: 'amount',
    waivedAmount: 'amount',
    amountPaid: 'amount',
    balanceAmount: 'amount',
    status: 'word',
  },
  arrears: {
    propertyName: 'text',
    unitLabel: 'text',
    tenantName: 'text',
    tenantPhoneNumber: 'phone',
    invoiceNumber: 'text',
    periodStart: 'date',
    dueDate: 'date',
    grossAmount: 'amount',
    creditedAmount: 'amount',
    amountPaid: 'amount',
    balanceAmount: 'amount',
    depositHeldAmount: 'amount',
    daysLate: 'count',
    age: 'word',
  },
  collection: {
    propertyName: 'text',
    month: 'text',
    invoices: 'count',
    invoicedAmount: 'amount',
    paidAmount: 'amount',
    balanceAmount: 'amount',
    collectionRate: 'rate',
  },
  occupancy: {
    propertyName: 'text',
    units: 'count',
    unitDays: 'count',
    occupiedDays: 'count',
    vacantDays: 'count',
    occupancyRate: 'rate',
  },
  'tva-journal': {
    kind: 'word',
    invoiceNumber: 'text',
    creditNoteNumber: 'text',
    issuedOn: 'date',
    propertyName: 'text',
    unitLabel: 'text',
    tenantName: 'text',
    tenantNiu: 'text',
    periodStart: 'date',
    periodEnd: 'date',
    netAmount: 'amount',
    tvaBasisPoints: 'rate',
    tvaAmount: 'amount',
    grossAmount: 'amount',
    status: 'word',
    cancelledOn: 'date',
    creditedAmount: 'amount',
    standingNetAmount: 'amount',
    standingTvaAmount: 'amount',
    standingGrossAmount: 'amount',
  },
  'owner-statement': {
    propertyName: 'text',
    unitLabel: 'text',
    tenantName: 'text',
    netAmount: 'amount',
    tvaAmount: 'amount',
    grossAmount: 'amount',
    creditedAmount: 'amount',
    receivedAmount: 'amount',
    withheldAmount: 'amount',
    refundedAmount: 'amount',
    setOffAmount: 'amount',
    balanceAmount: 'amount',
    depositReceivedAmount: 'amount',
    depositDeductedAmount: 'amount',
    depositReturnedAmount: 'amount',
    depositMovedAmount: 'amount',
    depositHeldAmount: 'amount',
    creditAddedAmount: 'amount',
    creditHeldAmount: 'amount',
    ownerAmount: 'amount',
    carriedAmount: 'amount',
    managementFeeAmount: 'amount',
    managementFeeTvaAmount: 'amount',
    expensesAmount: 'amount',
    transferredAmount: 'amount',
    dueAmount: 'amount',
  },
  'owner-account': {
    propertyName: 'text',
    happenedOn: 'date',
    line: 'word',
    kind: 'word',
    label: 'text',
    dueAmount: 'amount',
  },
  'profit-loss': {
    propertyName: 'text',
    line: 'word',
    kind: 'word',
    waivedAmount: 'amount',
    resultAmount: 'amount',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ColumnKind>>>>
export type ReportName = keyof typeof COLUMNS

export type Row = Readonly<Record<string, string | number | undefined>>
export type Sums = Readonly<Record<string, number>>
/** Sums of the amounts and numbers in the rows, and of debts by age. */
export function sumsOf(name: ReportName, rows: readonly Row[]): Sums {
  const sums: Record<string, number> = { rows: rows.length }
  for (const [key, kind] of Object.entries(COLUMNS[name] as Readonly<Record<string, ColumnKind>>))
    if ((kind === 'amount' || kind === 'count') && !NOT_SUMMED[name]?.includes(key))
      sums[key] = sum(rows, (row) => Number(row[key] ?? 0))
  if (name === 'arrears')
    for (const age of AGES)
      sums[AGE_TOTALS[age]] = sum(rows, (row) => (row.age === age ? Number(row.balanceAmount) : 0))
  return sums
}
/** The sums of all parts of a report, and the rates calculated from them. */
export function totalsOf(name: ReportName, parts: readonly Sums[]): Record<string, number> {
  const totals: Record<string, number> = { ...sumsOf(name, []) }
  for (const sums of parts) for (const [key, value] of Object.entries(sums)) totals[key] = (totals[key] ?? 0) + value
  const rate = (key: string, part = 0, whole = 0): void => {
    const value = rateOf(part, whole)
    if (value !== undefined) totals[key] = value
  }
  if (name === 'collection') rate('collectionRate', totals.paidAmount, totals.invoicedAmount)
  if (name === 'occupancy') rate('occupancyRate', totals.occupiedDays, totals.unitDays)
  return totals
}
/** Rent and deposit repeat on each invoice of a lease, and days late cannot be added. */
const NOT_SUMMED = {
  'rent-roll': ['rentAmount'],
  arrears: ['depositHeldAmount', 'daysLate'],
} as Readonly<Record<string, readonly string[]>>
export const AGE_TOTALS = {
  DAYS_0_30: 'days0To30Amount',
  DAYS_31_60: 'days31To60Amount',
  DAYS_61_90: 'days61To90Amount',
  OVER_90_DAYS: 'over90DaysAmount',
} as const

export function groupBy<T>(list: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of list) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return groups
}

export function sum<T>(list: readonly T[], of: (item: T) => number): number {
  let total = 0
  for (const item of list) total += of(item)
  return total
}

export const withRate = <K extends string, T>(
  name: K,
  rate: number | undefined,
  row: T,
): T & { readonly [N in K]?: number } =>
  ({ ...row, ...(rate === undefined ? {} : { [name]: rate }) }) as T & { readonly [N in K]?: number }

/** Leases whose invoices are read in one query. */
const LEASES = 100
/** Splits leases, sorted by id, into pieces: the id before each piece, and its last id. */
export function piecesOf(leases: readonly { readonly id: string }[]): { after: string; until: string }[] {
  const ids = leases.map(({ id }) => id).sort()
  const ends = ids.filter((_, n) => (n + 1) % LEASES === 0 || n === ids.length - 1)
  return ends.map((until, n) => ({ after: ends[n - 1] ?? '', until }))
}

type Line = { readonly line: string; readonly dueAmount: number }
/** The balance of an account's lines: what is taken off stands above zero, `dueAmount` is the sum of all. */
export function balanceOf(lines: readonly Line[]): AccountAmounts {
  const of = (...names: string[]): number =>
    lines.reduce((sum, { line, dueAmount }) => (names.includes(line) ? sum + dueAmount : sum), 0)
  // Never −0, which no client expects.
  const off = (name: string): number => 0 - of(name)
  return {
    carriedAmount: of('CARRIED'),
    managementFeeAmount: off('MANAGEMENT_FEE'),
    managementFeeTvaAmount: off('MANAGEMENT_FEE_TVA'),
    expensesAmount: off('EXPENSE'),
    transferredAmount: off('TRANSFER'),
    dueAmount: lines.reduce((sum, { dueAmount }) => sum + dueAmount, 0),
  }
}
