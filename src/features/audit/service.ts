import { createHash } from 'node:crypto'
import type { Ctx } from '../../http/caller.ts'
import { insertEntry } from './store.ts'

type Subject = Readonly<Record<string, unknown>> & { readonly id: string }
type Details = Readonly<Record<string, string | number | boolean>>

/** SHA-256 of a row's JSON: proves later what a row was, without keeping personal data twice. */
const digest = (row: Subject | undefined): string | null =>
  row ? createHash('sha256').update(JSON.stringify(row)).digest('base64url') : null

/** One line of the audit trail, in the transaction of the change itself. */
export function record(
  ctx: Ctx,
  action: string,
  change: { readonly type: string; readonly before?: Subject; readonly after?: Subject; readonly details?: Details },
): void {
  const subject = change.after ?? change.before
  insertEntry(ctx.tx, {
    id: ctx.newId(),
    orgId: ctx.caller.orgId,
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
  })
}
