import type { Scope } from '../../../db/list.ts'
import type { Db } from '../../../db/open.ts'
import type { Rest } from '../../../db/snapshot.ts'
import { addDays, daysInclusive, localDate } from '../../core/dates.ts'
import { leastIdAt } from '../../core/id.ts'
import { invalid, notFound } from '../../errors.ts'
import { getProperty } from '../properties/store.ts'
import type { ArrearsRow, CollectionRow, JournalRow, OccupancyRow, RollRow, StatementRow } from './model.ts'
import {
  ageOf,
  COLUMNS,
  type ColumnKind,
  daysCovered,
  daysLate,
  EMPTY_STATEMENT,
  groupBy,
  MOST_DAYS,
  monthOf,
  type ReportName,
  type Row,
  rateOf,
  standing,
  sum,
  withRate,
} from './rules.ts'
import {
  allProperties,
  billedByLease,
  billedByStart,
  billedInvoices,
  journalOf,
  leaseNames,
  leasesOf,
  moneyOf,
  openInvoices,
  ownProperties,
  unitsOf,
} from './store.ts'
import { HEADINGS, SHEETS, TOTAL, WORDS, type Words } from './texts.ts'

/** What a report is asked for; dates inclusive, of the organization's zone. */
export type Asked = {
  readonly orgId: string
  readonly scope: Scope
  readonly from: string
  readonly to: string
  readonly propertyId?: string | undefined
  readonly timeZone: string
}
export type Report<R> = (db: Db, asked: Asked, rest: Rest) => Promise<R[]>
const NOTHING = { grossAmount: 0, amountPaid: 0, balanceAmount: 0 }
type Property = ReturnType<typeof allProperties>[number]

// As leases have them.
const FIRST_DAY = '1900-01-01'
const LAST_DAY = '2199-12-31'

/**
 * The time asked for, by default the month that `today` lies in; of arrears `to` is the day they are looked at from (today)
 * and `from` reaches as far back as debts do. @throws validation_failed
 */
export function periodOf(
  name: ReportName,
  today: string,
  given: { readonly from?: string | undefined; readonly to?: string | undefined },
): { from: string; to: string } {
  for (const end of ['from', 'to'] as const)
    if (given[end] !== undefined && (given[end] < FIRST_DAY || given[end] > LAST_DAY))
      throw invalid(`/${end}`, 'Give a day from 1900 to 2199.', 'Donnez un jour entre 1900 et 2199.')
  const month = name === 'arrears' ? { from: FIRST_DAY, to: today } : monthOf(given.from ?? given.to ?? today)
  const period = { from: given.from ?? month.from, to: given.to ?? month.to }
  if (period.from > period.to) throw invalid('/to', 'Cannot be before `from`.', 'Ne peut pas précéder `from`.')
  if (name !== 'arrears' && daysInclusive(period.from, period.to) > MOST_DAYS)
    throw invalid('/to', `A report covers ${MOST_DAYS} days at most.`, `Un rapport couvre au plus ${MOST_DAYS} jours.`)
  return period
}

const DAY_MS = 86_400_000
/** `A2` comes before `A10`. */
const { compare } = new Intl.Collator('fr', { numeric: true })

/** The properties in view, by name. @throws not_found for one that is not */
function propertiesIn(db: Db, { orgId, scope, propertyId }: Asked): Property[] {
  if (propertyId !== undefined) {
    const row = getProperty(db, orgId, scope, propertyId)
    if (!row) throw notFound()
    return [row]
  }
  const found = scope.kind === 'all' ? allProperties(db, { orgId }) : ownProperties(db, { orgId, userId: scope.userId })
  return found.sort((a, b) => compare(a.name, b.name))
}

/** Property after property, with the others' turns between them. */
const byProperty =
  <R>(read: (db: Db, asked: Asked, property: Property) => R[]): Report<R> =>
  async (db, asked, rest) => {
    const rows: R[] = []
    for (const property of propertiesIn(db, asked)) {
      for (const row of read(db, asked, property)) rows.push(row)
      await rest()
    }
    return rows
  }

/** Leases that ran in the time asked for; one that was ended before it began never did. */
const ranIn = (db: Db, { orgId, from, to, timeZone }: Asked, propertyId: string) =>
  leasesOf(db, { orgId, propertyId, from, to }).filter(
    (l) => l.terminatedAt === undefined || localDate(Date.parse(l.terminatedAt), timeZone) >= l.startDate,
  )

export const rentRoll = byProperty<RollRow>((db, asked, property) => {
  const { orgId, from, to } = asked
  const propertyId = property.id
  const leases = groupBy(ranIn(db, asked, propertyId), (l) => l.unitId)
  const billed = groupBy(billedInvoices(db, { orgId, propertyId, from, to }), (i) => i.unitId)
  const rows: RollRow[] = []
  const units = unitsOf(db, { orgId, propertyId }).sort((a, b) => compare(a.label, b.label))
  for (const unit of units) {
    const place = { propertyId, propertyName: property.name, unitId: unit.id, unitLabel: unit.label }
    const before = rows.length
    const invoices = groupBy(billed.get(unit.id) ?? [], (i) => i.bookingId)
    const lets = new Map((leases.get(unit.id) ?? []).map((l) => [l.id, l]))
    for (const bookingId of new Set([...lets.keys(), ...invoices.keys()])) {
      const lease = lets.get(bookingId)
      const rent = lease ? { rentAmount: lease.rentAmount } : {}
      for (const i of invoices.get(bookingId) ?? [])
        rows.push({
          propertyId,
          propertyName: property.name,
          unitId: unit.id,
          unitLabel: unit.label,
          bookingId,
          tenantName: i.tenantName,
          ...rent,
          invoiceId: i.id,
          invoiceNumber: i.number,
          periodStart: i.periodStart,
          periodEnd: i.periodEnd,
          dueDate: i.dueDate,
          grossAmount: i.grossAmount,
          amountPaid: i.amountPaid,
          balanceAmount: i.grossAmount - i.amountPaid,
          status: i.status as RollRow['status'],
        })
      if (lease && !invoices.has(bookingId))
        rows.push({ ...place, bookingId, tenantName: lease.tenantName, ...rent, ...NOTHING, status: 'NOT_INVOICED' })
    }
    if (rows.length === before && unit.status !== 'ARCHIVED' && property.status !== 'ARCHIVED')
      rows.push({
        ...place,
        ...(unit.rentAmount === undefined ? {} : { rentAmount: unit.rentAmount }),
        ...NOTHING,
        status: 'VACANT',
      })
  }
  return rows
})

export const arrears = byProperty<ArrearsRow>((db, { orgId, from, to }, { id: propertyId, name }) =>
  openInvoices(db, { orgId, propertyId, from, before: to }).map((i) => {
    const late = daysLate(i.dueDate, to)
    return {
      propertyId,
      propertyName: name,
      unitLabel: i.unitLabel,
      tenantName: i.tenantName,
      ...(i.phoneNumber === undefined ? {} : { tenantPhoneNumber: i.phoneNumber }),
      bookingId: i.bookingId,
      invoiceId: i.id,
      invoiceNumber: i.number,
      periodStart: i.periodStart,
      dueDate: i.dueDate,
      grossAmount: i.grossAmount,
      amountPaid: i.amountPaid,
      balanceAmount: i.grossAmount - i.amountPaid,
      daysLate: late,
      age: ageOf(late),
    }
  }),
)

export const collection = byProperty<CollectionRow>((db, { orgId, from, to }, { id: propertyId, name }) => {
  const starts = billedByStart(db).all({ orgId, propertyId, from, to })
  return [...groupBy(starts, (s) => s.periodStart.slice(0, 7))].map(([month, sums]) => {
    const invoicedAmount = sum(sums, (s) => s.gross - s.credited)
    const collectedAmount = sum(sums, (s) => s.paid - s.credited)
    return withRate('collectionRate', rateOf(collectedAmount, invoicedAmount), {
      propertyId,
      propertyName: name,
      month,
      invoices: sum(sums, (s) => s.invoices),
      invoicedAmount,
      collectedAmount,
      balanceAmount: invoicedAmount - collectedAmount,
    })
  })
})

export const occupancy = byProperty<OccupancyRow>((db, asked, property) => {
  const { orgId, from, to } = asked
  const leases = groupBy(ranIn(db, asked, property.id), (l) => l.unitId)
  const days = daysInclusive(from, to)
  let units = 0
  let occupiedDays = 0
  for (const unit of unitsOf(db, { orgId, propertyId: property.id })) {
    const let_ = daysCovered(leases.get(unit.id) ?? [], from, to)
    if (let_ === 0 && (unit.status === 'ARCHIVED' || property.status === 'ARCHIVED')) continue
    units += 1
    occupiedDays += let_
  }
  if (units === 0) return []
  const unitDays = units * days
  const counts = { units, unitDays, occupiedDays, vacantDays: unitDays - occupiedDays }
  const row = { propertyId: property.id, propertyName: property.name, ...counts }
  return [withRate('occupancyRate', rateOf(occupiedDays, unitDays), row)]
})

export const tvaJournal: Report<JournalRow> = async (db, asked, rest) => {
  const { from, to, timeZone } = asked
  const rows = await byProperty<JournalRow>((_db, { orgId }, { id: propertyId, name }) => {
    // Ids are made in the order of time; a day to each side makes up for the zone.
    const fromId = leastIdAt(Date.parse(from) - DAY_MS)
    const beforeId = leastIdAt(Date.parse(addDays(to, 1)) + DAY_MS)
    return journalOf(_db, { orgId, propertyId, fromId, beforeId }).flatMap((i) => {
      const issuedOn = localDate(Date.parse(i.createdAt), timeZone)
      if (issuedOn < from || issuedOn > to) return []
      const stands = standing(i)
      return {
        invoiceId: i.id,
        invoiceNumber: i.number,
        issuedOn,
        propertyId,
        propertyName: name,
        unitLabel: i.unitLabel,
        tenantName: i.tenantName,
        ...(i.niu === undefined ? {} : { tenantNiu: i.niu }),
        periodStart: i.periodStart,
        periodEnd: i.periodEnd,
        netAmount: i.netAmount,
        tvaBasisPoints: i.tvaBasisPoints,
        tvaAmount: i.tvaAmount,
        grossAmount: i.grossAmount,
        status: i.status,
        ...(i.cancelledAt === undefined ? {} : { cancelledOn: localDate(Date.parse(i.cancelledAt), timeZone) }),
        creditedAmount: i.creditedAmount,
        standingNetAmount: stands.net,
        standingTvaAmount: stands.tva,
        standingGrossAmount: stands.gross,
      }
    })
  })(db, asked, rest)
  return rows.sort((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1))
}

export const ownerStatement = byProperty<StatementRow>((db, { orgId, from, to }, { id: propertyId, name }) => {
  const range = { orgId, propertyId, from, to }
  const rows = new Map<string, StatementRow>()
  const names = new Map(leaseNames(db, { orgId, propertyId }).map((l) => [l.id, l]))
  const of = (bookingId: string): StatementRow => {
    let row = rows.get(bookingId)
    if (!row) {
      const { unitLabel = '', tenantName = '' } = names.get(bookingId) ?? {}
      row = { propertyId, propertyName: name, bookingId, unitLabel, tenantName, ...EMPTY_STATEMENT }
      rows.set(bookingId, row)
    }
    return row
  }
  for (const { bookingId, net, tva, gross, credited } of billedByLease(db).all(range))
    Object.assign(of(bookingId), { netAmount: net, tvaAmount: tva, grossAmount: gross, creditedAmount: credited })
  for (const { bookingId, type, method, amount } of moneyOf(db, range)) {
    const row = of(bookingId)
    if (type === 'REFUND') row.refundedAmount += amount
    else if (method === 'WITHHOLDING') row.withheldAmount += amount
    else row.receivedAmount += amount
  }
  for (const i of openInvoices(db, { orgId, propertyId, from: '0001-01-01', before: '9999-12-31' }))
    if (i.periodStart <= to) of(i.bookingId).balanceAmount += i.grossAmount - i.amountPaid
  return [...rows.values()].sort((a, b) => compare(a.unitLabel, b.unitLabel) || (a.bookingId < b.bookingId ? -1 : 1))
})

/** The report as a sheet: headings and words in a language, the sums in the last line. */
export function sheetOf(
  name: ReportName,
  rows: readonly Row[],
  totals: Readonly<Record<string, number>>,
  locale: 'fr' | 'en',
) {
  const keys = Object.entries(COLUMNS[name] as Readonly<Record<string, ColumnKind>>)
  const said = (text: Words | undefined, otherwise: string): string => text?.[locale] ?? otherwise
  const line = (row: Row) => keys.map(([key, kind]) => (kind === 'word' ? said(WORDS[String(row[key])], '') : row[key]))
  const last = line({ ...totals, [keys[0]?.[0] ?? '']: TOTAL[locale] })
  return {
    name: said(SHEETS[name], name),
    columns: keys.map(([key, kind]) => ({
      heading: said(HEADINGS[key], key),
      kind: kind === 'word' ? ('text' as const) : kind,
    })),
    rows: [...rows.map(line), last],
  }
}
