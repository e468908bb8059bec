import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { hasProperty, propertiesOf } from './store.ts'

/** The properties that a user of these roles is limited to; null for no limit. @throws validation_failed */
export function limitsFor(
  ctx: Ctx,
  user: { readonly orgId: string; readonly id: string; readonly limited: boolean },
  roles: readonly string[],
  asked: readonly string[] | null | undefined,
): string[] | null {
  const fits = roles.includes('MANAGER') && !roles.includes('ADMIN') && !roles.includes('OWNER')
  if (!asked) return (asked === undefined && fits && propertiesOf(ctx.tx, user)) || null
  if (!fits)
    throw invalid(
      '/propertyIds',
      'Only a manager who is neither owner nor administrator is limited to properties.',
      'Seul un gestionnaire qui n’est ni propriétaire ni administrateur peut être limité à certains biens.',
    )
  asked.forEach((id, n) => {
    if (!hasProperty(ctx.tx, user.orgId, id))
      throw invalid(
        `/propertyIds/${n}`,
        'There is no property with this id in your organization.',
        'Aucun bien de votre organisation n’a cet identifiant.',
      )
  })
  return asked.toSorted()
}
/** The limits as the audit trail records them. */
export const limitsAsText = (limits: readonly string[] | null): { properties?: string } =>
  limits ? { properties: limits.join(',') } : {}
