import { and, eq, gt, ne, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { query } from '../../../../db/query.ts'
import { creditNote, invoice } from '../../../../db/schema/invoices.ts'
import { allocation, payment } from '../../../../db/schema/payments.ts'

const KEYS = ['orgId', 'bookingId'] as const
type Of = { readonly [N in (typeof KEYS)[number]]: Placeholder }
const ofLease = (p: Of) => and(eq(invoice.bookingId, p.bookingId), eq(sql`+${invoice.orgId}`, p.orgId))
const confirmed = (of: typeof payment) => eq(sql`+${of.status}`, sql`'CONFIRMED'`)
const issuedOn = sql<string>`iif(${invoice.issuedOn} = '', substr(${invoice.createdAt}, 1, 10), ${invoice.issuedOn})`

/** Every invoice of a lease, cancelled ones too. */
export const invoicesOf = query('leaseAccount.invoices', KEYS, (db, p) =>
  db
    .select({
      number: invoice.number,
      issuedOn,
      grossAmount: invoice.grossAmount,
      creditedAmount: invoice.creditedAmount,
      notedAmount: invoice.notedAmount,
      status: invoice.status,
    })
    .from(invoice)
    .where(ofLease(p)),
)
/** Every credit note of a lease, withdrawn ones too. */
export const notesOf = query('leaseAccount.notes', KEYS, (db, p) =>
  db
    .select({
      number: creditNote.number,
      issuedOn: creditNote.issuedOn,
      withdrawnOn: creditNote.withdrawnOn,
      grossAmount: creditNote.grossAmount,
    })
    .from(invoice)
    // SQLite runs a cross join in the order written.
    .crossJoin(creditNote)
    .where(and(ofLease(p), eq(creditNote.orgId, invoice.orgId), eq(creditNote.invoiceId, invoice.id))),
)
/** The confirmed payments and refunds of a lease, with what is left of each and the lease whose credit that is. */
export const paymentsOf = query('leaseAccount.payments', KEYS, (db, p) =>
  db
    .select({
      type: payment.type,
      method: payment.method,
      reference: payment.reference,
      paidOn: payment.paidOn,
      amount: payment.amount,
      rest: payment.unallocatedAmount,
      creditBookingId: payment.creditBookingId,
    })
    .from(payment)
    .where(and(eq(payment.orgId, p.orgId), eq(payment.bookingId, p.bookingId), confirmed(payment))),
)

const refund = alias(payment, 'refund')
const part = (usedOn: SQL<string>) => ({ amount: allocation.amount, usedOn })
/** What payments of a lease put on invoices and refunds of others, by the day on which it was used there. */
export const givenOf = query('leaseAccount.given', KEYS, (db, p) =>
  db
    .select(part(sql`max(${payment.paidOn}, coalesce(${issuedOn}, ${refund.paidOn}))`))
    .from(payment)
    .crossJoin(allocation)
    .leftJoin(invoice, and(eq(invoice.orgId, allocation.orgId), eq(invoice.id, allocation.targetId)))
    .leftJoin(refund, eq(refund.id, allocation.targetId))
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.bookingId, p.bookingId),
        confirmed(payment),
        eq(allocation.paymentId, payment.id),
        gt(allocation.amount, sql`0`),
        ne(sql`coalesce(${invoice.bookingId}, ${refund.bookingId})`, p.bookingId),
      ),
    ),
)
/** What payments of other leases put on invoices of this one. */
export const takenOf = query('leaseAccount.taken', KEYS, (db, p) =>
  db
    .select(part(sql`max(${payment.paidOn}, ${issuedOn})`))
    .from(invoice)
    .crossJoin(allocation)
    .crossJoin(payment)
    .where(
      and(
        ofLease(p),
        eq(allocation.orgId, invoice.orgId),
        eq(allocation.targetId, invoice.id),
        gt(allocation.amount, sql`0`),
        eq(payment.id, allocation.paymentId),
        confirmed(payment),
        ne(payment.bookingId, p.bookingId),
      ),
    ),
)
/** What payments of other leases gave to refunds of this one. */
export const refundedFrom = query('leaseAccount.refunded', KEYS, (db, p) =>
  db
    .select(part(sql`max(${payment.paidOn}, ${refund.paidOn})`))
    .from(refund)
    .crossJoin(allocation)
    .crossJoin(payment)
    .where(
      and(
        eq(refund.orgId, p.orgId),
        eq(refund.bookingId, p.bookingId),
        sql`+${refund.type} = 'REFUND'`,
        eq(allocation.orgId, refund.orgId),
        eq(allocation.targetId, refund.id),
        gt(allocation.amount, sql`0`),
        eq(payment.id, allocation.paymentId),
        ne(payment.bookingId, p.bookingId),
      ),
    ),
)
