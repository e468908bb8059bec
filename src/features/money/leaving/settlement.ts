import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import { type Ctx, systemCaller } from '../../../context.ts'
import { depositSums } from '../../../core/deposits.ts'
import { CURRENCY } from '../../../core/money.ts'
import { AppError, notFound } from '../../../errors.ts'
import { bookingOf, leaseOf } from '../../lease/leases/service.ts'
import { getBooking, partyBooking } from '../../lease/leases/store.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { anyPayment, payable } from '../allocations/service.ts'
import { depositMoves, heldDeposit } from '../deposits/store.ts'
import { invoiceOf } from '../invoices/service.ts'
import { standingInvoices } from '../invoices/store.ts'
import { exchangedSince } from '../payments/store.ts'
import type { SettledInvoice, Settlement } from './model.ts'
import { isLongAgo, terminateBooking } from './terminate.ts'

/**
 * What `terminate` on `endDate` settles, in francs, or what the end of a TERMINATED lease settled. It does end the lease:
 * the write it runs in has to be undone. @throws whatever `terminate` throws
 */
function settlementAt(ctx: Ctx, id: string, endDate: string | undefined): Settlement {
  const { status, orgId } = bookingOf(ctx, id)
  const known = new Set(standingInvoices(ctx.tx, orgId, id).map((i) => i.id))
  // Nothing of a preview is kept, nor its reason.
  const row = terminateBooking(ctx, id, { endDate: endDate ?? null, confirm: true, reason: 'settlement' })
  const lastDay = row.endDate ?? row.startDate
  const { cancelled, credited, moved, mark } = row.settlement ?? { cancelled: [], credited: [], moved: [], mark: '' }
  const halves = exchangedSince(ctx.tx, orgId, id, mark)
  const setOffOn = new Set([
    ...moved.flatMap(({ targetId, amount }) => (amount > 0 ? [targetId] : [])),
    ...halves.flatMap(({ invoiceIds }) => invoiceIds),
  ])
  const outcomes: [SettledInvoice['outcome'], InvoiceRow][] = []
  const changed = new Set<string>()
  const add = (outcome: SettledInvoice['outcome'], invoiceId: string | null): void => {
    if (invoiceId === null) return
    outcomes.push([outcome, invoiceOf(ctx, invoiceId)])
    changed.add(invoiceId)
  }
  for (const one of cancelled) {
    add('CANCELLED', one)
    add('ISSUED', invoiceOf(ctx, one).replacedById)
  }
  for (const one of credited) add('CREDITED', one)
  for (const one of standingInvoices(ctx.tx, orgId, id))
    if (!changed.has(one.id) && (payable(one) || setOffOn.has(one.id)))
      outcomes.push([payable(one) ? 'OWED' : 'SET_OFF', one])
  const invoices = outcomes
    .toSorted(([, a], [, b]) => a.periodStart.localeCompare(b.periodStart) || a.number.localeCompare(b.number))
    .map(([outcome, invoice]): SettledInvoice => {
      const { number, periodStart, periodEnd, dueDate, grossAmount, amountPaid } = invoice
      const balanceAmount = invoice.status === 'CANCELLED' ? 0 : grossAmount - amountPaid
      const credited = invoice.creditedAmount > 0 ? { creditedAmount: invoice.creditedAmount } : {}
      const name = status !== 'ACTIVE' || known.has(invoice.id) ? { id: invoice.id, number } : {}
      return { outcome, ...name, ...credited, periodStart, periodEnd, dueDate, grossAmount, amountPaid, balanceAmount }
    })
  const sum = (of: (one: SettledInvoice) => number): number => invoices.reduce((all, one) => all + of(one), 0)
  const owedAmount = sum((one) => one.balanceAmount)
  const { creditAmount } = bookingOf(ctx, id)
  const deposit = depositSums(depositMoves(ctx.tx, orgId, id))
  const depositHeldAmount = heldDeposit(ctx.tx, orgId, id)
  const setOffs = halves.map(({ type, amount, counterpartId }) => {
    const { bookingId } = anyPayment(ctx, counterpartId ?? '')
    const { unitLabel, propertyName } = leaseOf(ctx, bookingId)
    return { bookingId, unitLabel, propertyName, amount: type === 'REFUND' ? -amount : amount }
  })
  return {
    bookingId: id,
    currency: CURRENCY,
    endDate: lastDay,
    needsConfirm: status === 'ACTIVE' && isLongAgo(lastDay, todayOf(ctx)),
    invoices,
    cancelledAmount: sum((one) => (one.outcome === 'CANCELLED' ? one.grossAmount : 0)),
    issuedAmount: sum((one) => (one.outcome === 'ISSUED' ? one.grossAmount : 0)),
    creditedAmount: sum((one) => (one.outcome === 'CREDITED' ? (one.creditedAmount ?? 0) : 0)),
    owedAmount,
    creditAmount,
    setOffAmount: setOffs.reduce((all, { amount }) => all + amount, 0),
    setOffs,
    depositReceivedAmount: deposit.receivedAmount,
    rentOwedAmount: owedAmount + deposit.paidInvoicesAmount,
    deductedAmount: deposit.deductedAmount,
    depositReturnedAmount: deposit.returnedAmount,
    depositHeldAmount,
    balanceAmount: depositHeldAmount + creditAmount - owedAmount,
  }
}

/** The deposit held and the credit of an ended lease less what is owed on it, in francs; below zero the tenant owes it. */
export function closingBalance(db: Db, { orgId, id, creditAmount }: BookingRow): number {
  const owed = standingInvoices(db, orgId, id).filter(payable)
  return owed.reduce((left, i) => left - i.grossAmount + i.amountPaid, heldDeposit(db, orgId, id) + creditAmount)
}

/** The same as far as the caller may read it: tenants that of their own lease, once it has ended. @throws not_found, forbidden */
export function settlementSeen(ctx: Ctx, id: string, endDate: string | undefined): Settlement {
  const { orgId, scope, userId } = ctx.caller
  if (scope.kind !== 'tenant' && getBooking(ctx.tx, orgId, scope, id)) return settlementAt(ctx, id, endDate)
  const row = partyBooking(ctx.tx, orgId, scope, id)
  if (!row) throw notFound()
  if (row.tenantUserId !== userId || row.status !== 'TERMINATED') throw new AppError('forbidden')
  return settlementAt({ ...ctx, caller: systemCaller(orgId) }, id, undefined)
}
