import { record, update } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { next } from '../../../core/lifecycle.ts'
import { CURRENCY } from '../../../core/money.ts'
import { AppError, invalid, notFound, refused, refusedAt } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { BookingRow } from '../../lease/bookings/store.ts'
import { ownPaper } from '../../papers/media/service.ts'
import { checkPaidOn } from '../deposits/service.ts'
import { PAYABLE } from '../invoices/rules.ts'
import { changePaid, invoiceOf } from '../invoices/service.ts'
import { type InvoiceRow, partyInvoice } from '../invoices/store.ts'
import {
  replaceReceipts,
  requestQuittance,
  requestReceipt,
  requestRefundReceipt,
  restate,
  voidReceipts,
} from '../receipts/service.ts'
import type { PaymentCreate } from './model.ts'
import { type PaymentAction, paymentMoves, referenceOf } from './rules.ts'
import {
  type Allocated,
  addAllocation,
  allocationsOf,
  allocationsTo,
  findPayment,
  getPayment,
  insertPayment,
  type PaymentRow,
  paymentsWithRest,
  paymentWith,
  savePayment,
  setAllocation,
} from './store.ts'

type Lease = {
  readonly id: string
  readonly propertyId: string
  readonly ownerUserId: string
  readonly tenantUserId: string | null
}

/** A payment within the caller's reach. @throws not_found */
export function paymentOf(ctx: Ctx, id: string): PaymentRow {
  const row = getPayment(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id)
  if (!row) throw notFound()
  return row
}

const payable = (row: InvoiceRow): boolean => (PAYABLE as readonly string[]).includes(row.status)
const balanceOf = (row: InvoiceRow): number => row.grossAmount - row.amountPaid

/**
 * The caller's own picture or PDF; papers of their identity are shown to reviewers alone, and prove no payment.
 * @throws not_found, validation_failed
 */
function proofOf(ctx: Ctx, id: string): string {
  const { ownerType } = ownPaper(ctx, id, '/proofMediaId')
  if (ownerType === 'VERIFICATION') throw notFound()
  return id
}

/**
 * Records money that was received (CONFIRMED) or declared (PENDING). @throws duplicate, validation_failed, not_found
 */
function insertReceived(
  ctx: Ctx,
  lease: Lease,
  body: PaymentCreate,
  kind: Pick<PaymentRow, 'status' | 'type'>,
): PaymentRow {
  const { orgId, userId } = ctx.caller
  checkPaidOn(ctx, lease.id, body.paidOn)
  const proofMediaId = body.proofMediaId ? proofOf(ctx, body.proofMediaId) : null
  const reference = body.reference ? referenceOf(body.method, body.reference) : null
  if (reference !== null && paymentWith(ctx.tx, orgId, body.method, reference))
    throw refusedAt('/reference', 'duplicate', {
      en: 'A payment with this reference is recorded already.',
      fr: 'Un paiement avec cette référence est déjà enregistré.',
    })
  const row: PaymentRow = {
    id: ctx.newId(),
    orgId,
    bookingId: lease.id,
    propertyId: lease.propertyId,
    ownerUserId: lease.ownerUserId,
    tenantUserId: lease.tenantUserId,
    ...kind,
    amount: body.amount,
    currency: CURRENCY,
    method: body.method,
    paidOn: body.paidOn,
    reference,
    proofMediaId,
    invoiceIds: [],
    unallocatedAmount: 0,
    recordedBy: userId,
    decidedBy: null,
    note: null,
    documentId: null,
    creditBookingId: null,
    createdAt: ctx.now,
    confirmedAt: kind.status === 'CONFIRMED' ? ctx.now : null,
    closedAt: null,
    updatedAt: ctx.now,
    version: 1,
    receivedBy: null,
  }
  insertPayment(ctx.tx, row)
  return row
}

/** A payment with its full amount unallocated; in memory only, so that it never shows as credit. */
const unspent = (row: PaymentRow): PaymentRow => ({ ...row, unallocatedAmount: row.amount })

/** Allocates part of a payment's rest to an invoice; the caller updates the invoice's paid amount. */
function allocate(ctx: Ctx, from: PaymentRow, invoiceId: string, amount: number): PaymentRow {
  addAllocation(ctx.tx).run({ orgId: from.orgId, paymentId: from.id, targetId: invoiceId, amount })
  const invoiceIds = from.invoiceIds.includes(invoiceId) ? from.invoiceIds : [...from.invoiceIds, invoiceId]
  return update(ctx, savePayment, from, { unallocatedAmount: from.unallocatedAmount - amount, invoiceIds })
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

/** Takes money off an invoice, newest payment first, and makes it credit. @returns how much; the caller changes what is paid on the invoice */
export function releaseFrom(ctx: Ctx, invoice: InvoiceRow, amount: number): number {
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
function moveBack(ctx: Ctx, part: Allocated, amount: number): void {
  const source = findPayment(ctx.tx, part.orgId, part.paymentId)
  if (!source) throw notFound()
  setAllocation(ctx.tx, { ...part, amount: part.amount - amount })
  update(ctx, savePayment, source, { unallocatedAmount: source.unallocatedAmount + amount })
}

type Move = { readonly paymentId: string; readonly targetId: string; readonly amount: number }
/** Moves money of confirmed payments: onto an invoice, or off it where `amount` is negative. The caller changes what is paid there. */
export function moveMoney(ctx: Ctx, moves: readonly Move[]): void {
  for (const { paymentId, targetId, amount } of moves.toSorted((a, b) => a.amount - b.amount)) {
    const source = paymentOf(ctx, paymentId)
    if (source.status !== 'CONFIRMED' || amount === 0) continue
    if (amount > 0) allocate(ctx, source, targetId, amount)
    else
      for (const part of allocationsOf(ctx.tx, paymentId)) if (part.targetId === targetId) moveBack(ctx, part, -amount)
  }
}

/** Makes out anew the receipts of payments whose money was moved, and the quittances of invoices that credit settled. */
export function renewReceipts(ctx: Ctx, lease: BookingRow, touched: ReadonlySet<string>): void {
  for (const { paymentId, invoiceId } of replaceReceipts(ctx, lease.id, touched))
    if (paymentId !== null) receiptFor(ctx, paymentOf(ctx, paymentId), lease)
    else if (invoiceId !== null) requestQuittance(ctx, invoiceOf(ctx, invoiceId), lease)
}

/** Landlords record what they received; a tenant declares what they paid, to be confirmed. @throws invalid_state, overpayment */
export function payInvoice(ctx: Ctx, invoiceId: string, body: PaymentCreate): PaymentRow {
  const { orgId, scope, userId } = ctx.caller
  const invoice = partyInvoice(ctx.tx, orgId, scope, invoiceId)
  const asTenant = body.as === 'TENANT'
  if (!invoice || (asTenant && invoice.tenantUserId !== userId)) throw notFound()
  if (!payable(invoice)) throw refused(invoice.status, [])
  // An owner may rent from another one, who confirms.
  const declared = asTenant || scope.kind === 'tenant' || (scope.kind === 'owner' && invoice.ownerUserId !== userId)
  if (!declared && body.amount > balanceOf(invoice)) throw refusedAt('/amount', 'overpayment')
  const lease = { ...invoice, id: invoice.bookingId }
  const row = insertReceived(ctx, lease, body, { type: 'PAYMENT', status: declared ? 'PENDING' : 'CONFIRMED' })
  if (declared) {
    addAllocation(ctx.tx).run({ orgId: row.orgId, paymentId: row.id, targetId: invoiceId, amount: 0 })
    return told(ctx, 'payment.declare', undefined, update(ctx, savePayment, row, { invoiceIds: [invoiceId] }))
  }
  const payment = allocate(ctx, unspent(row), invoice.id, row.amount)
  changePaid(ctx, invoice, { paid: row.amount })
  enqueue(ctx, 'payment.confirmed', row.id)
  return told(ctx, 'payment.record', undefined, receiptFor(ctx, payment))
}

/** confirm, reject, withdraw (by the tenant) or reverse; doing it twice changes nothing. */
export function decidePayment(ctx: Ctx, id: string, action: PaymentAction, note: string | null = null): PaymentRow {
  const before = paymentOf(ctx, id)
  const step = next(paymentMoves, before.status, action)
  if (step.kind === 'already') return before
  if (step.kind === 'refused') throw refused(before.status, step.allowed)
  const decided = { status: step.to, decidedBy: ctx.caller.userId, note }
  if (action === 'confirm') return confirm(ctx, before, decided)
  if (action === 'reverse') takeBack(ctx, before)
  const current = action === 'reverse' ? paymentOf(ctx, id) : before
  const after = update(ctx, savePayment, current, { ...decided, closedAt: ctx.now, unallocatedAmount: 0 })
  if (action === 'reverse')
    for (const other of voidReceipts(ctx, after)) {
      const payment = findPayment(ctx.tx, after.orgId, other)
      if (payment?.status === 'CONFIRMED') receiptFor(ctx, payment)
    }
  return told(ctx, `payment.${action}`, before, after)
}

/** Asks for the receipt of a payment whose money has come to where it belongs. */
export const receiptFor = (ctx: Ctx, payment: PaymentRow, lease?: BookingRow): PaymentRow =>
  update(ctx, savePayment, payment, { documentId: requestReceipt(ctx, payment, lease) })

function confirm(ctx: Ctx, before: PaymentRow, decided: Pick<PaymentRow, 'status' | 'decidedBy' | 'note'>): PaymentRow {
  const [invoiceId = ''] = before.invoiceIds
  let invoice = invoiceOf(ctx, invoiceId)
  // The lease's end may have replaced the invoice that the tenant paid.
  while (invoice.replacedById !== null) invoice = invoiceOf(ctx, invoice.replacedById)
  if (invoice.status === 'CANCELLED') throw refused(invoice.status, [])
  // This also refuses an invoice that was paid meanwhile, as its balance is 0.
  if (before.amount > balanceOf(invoice)) throw new AppError('overpayment')
  const confirmed = update(ctx, savePayment, before, { ...decided, confirmedAt: ctx.now })
  const payment = allocate(ctx, unspent(confirmed), invoice.id, before.amount)
  changePaid(ctx, invoice, { paid: before.amount })
  enqueue(ctx, 'payment.confirmed', before.id)
  return told(ctx, 'payment.confirm', before, receiptFor(ctx, payment))
}

/** Undoes what a payment paid: invoices are owed again; a refund's money is credit again. */
function takeBack(ctx: Ctx, row: PaymentRow): void {
  if (row.type === 'REFUND') {
    for (const part of allocationsTo(ctx.tx, row.orgId, row.id)) moveBack(ctx, part, part.amount)
    return
  }
  for (const part of allocationsOf(ctx.tx, row.id)) {
    if (part.amount === 0) continue
    if (findPayment(ctx.tx, part.orgId, part.targetId))
      throw new AppError(
        'invalid_state',
        {
          en: 'Part of this payment was given back to the tenant. Reverse the refund first.',
          fr: "Une partie de ce paiement a été rendue au locataire. Annulez d'abord le remboursement.",
        },
        { currentStatus: row.status, allowed: [] },
      )
    setAllocation(ctx.tx, { ...part, amount: 0 })
    changePaid(ctx, invoiceOf(ctx, part.targetId), { paid: -part.amount })
  }
}

/** Money received for a booking as a whole: all of it credit until invoices take it. */
export function creditReceived(ctx: Ctx, lease: Lease, body: PaymentCreate): PaymentRow {
  const row = insertReceived(ctx, lease, body, { type: 'PAYMENT', status: 'CONFIRMED' })
  return told(ctx, 'payment.record', undefined, update(ctx, savePayment, row, { unallocatedAmount: row.amount }))
}

/** Gives credit of a booking back to the tenant. @throws refund_exceeds_credit */
export function refundCredit(ctx: Ctx, lease: Lease, body: PaymentCreate): PaymentRow {
  const sources = paymentsWithRest(ctx.tx, ctx.caller.orgId, lease.id)
  if (body.amount > sources.reduce((sum, s) => sum + s.unallocatedAmount, 0))
    throw refusedAt('/amount', 'refund_exceeds_credit')
  const refund = insertReceived(ctx, lease, body, { type: 'REFUND', status: 'CONFIRMED' })
  let left = body.amount
  for (const source of sources) {
    const amount = Math.min(left, source.unallocatedAmount)
    if (amount === 0) continue
    if (body.paidOn < source.paidOn)
      throw invalid(
        '/paidOn',
        `What is given back came on ${source.paidOn}: it cannot go before.`,
        `Ce qui est rendu est venu le ${source.paidOn} : la date ne peut pas être antérieure.`,
      )
    addAllocation(ctx.tx).run({ orgId: refund.orgId, paymentId: source.id, targetId: refund.id, amount })
    update(ctx, savePayment, source, { unallocatedAmount: source.unallocatedAmount - amount })
    left -= amount
  }
  return told(
    ctx,
    'payment.refund',
    undefined,
    update(ctx, savePayment, refund, { documentId: requestRefundReceipt(ctx, refund) }),
  )
}

function told(ctx: Ctx, action: string, before: PaymentRow | undefined, after: PaymentRow): PaymentRow {
  record(ctx, action, { type: 'payment', ...(before ? { before } : {}), after })
  // Only confirmed payments change a balance.
  if (after.status === 'CONFIRMED' || before?.status === 'CONFIRMED') restate(ctx, after.bookingId)
  return after
}
