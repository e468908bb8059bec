import type { Listener } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { ACTION_OF } from '../../../core/adjustments.ts'
import { AppError, invalid } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { organizationOf } from '../../people/organizations/service.ts'

/**
 * Why money or a debt is adjusted. The owner of the property need not say it, everybody else has to.
 * @throws validation_failed at /reason
 */
export function reasonOf({ caller }: Ctx, ownerUserId: string, input: string | null | undefined): string | null {
  const reason = input?.trim() || null
  if (reason === null && caller.userId !== ownerUserId && caller.userId !== 'system')
    throw invalid(
      '/reason',
      'Say why: the owner of the property will read it.',
      'Dites pourquoi\u00a0: le propriétaire du bien le lira.',
    )
  return reason
}
/** The same where the reason is free to give, but for a manager of some properties only. @throws validation_failed */
export const reasonOfLimited = (ctx: Ctx, ownerUserId: string, input: string | null | undefined): string | null =>
  ctx.caller.scope.kind === 'limited' ? reasonOf(ctx, ownerUserId, input) : input?.trim() || null

type Owned = { readonly ownerUserId: string }
/**
 * Whether the caller has no last word on cash of a property, nor on other money without a trace: where the organization
 * confirms cash, a manager of some properties has not.
 */
export const lacksWord = (ctx: Ctx, { ownerUserId }: Owned): boolean =>
  ctx.caller.scope.kind === 'limited' && ctx.caller.userId !== ownerUserId && organizationOf(ctx).confirmCash

/** @throws forbidden for such a manager who takes such money back, gives it out or takes a deposit */
export function checkCash(ctx: Ctx, of: Owned): void {
  if (lacksWord(ctx, of))
    throw new AppError('forbidden', {
      en: 'The owner, or a manager of all properties, does this: this organization confirms cash, and money without a trace.',
      fr: 'Le propriétaire, ou un gestionnaire de tous les biens, le fait\u00a0: cette organisation confirme les espèces et l’argent sans trace.',
    })
}

const actions: ReadonlySet<string> = new Set(Object.values(ACTION_OF))
/** Has the landlord told of an adjustment; an owner adjusts what is theirs, and a correction is told to all on the lease. */
export const tellOfAdjustments: Listener = {
  types: [...new Set([...actions].map((action) => action.slice(0, action.indexOf('.'))))],
  hear(ctx, { id, action, details }) {
    if (details?.adjustment === undefined) return
    if (!actions.has(action)) throw new Error(`${action} is no action of an adjustment`)
    if (details.adjustment === 'LEASE_CORRECTED' || ctx.caller.scope.kind === 'owner') return
    enqueue(ctx, 'adjustment.made', id)
  },
}
