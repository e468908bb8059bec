import { record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { CURRENCY } from '../../../core/money.ts'
import { AppError, invalid, refused } from '../../../errors.ts'
import { bookingOf } from '../../lease/bookings/service.ts'
import { checkPaidOn } from '../payment-dates/service.ts'
import { restate } from '../receipts/service.ts'
import type { DepositCreate } from './model.ts'
import { heldAfter, leastHeldFrom } from './rules.ts'
import { type DepositRow, depositMoves, heldDeposit, insertDeposit } from './store.ts'

/**
 * Adds an entry to the ledger of a lease's deposit; a mistake is mended by the opposite entry, with its reason.
 * @throws not_found, invalid_state, deposit_exceeded, validation_failed
 */
export function enterDeposit(ctx: Ctx, bookingId: string, body: DepositCreate): DepositRow & { version: 1 } {
  const lease = bookingOf(ctx, bookingId)
  ctx.expectVersion(lease.version)
  const { type, amount, paidOn } = body
  const reason = body.reason ?? null
  checkPaidOn(ctx, bookingId, paidOn)
  if (type === 'DEDUCTED' && reason === null)
    throw invalid('/reason', 'Say what is kept for.', 'Dites pourquoi cette somme est retenue.')
  // A cancelled lease's deposit can only be given back or kept.
  if (type === 'RECEIVED' && lease.status === 'CANCELLED') throw refused(lease.status, [])
  const heldAmount = heldAfter(heldDeposit(ctx.tx, lease.orgId, bookingId), type, amount)
  if (heldAmount < 0) throw new AppError('deposit_exceeded')
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
  }
  insertDeposit(ctx.tx, row)
  record(ctx, `deposit.${type.toLowerCase()}`, { type: 'deposit', after: row, details: { bookingId } })
  restate(ctx, bookingId)
  return { ...row, version: 1 }
}
