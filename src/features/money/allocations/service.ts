import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { PaymentRow } from '../../../../db/schema/payments.ts'
import { existing, record, update } from '../../../changes/record.ts'
import { type Ctx, systemCaller } from '../../../context.ts'
import { ACCOUNT } from '../../../core/accounts.ts'
import { FUTURE, wrongAt } from '../../../core/body-rules.ts'
import { addMonths, minDate } from '../../../core/dates.ts'
import { quotedPlace } from '../../../core/message-text.ts'
import { CURRENCY } from '../../../core/money.ts'
import { hold, invalid } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { leaseParties } from '../../lease/contracts/store.ts'
import { leaseOf } from '../../lease/leases/service.ts'
import { findBooking } from '../../lease/leases/store.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { requestReceipt, restate } from '../invoices/receipts.ts'
import { PAYABLE } from '../invoices/rules.ts'
import { changePaid, invoiceOf } from '../invoices/service.ts'
import { standingInvoices } from '../invoices/store.ts'
import { type Account, type Part, postApplied, postCarried, postReceived } from '../ledger/service.ts'
import {
  type Allocated,
  addAllocation,
  type BesideKey,
  creditBeside,
  findPayment,
  insertPayment,
  leasesBeside,
  paymentsWithRest,
  saveCreditOf,
  savePayment,
  setAllocation,
} from './store.ts'

export const payable = (row: InvoiceRow): boolean => (PAYABLE as readonly string[]).includes(row.status)
export const balanceOf = (row: InvoiceRow): number => row.grossAmount - row.amountPaid

/**
 * Advance rent and deposits may be dated this many months before the lease begins; an earlier date is a typing error.
 */
const MONTHS_BEFORE = 12

/**
 * The first day that money of a lease may be dated: a year before it began or, if that was earlier, was entered; of a
 * renewal, before the first of the leases that it goes on from.
 */
function firstMoneyDay(ctx: Ctx, bookingId: string): string {
  let row = findBooking(ctx.tx, ctx.caller.orgId, bookingId)
  let first = todayOf(ctx)
  while (row) {
    first = minDate(first, minDate(row.startDate, row.createdAt.slice(0, 10)))
    row = row.renewsBookingId === null ? undefined : findBooking(ctx.tx, row.orgId, row.renewsBookingId)
  }
  return addMonths(first, -MONTHS_BEFORE)
}

/** Money is dated from `firstMoneyDay` to today. @throws validation_failed */
export function checkPaidOn(ctx: Ctx, bookingId: string, paidOn: string): void {
  if (paidOn > todayOf(ctx)) hold(wrongAt(FUTURE, '/paidOn'))
  const first = firstMoneyDay(ctx, bookingId)
  if (paidOn < first)
    throw invalid(
      '/paidOn',
      `Cannot be before ${first}, a year before the lease.`,
      `Ne peut pas précéder le ${first}, un an avant le bail.`,
    )
}

type Lease = {
  readonly id: string
  readonly propertyId: string
  readonly ownerUserId: string
  readonly tenantUserId: string | null
}
type Entered = Pick<
  PaymentRow,
  'type' | 'status' | 'amount' | 'method' | 'paidOn' | 'reference' | 'proofMediaId' | 'note'
> &
  Partial<Pick<PaymentRow, 'id' | 'receivedBy' | 'recordedBy' | 'counterpartId' | 'transfer' | 'payer'>>

/** Writes down a payment of a lease, on no invoice yet and no credit. */
export function enterPayment(ctx: Ctx, lease: Lease, entered: Entered): PaymentRow {
  const row: PaymentRow = {
    id: ctx.newId(),
    orgId: ctx.caller.orgId,
    bookingId: lease.id,
    propertyId: lease.propertyId,
    ownerUserId: lease.ownerUserId,
    tenantUserId: lease.tenantUserId,
    currency: CURRENCY,
    invoiceIds: [],
    unallocatedAmount: 0,
    recordedBy: ctx.caller.userId,
    decidedBy: null,
    documentId: null,
    creditBookingId: null,
    receivedBy: null,
    counterpartId: null,
    transfer: null,
    payer: null,
    ...entered,
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
export const anyPayment = existing(findPayment)

/** Allocates part of a payment's rest to an invoice; the caller updates the invoice's paid amount. */
export function allocate(ctx: Ctx, from: PaymentRow, invoiceId: string, amount: number): PaymentRow {
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
  postReceived(ctx, payment, amount === 0 ? [] : [[invoice, amount]])
  if (amount === 0) return changePayment(ctx, payment, { unallocatedAmount: payment.amount })
  // In memory only, so that it never shows as credit.
  const after = allocate(ctx, { ...payment, unallocatedAmount: payment.amount }, invoice.id, amount)
  changePaid(ctx, invoice, { paid: amount })
  return after
}

/** Puts money that is owed on these invoices on them, in their order. `from`: the account that it comes from. */
export function spread(ctx: Ctx, payment: PaymentRow, invoices: readonly InvoiceRow[], from?: Account): void {
  let rest: PaymentRow = { ...payment, unallocatedAmount: payment.amount }
  const parts: Part[] = []
  for (const invoice of invoices) {
    const amount = Math.min(rest.unallocatedAmount, balanceOf(invoice))
    if (amount === 0) break
    rest = allocate(ctx, rest, invoice.id, amount)
    changePaid(ctx, invoice, { paid: amount })
    parts.push([invoice, amount])
  }
  postReceived(ctx, payment, parts, from)
}

/** Puts credit on an invoice, oldest payment first: that of its lease, then what the tenant has in leases that it meets. */
export function applyCredit(ctx: Ctx, invoice: InvoiceRow): InvoiceRow {
  const after = ownCredit(ctx, invoice)
  if (balanceOf(after) === 0 || creditBeside(ctx.tx).all(besideOf(invoice, invoice.bookingId)).length === 0)
    return after
  takeBeside(ctx, leaseOf(ctx, invoice.bookingId))
  return invoiceOf(ctx, invoice.id)
}

function ownCredit(ctx: Ctx, invoice: InvoiceRow): InvoiceRow {
  let open = balanceOf(invoice)
  for (const source of paymentsWithRest(ctx.tx, ctx.caller.orgId, invoice.bookingId)) {
    const amount = Math.min(source.unallocatedAmount, open)
    if (amount === 0) break
    allocate(ctx, source, invoice.id, amount)
    postApplied(ctx, source, invoice, amount)
    open -= amount
  }
  const paid = balanceOf(invoice) - open
  return paid === 0 ? invoice : changePaid(ctx, invoice, { paid })
}

/**
 * Credit and debts of a lease set each other off, the oldest period first; once it has ended, or another of the tenant with
 * the same owner has, also those of both. @returns the invoices of this lease that its own credit paid on
 */
export function setOff(ctx: Ctx, bookingId: string): InvoiceRow[] {
  const paid = setOffWithin(ctx, bookingId)
  const lease = leaseOf(ctx, bookingId)
  if (lease.creditAmount > 0) giveBeside(ctx, lease)
  else takeBeside(ctx, lease)
  return paid
}

/** The same within the lease alone. */
export function setOffWithin(ctx: Ctx, bookingId: string): InvoiceRow[] {
  const { orgId } = ctx.caller
  if (paymentsWithRest(ctx.tx, orgId, bookingId).length === 0) return []
  const open = standingInvoices(ctx.tx, orgId, bookingId).filter(payable)
  return open.flatMap((invoice) => {
    const after = ownCredit(ctx, invoice)
    return after.amountPaid > invoice.amountPaid ? [after] : []
  })
}

const besideOf = ({ orgId, tenantId, ownerUserId }: BookingRow | InvoiceRow, bookingId: string): BesideKey => ({
  ...{ orgId, tenantId, ownerUserId, bookingId },
})
/** Between two running leases nothing is set off: what is paid ahead for one is for its coming months. */
const meet = (a: BookingRow, b: BookingRow): boolean => a.status === 'TERMINATED' || b.status === 'TERMINATED'
/** The renters of a lease: with other co-tenants they are other debtors. */
const rentersOf = (ctx: Ctx, { orgId, id }: BookingRow): string =>
  JSON.stringify(
    leaseParties(ctx.tx, orgId, id)
      .flatMap((p) => (p.role === 'CO_TENANT' ? [`${p.fullName} ${p.phoneNumber}`] : []))
      .sort(),
  )
const openOf = (ctx: Ctx, { orgId, id }: BookingRow): InvoiceRow[] =>
  standingInvoices(ctx.tx, orgId, id).filter(payable)
const byDueDate = (a: InvoiceRow, b: InvoiceRow): number => (a.dueDate < b.dueDate ? -1 : 1)

/** Credit of a lease pays what the tenant owes on others, the first due first. */
function giveBeside(ctx: Ctx, from: BookingRow): void {
  const renters = rentersOf(ctx, from)
  const others = leasesBeside(ctx.tx)
    .all(besideOf(from, from.id))
    .filter((to) => meet(from, to) && rentersOf(ctx, to) === renters)
  const shares = new Map<string, number>()
  let left = from.creditAmount
  const open = others.flatMap((to) => openOf(ctx, to)).sort(byDueDate)
  for (const invoice of open) {
    const part = Math.min(left, balanceOf(invoice))
    shares.set(invoice.bookingId, (shares.get(invoice.bookingId) ?? 0) + part)
    left -= part
  }
  for (const to of others) settleBetween(ctx, from, to, shares.get(to.id) ?? 0)
}

/** What the tenant has in other leases pays what is owed on this one. */
function takeBeside(ctx: Ctx, to: BookingRow): void {
  const sources = creditBeside(ctx.tx)
    .all(besideOf(to, to.id))
    .filter((from) => meet(from, to))
  if (sources.length === 0) return
  const renters = rentersOf(ctx, to)
  for (const from of sources.filter((one) => rentersOf(ctx, one) === renters)) {
    const owed = openOf(ctx, to).reduce((sum, i) => sum + balanceOf(i), 0)
    settleBetween(ctx, from, to, Math.min(from.creditAmount, owed))
  }
}

/** One lease gives so many francs of its credit back, and the same moment they pay invoices of the other. */
function settleBetween(ctx: Ctx, from: BookingRow, to: BookingRow, amount: number): void {
  if (amount === 0) return
  const [id, counterpartId] = [ctx.newId(), ctx.newId()]
  const recordedBy = systemCaller(from.orgId).userId
  const none = { reference: null, proofMediaId: null }
  const shared = { ...none, status: 'CONFIRMED', method: 'SET_OFF', paidOn: todayOf(ctx), amount, recordedBy } as const
  const linked = { id, counterpartId, note: quotedPlace(to, from.locale) }
  const refund = enterPayment(ctx, from, { ...shared, ...linked, type: 'REFUND' })
  let left = amount
  for (const source of paymentsWithRest(ctx.tx, from.orgId, from.id)) {
    const part = Math.min(left, source.unallocatedAmount)
    if (part > 0) refundFrom(ctx, source, refund, part)
    left -= part
  }
  const taken = { id: counterpartId, counterpartId: id, note: quotedPlace(from, to.locale) }
  const payment = enterPayment(ctx, to, { ...shared, ...taken, type: 'PAYMENT' })
  spread(ctx, payment, openOf(ctx, to).sort(byDueDate), [from.id, ACCOUNT.ADVANCE])
  const done = receiptFor(ctx, anyPayment(ctx, payment.id))
  for (const after of [refund, done]) record(ctx, 'payment.set_off', { type: 'payment', after, details: { amount } })
  enqueue(ctx, 'payment.confirmed', done.id)
  for (const lease of [from, to]) restate(ctx, lease.id)
}

/** The renewal of a lease takes its credit over. */
export function handCreditOver(ctx: Ctx, from: string, to: string): void {
  const { orgId } = ctx.caller
  for (const source of paymentsWithRest(ctx.tx, orgId, from))
    postCarried(ctx, source, from, to, source.unallocatedAmount)
  saveCreditOf(ctx.tx).run({ orgId, from, to, now: ctx.now })
}

/** Moves part of an allocation back to the payment's unallocated rest, off an invoice or out of a refund of a lease. */
export function moveBack(ctx: Ctx, part: Allocated, amount: number, from: InvoiceRow | string): void {
  const source = anyPayment(ctx, part.paymentId)
  const holder = source.creditBookingId ?? source.bookingId
  if (typeof from !== 'string') postApplied(ctx, source, from, -amount)
  else if (from !== holder) postCarried(ctx, source, from, holder, amount)
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

/** Asks for the receipt of a payment whose money has come to where it belongs. */
export const receiptFor = (ctx: Ctx, payment: PaymentRow, lease?: BookingRow): PaymentRow =>
  changePayment(ctx, payment, { documentId: requestReceipt(ctx, payment, lease) })
