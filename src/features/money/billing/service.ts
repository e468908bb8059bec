import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { Listener } from '../../../changes/record.ts'
import { type Ctx, systemCtx } from '../../../context.ts'
import { addDays, addMonths, minDate } from '../../../core/dates.ts'
import { dueDateOf, extendEnd, firstPeriodFrom, type Period, periodAt } from '../../../core/periods.ts'
import { tvaChangesOf } from '../../../core/tva.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { beginRents, rentSteps } from '../../lease/leases/rent-steps.ts'
import { isEnding, rentOn } from '../../lease/leases/rules.ts'
import { bookingOf, saveLease } from '../../lease/leases/service.ts'
import type { RentChangeRow } from '../../lease/leases/store.ts'
import { findBooking, overlapping, renewalOf } from '../../lease/leases/store.ts'
import { partiesOf } from '../../papers/documents/parties.ts'
import { followTva } from '../../people/organizations/rules.ts'
import { organizationOf, todayOf } from '../../people/organizations/service.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import { isHome } from '../../property/properties/rules.ts'
import { followBookings } from '../../property/units/service.ts'
import { anyPayment, applyCredit, handCreditOver, receiptFor, setOff, setOffWithin } from '../allocations/service.ts'
import { moveDeposit } from '../deposits/service.ts'
import { requestQuittance, requestStatement, restate } from '../invoices/receipts.ts'
import { amountsOf, rentLine } from '../invoices/rules.ts'
import { issueInvoice } from '../invoices/service.ts'
import { billOpening } from './opening.ts'

/** How many periods one write issues or extends by, so that other writes do not wait longer. */
const SLICE = 24
/** An advance pays at most ten years ahead; the rest stays credit. */
export const MONTHS_AHEAD = 120

type Rates = (day: string) => Pick<BookingRow, 'tvaBasisPoints' | 'tvaFollowed'>
/** A lease's rate of TVA on each day, as it follows the organization's changes. */
export function ratesOf(ctx: Ctx, row: BookingRow, org: OrganizationRow): Rates {
  const changes = tvaChangesOf(org)
  const isLetAsHome = (): boolean => isHome(partiesOf(ctx, row).premises.type)
  return (day) => followTva(row, changes, isLetAsHome, day)
}

/** Issues the invoice of a period, which credit pays at once. */
function issuePeriod(
  ctx: Ctx,
  row: BookingRow,
  period: Period,
  steps: readonly RentChangeRow[],
  tvaAt: Rates,
  today: string,
): InvoiceRow {
  const rent = rentOn(steps, row.rentAmount, period.start)
  const dueDate = dueDateOf(period.start, row.dueDay)
  const invoice = issueInvoice(
    ctx,
    row,
    {
      periodStart: period.start,
      periodEnd: period.end,
      dueDate,
      lines: [rentLine(row, period, amountsOf(rent, period, 0).net)],
      tvaBasisPoints: tvaAt(period.start).tvaBasisPoints,
    },
    today,
  )
  return applyCredit(ctx, invoice)
}

/** The day on which billing must look at a lease again: the next invoice, the next rent, or the day after its end. */
export function nextRun(row: BookingRow, org: OrganizationRow): string | null {
  const period = periodAt(row.anchorDate, row.nextPeriod, row.endDate)
  const issueOn = period && addDays(period.start, -org.issueDaysBefore)
  const endOn = row.endDate && addDays(row.endDate, 1)
  const days = [issueOn, endOn, row.nextRentOn].flatMap((day) => day ?? [])
  return days.length === 0 ? null : days.reduce(minDate)
}

/**
 * Brings one lease up to date: issues every period that has begun (or begins within the organization's days before), in
 * order; after its end it goes on by a month, or ends. Running it twice changes nothing; after months off it catches up.
 * @returns whether that is all; what is more than a slice behind stays due
 */
function billBooking(ctx: Ctx, id: string): boolean {
  const before = findBooking(ctx.tx, ctx.caller.orgId, id)
  if (before?.status !== 'ACTIVE') return true
  const org = organizationOf(ctx)
  const today = todayOf(ctx, org)
  const rents = rentSteps(ctx, before)
  const tvaAt = ratesOf(ctx, before, org)
  let row = before.nextRentOn === null ? before : beginRents(ctx, before, rents, today)
  let whole = false
  let leaves = false
  for (let steps = 0; steps < SLICE; steps += 1) {
    const period = periodAt(row.anchorDate, row.nextPeriod, row.endDate)
    if (period && addDays(period.start, -org.issueDaysBefore) <= today) {
      requestQuittance(ctx, issuePeriod(ctx, row, period, rents, tvaAt, today))
      row = { ...row, nextPeriod: row.nextPeriod + 1 }
      continue
    }
    if (row.endDate === null || row.endDate >= today) {
      whole = true
      break
    }
    const notice = isEnding(row.notice) ? row.notice : undefined
    leaves = notice?.leaveOn === row.endDate
    if (leaves) {
      whole = true
      break
    }
    const longer = extendEnd(row.anchorDate, row.endDate)
    const endDate = notice ? minDate(longer.endDate, notice.leaveOn) : longer.endDate
    if (!row.autoRenew || overlapping(ctx.tx, row, addDays(row.endDate, 1), endDate)) {
      row = { ...row, status: 'TERMINATED', terminatedAt: ctx.now }
      whole = true
      break
    }
    row = { ...row, endDate, notice: row.notice && { ...row.notice, endDate: longer.endDate } }
    if (notice?.leaveOn === endDate) row = { ...row, autoRenew: false }
    if (longer.anchor !== row.anchorDate)
      // Not before billFrom: earlier months of an old lease were settled elsewhere.
      row = {
        ...row,
        anchorDate: longer.anchor,
        nextPeriod: firstPeriodFrom(longer.anchor, row.billFrom ?? longer.anchor),
      }
  }
  // Overdue periods keep the rate of their own day; so do those that follow when the end set by a notice is undone.
  if (whole) row = { ...row, ...tvaAt(leaves && row.endDate ? row.endDate : today) }
  const ended = row.status === 'TERMINATED'
  const nextRunOn = ended || leaves ? null : nextRun(row, org)
  if (
    !ended &&
    nextRunOn === before.nextRunOn &&
    row.nextPeriod === before.nextPeriod &&
    row.endDate === before.endDate &&
    row.nextRentOn === before.nextRentOn &&
    row.tvaFollowed === before.tvaFollowed
  )
    return whole
  // A notice ends the lease with a settlement, in a write of its own.
  if (leaves) enqueue(ctx, 'booking.leave', `${id}:${before.version}`)
  const moved = row.rentAmount === before.rentAmount ? undefined : 'booking.rent'
  const action = ended ? 'booking.end' : row.endDate === before.endDate ? moved : 'booking.extend'
  // Read the credit again, because invoices may have used some and the statement needs the current amount.
  const saved = saveLease(ctx, action, { ...row, nextRunOn })
  if (ended) {
    const next = renewalOf(ctx.tx, saved)
    if (next) carryOver(ctx, saved, next)
    else setOff(ctx, id)
    afterEnd(ctx, bookingOf(ctx, id))
  }
  return whole
}

/** Bills a lease from its beginning, all its invoices being cancelled; what is more than a slice stays due. */
export function billAnew(ctx: Ctx, row: BookingRow): void {
  billOpening(ctx, row)
  billBooking(ctx, row.id)
}

/** Bills everything that a lease is behind with, in as many writes as needed. */
export async function catchUp(
  deps: Pick<Deps, 'write' | 'clock' | 'newId' | 'stopping'>,
  orgId: string,
  id: string,
): Promise<void> {
  const slice = (): Promise<boolean> =>
    deps.write(orgId, (tx) => {
      deps.stopping.throwIfAborted()
      return billBooking(systemCtx(deps, tx, orgId, `billing-${id}`), id)
    })
  while (!(await slice()));
}

/** A renewal takes over the credit and the deposit of the lease that has ended by its date. */
function carryOver(ctx: Ctx, from: BookingRow, to: BookingRow): void {
  setOffWithin(ctx, from.id)
  handCreditOver(ctx, from.id, to.id)
  moveDeposit(ctx, from.id, to.id)
  for (const invoice of setOff(ctx, to.id)) requestQuittance(ctx, invoice)
  // Credit of a third lease pays what is still owed.
  setOff(ctx, from.id)
}

/** The same where the renewal begins after that end, as it was signed late. */
export const followUp: Listener = {
  types: ['booking'],
  hear(ctx, { action, after }) {
    const to = action === 'booking.activate' ? findBooking(ctx.tx, ctx.caller.orgId, after?.id ?? '') : undefined
    const from = to?.renewsBookingId ? findBooking(ctx.tx, to.orgId, to.renewsBookingId) : undefined
    if (!to || from?.status !== 'TERMINATED' || from.settlement !== null) return
    carryOver(ctx, from, to)
    restate(ctx, from.id)
  },
}

/** Runs after the end of a lease, whether it was terminated or ended by its date. */
export function afterEnd(ctx: Ctx, row: BookingRow): void {
  followBookings(ctx, row.unitId)
  requestStatement(ctx, row)
  // The version is part of the key: a lease may end again after its end was undone, and each end is announced once.
  enqueue(ctx, 'booking.terminated', `${row.id}:${row.version}`)
}

/** The lease after everything due by now is billed: it may have been extended past its end, or have ended. */
export function broughtUpToDate(ctx: Ctx, id: string): BookingRow {
  // The lease is far behind: the job continues in further writes, and the client retries.
  if (!billBooking(ctx, id)) throw new AppError('overloaded', undefined, { retryAfter: 1 })
  return bookingOf(ctx, id)
}

/**
 * The rest of an advance, after what was open: issues and pays the coming periods in order, never past the lease's end;
 * what pays no whole period meets what the tenant owes on leases that have ended. @returns the invoices of the periods
 */
export function payAhead(ctx: Ctx, row: BookingRow, paymentId: string): InvoiceRow[] {
  const issued: InvoiceRow[] = []
  if (row.status === 'ACTIVE') {
    const org = organizationOf(ctx)
    const today = todayOf(ctx, org)
    const latest = addMonths(today, MONTHS_AHEAD)
    const rents = rentSteps(ctx, row)
    const tvaAt = ratesOf(ctx, row, org)
    let { nextPeriod } = row
    for (;;) {
      const period = periodAt(row.anchorDate, nextPeriod, row.endDate)
      if (!period || period.start > latest) break
      const rent = rentOn(rents, row.rentAmount, period.start)
      const { gross } = amountsOf(rent, period, tvaAt(period.start).tvaBasisPoints)
      const credit = findBooking(ctx.tx, row.orgId, row.id)?.creditAmount ?? 0
      if (gross === 0 || credit < gross) break
      issued.push(issuePeriod(ctx, row, period, rents, tvaAt, today))
      nextPeriod += 1
    }
    saveLease(ctx, undefined, { ...row, nextPeriod, nextRunOn: nextRun({ ...row, nextPeriod }, org) })
  }
  setOff(ctx, row.id)
  receiptFor(ctx, anyPayment(ctx, paymentId))
  enqueue(ctx, 'payment.confirmed', paymentId)
  return issued
}
