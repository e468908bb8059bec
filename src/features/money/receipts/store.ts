import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query, reading, readingAll } from '../../../../db/query.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { allocation, payment } from '../../../../db/schema/payments.ts'

/** An invoice as a receipt names it. */
export const receiptedInvoice = reading('receipt.invoice', invoice)

/** What a payment put on each invoice or refund. */
export const partsOf = query('receipt.parts', ['paymentId'], (db, p) =>
  db
    .select({ targetId: allocation.targetId, amount: allocation.amount })
    .from(allocation)
    .where(eq(allocation.paymentId, p.paymentId)),
)

/** The payments on an invoice, oldest first, with what is on it and the `whole`; also those that wait or were reversed. */
export const paymentsBehind = query('receipt.paymentsBehind', ['orgId', 'targetId'], (db, p) =>
  db
    .select({
      id: payment.id,
      paidOn: payment.paidOn,
      method: payment.method,
      status: payment.status,
      amount: allocation.amount,
      whole: payment.amount,
    })
    .from(allocation)
    // A cross join fixes the order in which SQLite reads the tables.
    .crossJoin(payment)
    .where(
      and(
        eq(allocation.orgId, p.orgId),
        eq(allocation.targetId, p.targetId),
        eq(payment.orgId, allocation.orgId),
        eq(payment.id, allocation.paymentId),
      ),
    )
    .orderBy(asc(allocation.paymentId)),
)

/** What was declared as paid on an invoice and waits for the landlord's word, in francs. */
export const waitingOn = (db: Db, orgId: string, invoiceId: string): number =>
  paymentsBehind(db)
    .all({ orgId, targetId: invoiceId })
    .reduce((sum, { status, whole }) => (status === 'PENDING' ? sum + whole : sum), 0)

const KEYS = ['orgId', 'bookingId'] as const
const billed = query('receipt.billed', KEYS, (db, p) =>
  db
    .select()
    .from(invoice)
    .where(
      and(
        eq(sql`+${invoice.orgId}`, p.orgId),
        eq(invoice.bookingId, p.bookingId),
        inArray(sql`+${invoice.status}`, ['ISSUED', 'OVERDUE', 'PAID']),
      ),
    )
    .orderBy(asc(invoice.periodStart)),
)
const paid = readingAll(
  'receipt.paid',
  KEYS,
  {
    type: payment.type,
    paidOn: payment.paidOn,
    method: payment.method,
    reference: payment.reference,
    amount: payment.amount,
    note: payment.note,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(payment)
      .where(
        and(
          eq(payment.orgId, p.orgId),
          eq(payment.bookingId, p.bookingId),
          eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
        ),
      )
      .orderBy(asc(payment.id)),
)
const held = readingAll(
  'receipt.deposits',
  KEYS,
  {
    type: depositEntry.type,
    paidOn: depositEntry.paidOn,
    amount: depositEntry.amount,
    reason: depositEntry.reason,
    heldAmount: depositEntry.heldAmount,
    paymentId: depositEntry.paymentId,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(depositEntry)
      .where(and(eq(depositEntry.orgId, p.orgId), eq(depositEntry.bookingId, p.bookingId)))
      .orderBy(asc(depositEntry.id)),
)
/** All that was billed, paid and held of a lease: invoices by period, the others in the order of entry. */
export const accountsOf = (db: Db, orgId: string, bookingId: string) => {
  const key = { orgId, bookingId }
  return {
    invoices: billed(db).all(key),
    payments: paid(db, key),
    deposits: held(db, key),
  }
}
