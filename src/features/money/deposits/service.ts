import { record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { addMonths, minDate } from '../../../core/dates.ts'
import { CURRENCY } from '../../../core/money.ts'
import { invalid, refused, refusedAt } from '../../../errors.ts'
import { bookingOf } from '../../lease/bookings/service.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { restate } from '../receipts/service.ts'
import type { DepositCreate } from './model.ts'
import { heldAfter, leastHeldFrom } from './rules.ts'
import { type DepositRow, depositMoves, heldDeposit, insertDeposit } from './store.ts'

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
  if (paidOn > todayOf(ctx)) throw invalid('/paidOn', 'Cannot be in the future.', 'Ne peut pas être dans le futur.')
  const first = firstMoneyDay(ctx, bookingId)
  if (paidOn < first)
    throw invalid(
      '/paidOn',
      `Cannot be before ${first}, a year before the lease.`,
      `Ne peut pas précéder le ${first}, un an avant le bail.`,
    )
}

/**
 * Adds an entry to the ledger of a lease's deposit; a mistake is mended by the opposite entry, with its reason.
 * @throws not_found, invalid_state, deposit_exceeded, validation_failed
 */
export function enterDeposit(ctx: Ctx, bookingId: string, body: DepositCreate): DepositRow & { version: 1 } {
  const lease = bookingOf(ctx, bookingId)
  const { type, amount, paidOn } = body
  const reason = body.reason ?? null
  checkPaidOn(ctx, bookingId, paidOn)
  if (type === 'DEDUCTED' && reason === null)
    throw invalid('/reason', 'Say what is kept for.', 'Dites pourquoi cette somme est retenue.')
  // A cancelled lease's deposit can only be given back or kept.
  if (type === 'RECEIVED' && lease.status === 'CANCELLED') throw refused(lease.status, [])
  const heldAmount = heldAfter(heldDeposit(ctx.tx, lease.orgId, bookingId), type, amount)
  if (heldAmount < 0) throw refusedAt('/amount', 'deposit_exceeded')
  if (type !== 'RECEIVED' && leastHeldFrom(depositMoves(ctx.tx, lease.orgId, bookingId), paidOn) < amount)
    throw invalid(
      '/paidOn',
      'On that day, or on one after it, less was held than that.',
      'Ce jour-là, ou un jour suivant, la somme détenue était inférieure.',
    )
  const row: DepositRow = {
    id: ctx.newId(),
    orgId: lease.orgId,
    bookingId,
    type,
    amount,
    currency: CURRENCY,
    reason,
    paidOn,
    heldAmount,
    recordedBy: ctx.caller.userId,
    createdAt: ctx.now,
    paymentId: null,
    movedBookingId: null,
  }
  insertDeposit(ctx.tx, row)
  record(ctx, `deposit.${type.toLowerCase()}`, { type: 'deposit', after: row, details: { bookingId } })
  restate(ctx, bookingId)
  return { ...row, version: 1 }
}
