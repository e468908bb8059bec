import { and, asc, eq, gt, gte, lt, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query, readingAll } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { allocation, payment } from '../../../../db/schema/payments.ts'

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

const PIECE = 1000
/** Payments of a property dated from `from` to `to`, as far as invoices dated by `until` have them. */
export const takenOfPayments = readingAll(
  'ownerStatement.taken',
  ['orgId', 'propertyId', 'from', 'to', 'until'],
  { bookingId: payment.bookingId, amount: allocation.amount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(payment)
      // Cross joins are done in this order.
      .crossJoin(allocation)
      .crossJoin(invoice)
      .where(
        and(
          eq(payment.orgId, p.orgId),
          eq(payment.propertyId, p.propertyId),
          gte(payment.paidOn, p.from),
          lte(payment.paidOn, p.to),
          eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
          eq(allocation.paymentId, payment.id),
          eq(invoice.id, allocation.targetId),
          lte(invoice.issuedOn, p.until),
        ),
      ),
)
const row = sql<number>`${invoice}.rowid`
const piece = query('ownerStatement.piece', ['propertyId', 'after'], (db, p) =>
  db
    .select({ row })
    .from(invoice)
    .where(and(eq(invoice.propertyId, p.propertyId), gt(row, p.after)))
    .orderBy(asc(row))
    .limit(1)
    .offset(PIECE - 1)
    .prepare(),
)
/** The last of the next thousand invoices of a property, by the order they were made in; undefined when fewer are left. */
export const pieceOf = (db: Db, propertyId: string, after: number): number | undefined =>
  piece(db).get({ propertyId, after })?.row
/** Invoices of a piece of a property's that are dated from `from` to `to`, as far as payments dated before have been put on them. */
export const takenByInvoices = readingAll(
  'ownerStatement.takenByInvoices',
  ['orgId', 'propertyId', 'after', 'until', 'from', 'to'],
  { bookingId: invoice.bookingId, amount: allocation.amount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .crossJoin(allocation)
      .crossJoin(payment)
      .where(
        and(
          eq(sql`+${invoice.orgId}`, p.orgId),
          eq(invoice.propertyId, p.propertyId),
          gt(row, p.after),
          lte(row, p.until),
          gte(invoice.issuedOn, p.from),
          lte(invoice.issuedOn, p.to),
          eq(allocation.orgId, invoice.orgId),
          eq(allocation.targetId, invoice.id),
          eq(payment.id, allocation.paymentId),
          eq(payment.status, sql`'CONFIRMED'`),
          lt(payment.paidOn, p.from),
        ),
      ),
)
/** What ends of leases of a property credited, invoice by invoice, and when the money had come that was on them. */
export const creditedOf = readingAll(
  'ownerStatement.credited',
  ['orgId', 'propertyId'],
  {
    bookingId: invoice.bookingId,
    amount: invoice.creditedAmount,
    endedAt: booking.terminatedAt,
    issuedOn: invoice.issuedOn,
    paidOn: payment.paidOn,
    invoiceId: invoice.id,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .crossJoin(invoice)
      .crossJoin(allocation)
      .crossJoin(payment)
      .where(
        and(
          eq(booking.orgId, p.orgId),
          eq(booking.propertyId, p.propertyId),
          sql`${booking.settlement} is not null`,
          eq(sql`+${invoice.orgId}`, booking.orgId),
          eq(invoice.bookingId, booking.id),
          gt(invoice.creditedAmount, sql`0`),
          eq(allocation.orgId, invoice.orgId),
          eq(allocation.targetId, invoice.id),
          eq(payment.id, allocation.paymentId),
          eq(payment.status, sql`'CONFIRMED'`),
        ),
      ),
)
/** The credit of a property's leases now. */
export const creditsOf = readingAll(
  'ownerStatement.credits',
  ['orgId', 'propertyId'],
  { bookingId: booking.id, amount: booking.creditAmount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(and(eq(booking.orgId, p.orgId), eq(booking.propertyId, p.propertyId), gt(booking.creditAmount, sql`0`))),
)
