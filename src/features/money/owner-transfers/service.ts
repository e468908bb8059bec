import { change, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { next } from '../../../core/lifecycle.ts'
import { CURRENCY } from '../../../core/money.ts'
import { hold, notFound } from '../../../errors.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { checkRoom } from '../../people/quotas/service.ts'
import { propertyOf } from '../../property/properties/service.ts'
import type { OwnerTransferCreate } from './model.ts'
import { transferJudge, transferMoves } from './rules.ts'
import { getTransfer, insertTransfer, saveTransfer, type TransferRow } from './store.ts'

/** @throws not_found, validation_failed, quota_exceeded */
export function createTransfer(ctx: Ctx, body: OwnerTransferCreate): TransferRow {
  const property = propertyOf(ctx, body.propertyId)
  hold(transferJudge(body, todayOf(ctx)))
  checkRoom(ctx, 'owner_transfer')
  const row: TransferRow = {
    id: ctx.newId(),
    orgId: property.orgId,
    propertyId: property.id,
    ownerUserId: property.ownerUserId,
    amount: body.amount,
    currency: CURRENCY,
    method: body.method,
    paidOn: body.paidOn,
    reference: body.reference ?? null,
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

/** It counts no more: the mistake is recorded anew. @throws not_found */
export function cancelTransfer(ctx: Ctx, id: string): TransferRow {
  const before = getTransfer(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id)
  if (!before) throw notFound()
  const step = next(transferMoves, before.status, 'cancel')
  if (step.kind !== 'move') return before
  return change(ctx, saveTransfer, before, { status: step.to }, 'owner_transfer.cancel')
}
