import { addDays, daysBetween, daysInclusive, maxDate, minDate } from '../../../core/dates.ts'

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
    collectedAmount: 'amount',
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
  if (name === 'collection') rate('collectionRate', totals.collectedAmount, totals.invoicedAmount)
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
