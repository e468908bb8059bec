import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { PaymentRow, TransferRow } from '../../../../db/schema/payments.ts'
import { record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { adjustment } from '../../../core/adjustments.ts'
import { RECORDS } from '../../../core/budgets.ts'
import { CURRENCY, formatMoney } from '../../../core/money.ts'
import { AppError, invalid, refused, refusedAt } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { bookingOf, leaseOf } from '../../lease/leases/service.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { checkCash, reasonOf, reasonOfLimited } from '../adjustments/service.ts'
import {
  anyPayment,
  balanceOf,
  checkPaidOn,
  enterPayment,
  payable,
  receiptFor,
  spread,
} from '../allocations/service.ts'
import { requestDepositReceipt, restate, voidDepositReceipt } from '../invoices/receipts.ts'
import { getInvoice } from '../invoices/store.ts'
import type { DepositCreate } from './model.ts'
import { type Claim, heldAfter, leastHeldFrom, lessDeposit } from './rules.ts'
import { type DepositRow, depositAtEnd, depositMoves, entryOfPayment, heldDeposit, insertDeposit } from './store.ts'

type Lease = { readonly orgId: string; readonly bookingId: string }
/**
 * What a tenant is asked for of the open debts of a lease: once it has ended, less the deposit that is held for it, as its
 * statement counts. Those not `isAsked` are left out, but for what the deposit covers of them first.
 */
export const claimOf = <T extends Pick<InvoiceRow, 'dueDate' | 'grossAmount' | 'amountPaid'>>(
  db: Db,
  { orgId, bookingId }: Lease,
  debts: readonly T[],
  isClaimed: (debt: T) => boolean = () => true,
): Claim<T> => lessDeposit(debts, debts.length === 0 ? 0 : depositAtEnd(db, orgId, bookingId), isClaimed)

type Entered = Pick<DepositRow, 'type' | 'amount' | 'paidOn'> & Partial<DepositRow>
function enter(ctx: Ctx, bookingId: string, heldBefore: number, entered: Entered, more: object = {}): DepositRow {
  const row: DepositRow = {
    id: ctx.newId(),
    orgId: ctx.caller.orgId,
    bookingId,
    currency: CURRENCY,
    reason: null,
    heldAmount: heldAfter(heldBefore, entered.type, entered.amount),
    recordedBy: ctx.caller.userId,
    createdAt: ctx.now,
    paymentId: null,
    movedBookingId: null,
    transfer: null,
    ...entered,
  }
  insertDeposit(ctx.tx, row)
  record(ctx, `deposit.${row.type.toLowerCase()}`, { type: 'deposit', after: row, details: { ...more, bookingId } })
  return row
}

/**
 * Adds an entry to the ledger of a lease's deposit; a mistake is mended by the opposite entry, with its reason. A
 * deduction that names invoices pays them. @throws not_found, invalid_state, quota_exceeded, deposit_exceeded, overpayment, validation_failed
 */
export function enterDeposit(ctx: Ctx, bookingId: string, body: DepositCreate): DepositRow & { version: 1 } {
  const lease = bookingOf(ctx, bookingId)
  const { type, amount, paidOn } = body
  // An entry says nothing of how the money came or went.
  if (type !== 'DEDUCTED') checkCash(ctx, lease)
  const invoiceIds = [...new Set(body.invoiceIds ?? [])]
  checkPaidOn(ctx, bookingId, paidOn)
  if (invoiceIds.length > 0 && type !== 'DEDUCTED')
    throw invalid('/invoiceIds', 'Only what is kept pays invoices.', 'Seule une retenue paie des factures.')
  const invoices = invoiceIds
    .map((id) => owedByTheSame(ctx, lease, id))
    .sort((a, b) => (a.dueDate < b.dueDate ? -1 : 1))
  const numbers = invoices.map(({ number }) => number).join(', ')
  const said = type === 'RECEIVED' ? body.reason : reasonOfLimited(ctx, lease.ownerUserId, body.reason)
  const reason = said ?? (type === 'DEDUCTED' && numbers ? REASONS[lease.locale](numbers) : null)
  if (type === 'DEDUCTED' && reason === null)
    throw invalid('/reason', 'Say what is kept for.', 'Dites pourquoi cette somme est retenue.')
  // A cancelled lease's deposit can only be given back or kept.
  if (type === 'RECEIVED' && lease.status === 'CANCELLED') throw refused(lease.status, [])
  const held = heldDeposit(ctx.tx, lease.orgId, bookingId)
  const left = heldAfter(held, type, amount)
  if (left < 0) throw refusedAt('/amount', 'deposit_exceeded')
  if (left > 0) checkEntries(ctx, lease)
  if (type !== 'RECEIVED' && leastHeldFrom(depositMoves(ctx.tx, lease.orgId, bookingId), paidOn) < amount)
    throw invalid(
      '/paidOn',
      'On that day or a later one, the deposit held was less than this amount.',
      'Ce jour-là, ou un jour suivant, la somme détenue était inférieure.',
    )
  const owed = invoices.reduce((sum, i) => sum + balanceOf(i), 0)
  if (invoices.length > 0 && amount > owed)
    throw refusedAt('/amount', 'overpayment', {
      en: `The amount is more than what is left to pay on these invoices, ${formatMoney(owed, 'en')}.`,
      fr: `Ce montant dépasse ce que ces factures demandent encore, ${formatMoney(owed, 'fr')}.`,
    })
  const paymentId = invoices.length > 0 ? payFromDeposit(ctx, lease, { amount, paidOn, reason }, invoices).id : null
  const about = { propertyId: lease.propertyId, amount, reason }
  const details = type === 'RECEIVED' ? {} : adjustment(`DEPOSIT_${type}`, about)
  const row = enter(ctx, bookingId, held, { type, amount, paidOn, reason, paymentId }, details)
  // What pays invoices or is kept has papers of its own.
  if (type !== 'DEDUCTED') requestDepositReceipt(ctx, lease, row)
  for (const id of new Set([bookingId, ...invoices.map((i) => i.bookingId)])) restate(ctx, id)
  // The tenant was told a balance when the lease ended; of invoices that are paid from the deposit a receipt tells.
  if (type === 'DEDUCTED' && paymentId === null && lease.status === 'TERMINATED')
    enqueue(ctx, 'deposit.deducted', row.id)
  return { ...row, version: 1 }
}

/** A part of a transfer goes to the deposit. @throws invalid_state, quota_exceeded, validation_failed */
export function receiveDeposit(ctx: Ctx, lease: BookingRow, transfer: TransferRow, amount: number): void {
  const { paidOn, row } = transfer
  checkPaidOn(ctx, lease.id, paidOn)
  if (lease.status === 'CANCELLED') throw refused(lease.status, [])
  checkEntries(ctx, lease)
  const held = heldDeposit(ctx.tx, lease.orgId, lease.id)
  const entry = enter(ctx, lease.id, held, { type: 'RECEIVED', amount, paidOn, transfer: row })
  requestDepositReceipt(ctx, lease, entry)
  restate(ctx, lease.id)
}

/** A deposit that was held before its lease came in from a list: no receipt is made of it. @throws quota_exceeded, validation_failed */
export function takeOverDeposit(
  ctx: Ctx,
  bookingId: string,
  held: { readonly amount: number; readonly paidOn: string; readonly reason: string },
): void {
  const lease = bookingOf(ctx, bookingId)
  checkCash(ctx, lease)
  checkPaidOn(ctx, bookingId, held.paidOn)
  checkEntries(ctx, lease)
  enter(ctx, bookingId, heldDeposit(ctx.tx, lease.orgId, bookingId), { type: 'RECEIVED', ...held })
  restate(ctx, bookingId)
}

/** What a transfer brought into a deposit goes out again today, as it is reversed. @throws deposit_exceeded, validation_failed */
export function returnDeposit(
  ctx: Ctx,
  { bookingId, amount }: { readonly bookingId: string; readonly amount: number },
  transfer: TransferRow,
  said: string | null,
): void {
  const lease = leaseOf(ctx, bookingId)
  const reason = reasonOf(ctx, lease.ownerUserId, said)
  const held = heldDeposit(ctx.tx, lease.orgId, bookingId)
  if (amount > held)
    throw new AppError('deposit_exceeded', {
      en: 'Part of this deposit was returned or kept since. Undo that first.',
      fr: 'Une partie de cette caution a été rendue ou retenue depuis. Annulez d’abord cela.',
    })
  const details = adjustment('DEPOSIT_RETURNED', { propertyId: lease.propertyId, amount, reason })
  const entered = { type: 'RETURNED', amount, reason, paidOn: todayOf(ctx), transfer: transfer.row } as const
  enter(ctx, bookingId, held, entered, details)
  voidDepositReceipt(ctx, lease, transfer.row)
  restate(ctx, bookingId)
}

/** @throws quota_exceeded where a lease's deposit has all the entries that it may have */
function checkEntries(ctx: Ctx, { orgId, id }: BookingRow): void {
  if (depositMoves(ctx.tx, orgId, id).length < RECORDS.deposit) return
  throw new AppError('quota_exceeded', {
    en: `A deposit can have at most ${RECORDS.deposit} entries. The last one must return or keep everything that is held.`,
    fr: `Un dépôt de garantie compte au plus ${RECORDS.deposit} écritures. La dernière restitue ou retient toute la somme détenue.`,
  })
}

const REASONS = {
  fr: (numbers: string) => `Paiement des factures\u00a0: ${numbers}`,
  en: (numbers: string) => `Payment of invoices: ${numbers}`,
} as const

/** An open invoice between the parties of a lease: of this one, or of one before it. @throws validation_failed */
function owedByTheSame(ctx: Ctx, lease: BookingRow, id: string): InvoiceRow {
  const invoice = getInvoice(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id)
  if (!invoice || invoice.tenantId !== lease.tenantId || invoice.ownerUserId !== lease.ownerUserId)
    throw invalid('/invoiceIds', 'Not an invoice of this tenant.', 'Pas une facture de ce locataire.')
  if (!payable(invoice))
    throw invalid(
      '/invoiceIds',
      `Nothing is owed on ${invoice.number}.`,
      `Plus rien n’est dû sur la facture ${invoice.number}.`,
    )
  return invoice
}

type Deduction = Pick<PaymentRow, 'amount' | 'paidOn'> & { readonly reason: string | null }
/** What is kept of the deposit pays invoices, in the order in which they fell due. */
function payFromDeposit(
  ctx: Ctx,
  lease: BookingRow,
  deduction: Deduction,
  invoices: readonly InvoiceRow[],
): PaymentRow {
  const { amount, paidOn, reason: note } = deduction
  const terms = {
    type: 'PAYMENT',
    status: 'CONFIRMED',
    method: 'DEPOSIT',
    reference: null,
    proofMediaId: null,
  } as const
  const payment = enterPayment(ctx, lease, { ...terms, amount, paidOn, note })
  spread(ctx, payment, invoices)
  const done = receiptFor(ctx, anyPayment(ctx, payment.id))
  record(ctx, 'payment.record', { type: 'payment', after: done })
  enqueue(ctx, 'payment.confirmed', done.id)
  return done
}

/** Puts the deduction behind a reversed payment back into the deposit. */
export function putBack(ctx: Ctx, paymentId: string): void {
  const { orgId } = ctx.caller
  const entry = entryOfPayment(ctx.tx).get({ orgId, paymentId })
  if (!entry) return
  const { bookingId, amount, reason } = entry
  const held = heldDeposit(ctx.tx, orgId, bookingId)
  enter(ctx, bookingId, held, { type: 'RECEIVED', amount, reason, paidOn: todayOf(ctx), paymentId })
}

/** The deposit goes over to the renewal of its lease: nothing is given back nor received. */
export function moveDeposit(ctx: Ctx, from: string, to: string): void {
  const { orgId } = ctx.caller
  const amount = heldDeposit(ctx.tx, orgId, from)
  if (amount === 0) return
  const paidOn = todayOf(ctx)
  enter(ctx, from, amount, { type: 'RETURNED', amount, paidOn, movedBookingId: to })
  enter(ctx, to, heldDeposit(ctx.tx, orgId, to), { type: 'RECEIVED', amount, paidOn, movedBookingId: from })
}
