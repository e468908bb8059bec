/** `limited`: a manager of some properties of the organization. */
export type ScopeKind = 'all' | 'owner' | 'limited' | 'tenant'

/** What a caller reaches of an organization. `properties`: those given to a limited manager, by id. */
export type Scope = {
  readonly kind: ScopeKind
  readonly userId: string
  readonly properties?: readonly string[] | undefined
}
/** Whether a landlord's scope holds what is of a property; never for tenants. */
export const holds = (
  { kind, userId, properties }: Scope,
  of: { readonly ownerUserId: string; readonly propertyId: string },
): boolean =>
  kind === 'all' ||
  (kind === 'owner' && of.ownerUserId === userId) ||
  (kind === 'limited' && properties?.includes(of.propertyId) === true)
/** Whether the scope is a part of the organization that a landlord has: their own, or what they were given to manage. */
export const isPart = ({ kind }: Scope): boolean => kind === 'owner' || kind === 'limited'
