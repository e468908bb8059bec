import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNull,
  lt,
  ne,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { reach } from '../../../../db/matching.ts'
import { query, readingAll } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { property, unit } from '../../../../db/schema/properties.ts'
import { notice } from '../../../../db/schema/reminders.ts'
import { appUser } from '../../../../db/schema/users.ts'

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
  collectedAmount: difference(invoice.amountPaid, invoice.creditedAmount),
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
export const lastNotice = query('overview.lastNotice', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ createdAt: notice.createdAt })
    .from(notice)
    .where(and(eq(notice.orgId, p.orgId), eq(notice.bookingId, p.bookingId), isNull(notice.withheld)))
    .orderBy(desc(notice.id))
    .limit(1),
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
