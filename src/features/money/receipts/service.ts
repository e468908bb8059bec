import type { ReceiptData, StatementData } from '../../../adapters/pdf/port.ts'
import type { Ctx } from '../../../context.ts'
import type { BookingRow } from '../../lease/bookings/store.ts'
import { leaseOf, requestDocument, voidDocuments } from '../../papers/documents/service.ts'
import { heldDeposit, listDeposits } from '../deposits/store.ts'
import { getInvoice, type InvoiceRow, standingInvoices } from '../invoices/store.ts'
import {
  type Allocated,
  allocationsOf,
  allocationsTo,
  findPayment,
  listPayments,
  type PaymentRow,
} from '../payments/store.ts'

const ALL = { kind: 'all', userId: '' } as const

function receiptLines(ctx: Ctx, parts: readonly Allocated[]): ReceiptData['invoices'] {
  return parts
    .flatMap(({ targetId, amount }) => {
      const invoice = amount > 0 ? getInvoice(ctx.tx, ctx.caller.orgId, ALL, targetId) : undefined
      if (!invoice) return []
      const { number, periodStart, periodEnd, grossAmount, amountPaid, creditedAmount } = invoice
      const balanceAmount = grossAmount - amountPaid
      return [{ number, periodStart, periodEnd, grossAmount, amount, balanceAmount, creditedAmount }]
    })
    .sort((a, b) => (a.periodStart < b.periodStart ? -1 : 1))
}
/** The payments that stand behind an invoice, oldest first. */
function paymentsBehind(ctx: Ctx, invoiceId: string): { id: string; paidOn: string; method: string; amount: number }[] {
  return allocationsTo(ctx.tx, ctx.caller.orgId, invoiceId).flatMap(({ paymentId, amount }) => {
    const payment = amount > 0 ? findPayment(ctx.tx, ctx.caller.orgId, paymentId) : undefined
    return payment ? [{ id: payment.id, paidOn: payment.paidOn, method: payment.method, amount }] : []
  })
}
const settled = (lines: ReceiptData['invoices']): boolean =>
  lines.length > 0 && lines.every((l) => l.balanceAmount === 0)

const howPaid = ({ method, paidOn, reference }: PaymentRow): NonNullable<ReceiptData['payment']> => ({
  method,
  paidOn,
  ...(reference === null ? {} : { reference }),
})

/** What the landlord gave back of a lease's credit, for the tenant to sign. */
export const requestRefundReceipt = (ctx: Ctx, refund: PaymentRow): string =>
  requestDocument(ctx, {
    kind: 'RECEIPT',
    variant: 'REFUND',
    source: `refund:${refund.id}`,
    lease: leaseOf(ctx, refund.bookingId),
    paymentId: refund.id,
    data: (head): ReceiptData => ({
      ...head,
      full: false,
      refund: true,
      amount: refund.amount,
      payment: howPaid(refund),
      invoices: [],
      creditAmount: 0,
      earlier: [],
    }),
  })

/** The receipt of a confirmed payment: a quittance where it settles all that it went to. `id`: chosen by the caller. */
export function requestReceipt(ctx: Ctx, payment: PaymentRow, id?: string): string {
  const parts = allocationsOf(ctx.tx, payment.id)
  const invoices = receiptLines(ctx, parts)
  const full = settled(invoices)
  const lease = leaseOf(ctx, payment.bookingId)
  const [only] = parts.filter((p) => p.amount > 0)
  return requestDocument(ctx, {
    kind: 'RECEIPT',
    variant: full ? 'FULL' : 'PARTIAL',
    source: `payment:${payment.id}:${payment.version}`,
    lease,
    paymentId: payment.id,
    ...(id === undefined ? {} : { id }),
    ...(invoices.length === 1 && only ? { invoiceId: only.targetId } : {}),
    data: (head): ReceiptData => ({
      ...head,
      full,
      ...(lease.status === 'TERMINATED' ? { ended: true } : {}),
      amount: payment.amount,
      payment: howPaid(payment),
      invoices,
      creditAmount: payment.amount - invoices.reduce((sum, i) => sum + i.amount, 0),
      earlier:
        invoices.length === 1 && only
          ? paymentsBehind(ctx, only.targetId).map(({ paidOn, method, amount }) => ({ paidOn, method, amount }))
          : [],
    }),
  })
}

/** The quittance of an invoice that credit of earlier payments settled. */
export function requestQuittance(ctx: Ctx, invoice: InvoiceRow): string | undefined {
  if (invoice.status !== 'PAID' || invoice.grossAmount === invoice.creditedAmount) return undefined
  const { id, number, periodStart, periodEnd, grossAmount, creditedAmount } = invoice
  const amount = grossAmount - creditedAmount
  return requestDocument(ctx, {
    kind: 'RECEIPT',
    variant: 'FULL',
    source: `settled:${id}:${invoice.version}`,
    lease: leaseOf(ctx, invoice.bookingId),
    invoiceId: id,
    data: (head): ReceiptData => ({
      ...head,
      full: true,
      amount,
      invoices: [{ number, periodStart, periodEnd, grossAmount, amount, balanceAmount: 0, creditedAmount }],
      creditAmount: 0,
      earlier: paymentsBehind(ctx, id).map(({ paidOn, method, amount }) => ({ paidOn, method, amount })),
    }),
  })
}

/** Receipts of payments and quittances of invoices no longer say where the money is. @returns those that are to be made out anew */
export const replaceReceipts = (ctx: Ctx, bookingId: string, touched: ReadonlySet<string>) =>
  voidDocuments(
    ctx,
    bookingId,
    (d) => d.kind === 'RECEIPT' && d.variant !== 'REFUND' && touched.has(d.paymentId ?? d.invoiceId ?? ''),
    'REPLACED',
  )

/**
 * A payment was taken back: its receipt is void, and so are quittances of what is owed again.
 * @returns other payments whose receipts went with it and are to be made again
 */
export function voidReceipts(ctx: Ctx, payment: PaymentRow): string[] {
  const touched = allocationsOf(ctx.tx, payment.id).map((part) => part.targetId)
  const others = new Set(
    touched.flatMap((id) => allocationsTo(ctx.tx, payment.orgId, id).map((part) => part.paymentId)),
  )
  const voided = voidDocuments(
    ctx,
    payment.bookingId,
    ({ kind, variant, paymentId, invoiceId }) =>
      kind === 'RECEIPT' &&
      (paymentId === payment.id ||
        (variant === 'FULL' && (paymentId === null ? touched.includes(invoiceId ?? '') : others.has(paymentId)))),
    'REVERSED',
  )
  return voided.flatMap(({ paymentId }) => (paymentId !== null && paymentId !== payment.id ? [paymentId] : []))
}

/** The balance of a lease changed: if it has ended, its statement is made out anew. Called once for each change. */
export function restate(ctx: Ctx, bookingId: string): void {
  const row = leaseOf(ctx, bookingId)
  if (row.status === 'TERMINATED') requestStatement(ctx, row)
}

const MOST = 10_000
/** The accounts of a lease that has ended, in the place of any made out before. */
export function requestStatement(ctx: Ctx, row: BookingRow): string {
  voidDocuments(ctx, row.id, ({ kind }) => kind === 'STATEMENT', 'REPLACED')
  const invoices = standingInvoices(ctx.tx, row.orgId, row.id).map((i) => ({
    number: i.number,
    periodStart: i.periodStart,
    periodEnd: i.periodEnd,
    grossAmount: i.grossAmount,
    // What the end gave back was not paid for these days.
    amountPaid: i.amountPaid - i.creditedAmount,
    creditedAmount: i.creditedAmount,
    balanceAmount: i.grossAmount - i.amountPaid,
  }))
  const payments = listPayments(ctx.tx, {
    orgId: row.orgId,
    scope: ALL,
    order: 'asc',
    limit: MOST,
    values: { bookingId: row.id, status: 'CONFIRMED' },
  }).rows.map(({ type, paidOn, method, reference, amount }) => ({ type, paidOn, method, reference, amount }))
  const deposits = listDeposits(ctx.tx, {
    orgId: row.orgId,
    scope: ALL,
    order: 'asc',
    limit: MOST,
    values: { bookingId: row.id },
  }).rows.map(({ type, paidOn, amount, reason }) => ({ type, paidOn, amount, reason }))
  const id = ctx.newId()
  return requestDocument(ctx, {
    kind: 'STATEMENT',
    id,
    source: `statement:${row.id}:${id}`,
    lease: row,
    data: (head): StatementData => ({
      ...head,
      startDate: row.startDate,
      endDate: row.endDate ?? head.issuedOn,
      reason: row.terminationReason ?? undefined,
      invoices,
      payments,
      depositAmount: row.depositAmount ?? undefined,
      deposits,
      heldAmount: heldDeposit(ctx.tx, row.orgId, row.id),
      debtAmount: invoices.reduce((sum, i) => sum + i.balanceAmount, 0),
      creditAmount: row.creditAmount,
    }),
  })
}
