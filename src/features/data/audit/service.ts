import { createHash } from 'node:crypto'
import type { Ctx } from '../../../context.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { hasPending } from '../../lease/bookings/store.ts'
import { isLeaseSource } from '../../lease/contracts/rules.ts'
import { isEventObject } from '../events/rules.ts'
import { countEndpoints } from '../events/store.ts'
import { insertEntry } from './store.ts'

type Subject = Readonly<Record<string, unknown>> & { readonly id: string }
type Details = Readonly<Record<string, string | number | boolean>>

/** SHA-256 of a row's JSON: proves later what a row was, without keeping personal data twice. */
const digest = (row: Subject | undefined): string | null =>
  row ? createHash('sha256').update(JSON.stringify(row)).digest('base64url') : null

/**
 * One line of the audit trail, in the transaction of the change itself; and where someone listens, an event. What a lease's
 * text is taken from has those that are out for signing looked at.
 */
export function record(
  ctx: Ctx,
  action: string,
  change: { readonly type: string; readonly before?: Subject; readonly after?: Subject; readonly details?: Details },
): void {
  const subject = change.after ?? change.before
  const id = ctx.newId()
  const { orgId } = ctx.caller
  insertEntry(ctx.tx, {
    id,
    orgId,
    actorUserId: ctx.caller.userId === 'system' ? null : ctx.caller.userId,
    actor: ctx.caller.userId === 'system' ? 'system' : ctx.caller.roles.join(','),
    action,
    subjectType: change.type,
    subjectId: subject?.id ?? '',
    beforeDigest: digest(change.before),
    afterDigest: digest(change.after),
    details: change.details ?? null,
    requestId: ctx.requestId,
    createdAt: ctx.now,
    importedAt: null,
  })
  if (isEventObject(change.type) && countEndpoints(ctx.tx, orgId) > 0)
    enqueue(ctx, 'webhook.event', id, {
      type: action,
      at: ctx.now,
      object: change.type,
      id: subject?.id ?? '',
      ...(typeof subject?.status === 'string' ? { status: subject.status } : {}),
    })
  if (isLeaseSource(change.type) && change.before && hasPending(ctx.tx, orgId))
    enqueue(ctx, 'lease.check', id, { of: change.type, id: change.before.id })
}
