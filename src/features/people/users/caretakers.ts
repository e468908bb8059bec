import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { assignedTo, hasProperty } from './store.ts'

/**
 * The properties that a user is limited to; null for no limit. A limit is lifted by `null` alone: other roles leave it
 * as it is, so that it holds again with the role of a manager. @throws validation_failed
 */
export function limitsFor(
  ctx: Ctx,
  user: Parameters<typeof assignedTo>[1],
  roles: readonly string[],
  requested: readonly string[] | null | undefined,
): string[] | null {
  if (!requested) return (requested === undefined && assignedTo(ctx.tx, user)) || null
  if (!roles.includes('MANAGER') || roles.includes('ADMIN') || roles.includes('OWNER'))
    throw invalid(
      '/propertyIds',
      'Only a manager who is neither owner nor administrator is limited to properties.',
      'Seul un gestionnaire qui n’est ni propriétaire ni administrateur peut être limité à certains biens.',
    )
  requested.forEach((id, n) => {
    if (!hasProperty(ctx.tx, user.orgId, id))
      throw invalid(
        `/propertyIds/${n}`,
        'There is no property with this id in your organization.',
        'Aucun bien de votre organisation n’a cet identifiant.',
      )
  })
  return requested.toSorted()
}
/** The limits as the audit trail records them; `former`: those that went. */
export const limitsAsText = (
  limits: readonly string[] | null,
  former?: readonly string[] | null,
): { properties?: string; formerProperties?: string } => ({
  ...(limits && { properties: limits.join(',') }),
  ...(former && { formerProperties: former.join(',') }),
})
