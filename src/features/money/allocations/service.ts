import { update } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { CURRENCY } from '../../../core/money.ts'
import { notFound } from '../../../errors.ts'
import type { BookingRow } from '../../lease/bookings/store.ts'
import { partiesOf } from '../../papers/parties/service.ts'
import { PAYABLE } from '../invoices/rules.ts'
import { changePaid, invoiceOf } from '../invoices/service.ts'
import { type InvoiceRow, standingInvoices } from '../invoices/store.ts'
import { replaceReceipts, requestQuittance, requestReceipt } from '../receipts/service.ts'
import {
  type Allocated,
  addAllocation,
  allocationsOf,
  allocationsTo,
  findPayment,
  insertPayment,
  type PaymentRow,
  paymentsWithRest,
  saveCreditOf,
  savePayment,
  setAllocation,
} from './store.ts'

export const payable = (row: InvoiceRow): boolean => (PAYABLE as readonly string[]).includes(row.status)
export const balanceOf = (row: InvoiceRow): number => row.grossAmount - row.amountPaid

type Lease = {
  readonly id: string
  readonly propertyId: string
  readonly ownerUserId: string
  readonly tenantUserId: string | null
}
type Entered = Pick<
  PaymentRow,
  'type' | 'status' | 'amount' | 'method' | 'paidOn' | 'reference' | 'proofMediaId' | 'note'
> & { readonly receivedBy?: string | null }

/** Writes down a payment of a lease, on no invoice yet and no credit. */
export function enterPayment(ctx: Ctx, lease: Lease, entered: Entered): PaymentRow {
  const row: PaymentRow = {
    id: ctx.newId(),
    orgId: ctx.caller.orgId,
    bookingId: lease.id,
    propertyId: lease.propertyId,
    ownerUserId: lease.ownerUserId,
    tenantUserId: lease.tenantUserId,
    ...entered,
    currency: CURRENCY,
    invoiceIds: [],
    unallocatedAmount: 0,
    recordedBy: ctx.caller.userId,
    decidedBy: null,
    documentId: null,
    creditBookingId: null,
    receivedBy: entered.receivedBy ?? null,
    createdAt: ctx.now,
    confirmedAt: entered.status === 'CONFIRMED' ? ctx.now : null,
    closedAt: null,
    updatedAt: ctx.now,
    version: 1,
  }
  insertPayment(ctx.tx, row)
  return row
}

export const changePayment = (ctx: Ctx, before: PaymentRow, changed: Partial<PaymentRow>): PaymentRow =>
  update(ctx, savePayment, before, changed)

/** Any payment of the organization. @throws not_found */
export function anyPayment(ctx: Ctx, id: string): PaymentRow {
  const row = findPayment(ctx.tx, ctx.caller.orgId, id)
  if (!row) throw notFound()
  return row
}

/** Allocates part of a payment's rest to an invoice; the caller updates the invoice's paid amount. */
function allocate(ctx: Ctx, from: PaymentRow, invoiceId: string, amount: number): PaymentRow {
  addAllocation(ctx.tx).run({ orgId: from.orgId, paymentId: from.id, targetId: invoiceId, amount })
  const invoiceIds = from.invoiceIds.includes(invoiceId) ? from.invoiceIds : [...from.invoiceIds, invoiceId]
  return changePayment(ctx, from, { unallocatedAmount: from.unallocatedAmount - amount, invoiceIds })
}

/** Names the invoice that a declared payment is meant for; nothing is on it yet. */
export function earmark(ctx: Ctx, payment: PaymentRow, invoiceId: string): PaymentRow {
  addAllocation(ctx.tx).run({ orgId: payment.orgId, paymentId: payment.id, targetId: invoiceId, amount: 0 })
  return changePayment(ctx, payment, { invoiceIds: [invoiceId] })
}

/** Puts money that has come on an invoice, as far as it is owed; the rest is credit. */
export function putOn(ctx: Ctx, payment: PaymentRow, invoice: InvoiceRow): PaymentRow {
  const amount = payable(invoice) ? Math.min(payment.amount, balanceOf(invoice)) : 0
  if (amount === 0) return changePayment(ctx, payment, { unallocatedAmount: payment.amount })
  // In memory only, so that it never shows as credit.
  const after = allocate(ctx, { ...payment, unallocatedAmount: payment.amount }, invoice.id, amount)
  changePaid(ctx, invoice, { paid: amount })
  return after
}

/** Puts money that is owed on these invoices on them, in their order. */
export function spread(ctx: Ctx, payment: PaymentRow, invoices: readonly InvoiceRow[]): void {
  let rest: PaymentRow = { ...payment, unallocatedAmount: payment.amount }
  for (const invoice of invoices) {
    const amount = Math.min(rest.unallocatedAmount, balanceOf(invoice))
    if (amount === 0) return
    rest = allocate(ctx, rest, invoice.id, amount)
    changePaid(ctx, invoice, { paid: amount })
  }
}

/** Puts the booking's credit on an invoice, oldest payment first. */
export function applyCredit(ctx: Ctx, invoice: InvoiceRow): InvoiceRow {
  let open = balanceOf(invoice)
  for (const source of paymentsWithRest(ctx.tx, ctx.caller.orgId, invoice.bookingId)) {
    const amount = Math.min(source.unallocatedAmount, open)
    if (amount === 0) break
    allocate(ctx, source, invoice.id, amount)
    open -= amount
  }
  const paid = balanceOf(invoice) - open
  return paid === 0 ? invoice : changePaid(ctx, invoice, { paid })
}

/** Credit and debts of a lease set each other off, the oldest period first. @returns the invoices that it paid on */
export function setOff(ctx: Ctx, bookingId: string): InvoiceRow[] {
  const { orgId } = ctx.caller
  if (paymentsWithRest(ctx.tx, orgId, bookingId).length === 0) return []
  return standingInvoices(ctx.tx, orgId, bookingId).flatMap((invoice) => {
    const after = payable(invoice) ? applyCredit(ctx, invoice) : invoice
    return after.amountPaid > invoice.amountPaid ? [after] : []
  })
}

/** The renewal of a lease takes its credit over. */
export const handCreditOver = (ctx: Ctx, from: string, to: string): void =>
  saveCreditOf(ctx.tx, { orgId: ctx.caller.orgId, from, to, now: ctx.now })

/** Takes money off an invoice, newest payment first, and makes it credit. @returns how much; the caller changes what is paid on the invoice */
export function releaseFrom(ctx: Ctx, invoice: InvoiceRow, amount: number): number {
  if (amount === 0) return 0
  let left = amount
  for (const part of allocationsTo(ctx.tx, invoice.orgId, invoice.id).reverse()) {
    const taken = Math.min(left, part.amount)
    if (taken === 0) continue
    moveBack(ctx, part, taken)
    left -= taken
  }
  return amount - left
}

/** Moves part of an allocation back to the payment's unallocated rest. */
export function moveBack(ctx: Ctx, part: Allocated, amount: number): void {
  const source = anyPayment(ctx, part.paymentId)
  setAllocation(ctx.tx, { ...part, amount: part.amount - amount })
  changePayment(ctx, source, { unallocatedAmount: source.unallocatedAmount + amount })
}

/** Takes a reversed payment off an invoice, which is owed again. */
export function takeOff(ctx: Ctx, part: Allocated): void {
  setAllocation(ctx.tx, { ...part, amount: 0 })
  changePaid(ctx, invoiceOf(ctx, part.targetId), { paid: -part.amount })
}

/** Gives a part of a payment's rest to a refund. */
export function refundFrom(ctx: Ctx, source: PaymentRow, refund: PaymentRow, amount: number): void {
  addAllocation(ctx.tx).run({ orgId: refund.orgId, paymentId: source.id, targetId: refund.id, amount })
  changePayment(ctx, source, { unallocatedAmount: source.unallocatedAmount - amount })
}

type Move = { readonly paymentId: string; readonly targetId: string; readonly amount: number }
/**
 * Moves money of confirmed payments: onto an invoice, or off it where `amount` is negative, as far as it is still there.
 * The caller changes what is paid there.
 */
export function moveMoney(ctx: Ctx, moves: readonly Move[]): void {
  for (const { paymentId, targetId, amount } of moves.toSorted((a, b) => a.amount - b.amount)) {
    const source = anyPayment(ctx, paymentId)
    if (source.status !== 'CONFIRMED') continue
    const put = Math.min(amount, source.unallocatedAmount)
    if (put > 0) allocate(ctx, source, targetId, put)
    if (put >= 0) continue
    for (const part of allocationsOf(ctx.tx, paymentId))
      if (part.targetId === targetId && part.amount > 0) moveBack(ctx, part, Math.min(part.amount, -amount))
  }
}

/** Asks for the receipt of a payment whose money has come to where it belongs. */
export const receiptFor = (ctx: Ctx, payment: PaymentRow, lease?: BookingRow): PaymentRow =>
  changePayment(ctx, payment, { documentId: requestReceipt(ctx, payment, lease) })

/** Makes out anew the receipts of payments whose money was moved, and the quittances of invoices that credit settled. */
export function renewReceipts(ctx: Ctx, row: BookingRow, touched: ReadonlySet<string>): void {
  if (ctx.undone) return
  const lease = { ...row, parties: partiesOf(ctx, row) }
  for (const { paymentId, invoiceId } of replaceReceipts(ctx, lease.id, touched))
    if (paymentId !== null) receiptFor(ctx, anyPayment(ctx, paymentId), lease)
    else if (invoiceId !== null) requestQuittance(ctx, invoiceOf(ctx, invoiceId), lease)
}
