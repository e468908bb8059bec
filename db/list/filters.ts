import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ScopeKind } from '../../src/core/scope.ts'
import { booking } from '../schema/bookings.ts'
import { assignment } from '../schema/properties.ts'
import { tenant } from '../schema/tenants.ts'

/** A person's name from its two columns; NULL where there is none. */
export const fullName = (of: {
  readonly firstName: AnySQLiteColumn
  readonly lastName: AnySQLiteColumn
}): SQL<string> => sql<string>`nullif(trim(coalesce(${of.firstName}, '') || ' ' || coalesce(${of.lastName}, '')), '')`

const orgId = sql.placeholder('orgId')
const scopeUser = sql.placeholder('scopeUser')
/** What may be looked for in a lease: its names, but not that of a tenant whom its landlord does not know yet. */
export const inLease = (p: Placeholder, scope: ScopeKind): SQL => {
  const places = holding(booking.unitLabel, booking.propertyName)(p)
  const name = holding(booking.tenantName)(p)
  if (scope !== 'owner' && scope !== 'limited') return sql`(${places} or ${name})`
  const entered = sql`exists (select 1 from ${tenant} where ${tenant.orgId} = ${booking.orgId} and ${tenant.id} = ${booking.tenantId} and +${tenant.createdBy} = ${sql.placeholder('self')})`
  const vouched = sql`(+${booking.status} = 'DRAFT' and (${booking.requestedBy} is not null or ${booking.vouched} = 1))`
  return sql`(${places} or (${name} and (+${booking.status} in ('PENDING', 'ACTIVE', 'TERMINATED') or ${vouched} or ${entered})))`
}
/** The ids of the properties given to a limited manager. */
export const managedBy = (p: SQLWrapper): SQL =>
  sql`select ${assignment.propertyId} from ${assignment} where ${assignment.userId} = ${p}`
/** The same behind the @ of an `owner`, see reach. */
const managedBehind = (owner: SQLWrapper): SQL => managedBy(sql`substr(${owner}, 2)`)
type Whose = { readonly ownerUserId: AnySQLiteColumn; readonly propertyId: AnySQLiteColumn }
/** `owner`: the rows of this user; with an @ before the id what that user manages; all of the organization if it is ''. */
export const reach = (of: Whose, owner: Placeholder): SQL =>
  sql`(${owner} in ('', +${of.ownerUserId}) or (${owner} between '@' and 'A' and +${of.propertyId} in (${managedBehind(owner)})))`
export type Seen = ((of: SQLWrapper) => SQL) | undefined
/** Which rows somebody sees: all, an owner's, those of the properties given to a manager, or of one property. */
export const seenBy = (of: Whose) => ({
  all: undefined,
  owner: (p: SQLWrapper) => sql`+${of.ownerUserId} = ${p}`,
  limited: (p: SQLWrapper) => sql`+${of.propertyId} in (${managedBy(p)})`,
  property: (p: SQLWrapper) => sql`+${of.propertyId} = ${p}`,
})
/** Conditions of other lists: the leases of a tenant, and the newest 200 within reach that hold what was typed. */
export const leasesOfTenant = (p: Placeholder): SQL =>
  sql`select ${booking.id} from ${booking} where ${booking.orgId} = ${orgId} and ${booking.tenantId} = ${p}`
export function leasesMatching(p: Placeholder, scope: ScopeKind): SQL {
  const within = {
    all: sql`1`,
    owner: sql`${booking.ownerUserId} = ${scopeUser}`,
    limited: sql`${booking.propertyId} = ${scopeUser}`,
    tenant: sql`${booking.tenantUserId} = ${scopeUser}`,
  }
  return sql`select ${booking.id} from ${booking} where ${booking.orgId} = ${orgId} and ${within[scope]} and ${inLease(p, scope)} order by ${booking.id} desc limit 200`
}

/** Whether a column begins with `typed`, the text exactly as it was typed; an index of the column finds it. */
const begins = (column: SQL): SQL =>
  sql`${column} >= ${sql.placeholder('typed')} and ${column} < ${sql.placeholder('typed')} || char(1114111)`
/**
 * The ids of the newest 2,000 rows within reach whose number, the column of a row `r`, begins with what was typed; an
 * owner's are looked for among the newest 20,000. `org`: the row's organization, with a plus if the index of a property
 * is without it.
 */
export function numberBegins(table: SQLiteTable, number: SQL, org: SQL, scope: ScopeKind): SQL {
  if (scope === 'limited' || scope === 'tenant') {
    const whose = scope === 'limited' ? sql`r.property_id` : sql`r.tenant_user_id`
    return sql`select r.id from ${table} r where ${org} = ${orgId} and ${whose} = ${scopeUser} and ${begins(sql`+${number}`)}`
  }
  const matches = (most: number) =>
    sql`from ${table} r where r.org_id = ${orgId} and ${number} is not null and ${begins(number)} order by ${number} desc limit ${most}`
  return scope === 'all'
    ? sql`select id from (select r.id ${matches(2000)})`
    : sql`select id from (select r.id, r.owner_user_id ${matches(20_000)}) where owner_user_id = ${scopeUser} limit 2000`
}

/** A list's `q`: whether one of the texts contains it, whatever the case and the accents; `p` comes from `contains`. */
export const holding =
  (...texts: readonly SQLWrapper[]) =>
  (p: Placeholder): SQL =>
    sql`(${sql.join(
      texts.map((text) => sql`${text} glob ${p}`),
      sql` or `,
    )})`
