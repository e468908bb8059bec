import { and, asc, count, eq, gte, inArray, isNull, lt, lte, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { query } from '../../../db/query.ts'
import { readingAll } from '../../../db/rows.ts'
import { booking } from '../../../db/schema/bookings.ts'
import { invoice } from '../../../db/schema/invoices.ts'
import { payment } from '../../../db/schema/payments.ts'
import { property, unit } from '../../../db/schema/properties.ts'
import { tenant } from '../../../db/schema/tenants.ts'

const named = { id: property.id, name: property.name, status: property.status }
export const allProperties = readingAll('report.properties', ['orgId'], named, (db, columns, p) =>
  db.select(columns).from(property).where(eq(property.orgId, p.orgId)),
)
export const ownProperties = readingAll('report.ownProperties', ['orgId', 'userId'], named, (db, columns, p) =>
  db
    .select(columns)
    .from(property)
    .where(and(eq(property.orgId, p.orgId), eq(property.ownerUserId, p.userId))),
)

export const unitsOf = readingAll(
  'report.units',
  ['orgId', 'propertyId'],
  { id: unit.id, label: unit.label, status: unit.status, rentAmount: unit.rentAmount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(unit)
      .where(and(eq(unit.orgId, p.orgId), eq(unit.propertyId, p.propertyId))),
)

/** Leases of a property that ran at some time from `from` to `to`. */
export const leasesOf = readingAll(
  'report.leases',
  ['orgId', 'propertyId', 'from', 'to'],
  {
    id: booking.id,
    unitId: booking.unitId,
    unitLabel: booking.unitLabel,
    tenantName: booking.tenantName,
    rentAmount: booking.rentAmount,
    startDate: booking.startDate,
    endDate: booking.endDate,
    terminatedAt: booking.terminatedAt,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(
        and(
          eq(booking.orgId, p.orgId),
          eq(booking.propertyId, p.propertyId),
          inArray(sql`+${booking.status}`, [sql`'ACTIVE'`, sql`'TERMINATED'`]),
          lte(booking.startDate, p.to),
          or(isNull(booking.endDate), gte(booking.endDate, p.from)),
        ),
      ),
)

/** Unit and tenant of every lease that a property ever had. */
export const leaseNames = readingAll(
  'report.leaseNames',
  ['orgId', 'propertyId'],
  { id: booking.id, unitLabel: booking.unitLabel, tenantName: booking.tenantName },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(and(eq(booking.orgId, p.orgId), eq(booking.propertyId, p.propertyId))),
)

const standingOnly = sql`${invoice.status} in ('ISSUED','OVERDUE','PAID')`
const billedIn = (p: { readonly [N in 'orgId' | 'propertyId' | 'from' | 'to']: SQL | Placeholder }) =>
  and(
    eq(invoice.orgId, p.orgId),
    eq(invoice.propertyId, p.propertyId),
    gte(invoice.periodStart, p.from),
    lte(invoice.periodStart, p.to),
    standingOnly,
  )
/** Invoices of a property that are not cancelled and whose period begins from `from` to `to`, in that order. */
export const billedInvoices = readingAll(
  'report.billed',
  ['orgId', 'propertyId', 'from', 'to'],
  {
    id: invoice.id,
    bookingId: invoice.bookingId,
    unitId: invoice.unitId,
    tenantName: invoice.tenantName,
    number: invoice.number,
    periodStart: invoice.periodStart,
    periodEnd: invoice.periodEnd,
    dueDate: invoice.dueDate,
    grossAmount: invoice.grossAmount,
    amountPaid: invoice.amountPaid,
    status: invoice.status,
  },
  (db, columns, p) => db.select(columns).from(invoice).where(billedIn(p)).orderBy(asc(invoice.periodStart)),
)

const summed = (column: AnySQLiteColumn) => sql<number>`sum(${column})`
const amounts = {
  net: summed(invoice.netAmount),
  tva: summed(invoice.tvaAmount),
  gross: summed(invoice.grossAmount),
  credited: summed(invoice.creditedAmount),
  paid: summed(invoice.amountPaid),
}
/** The same, summed by the first day of the period. */
export const billedByStart = query('report.billedByStart', ['orgId', 'propertyId', 'from', 'to'], (db, p) =>
  db
    .select({ periodStart: invoice.periodStart, invoices: count(), ...amounts })
    .from(invoice)
    .where(billedIn(p))
    .groupBy(invoice.periodStart)
    .prepare(),
)
/** The same, summed by lease. */
export const billedByLease = query('report.billedByLease', ['orgId', 'propertyId', 'from', 'to'], (db, p) =>
  db
    .select({ bookingId: invoice.bookingId, ...amounts })
    .from(invoice)
    .where(billedIn(p))
    .groupBy(invoice.bookingId)
    .prepare(),
)

/** What is open of a property's invoices and was due from `from` on, but before `before`. */
export const openInvoices = readingAll(
  'report.open',
  ['orgId', 'propertyId', 'from', 'before'],
  {
    id: invoice.id,
    bookingId: invoice.bookingId,
    unitLabel: invoice.unitLabel,
    tenantName: invoice.tenantName,
    phoneNumber: tenant.phoneNumber,
    number: invoice.number,
    periodStart: invoice.periodStart,
    dueDate: invoice.dueDate,
    grossAmount: invoice.grossAmount,
    amountPaid: invoice.amountPaid,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .innerJoin(tenant, and(eq(tenant.orgId, invoice.orgId), eq(tenant.id, invoice.tenantId)))
      .where(
        and(
          eq(invoice.orgId, p.orgId),
          eq(invoice.propertyId, p.propertyId),
          // As the partial index has it.
          sql`${invoice.status} in ('ISSUED','OVERDUE')`,
          gte(invoice.dueDate, p.from),
          lt(invoice.dueDate, p.before),
        ),
      )
      .orderBy(asc(invoice.dueDate)),
)

/** Every invoice of a property made between two ids, cancelled ones too, in the order of their numbers. */
export const journalOf = readingAll(
  'report.journal',
  ['orgId', 'propertyId', 'fromId', 'beforeId'],
  {
    id: invoice.id,
    number: invoice.number,
    createdAt: invoice.createdAt,
    unitLabel: invoice.unitLabel,
    tenantName: invoice.tenantName,
    niu: tenant.niu,
    periodStart: invoice.periodStart,
    periodEnd: invoice.periodEnd,
    netAmount: invoice.netAmount,
    tvaBasisPoints: invoice.tvaBasisPoints,
    tvaAmount: invoice.tvaAmount,
    grossAmount: invoice.grossAmount,
    creditedAmount: invoice.creditedAmount,
    status: invoice.status,
    cancelledAt: invoice.cancelledAt,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .innerJoin(tenant, and(eq(tenant.orgId, invoice.orgId), eq(tenant.id, invoice.tenantId)))
      .where(
        and(
          eq(invoice.orgId, p.orgId),
          eq(invoice.propertyId, p.propertyId),
          gte(invoice.id, p.fromId),
          lt(invoice.id, p.beforeId),
        ),
      )
      .orderBy(asc(invoice.id)),
)

/** Confirmed payments and refunds of a property that are dated from `from` to `to`. */
export const moneyOf = readingAll(
  'report.money',
  ['orgId', 'propertyId', 'from', 'to'],
  { bookingId: payment.bookingId, type: payment.type, method: payment.method, amount: payment.amount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(payment)
      .where(
        and(
          eq(payment.orgId, p.orgId),
          eq(payment.propertyId, p.propertyId),
          gte(payment.paidOn, p.from),
          lte(payment.paidOn, p.to),
          eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
        ),
      ),
)
