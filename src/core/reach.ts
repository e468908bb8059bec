/** `limited`: a manager of some properties of the organization. */
export type ScopeKind = 'all' | 'owner' | 'limited' | 'tenant'

/** What a caller may see in an organization. `properties`: those assigned to a limited manager, by id. */
export type Scope = {
  readonly kind: ScopeKind
  readonly userId: string
  readonly properties?: readonly string[] | undefined
}
/** Whether something that belongs to a property is within a landlord's scope; always false for tenants. */
export const holds = (
  { kind, userId, properties }: Scope,
  of: { readonly ownerUserId: string; readonly propertyId: string },
): boolean =>
  kind === 'all' ||
  (kind === 'owner' && of.ownerUserId === userId) ||
  (kind === 'limited' && properties?.includes(of.propertyId) === true)
/** Whether the scope is a landlord's part of the organization: what they own, or what they were given to manage. */
export const isPart = ({ kind }: Scope): boolean => kind === 'owner' || kind === 'limited'
