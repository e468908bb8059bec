/** `limited`: a manager of some properties of the organization. */
export type ScopeKind = 'all' | 'owner' | 'limited' | 'tenant'

/** What a caller may see in an organization. `properties`: those assigned to a limited manager, by id. */
export type Scope = {
  readonly kind: ScopeKind
  readonly userId: string
  readonly properties?: readonly string[] | undefined
}
type Owned = { readonly ownerUserId: string; readonly propertyId: string }
/** Whether something that belongs to a property is within a landlord's scope; always false for tenants. */
export const holds = ({ kind, userId, properties }: Scope, of: Owned): boolean =>
  kind === 'all' ||
  (kind === 'owner' && of.ownerUserId === userId) ||
  (kind === 'limited' && properties?.includes(of.propertyId) === true)
/** Whether the scope is a landlord's part of the organization: what they own, or what they were given to manage. */
export const isPart = ({ kind }: Scope): boolean => kind === 'owner' || kind === 'limited'
/** The scope of a landlord as statements take it: '' for all, an owner's id, or that of a limited manager behind an @. */
export const reachOf = ({ kind, userId }: Scope): string =>
  kind === 'all' ? '' : `${kind === 'limited' ? '@' : ''}${userId}`
/** How a row of an organization is found by its id. */
type Find<D, R> = (db: D, orgId: string, id: string) => R | undefined
/** The same for what a caller may see: undefined for other rows. */
type Get<D, R> = (db: D, orgId: string, scope: Scope, id: string) => R | undefined
/** `get` of a row that belongs to a property: found if the scope holds the property, or if `others` lets this caller see it. */
export const within =
  <D, R extends Owned>(find: Find<D, R>, others: (scope: Scope, row: R) => boolean = () => false): Get<D, R> =>
  (db, orgId, scope, id) => {
    const row = find(db, orgId, id)
    return row && (holds(scope, row) || others(scope, row)) ? row : undefined
  }
/** An `others`: tenants see what is theirs. */
export const ofTenant = (scope: Scope, row: { readonly tenantUserId: string | null }): boolean =>
  scope.kind === 'tenant' && row.tenantUserId === scope.userId
/** `get` for both parties of a lease: an owner may rent from another one of the organization, and sees that lease as its tenant. */
export const ofParty =
  <D, R>(get: Get<D, R>): Get<D, R> =>
  (db, orgId, scope, id) =>
    get(db, orgId, scope, id) ?? get(db, orgId, { ...scope, kind: 'tenant' }, id)
