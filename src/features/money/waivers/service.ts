import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { Ctx } from '../../../context.ts'
import { adjustment } from '../../../core/adjustments.ts'
import { formatMoney } from '../../../core/money.ts'
import { invalid, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { leaseOf } from '../../lease/leases/service.ts'
import { releaseFrom, renewReceipts } from '../allocations/moves.ts'
import { anyPayment, balanceOf, payable } from '../allocations/service.ts'
import { allocationsTo } from '../allocations/store.ts'
import { requestQuittance, restate } from '../invoices/receipts.ts'
import { changePaid, invoiceOf } from '../invoices/service.ts'
import type { Waiver } from './model.ts'

/**
 * A part of what is owed on an open invoice is no longer asked for: a credit note with its TVA, never money. It is not taken
 * back; an invoice of charges asks for the amount again. @throws not_found, invalid_state, validation_failed
 */
export function waive(ctx: Ctx, id: string, { amount, reason }: Waiver): InvoiceRow {
  const before = invoiceOf(ctx, id)
  if (!payable(before)) throw refused(before.status, [])
  const open = balanceOf(before)
  if (amount > open)
    throw invalid(
      '/amount',
      `Only ${formatMoney(open, 'en')} is left to pay.`,
      `Il ne reste que ${formatMoney(open, 'fr')} à payer.`,
    )
  const { propertyId, bookingId } = before
  const details = adjustment('INVOICE_WAIVED', { propertyId, bookingId, amount, reason })
  const after = changePaid(ctx, before, { paid: amount, credited: amount, reason: 'WAIVED', note: reason, details })
  enqueue(ctx, 'invoice.waived', `${id}:${after.version}`, { amount: String(amount) })
  if (after.status === 'PAID') acquit(ctx, after)
  restate(ctx, bookingId)
  return after
}

/** What was received for an invoice settles it now: the receipt of the last payment becomes its quittance. */
function acquit(ctx: Ctx, invoice: InvoiceRow): void {
  const last = allocationsTo(ctx.tx, invoice.orgId, invoice.id).findLast(({ amount }) => amount > 0)
  if (!last) return
  const isOwn = anyPayment(ctx, last.paymentId).bookingId === invoice.bookingId
  if (isOwn) renewReceipts(ctx, leaseOf(ctx, invoice.bookingId), new Set([last.paymentId]))
  else requestQuittance(ctx, invoice)
}

/** Waives `amount` again on the invoice that stands in the place of another, as far as it asks for so much. */
export function carryWaiver(ctx: Ctx, amount: number, to: InvoiceRow): InvoiceRow {
  const waived = Math.min(amount, to.grossAmount - to.creditedAmount)
  if (waived === 0) return to
  const back = releaseFrom(ctx, to, Math.max(0, waived - balanceOf(to)))
  return changePaid(ctx, to, { paid: waived - back, credited: waived, reason: 'WAIVED' })
}
