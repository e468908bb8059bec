import type { Ctx } from '../../../context.ts'
import { addMonths, minDate } from '../../../core/dates.ts'
import { invalid } from '../../../errors.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import { todayOf } from '../../people/organizations/service.ts'

/** Rent in advance and deposits come long before a lease begins; a date further back is a slip. */
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
  if (paidOn > todayOf(ctx)) throw invalid('/paidOn', 'Cannot be in the future.', 'Ne peut pas être dans le futur.')
  const first = firstMoneyDay(ctx, bookingId)
  if (paidOn < first)
    throw invalid(
      '/paidOn',
      `Cannot be before ${first}, a year before the lease.`,
      `Ne peut pas précéder le ${first}, un an avant le bail.`,
    )
}
