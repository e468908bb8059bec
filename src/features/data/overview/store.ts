import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { reach } from '../../../../db/list/filters.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { perDb, query, readingAll, statements } from '../../../../db/query.ts'
import { type BookingRow, booking } from '../../../../db/schema/bookings.ts'
import { signature } from '../../../../db/schema/contracts.ts'
import { document } from '../../../../db/schema/documents.ts'
import { inspection } from '../../../../db/schema/inspections.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { outboundMessage } from '../../../../db/schema/messages.ts'
import { moneyMessage } from '../../../../db/schema/mobile-money.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { property, unit } from '../../../../db/schema/properties.ts'
import { rentMessage } from '../../../../db/schema/reminders.ts'
import { rentChange } from '../../../../db/schema/rents.ts'
import { repair } from '../../../../db/schema/repairs.ts'
import { importRun } from '../../../../db/schema/transfers.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { verificationCase } from '../../../../db/schema/verification.ts'
import type { Scope } from '../../../core/scope.ts'
import type { SearchKind } from './rules.ts'

const sum = (of: ReturnType<typeof sql>) => sql<number>`coalesce(sum(${of}), 0)`
const balance = sql`${invoice.grossAmount} - ${invoice.amountPaid}`
/** Written as in the partial indexes, so that SQLite uses them. */
const open = sql`${invoice.status} in ('ISSUED','OVERDUE')`

/** The given owner, else every owner of the organization; either has invoices of this organization alone. */
const owners = (orgId: Placeholder, owner: Placeholder) =>
  sql`${invoice.ownerUserId} in (select ${appUser.id} from ${appUser} where ${appUser.orgId} = ${orgId} and ${appUser.id} = ${owner} union select ${property.ownerUserId} from ${property} where ${property.orgId} = ${orgId} and ${owner} = '')`
const difference = (of: AnySQLiteColumn, less: AnySQLiteColumn) => sql<number>`coalesce(sum(${of}) - sum(${less}), 0)`
const amounts = {
  invoicedAmount: difference(invoice.grossAmount, invoice.creditedAmount),
  paidAmount: difference(invoice.amountPaid, invoice.creditedAmount),
}
const counts = {
  paidCount: sum(
    sql`${invoice.amountPaid} >= ${invoice.grossAmount} and ${invoice.creditedAmount} < ${invoice.grossAmount}`,
  ),
  openCount: sum(sql`${invoice.amountPaid} < ${invoice.grossAmount}`),
}
/** Invoices that are not cancelled with a period begun from `from` to `to`, as the collection report counts them. */
const billedOf = <S extends Record<string, SQL<number>>>(name: string, sums: S) =>
  query(name, ['orgId', 'owner', 'from', 'to'], (db, p) =>
    db
      .select(sums)
      .from(invoice)
      .where(
        and(
          owners(p.orgId, p.owner),
          sql`${invoice.periodStart} between ${p.from} and ${p.to} and ${invoice.status} <> 'CANCELLED'`,
        ),
      ),
  )
export const billed = billedOf('overview.billed', { ...amounts, ...counts })
/** The same without the counts, which cost as much again. */
export const billedBefore = billedOf('overview.billedBefore', amounts)

/** What is owed past its due date, as the arrears report counts it. */
export const overdue = query('overview.overdue', ['orgId', 'owner', 'today'], (db, p) =>
  db
    .select({ overdueAmount: sum(balance), overdueCount: count() })
    .from(invoice)
    .where(and(eq(invoice.orgId, p.orgId), lt(invoice.dueDate, p.today), open, reach(invoice, p.owner))),
)
/** The leases of the invoices late for longest; without the named index SQLite would read all that were ever due. */
export const lateFirst = readingAll(
  'overview.lateFirst',
  ['orgId', 'owner', 'today', 'limit'],
  { bookingId: invoice.bookingId, dueDate: invoice.dueDate },
  (db, columns, p) =>
    db
      .select(columns)
      .from(sql`${invoice} indexed by invoice_open`)
      .where(and(eq(invoice.orgId, p.orgId), lt(invoice.dueDate, p.today), open, reach(invoice, p.owner)))
      .orderBy(asc(invoice.dueDate))
      .limit(p.limit),
)
/** The same for one property: the overview of a limited manager adds up property by property. */
const lateIn = (propertyId: Placeholder, today: Placeholder) =>
  and(eq(invoice.propertyId, propertyId), lt(invoice.dueDate, today), open)
export const overdueIn = query('overview.overdueIn', ['propertyId', 'today'], (db, p) =>
  db
    .select({ overdueAmount: sum(balance), overdueCount: count() })
    .from(invoice)
    .where(lateIn(p.propertyId, p.today)),
)
export const lateFirstIn = readingAll(
  'overview.lateFirstIn',
  ['propertyId', 'today', 'limit'],
  { bookingId: invoice.bookingId, dueDate: invoice.dueDate },
  (db, columns, p) =>
    db.select(columns).from(invoice).where(lateIn(p.propertyId, p.today)).orderBy(asc(invoice.dueDate)).limit(p.limit),
)
/** The late invoices of a lease. */
export const lateOf = query('overview.lateOf', ['orgId', 'bookingId', 'today'], (db, p) =>
  db
    .select({
      id: invoice.id,
      dueDate: invoice.dueDate,
      grossAmount: invoice.grossAmount,
      amountPaid: invoice.amountPaid,
    })
    .from(invoice)
    .where(
      and(eq(sql`+${invoice.orgId}`, p.orgId), eq(invoice.bookingId, p.bookingId), open, lt(invoice.dueDate, p.today)),
    ),
)
export const lastMessage = query('overview.lastMessage', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ createdAt: rentMessage.createdAt })
    .from(rentMessage)
    .where(
      and(
        eq(rentMessage.orgId, p.orgId),
        eq(rentMessage.bookingId, p.bookingId),
        sql`(${rentMessage.withheld} is null or ${rentMessage.handling} in ('OPENED','SENT_BY_HAND'))`,
      ),
    )
    .orderBy(desc(rentMessage.id))
    .limit(1),
)

/** Properties in use within reach of an owner, by name. */
export const buildingsOf = query('overview.buildings', ['orgId', 'owner', 'limit'], (db, p) =>
  db
    .select({ id: property.id, name: property.name })
    .from(property)
    .where(
      and(
        eq(property.orgId, p.orgId),
        sql`+${property.status} <> 'ARCHIVED'`,
        reach({ ownerUserId: property.ownerUserId, propertyId: property.id }, p.owner),
      ),
    )
    .limit(p.limit),
)
const ofLease = sql`${invoice.orgId} = ${booking.orgId} and ${invoice.bookingId} = ${booking.id}`
const inMonth = (from: Placeholder, to: Placeholder, what: SQL) =>
  sql<number>`(select coalesce(sum(${what}), 0) from ${invoice} where ${ofLease} and ${invoice.status} <> 'CANCELLED' and ${invoice.periodStart} between ${from} and ${to})`
/**
 * The homes of a property with their running lease: what is due and paid of the month, and what the tenant has declared.
 * Null where nobody rents.
 */
export const homesOf = query('overview.homes', ['orgId', 'propertyId', 'from', 'to'], (db, p) =>
  db
    .select({
      unitId: unit.id,
      label: unit.label,
      bookingId: sql<string | null>`${booking.id}`,
      tenantName: sql<string | null>`${booking.tenantName}`,
      due: inMonth(p.from, p.to, sql`${invoice.grossAmount} - ${invoice.creditedAmount}`),
      paid: inMonth(p.from, p.to, sql`${invoice.amountPaid} - ${invoice.creditedAmount}`),
      declared: sql<number>`(select coalesce(sum(${payment.amount}), 0) from ${payment} where ${payment.orgId} = ${booking.orgId} and ${payment.bookingId} = ${booking.id} and +${payment.status} = 'PENDING')`,
    })
    .from(unit)
    .leftJoin(
      booking,
      sql`${booking.orgId} = ${unit.orgId} and ${booking.id} = (select min(lease.id) from ${booking} as lease where lease.org_id = ${unit.orgId} and lease.unit_id = ${unit.id} and lease.status = 'ACTIVE')`,
    )
    .where(and(eq(unit.orgId, p.orgId), eq(unit.propertyId, p.propertyId), sql`+${unit.status} <> 'ARCHIVED'`)),
)

/** The late invoices of a property, for its homes. */
export const lateInHomes = readingAll(
  'overview.lateInHomes',
  ['propertyId', 'today'],
  {
    bookingId: invoice.bookingId,
    dueDate: invoice.dueDate,
    grossAmount: invoice.grossAmount,
    amountPaid: invoice.amountPaid,
  },
  (db, columns, p) => db.select(columns).from(invoice).where(lateIn(p.propertyId, p.today)),
)

/** Units in use, of properties in use. */
export const unitCounts = query('overview.units', ['orgId', 'owner'], (db, p) =>
  db
    .select({ total: count(), vacant: sum(sql`${unit.status} = 'AVAILABLE'`) })
    .from(property)
    // A cross join fixes the order in which SQLite reads the tables.
    .crossJoin(unit)
    .where(
      and(
        eq(property.orgId, p.orgId),
        sql`+${property.status} <> 'ARCHIVED'`,
        reach({ ownerUserId: property.ownerUserId, propertyId: property.id }, p.owner),
        eq(unit.orgId, property.orgId),
        eq(unit.propertyId, property.id),
        sql`${unit.status} <> 'ARCHIVED'`,
      ),
    ),
)

/** The invoices of a tenant, so many at a time: a company may rent hundreds of homes. */
export const invoicesOf = query('overview.invoicesOf', ['orgId', 'userId', 'after', 'limit'], (db, p) =>
  db
    .select({ ...getTableColumns(invoice), place: sql<number>`${invoice}.rowid`.as('place') })
    .from(invoice)
    .where(
      and(
        eq(sql`+${invoice.orgId}`, p.orgId),
        eq(invoice.tenantUserId, p.userId),
        sql`${invoice}.rowid > ${p.after}`,
        ne(sql`+${invoice.status}`, sql`'CANCELLED'`),
      ),
    )
    .orderBy(sql`${invoice}.rowid`)
    .limit(p.limit),
)
/** Declared payments that wait for the landlord, and those refused after `since`, oldest first. */
export const undecided = query('overview.undecided', ['orgId', 'userId', 'since'], (db, p) =>
  db
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.tenantUserId, p.userId),
        or(
          eq(sql`+${payment.status}`, sql`'PENDING'`),
          and(
            eq(sql`+${payment.status}`, sql`'REJECTED'`),
            eq(payment.recordedBy, p.userId),
            ne(payment.decidedBy, p.userId),
            gte(payment.closedAt, p.since),
          ),
        ),
      ),
    )
    .orderBy(asc(payment.id)),
)
export const ownLeases = query('overview.leasesOf', ['orgId', 'userId'], (db, p) =>
  db
    .select({
      id: booking.id,
      ownerUserId: booking.ownerUserId,
      propertyId: booking.propertyId,
      status: booking.status,
    })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.tenantUserId, p.userId),
        inArray(sql`+${booking.status}`, ['PENDING', 'ACTIVE', 'TERMINATED']),
      ),
    )
    .orderBy(desc(booking.id)),
)

const oldest = (column: AnySQLiteColumn) => sql<string | null>`min(${column})`
export const declared = query('overview.declared', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(payment.createdAt), amount: sum(sql`${payment.amount}`) })
    .from(payment)
    .where(and(eq(payment.orgId, p.orgId), eq(payment.status, sql`'PENDING'`), reach(payment, p.owner))),
)
export const unmatched = query('overview.unmatched', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(moneyMessage.createdAt), amount: sum(sql`${moneyMessage.amount}`) })
    .from(moneyMessage)
    .where(
      and(
        eq(moneyMessage.orgId, p.orgId),
        eq(moneyMessage.status, sql`'UNMATCHED'`),
        sql`(${p.owner} in ('', +${moneyMessage.recordedBy}, '@' || ${moneyMessage.recordedBy}))`,
      ),
    ),
)
export const requested = query('overview.requested', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(booking.createdAt) })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.status, sql`'DRAFT'`),
        isNotNull(booking.requestedBy),
        reach(booking, p.owner),
      ),
    ),
)
export const unsigned = query('overview.unsigned', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(booking.submittedAt) })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.status, sql`'PENDING'`),
        reach(booking, p.owner),
        sql`not exists (select 1 from ${signature} where ${signature.orgId} = ${booking.orgId} and ${signature.bookingId} = ${booking.id} and +${signature.party} = 'LANDLORD' and +${signature.status} = 'VALID')`,
      ),
    ),
)
const renewal = sql`(select 1 from ${booking} as next where next.org_id = ${booking.orgId} and next.unit_id = ${booking.unitId} and +next.renews_booking_id = ${booking.id} and next.status in ('DRAFT','PENDING','ACTIVE'))`
const only = sql<string | null>`min(${booking.id})`
/** Leases about to end, or just ended, whose inspection nobody has begun; `from` and `to`: days. */
export const inspectionsDue = query('overview.inspectionsDue', ['orgId', 'owner', 'from', 'to'], (db, p) =>
  db
    .select({ n: count(), firstOn: oldest(booking.endDate), bookingId: only })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        gte(booking.endDate, p.from),
        lte(booking.endDate, p.to),
        sql`(+${booking.status} = 'TERMINATED' or (+${booking.status} = 'ACTIVE' and ${booking.autoRenew} = 0))`,
        reach(booking, p.owner),
        sql`not exists ${renewal}`,
        sql`not exists (select 1 from ${inspection} where ${inspection.orgId} = ${booking.orgId} and ${inspection.bookingId} = ${booking.id} and ${inspection.kind} = 'EXIT')`,
      ),
    ),
)
export const inspectionsOut = query('overview.inspectionsOut', ['orgId', 'owner'], (db, p) =>
  db
    .select({
      n: count(),
      oldestAt: oldest(inspection.proposedAt),
      bookingId: sql<string | null>`min(${inspection.bookingId})`,
    })
    .from(inspection)
    .where(and(eq(inspection.orgId, p.orgId), eq(inspection.status, sql`'PROPOSED'`), reach(inspection, p.owner))),
)
/** Changes of the rent that wait for a tenant's signature. */
export const ridersOut = query('overview.ridersOut', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(rentChange.createdAt), bookingId: only })
    .from(rentChange)
    .crossJoin(booking)
    .where(
      and(
        eq(rentChange.orgId, p.orgId),
        eq(rentChange.status, sql`'PROPOSED'`),
        eq(booking.orgId, rentChange.orgId),
        eq(booking.id, rentChange.bookingId),
        sql`+${booking.status} = 'ACTIVE'`,
        reach(booking, p.owner),
      ),
    ),
)
/** Running leases under notice; the first day on which one is left. */
export const noticed = query('overview.noticed', ['orgId', 'owner'], (db, p) =>
  db
    .select({
      n: count(),
      firstOn: sql<string | null>`min(json_extract(${booking.notice}, '$.leaveOn'))`,
      bookingId: only,
    })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        // Written as in the partial index.
        sql`${booking.notice} is not null`,
        sql`+${booking.status} = 'ACTIVE'`,
        reach(booking, p.owner),
      ),
    ),
)
/** Leases that end by themselves soon and that nobody has drawn up anew. */
export const ending = query('overview.ending', ['orgId', 'owner', 'from', 'to'], (db, p) =>
  db
    .select({ n: count(), firstOn: oldest(booking.endDate) })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        gte(booking.endDate, p.from),
        lte(booking.endDate, p.to),
        sql`+${booking.status} = 'ACTIVE' and ${booking.autoRenew} = 0 and ${booking.notice} is null`,
        reach(booking, p.owner),
        sql`not exists ${renewal}`,
      ),
    ),
)
/** Cases that this reviewer may take or has taken. */
export const toReview = query('overview.toReview', ['orgId', 'userId'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(verificationCase.submittedAt) })
    .from(verificationCase)
    .where(
      and(
        eq(verificationCase.orgId, p.orgId),
        inArray(verificationCase.status, ['SUBMITTED', 'UNDER_REVIEW']),
        sql`(+${verificationCase.status} = 'SUBMITTED' or ${verificationCase.assignedTo} = ${p.userId})`,
        ne(sql`+${verificationCase.subjectUserId}`, p.userId),
        ne(verificationCase.createdBy, p.userId),
      ),
    ),
)
export const failedPapers = query('overview.failedPapers', ['orgId', 'owner'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(document.createdAt) })
    .from(document)
    .where(
      and(
        eq(document.orgId, p.orgId),
        eq(document.status, sql`'FAILED'`),
        isNull(document.voidedAt),
        reach(document, p.owner),
      ),
    ),
)
/** Messages that arrived neither by WhatsApp nor by the SMS sent in its place; `after`: an id. */
export const undelivered = query('overview.undelivered', ['orgId', 'owner', 'after'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(rentMessage.createdAt) })
    .from(outboundMessage)
    .crossJoin(rentMessage)
    .crossJoin(booking)
    .where(
      and(
        eq(outboundMessage.orgId, p.orgId),
        // Written as in the partial index.
        sql`${outboundMessage.status} in ('FAILED','EXPIRED')`,
        sql`${outboundMessage.id} > ${p.after}`,
        sql`not exists (select 1 from ${outboundMessage} as sms where sms.instead_of = ${outboundMessage.id})`,
        eq(rentMessage.orgId, outboundMessage.orgId),
        eq(rentMessage.id, sql`coalesce(${outboundMessage.insteadOf}, ${outboundMessage.id})`),
        eq(booking.orgId, rentMessage.orgId),
        eq(booking.id, rentMessage.bookingId),
        reach(booking, p.owner),
      ),
    ),
)
export const importsDone = query('overview.importsDone', ['orgId', 'userId', 'since'], (db, p) =>
  db
    .select({ n: count(), oldestAt: oldest(importRun.finishedAt) })
    .from(importRun)
    .where(
      and(
        eq(importRun.orgId, p.orgId),
        eq(importRun.createdBy, p.userId),
        gte(importRun.finishedAt, p.since),
        sql`${importRun.dryRun} = 0`,
      ),
    ),
)

type Lease = Pick<
  BookingRow,
  'orgId' | 'tenantId' | 'ownerUserId' | 'requestedBy' | 'tenantName' | 'unitLabel' | 'propertyName'
>
/** What was found. Of a lease or what belongs to one, `leaseStatus` and the members of the lease say whose it is. */
export type HitRow = {
  readonly id: string
  readonly title: string
  readonly subtitle: string | null
  readonly status: string | null
  readonly propertyId: string | null
  readonly bookingId: string | null
  readonly leaseStatus: BookingRow['status'] | null
  /** The property of the lease. */
  readonly leasePropertyId: string
} & Lease

const unique = (rows: readonly HitRow[]): HitRow[] => [...new Map(rows.map((row) => [row.id, row])).values()]

type Values = Readonly<Record<string, string | number>>
/** A statement with named parameters. */
function asking(name: string, sql: string): (db: Db, values: Values) => HitRow[] {
  const text = sql.replace(/:\w+/g, '?')
  const names = (sql.match(/:\w+/g) ?? []).map((word) => word.slice(1))
  statements.push({ name, sql: () => text })
  const native = perDb((db) => db.$client.prepare(text))
  return (db, values) => native(db).all(...names.map((n) => values[n])) as HitRow[]
}

const LEASE =
  'b.status leaseStatus, b.org_id orgId, b.tenant_id tenantId, b.owner_user_id ownerUserId, b.property_id leasePropertyId, b.requested_by requestedBy, b.tenant_name tenantName, b.unit_label unitLabel, b.property_name propertyName'
const named = (kind: SearchKind, table: string, columns: string) => ({
  kind,
  table,
  ask: asking(
    `search.${kind}`,
    `select ${columns} from search join ${table} x on x.id = search.ref and x.org_id = :orgId where search match :match order by search.rowid desc limit :limit`,
  ),
})
const NAMED = [
  named('TENANT', 'tenant', 'x.id, x.full_name title, x.phone_number subtitle'),
  named('PROPERTY', 'property', "x.id, x.name title, x.address_line || ', ' || x.city subtitle, x.status"),
  named(
    'UNIT',
    'unit',
    'x.id, x.label title, (select name from property where id = x.property_id) subtitle, x.status, x.property_id propertyId',
  ),
  named(
    'REPAIR',
    'repair',
    "x.id, x.title, (select u.label || ', ' || p.name from unit u join property p on p.id = u.property_id where u.id = x.unit_id) subtitle, x.status, x.property_id propertyId",
  ),
  named('BOOKING', 'booking', `x.id, x.status, ${LEASE.replaceAll('b.', 'x.')}`),
] as const
/** Rows with names, by the full-text index: matches of whole words, then of beginnings, newest first. */
export const searchNames = (
  db: Db,
  orgId: string,
  { kind: reach }: Scope,
  most: number,
  matchOf: (table: string, whole: boolean) => string | undefined,
): { readonly kind: SearchKind; readonly rows: HitRow[] }[] =>
  NAMED.map(({ kind, table, ask }) => {
    const limit = reach === 'limited' ? GONE_THROUGH : most
    const hits = (whole: boolean): HitRow[] => {
      const match = matchOf(table, whole)
      return match === undefined ? [] : ask(db, { orgId, match, limit })
    }
    const rows = hits(true)
    return { kind, rows: rows.length < limit ? unique([...rows, ...hits(false)]) : rows }
  })

/** How many rows are read to find those of a limited manager, which lie among all others of the organization. */
const GONE_THROUGH = 500
/** How many of an owner's newest rows are read for the beginning of a number: no index holds their rows by number. */
const NEWEST = 1_000
function numbered(kind: SearchKind, table: string, number: string, order: string) {
  const columns = `x.id, x.${number} title, x.status, x.booking_id bookingId, ${LEASE}`
  const lease = 'join booking b on b.org_id = x.org_id and b.id = x.booking_id'
  const exact = `x.org_id = :orgId and x.${number} in (select value from json_each(:exact))`
  const begins = `x.${number} >= :start and x.${number} < :end`
  const ask = (name: string, rest: string) =>
    asking(`search.${kind}.${name}`, `select ${columns} from ${rest} limit :limit`)
  return {
    kind,
    exact: ask('exact', `${table} x ${lease} where ${exact}`),
    exactOfOwner: ask('exactOfOwner', `${table} x ${lease} where ${exact} and +x.owner_user_id = :userId`),
    begins: ask('begins', `${table} x ${lease} where x.org_id = :orgId and ${begins}`),
    beginsOfOwner: ask(
      'beginsOfOwner',
      `(select * from ${table} where org_id = :orgId and owner_user_id = :userId order by ${order} desc limit ${NEWEST}) x ${lease} where ${begins}`,
    ),
  }
}
const NUMBERED = [
  numbered('INVOICE', 'invoice', 'number', 'rowid'),
  numbered('PAYMENT', 'payment', 'reference', 'id'),
  numbered('DOCUMENT', 'document', 'number', 'id'),
] as const
/** Rows with a number: one of `exact`, or one that begins with one of `starts`; for an owner the latter among the newest. */
export const searchNumbers = (
  db: Db,
  orgId: string,
  { kind: reach, userId }: Scope,
  most: number,
  { exact, starts }: { readonly exact: readonly string[]; readonly starts: readonly string[] },
): { readonly kind: SearchKind; readonly rows: HitRow[] }[] =>
  NUMBERED.map((of) => {
    const own = reach === 'owner'
    const limit = reach === 'limited' ? GONE_THROUGH : most
    const [whole, begins] = own ? [of.exactOfOwner, of.beginsOfOwner] : [of.exact, of.begins]
    const exactRows = whole(db, { orgId, userId, limit, exact: JSON.stringify(exact) })
    const more = starts.flatMap((start) => begins(db, { orgId, userId, limit, start, end: `${start}\uffff` }))
    return { kind: of.kind, rows: unique([...exactRows, ...more]) }
  })

/** Pages of the search index that one step goes through: a few milliseconds. */
const PAGES = 64

/**
 * One step of writing the search index anew; `first` begins. A word that is gone stays in the pages of the index until
 * then. @returns whether there is more to do
 */
export function tidySearch({ $client }: Tx, first: boolean): boolean {
  const count = $client.prepare('select total_changes()').pluck()
  const before = Number(count.get())
  $client.prepare(`insert into search(search, rank) values('merge', ${first ? -PAGES : PAGES})`).run()
  // By the documentation of FTS5: a step that changes nothing but this row had nothing to do.
  return Number(count.get()) - before >= 2
}

export const TABLES = {
  SIGNATURE: signature,
  INVOICE: invoice,
  PAYMENT: payment,
  MESSAGE: rentMessage,
  DOCUMENT: document,
  REPAIR: repair,
}
export type EntryKind = keyof typeof TABLES

const idsOf = (kind: EntryKind) => {
  const table = TABLES[kind]
  const statement = query(`timeline.${kind}`, ['orgId', 'bookingId'], (db, p) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.orgId, p.orgId), eq(table.bookingId, p.bookingId))),
  )
  return (db: Db, orgId: string, bookingId: string) =>
    statement(db)
      .all({ orgId, bookingId })
      .map(({ id }) => ({ kind, id }))
}
const ALL = (Object.keys(TABLES) as EntryKind[]).map(idsOf)

/** What happened in a lease, in no order: some hundred rows in ten years. */
export const entriesOf = (db: Db, orgId: string, bookingId: string): { kind: EntryKind; id: string }[] =>
  ALL.flatMap((read) => read(db, orgId, bookingId))
