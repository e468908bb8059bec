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
/** Reads a row of an organization by its id. */
type Find<D, R> = (db: D, orgId: string, id: string) => R | undefined
/** Reads it as far as a scope reaches. */
type Get<D, R> = (db: D, orgId: string, scope: Scope, id: string) => R | undefined
/** What belongs to a property, to those whose scope holds it; to others only where `others` says so, by default to nobody. */
export const within =
  <D, R extends Owned>(find: Find<D, R>, others: (scope: Scope, row: R) => boolean = () => false): Get<D, R> =>
  (db, orgId, scope, id) => {
    const row = find(db, orgId, id)
    return row && (holds(scope, row) || others(scope, row)) ? row : undefined
  }
/** `others` of `within`: whoever asks as a tenant sees what is theirs. */
export const ofTenant = (scope: Scope, row: { readonly tenantUserId: string | null }): boolean =>
  scope.kind === 'tenant' && row.tenantUserId === scope.userId
/** The same for a party: an owner may rent from another one of the organization, and sees that lease as its tenant. */
export const ofParty =
  <D, R>(get: Get<D, R>): Get<D, R> =>
  (db, orgId, scope, id) =>
    get(db, orgId, scope, id) ?? get(db, orgId, { ...scope, kind: 'tenant' }, id)
