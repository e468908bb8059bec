import { change, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { adjustment } from '../../../core/adjustments.ts'
import { next } from '../../../core/lifecycle.ts'
import { CURRENCY } from '../../../core/money.ts'
import { hold, notFound, refusedAt } from '../../../errors.ts'
import { checkRoom } from '../../people/organizations/quotas.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { propertyOf } from '../../property/properties/service.ts'
import { reasonOf } from '../adjustments/service.ts'
import type { OwnerTransferCreate } from './model.ts'
import { transferMoves, transferRule } from './rules.ts'
import { getTransfer, insertTransfer, saveTransfer, type TransferRow, transferWith } from './store.ts'

/** @throws not_found, validation_failed, duplicate, quota_exceeded */
export function createTransfer(ctx: Ctx, body: OwnerTransferCreate): TransferRow {
  const property = propertyOf(ctx, body.propertyId)
  hold(transferRule(body, todayOf(ctx)))
  const { orgId, id: propertyId } = property
  const { method, reference = null } = body
  if (reference !== null && transferWith(ctx.tx, { orgId, propertyId, method, reference }))
    throw refusedAt('/reference', 'duplicate', {
      en: 'A transfer to the owner of this property with this reference is already recorded.',
      fr: 'Un versement au propriétaire de ce bien porte déjà cette référence.',
    })
  checkRoom(ctx, 'owner_transfer')
  const row: TransferRow = {
    id: ctx.newId(),
    orgId,
    propertyId,
    ownerUserId: property.ownerUserId,
    amount: body.amount,
    currency: CURRENCY,
    method,
    paidOn: body.paidOn,
    reference,
    note: body.note ?? null,
    status: 'RECORDED',
    recordedBy: ctx.caller.userId,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertTransfer(ctx.tx, row)
  record(ctx, 'owner_transfer.create', { type: 'owner_transfer', after: row })
  return row
}

/** Cancels a transfer that was a mistake; the right one is recorded as a new one. @throws not_found, validation_failed */
export function cancelTransfer(ctx: Ctx, id: string, input?: string | null): TransferRow {
  const before = getTransfer(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id)
  if (!before) throw notFound()
  const step = next(transferMoves, before.status, 'cancel')
  if (step.kind !== 'move') return before
  const { propertyId, ownerUserId, amount } = before
  const details = adjustment('TRANSFER_CANCELLED', { propertyId, amount, reason: reasonOf(ctx, ownerUserId, input) })
  return change(ctx, saveTransfer, before, { status: step.to }, 'owner_transfer.cancel', details)
}
