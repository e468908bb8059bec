import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import { addDays, DAY_MS, daysInclusive, localDate, offsetsOf, startOfDay } from '../../../core/dates.ts'
import { leastIdAt } from '../../../core/id.ts'
import { holds, type Scope } from '../../../core/scope.ts'
import { notFound } from '../../../errors.ts'
import { getProperty } from '../../property/properties/store.ts'
import type { CollectionRow, OccupancyRow, RollRow } from './model.ts'
import {
  daysCovered,
  groupBy,
  piecesOf,
  type ReportName,
  type Row,
  rateOf,
  type Sums,
  sum,
  sumsOf,
  withRate,
} from './rules.ts'
import {
  allProperties,
  billedByStart,
  journals,
  journalUntil,
  leaseNames,
  leasesOf,
  noteJournals,
  ownProperties,
  rollOf,
  tenantsWithNiu,
  unitsOf,
  waivedOf,
} from './store.ts'

/** The parameters of a report; dates are inclusive, in the organization's time zone. */
export type ReportRequest = {
  readonly orgId: string
  readonly scope: Scope
  readonly from: string
  readonly to: string
  readonly propertyId?: string | undefined
  readonly timeZone: string
  /** In the organization's time zone. */
  readonly today: string
}
/** Rows as JSON objects separated by commas, their sums, and of an owner statement the account of a property. */
export type Part = {
  readonly json: string | Uint8Array<ArrayBuffer>
  readonly sums: Sums
  readonly account?: Row | undefined
}
/** The parts of a report in order. */
export type Parts = AsyncIterable<Part> | Iterable<Part>
export type Report = (db: Db, request: ReportRequest, rest: Rest) => AsyncGenerator<Part, void, undefined>
const NOTHING = { grossAmount: 0, creditedAmount: 0, amountPaid: 0, balanceAmount: 0 }
export type Property = ReturnType<typeof allProperties>[number]

/** Sorts `A2` before `A10`. */
const { compare } = new Intl.Collator('fr', { numeric: true })

/** The properties that the caller sees, by name. @throws not_found for a property that they do not see */
export function propertiesIn(db: Db, { orgId, scope, propertyId }: ReportRequest): Property[] {
  if (propertyId !== undefined) {
    const row = getProperty(db, orgId, scope, propertyId)
    if (!row) throw notFound()
    return [row]
  }
  const { kind, userId } = scope
  const all = kind === 'owner' ? ownProperties(db, { orgId, userId }) : allProperties(db, { orgId })
  const visible = all.filter(({ id }) => kind === 'owner' || holds(scope, { ownerUserId: '', propertyId: id }))
  return visible.sort((a, b) => compare(a.name, b.name))
}

/** Runs a report property by property, and lets other work run in between. */
export const byProperty = <R extends object>(
  name: ReportName,
  read: (db: Db, request: ReportRequest, property: Property, rest: Rest) => R[] | Promise<R[]>,
): Report =>
  async function* (db, request, rest) {
    for (const property of propertiesIn(db, request)) {
      const rows = await read(db, request, property, rest)
      await rest()
      yield { json: JSON.stringify(rows).slice(1, -1), sums: sumsOf(name, rows as unknown as Row[]) }
      await rest()
    }
  }

type Lease = ReturnType<typeof leasesOf>[number]
/** Whether a lease ran in the period; one ended before it began never ran. */
const ran = ({ status, startDate, endDate, terminatedAt }: Lease, { from, to, timeZone }: ReportRequest): boolean =>
  (status === 'ACTIVE' || status === 'TERMINATED') &&
  startDate <= to &&
  (endDate === undefined || endDate >= from) &&
  (terminatedAt === undefined || localDate(Date.parse(terminatedAt), timeZone) >= startDate)

type Place = Pick<RollRow, 'propertyId' | 'propertyName' | 'unitId' | 'unitLabel' | 'bookingId' | 'rentAmount'>
const billedLine = (place: Place, i: ReturnType<typeof rollOf>[number], waivedAmount?: number): RollRow => ({
  ...place,
  tenantName: i.tenantName,
  invoiceId: i.id,
  invoiceNumber: i.number,
  periodStart: i.periodStart,
  periodEnd: i.periodEnd,
  dueDate: i.dueDate,
  grossAmount: i.grossAmount,
  creditedAmount: i.creditedAmount,
  ...(waivedAmount === undefined ? {} : { waivedAmount }),
  // A settlement's credit counts as settled on the invoice, but nobody paid it.
  amountPaid: i.amountPaid - i.creditedAmount,
  balanceAmount: i.grossAmount - i.amountPaid,
  status: i.creditedAmount > 0 && i.creditedAmount === i.grossAmount ? 'CREDITED' : (i.status as RollRow['status']),
})

/** Units whose invoices are read in one statement. */
const UNITS = 100
const rentRoll = byProperty<RollRow>('rent-roll', async (db, request, property, rest) => {
  const { orgId, from, to } = request
  const { id: propertyId, name: propertyName } = property
  const leases = groupBy(leasesOf(db, { orgId, propertyId }), (l) => l.unitId)
  await rest()
  const units = unitsOf(db, { orgId, propertyId }).sort((a, b) => compare(a.label, b.label))
  await rest()
  const lines: RollRow[] = []
  for (let n = 0; n < units.length; n += UNITS) {
    const some = units.slice(n, n + UNITS)
    const ids = some.flatMap(({ id }) => leases.get(id)?.map((lease) => lease.id) ?? [])
    const roll = rollOf(db, { orgId, leases: JSON.stringify(ids), from, to })
    const billed = groupBy(roll, (i) => i.bookingId)
    const waived = waivedOf(db, orgId, roll)
    for (const { id: unitId, label: unitLabel, status, rentAmount } of some) {
      const place = { propertyId, propertyName, unitId, unitLabel }
      const before = lines.length
      for (const lease of leases.get(unitId) ?? []) {
        const runs = ran(lease, request)
        const let_ = { ...place, bookingId: lease.id, ...(runs ? { rentAmount: lease.rentAmount } : {}) }
        const invoices = billed.get(lease.id)
        if (invoices) for (const invoice of invoices) lines.push(billedLine(let_, invoice, waived.get(invoice.id)))
        else if (runs) lines.push({ ...let_, tenantName: lease.tenantName, ...NOTHING, status: 'NOT_INVOICED' })
      }
      if (lines.length === before && status !== 'ARCHIVED' && property.status !== 'ARCHIVED')
        lines.push({ ...place, ...(rentAmount === undefined ? {} : { rentAmount }), ...NOTHING, status: 'VACANT' })
    }
    await rest()
  }
  return lines
})

/** Uncancelled invoices of a property whose periods begin from `from` to `to`, summed by that day for some leases at a time. */
export async function billedOf(db: Db, { orgId, from, to }: Range, propertyId: string, rest: Rest) {
  const starts: ReturnType<ReturnType<typeof billedByStart>['all']> = []
  for (const piece of piecesOf(leaseNames(db, { orgId, propertyId }))) {
    starts.push(...billedByStart(db).all({ orgId, propertyId, from, to, ...piece }))
    await rest()
  }
  return starts
}
type Range = Pick<ReportRequest, 'orgId' | 'from' | 'to'>

const collection = byProperty<CollectionRow>('collection', async (db, request, property, rest) => {
  const { id: propertyId, name } = property
  const starts = await billedOf(db, request, propertyId, rest)
  starts.sort((a, b) => (a.periodStart < b.periodStart ? -1 : 1))
  return [...groupBy(starts, (s) => s.periodStart.slice(0, 7))].map(([month, sums]) => {
    const invoicedAmount = sum(sums, (s) => s.gross - s.credited)
    const paidAmount = sum(sums, (s) => s.paid - s.credited)
    return withRate('collectionRate', rateOf(paidAmount, invoicedAmount), {
      propertyId,
      propertyName: name,
      month,
      invoices: sum(sums, (s) => s.invoices),
      invoicedAmount,
      paidAmount,
      balanceAmount: invoicedAmount - paidAmount,
    })
  })
})

const occupancy = byProperty<OccupancyRow>('occupancy', (db, request, property) => {
  const { orgId, from, to } = request
  const place = { orgId, propertyId: property.id }
  const leases = groupBy(
    leasesOf(db, place).filter((l) => ran(l, request)),
    (l) => l.unitId,
  )
  const days = daysInclusive(from, to)
  let units = 0
  let occupiedDays = 0
  for (const unit of unitsOf(db, place)) {
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

/** After every id. */
const LAST_ID = 'g'

const tvaJournal: Report = async function* (db, request, rest) {
  const { orgId, scope, propertyId, timeZone } = request
  if (propertyId !== undefined) propertiesIn(db, request)
  const reach = propertyId !== undefined ? 'property' : scope.kind === 'tenant' ? 'owner' : scope.kind
  const journal = journals[reach]
  const from = startOfDay(request.from, timeZone)
  const to = startOfDay(addDays(request.to, 1), timeZone)
  // An invoice may be cancelled after the period, so the offsets go on beyond it.
  const offsets = offsetsOf(from, to + 2000 * DAY_MS, timeZone).map(
    ({ sinceMs, aheadMs }) => [new Date(sinceMs).toISOString(), `${aheadMs / 1000} seconds`] as const,
  )
  const about = {
    orgId,
    of: propertyId ?? (scope.kind === 'all' ? '' : scope.userId),
    from: request.from,
    to: request.to,
    offsets: JSON.stringify(offsets),
    nius: JSON.stringify(Object.fromEntries(tenantsWithNiu(db, { orgId }).map((t) => [t.id, t.niu]))),
  }
  // Ids are in order of time; two days on each side allow for clocks that were set and time zones that were changed.
  const end = leastIdAt(to + 2 * DAY_MS)
  let after = leastIdAt(from - 2 * DAY_MS)
  while (after < end) {
    const key = { ...about, after }
    const last = journalUntil(db, { orgId, after }) ?? end
    const { json, ...sums } = journal(db, { ...key, until: last })
    if (json) yield { json, sums }
    after = last
    await rest()
  }
  const { offsets: _, ...time } = about
  for (const notes of noteJournals)
    for (let place: { from: string; after: string } | undefined = { from: request.from, after: '' }; place; ) {
      const next = notes.until(db).get({ orgId, to: time.to, ...place })
      const end = { to: next?.from ?? time.to, until: next?.after ?? LAST_ID }
      const { json, ...sums } = notes[reach](db, { ...time, ...place, ...end })
      if (json) yield { json, sums }
      place = next
      await rest()
    }
}

/** The reports by name; the others are features of their own. */
export const FIGURES: Readonly<
  Record<Exclude<ReportName, 'owner-statement' | 'owner-account' | 'profit-loss' | 'arrears'>, Report>
> = {
  'rent-roll': rentRoll,
  collection,
  occupancy,
  'tva-journal': tvaJournal,
}
