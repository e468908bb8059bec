import { and, eq, gt, gte, lte, sql } from 'drizzle-orm'
import { query } from '../../../../db/query.ts'
import { readingAll } from '../../../../db/rows.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { payment } from '../../../../db/schema/payments.ts'

const KEYS = ['orgId', 'propertyId', 'from', 'to'] as const

/** Unit and tenant of every lease that a property ever had. */
export const leaseNames = readingAll(
  'ownerStatement.leases',
  ['orgId', 'propertyId'],
  { id: booking.id, unitLabel: booking.unitLabel, tenantName: booking.tenantName },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(and(eq(booking.orgId, p.orgId), eq(booking.propertyId, p.propertyId))),
)

const summed = (of: Parameters<typeof sql>[1]) => sql<number>`sum(${of})`
/** Invoices that are not cancelled and whose period begins from `from` to `to`, of a property's leases after one id up to another, summed by lease. */
export const billedByLease = query('ownerStatement.billed', [...KEYS, 'after', 'until'], (db, p) =>
  db
    .select({
      bookingId: booking.id,
      netAmount: summed(invoice.netAmount),
      tvaAmount: summed(invoice.tvaAmount),
      grossAmount: summed(invoice.grossAmount),
      creditedAmount: summed(invoice.creditedAmount),
    })
    .from(booking)
    // A cross join is done in this order, lease by lease.
    .crossJoin(invoice)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.propertyId, p.propertyId),
        gt(booking.id, p.after),
        lte(booking.id, p.until),
        eq(invoice.bookingId, booking.id),
        eq(sql`+${invoice.orgId}`, p.orgId),
        gte(invoice.periodStart, p.from),
        lte(invoice.periodStart, p.to),
        sql`${invoice.status} in ('ISSUED','OVERDUE','PAID')`,
      ),
    )
    .groupBy(booking.id)
    .prepare(),
)

/** What is open of a property's invoices whose period begins by `to`. */
export const openOf = readingAll(
  'ownerStatement.open',
  ['orgId', 'propertyId', 'to'],
  { bookingId: invoice.bookingId, grossAmount: invoice.grossAmount, amountPaid: invoice.amountPaid },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .where(
        and(
          eq(sql`+${invoice.orgId}`, p.orgId),
          eq(invoice.propertyId, p.propertyId),
          // As the partial index has it.
          sql`${invoice.status} in ('ISSUED','OVERDUE')`,
          lte(invoice.periodStart, p.to),
        ),
      ),
)

/** Confirmed payments and refunds of a property that are dated from `from` to `to`. */
export const moneyOf = readingAll(
  'ownerStatement.money',
  KEYS,
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

/** The deposits of a property's leases: what moved from `from` to `to`, and what is held at the end of `to`. */
export const depositsByLease = query('ownerStatement.deposits', KEYS, (db, p) => {
  const moved = (type: string) =>
    summed(sql`iif(${depositEntry.type} = ${type} and ${depositEntry.paidOn} >= ${p.from}, ${depositEntry.amount}, 0)`)
  return (
    db
      .select({
        bookingId: booking.id,
        depositReceivedAmount: moved('RECEIVED'),
        depositDeductedAmount: moved('DEDUCTED'),
        depositReturnedAmount: moved('RETURNED'),
        depositHeldAmount: summed(
          sql`iif(${depositEntry.type} = 'RECEIVED', ${depositEntry.amount}, -${depositEntry.amount})`,
        ),
      })
      .from(booking)
      // A cross join is done in this order: else the ledgers of the whole organization would be gone through first.
      .crossJoin(depositEntry)
      .where(
        and(
          eq(booking.orgId, p.orgId),
          eq(booking.propertyId, p.propertyId),
          eq(depositEntry.orgId, booking.orgId),
          eq(depositEntry.bookingId, booking.id),
          lte(depositEntry.paidOn, p.to),
        ),
      )
      .groupBy(booking.id)
      .prepare()
  )
})
