import { type Ctx, checkBrief } from '../../../context.ts'
import { addMonths } from '../../../core/dates.ts'
import { periodAt } from '../../../core/periods.ts'
import { refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { bookingOf, saveLease } from '../../lease/bookings/service.ts'
import { type BookingRow, findBooking } from '../../lease/bookings/store.ts'
import { rentOn } from '../../lease/rents/rules.ts'
import { rentSteps } from '../../lease/rents/service.ts'
import { organizationOf, todayOf } from '../../people/organizations/service.ts'
import { receiptFor, setOff } from '../allocations/service.ts'
import type { PaymentRow } from '../allocations/store.ts'
import { broughtUpToDate, issuePeriod, nextRun, ratesOf } from '../billing/service.ts'
import { amountsOf, coveredUntil } from '../invoices/rules.ts'
import { standingInvoices } from '../invoices/store.ts'
import type { AdvanceCreate } from '../payments/model.ts'
import { creditReceived, paymentOf, refundCredit } from '../payments/service.ts'

/** An advance pays at most ten years ahead; the rest stays credit. */
const MONTHS_AHEAD = 120
/** Periods that a job issues in one write. */
const AT_ONCE = 6
/** A period that is issued and paid costs as much as so many that are paid. */
const ISSUED = 4

type Paid = {
  readonly payment: PaymentRow
  readonly invoiceIds: readonly string[]
  readonly creditAmount: number
  readonly coveredUntil: string | undefined
}

/**
 * Issues the coming periods that the lease's credit pays in full, in order, `most` at most, never past its end.
 * @returns their invoices
 */
function payAhead(ctx: Ctx, row: BookingRow, most: number): string[] {
  const invoiceIds: string[] = []
  if (row.status !== 'ACTIVE') return invoiceIds
  const org = organizationOf(ctx)
  const today = todayOf(ctx, org)
  const latest = addMonths(today, MONTHS_AHEAD)
  const rents = rentSteps(ctx, row)
  const tvaAt = ratesOf(ctx, row, org)
  let { nextPeriod } = row
  while (invoiceIds.length < most) {
    const period = periodAt(row.anchorDate, nextPeriod, row.endDate)
    if (!period || period.start > latest) break
    const { gross } = amountsOf(rentOn(rents, row.rentAmount, period.start), period, tvaAt(period.start).tvaBasisPoints)
    const credit = creditOf(ctx, row)
    if (gross === 0 || credit < gross) break
    if (most > AT_ONCE) checkBrief(ctx, (ISSUED * credit) / gross)
    invoiceIds.push(issuePeriod(ctx, row, period, rents, tvaAt, today).id)
    nextPeriod += 1
  }
  saveLease(ctx, undefined, { ...row, nextPeriod, nextRunOn: nextRun({ ...row, nextPeriod }, org) })
  return invoiceIds
}

/** The end of an advance: what pays no whole month meets what the tenant owes on other leases. The tenant is told. */
function placed(ctx: Ctx, bookingId: string, paymentId: string): void {
  setOff(ctx, bookingId)
  receiptFor(ctx, paymentOf(ctx, paymentId))
  enqueue(ctx, 'payment.confirmed', paymentId)
}

/**
 * Rent in advance: pays what is open, oldest first, then issues and pays the coming periods in order, never past the
 * lease's end; what pays no whole period stays credit, and so does what came after the end. Cash that waits for its
 * receiver's word pays nothing yet. `type: REFUND` gives credit back. @throws invalid_state, duplicate
 */
export function payAdvance(ctx: Ctx, id: string, { type, ...body }: AdvanceCreate): Paid {
  const row = broughtUpToDate(ctx, id)
  if (type === 'REFUND') return paid(ctx, id, refundCredit(ctx, row, body), [])
  if (row.status !== 'ACTIVE' && row.status !== 'TERMINATED') throw refused(row.status, [])
  const { payment, touched } = creditReceived(ctx, row, body)
  if (payment.status === 'PENDING') return paid(ctx, id, payment, [])
  const invoiceIds = [...touched.map((i) => i.id), ...payAhead(ctx, row, MONTHS_AHEAD)]
  placed(ctx, id, payment.id)
  return paid(ctx, id, payment, invoiceIds)
}

/** Pays a few coming periods by an advance that its receiver has confirmed. @returns whether to go on */
export function continueAdvance(ctx: Ctx, paymentId: string): boolean {
  const payment = paymentOf(ctx, paymentId)
  if (payment.status !== 'CONFIRMED') return false
  const row = broughtUpToDate(ctx, payment.creditBookingId ?? payment.bookingId)
  if (payAhead(ctx, row, AT_ONCE).length === AT_ONCE) return true
  placed(ctx, row.id, paymentId)
  return false
}

/** What so many coming months cost together with all that is open, and until when they cover. */
type Quote = {
  readonly months: number
  readonly openAmount: number
  readonly creditAmount: number
  readonly amount: number
  readonly coveredUntil: string | undefined
}

/**
 * What `payAdvance` needs to pay all that is open and `months` coming periods. It bills what is due first: the write it
 * runs in has to be undone. @returns fewer months where the lease ends before @throws invalid_state
 */
export function quoteAdvance(ctx: Ctx, id: string, months: number): Quote {
  const row = broughtUpToDate(ctx, id)
  if (row.status !== 'ACTIVE' && row.status !== 'TERMINATED') throw refused(row.status, [])
  const standing = standingInvoices(ctx.tx, row.orgId, id)
  const openAmount = standing.reduce((sum, { grossAmount, amountPaid }) => sum + grossAmount - amountPaid, 0)
  let coveredUntil = standing.findLast((i) => i.lines.some((l) => l.kind === 'RENT'))?.periodEnd
  const latest = addMonths(todayOf(ctx), MONTHS_AHEAD)
  const rents = rentSteps(ctx, row)
  const tvaAt = ratesOf(ctx, row, organizationOf(ctx))
  const coming: number[] = []
  while (row.status === 'ACTIVE' && coming.length < months) {
    const period = periodAt(row.anchorDate, row.nextPeriod + coming.length, row.endDate)
    if (!period || period.start > latest) break
    const { gross } = amountsOf(rentOn(rents, row.rentAmount, period.start), period, tvaAt(period.start).tvaBasisPoints)
    if (gross === 0) break
    coming.push(gross)
    coveredUntil = period.end
  }
  const { creditAmount } = row
  const amount = Math.max(0, coming.reduce((sum, gross) => sum + gross, openAmount) - creditAmount)
  return { months: coming.length, openAmount, creditAmount, amount, coveredUntil }
}

const creditOf = (ctx: Ctx, row: BookingRow): number => findBooking(ctx.tx, row.orgId, row.id)?.creditAmount ?? 0

function paid(ctx: Ctx, bookingId: string, { id }: PaymentRow, invoiceIds: readonly string[]): Paid {
  const row = bookingOf(ctx, bookingId)
  return {
    payment: paymentOf(ctx, id),
    invoiceIds,
    creditAmount: row.creditAmount,
    coveredUntil: coveredUntil(standingInvoices(ctx.tx, row.orgId, bookingId)),
  }
}
