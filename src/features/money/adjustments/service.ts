import type { Listener } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'

/**
 * Why money or a debt is adjusted. The owner of the property need not say it, everybody else has to.
 * @throws validation_failed at /reason
 */
export function reasonOf({ caller }: Ctx, ownerUserId: string, given: string | null | undefined): string | null {
  const reason = given?.trim() || null
  if (reason === null && caller.userId !== ownerUserId && caller.userId !== 'system')
    throw invalid(
      '/reason',
      'Say why: the owner of the property will read it.',
      'Dites pourquoi\u00a0: le propriétaire du bien le lira.',
    )
  return reason
}
/** The same where the reason is free to give, but for a manager of some properties only. @throws validation_failed */
export const reasonOfLimited = (ctx: Ctx, ownerUserId: string, given: string | null | undefined): string | null =>
  ctx.caller.scope.kind === 'limited' ? reasonOf(ctx, ownerUserId, given) : given?.trim() || null

/** Has the landlord told of an adjustment; an owner adjusts what is theirs, and a correction is told to all on the lease. */
export const tellOfAdjustments: Listener = {
  types: ['payment', 'invoice', 'regularisation', 'deposit', 'booking', 'property'],
  hear(ctx, { id, details }) {
    const { kind } = ctx.caller.scope
    if (details?.adjustment === undefined || details.adjustment === 'LEASE_CORRECTED' || kind === 'owner') return
    enqueue(ctx, 'adjustment.made', id)
  },
}
