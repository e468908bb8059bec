import { and, eq, gt, gte, lt, lte, sql } from 'drizzle-orm'
import { readingAll } from '../../../../db/rows.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { allocation, payment } from '../../../../db/schema/payments.ts'

/** Payments of a property dated from `from` to `to`, as far as invoices dated by then have them. */
export const takenOfPayments = readingAll(
  'ownerStatement.taken',
  ['orgId', 'propertyId', 'from', 'to'],
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
          lte(invoice.issuedOn, p.to),
        ),
      ),
)
/** Invoices of a property dated from `from` to `to`, as far as payments dated before have been put on them. */
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
          gt(invoice.id, p.after),
          lt(invoice.id, p.until),
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
