import type { BookingRow, Settlement as Settled } from '../../../../db/schema/bookings.ts'
import type { Ctx } from '../../../context.ts'
import { adjustment } from '../../../core/adjustments.ts'
import { RECORDS } from '../../../core/budgets.ts'
import { addDays, addMonths, maxDate, minDate } from '../../../core/dates.ts'
import { next } from '../../../core/lifecycle.ts'
import { AppError, invalid, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Terminate } from '../../lease/leases/model.ts'
import { rentSteps } from '../../lease/leases/rent-steps.ts'
import { bookingMoves } from '../../lease/leases/rules.ts'
import { bookingOf, checkFree, saveLease } from '../../lease/leases/service.ts'
import { partiesOf } from '../../papers/documents/parties.ts'
import { voidDocuments } from '../../papers/documents/service.ts'
import { countDocuments } from '../../papers/documents/store.ts'
import { organizationOf, todayOf } from '../../people/organizations/service.ts'
import { followBookings } from '../../property/units/service.ts'
import { reasonOfLimited } from '../adjustments/service.ts'
import { moveMoney, releaseFrom, renewReceipts } from '../allocations/moves.ts'
import { movedSince } from '../allocations/rules.ts'
import { anyPayment, setOff, setOffWithin } from '../allocations/service.ts'
import { allocationsOfLease } from '../allocations/store.ts'
import { afterEnd, broughtUpToDate, nextRun } from '../billing/service.ts'
import { requestQuittance, restate } from '../invoices/receipts.ts'
import { rentLine, settle } from '../invoices/rules.ts'
import { cancelInvoice, changePaid, invoiceOf, issueInvoice, reviveInvoice } from '../invoices/service.ts'
import { standingInvoices } from '../invoices/store.ts'
import { undoSetOffs } from '../payments/service.ts'
import { refundedAfter } from '../payments/store.ts'
import { fullRentOf, paidOn, reviveCancelled, stretch, withoutNotice } from './reissue.ts'

/** Whether an end wants to be confirmed: it lies more than a month back. */
export const isLongAgo = (endDate: string, today: string): boolean => endDate < addMonths(today, -1)

/**
 * Ends an ACTIVE lease on `endDate` (today when absent) and settles it in the same transaction: later invoices are
 * cancelled, the one of the current period is replaced by a prorated one, rent paid for time after the end becomes credit,
 * charges and debts stay. A lease that has not begun ends at its start and bills no rent. Repeating it changes nothing.
 */
export function terminateBooking(ctx: Ctx, id: string, body: Terminate): BookingRow {
  const before = broughtUpToDate(ctx, id)
  const step = next(bookingMoves, before.status, 'terminate')
  if (step.kind === 'already') return before
  if (step.kind === 'refused') throw refused(before.status, step.allowed)
  const today = todayOf(ctx)
  const { startDate } = before
  const latest = maxDate(startDate, before.endDate === null ? today : minDate(today, before.endDate))
  const endDate = body.endDate ?? latest
  if (endDate < startDate || endDate > latest)
    throw invalid('/endDate', `Must be from ${startDate} to ${latest}.`, `Doit être du ${startDate} au ${latest}.`)
  const row: BookingRow = {
    ...before,
    status: step.to,
    endDate,
    terminatedAt: ctx.now,
    terminationReason: body.reason ?? null,
    nextRunOn: null,
  }
  // Ask for confirmation: a wrong month or year would give back whole months of rent.
  if (isLongAgo(endDate, today) && body.confirm !== true)
    throw invalid(
      '/confirm',
      `The end date ${endDate} is more than a month ago. To confirm it, send confirm: true.`,
      `La fin au ${endDate} remonte à plus d’un mois : donnez confirm true si c’est bien voulu.`,
    )
  const reason = reasonOfLimited(ctx, before.ownerUserId, body.reason)
  const allocated = allocationsOfLease(ctx.tx, before.orgId, id)
  const settlement = {
    mark: ctx.newId(),
    endDate: before.endDate,
    ...settleInvoices(ctx, row, startDate <= today ? endDate : addDays(startDate, -1), today),
    moved: movedSince(allocated, allocationsOfLease(ctx.tx, before.orgId, id)),
  }
  const about = { propertyId: row.propertyId, bookingId: id, reason }
  const lowers = settlement.cancelled.length + settlement.credited.length > 0
  const details = lowers ? adjustment('LEASE_ENDED', about) : undefined
  const saved = saveLease(ctx, 'booking.terminate', { ...row, settlement }, details)
  renewReceipts(ctx, saved, touchedBy(settlement))
  setOff(ctx, id)
  // Money that had come from another lease becomes credit of that lease again.
  settleAgain(ctx, new Set(sourcesOf(ctx, settlement).filter((lease) => lease !== id)))
  const after = bookingOf(ctx, id)
  afterEnd(ctx, after)
  return after
}

/** Sets off credit and debts of leases whose money has moved, and draws their papers anew. */
function settleAgain(ctx: Ctx, leases: ReadonlySet<string>): void {
  for (const lease of leases) {
    for (const invoice of setOff(ctx, lease)) requestQuittance(ctx, invoice)
    restate(ctx, lease)
  }
}

/** The leases whose money an end moved. */
const sourcesOf = (ctx: Ctx, { moved }: Pick<Settled, 'moved'>): string[] =>
  moved.map(({ paymentId }) => anyPayment(ctx, paymentId)).map((p) => p.creditBookingId ?? p.bookingId)

/** Payments and invoices whose receipts are now out of date. */
const touchedBy = ({ moved, credited, cancelled }: Settled): Set<string> =>
  new Set([...moved.map((m) => m.paymentId), ...credited, ...cancelled])

function settleInvoices(
  ctx: Ctx,
  row: BookingRow,
  endDate: string,
  today: string,
): Pick<Settled, 'cancelled' | 'credited'> {
  const cancelled: string[] = []
  const creditedIds: string[] = []
  const steps = rentSteps(ctx, row)
  const lease = { ...row, parties: partiesOf(ctx, row) }
  for (const invoice of standingInvoices(ctx.tx, row.orgId, row.id)) {
    const rent = invoice.lines.find((l) => l.kind === 'RENT')
    if (!rent || invoice.periodEnd <= endDate) continue
    const charges = invoice.netAmount - rent.amount
    const { tvaBasisPoints, amountPaid: paid } = invoice
    const outcome = settle({
      // Invoices from before a renewal in mid-period use the old anchor, which is the start date; the anchor never
      // moves again.
      anchor: invoice.periodStart < row.anchorDate ? row.startDate : row.anchorDate,
      periodStart: invoice.periodStart,
      periodEnd: invoice.periodEnd,
      rent: fullRentOf(row, steps, invoice, rent.amount),
      charges,
      tvaBasisPoints,
      paid,
      endDate,
    })
    if (outcome.kind === 'keep') continue
    // A PAID invoice is history and stays: only what was paid for time after the end is credited.
    if (invoice.status === 'PAID') {
      const excess = outcome.kind === 'cancel' ? outcome.release : outcome.credit
      const credited = excess > 0 ? releaseFrom(ctx, invoice, excess) : 0
      if (credited === 0) continue
      changePaid(ctx, invoice, { paid: 0, credited, lease })
      creditedIds.push(invoice.id)
      continue
    }
    // One with a credit note stays too, with a second one for what that left of the time after the end.
    if (invoice.notedAmount > 0) {
      const gross = outcome.kind === 'replace' ? outcome.gross : 0
      const credited = Math.min(invoice.grossAmount - gross, invoice.grossAmount - invoice.creditedAmount)
      if (credited === 0) continue
      const back = releaseFrom(ctx, invoice, Math.max(0, credited - invoice.grossAmount + paid))
      changePaid(ctx, invoice, { paid: credited - back, credited, lease })
      creditedIds.push(invoice.id)
      continue
    }
    const released = releaseFrom(ctx, invoice, paid)
    cancelled.push(invoice.id)
    if (outcome.kind === 'cancel') {
      cancelInvoice(ctx, invoice, { released, lease })
      continue
    }
    const lived = { start: invoice.periodStart, end: outcome.periodEnd }
    const rentLines = outcome.days > 0 ? [rentLine(row, lived, outcome.net - charges)] : []
    const lines = [...rentLines, ...invoice.lines.filter((l) => l.kind !== 'RENT')]
    const id = ctx.newId()
    // Cancel the old invoice first: the (booking, period) index allows only one.
    cancelInvoice(ctx, invoice, { released, lease, replacedById: id })
    const { periodStart, dueDate } = invoice
    const { periodEnd } = outcome
    issueInvoice(ctx, row, { id, periodStart, periodEnd, dueDate, lines, tvaBasisPoints }, today)
  }
  // Apply credit last: money released from later invoices can pay for the days before the end, and older debts.
  setOffWithin(ctx, row.id)
  return { cancelled, credited: creditedIds }
}

/**
 * Undoes `terminate`: the lease goes on as it was agreed, its invoices and the money on them are as before. What was paid or
 * charged since on an invoice that stood in the place of another goes along to that one. Repeating it changes nothing.
 * @throws invalid_state once credit was given back, or where the lease ended by its date; quota_exceeded, unit_unavailable
 */
export function reinstateBooking(ctx: Ctx, id: string): BookingRow {
  const before = bookingOf(ctx, id)
  const step = next(bookingMoves, before.status, 'reinstate')
  if (step.kind === 'already') return before
  if (step.kind === 'refused') throw refused(before.status, step.allowed)
  const { settlement } = before
  if (settlement === null)
    throw new AppError(
      'invalid_state',
      {
        en: 'This lease ended on its end date and cannot be reopened. Draw up a new one.',
        fr: 'Ce bail a pris fin à son terme : établissez-en un nouveau.',
      },
      { currentStatus: before.status, allowed: [] },
    )
  if (refundedAfter(ctx.tx, { orgId: before.orgId, bookingId: id, after: settlement.mark }))
    throw new AppError(
      'invalid_state',
      {
        en: 'Credit was refunded to the tenant after the end of the lease. Reverse the refund first.',
        fr: 'Un crédit a été rendu au locataire depuis la fin du bail. Annulez d’abord le remboursement.',
      },
      { currentStatus: before.status, allowed: [] },
    )
  if (countDocuments(ctx.tx, before.orgId, `statement:${id}`) >= RECORDS.statements)
    throw new AppError('quota_exceeded', {
      en: `The end of this lease was already settled ${RECORDS.statements} times, so it cannot be undone again. Draw up a new lease.`,
      fr: `La fin de ce bail a déjà été réglée ${RECORDS.statements} fois\u00a0: elle ne peut plus être annulée. Établissez un nouveau bail.`,
    })
  const running: BookingRow = {
    ...before,
    status: step.to,
    endDate: settlement.endDate,
    ...withoutNotice(before, todayOf(ctx)),
    terminatedAt: null,
    terminationReason: null,
    settlement: null,
  }
  checkFree(ctx, running)
  const touched = touchedBy(settlement)
  const others = undoSetOffs(ctx, id, settlement.mark)
  // The row of a long lease is large until its settlement is gone, and each move of money writes it.
  saveLease(ctx, undefined, { ...before, settlement: null })
  moveMoney(
    ctx,
    settlement.moved.map((m) => ({ ...m, amount: -m.amount })),
  )
  for (const invoiceId of settlement.cancelled)
    for (const paymentId of reviveCancelled(ctx, running, invoiceOf(ctx, invoiceId))) touched.add(paymentId)
  for (const invoiceId of settlement.credited)
    reviveInvoice(ctx, running, invoiceOf(ctx, invoiceId), paidOn(ctx, invoiceId), 'ENDED')
  // Older debts that the end set off are owed again.
  for (const invoice of standingInvoices(ctx.tx, before.orgId, id)) {
    const paid = paidOn(ctx, invoice.id) + invoice.creditedAmount - invoice.amountPaid
    if (paid !== 0) changePaid(ctx, invoice, { paid })
  }
  for (const invoice of setOffWithin(ctx, id)) touched.add(invoice.id)
  if (before.notice && running.notice === null) stretch(ctx, running, before.notice.leaveOn, todayOf(ctx))
  const after = saveLease(ctx, 'booking.reinstate', { ...running, nextRunOn: nextRun(running, organizationOf(ctx)) })
  followBookings(ctx, after.unitId)
  voidDocuments(ctx, id, ({ kind }) => kind === 'STATEMENT', 'CANCELLED')
  renewReceipts(ctx, after, touched)
  settleAgain(ctx, new Set([id, ...others, ...sourcesOf(ctx, settlement)]))
  enqueue(ctx, 'booking.reinstated', `${id}:${after.version}`, { endDate: before.endDate ?? '' })
  return bookingOf(ctx, id)
}
