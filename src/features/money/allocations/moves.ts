import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { Ctx } from '../../../context.ts'
import { partiesOf } from '../../papers/documents/parties.ts'
import { replaceReceipts, requestQuittance } from '../invoices/receipts.ts'
import { invoiceOf } from '../invoices/service.ts'
import { postApplied } from '../ledger/service.ts'
import { allocate, anyPayment, moveBack, receiptFor } from './service.ts'
import { allocationsOf, allocationsTo } from './store.ts'

/** Takes money off an invoice, newest payment first, and makes it credit. @returns how much; the caller changes what is paid on the invoice */
export function releaseFrom(ctx: Ctx, invoice: InvoiceRow, amount: number): number {
  if (amount === 0) return 0
  let left = amount
  for (const part of allocationsTo(ctx.tx, invoice.orgId, invoice.id).reverse()) {
    const taken = Math.min(left, part.amount)
    if (taken === 0) continue
    moveBack(ctx, part, taken, invoice)
    left -= taken
  }
  return amount - left
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
    const invoice = invoiceOf(ctx, targetId)
    if (put > 0) {
      allocate(ctx, source, targetId, put)
      postApplied(ctx, source, invoice, put)
    }
    if (put >= 0) continue
    for (const part of allocationsOf(ctx.tx).all({ paymentId }))
      if (part.targetId === targetId && part.amount > 0) moveBack(ctx, part, Math.min(part.amount, -amount), invoice)
  }
}

/** Makes out anew the receipts of payments whose money was moved, and the quittances of invoices that credit settled. */
export function renewReceipts(ctx: Ctx, row: BookingRow, touched: ReadonlySet<string>): void {
  const lease = { ...row, parties: partiesOf(ctx, row) }
  for (const { paymentId, invoiceId } of replaceReceipts(ctx, lease.id, touched))
    if (paymentId !== null) receiptFor(ctx, anyPayment(ctx, paymentId), lease)
    else if (invoiceId !== null) requestQuittance(ctx, invoiceOf(ctx, invoiceId), lease)
}
