import { and, eq, inArray, ne, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { erased } from '../../../../db/erasure.ts'
import { holding, managedBy } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving } from '../../../../db/query.ts'
import { type BookingRow, booking } from '../../../../db/schema/bookings.ts'
import { signature } from '../../../../db/schema/contracts.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { tenant } from '../../../../db/schema/tenants.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { containing } from '../../../core/case-folding.ts'
import { lastDigits } from '../../../core/phone.ts'
import { holds, isPart, type Scope } from '../../../core/scope.ts'

export type TenantRow = typeof tenant.$inferSelect
export const insertTenant = inserting('tenant.insert', tenant)
export const saveTenant = saving('tenant', tenant, 'createdBy')

/** Of a tenant with a lease, what the law keeps: the party as the lease has them, and how the landlord writes to them. */
export const PARTY_LEFT = erased(tenant, [
  ...(['fullName', 'kind', 'rccm', 'representativeName', 'representativeRole'] as const),
  ...(['phoneNumber', 'idType', 'idNumber', 'niu', 'address'] as const),
  ...(['locale', 'channel', 'createdBy'] as const),
])
/** Of a tenant without one: that somebody was entered, and in which language they were written to. */
export const NOBODY_LEFT = erased(tenant, ['locale', 'createdBy'], { fullName: '' })

export const findTenant = reading('tenant.byId', tenant)

/** States of a lease in which the owner knows its tenant; a draft, a cancelled or a refused lease does not count. */
const LEASED = ['PENDING', 'ACTIVE', 'TERMINATED'] as const
const known = exists('tenant.knownToOwner', ['orgId', 'tenantId', 'userId'], booking, (p) =>
  and(
    eq(booking.orgId, p.orgId),
    eq(booking.tenantId, p.tenantId),
    eq(sql`+${booking.ownerUserId}`, p.userId),
    inArray(sql`+${booking.status}`, LEASED),
  ),
)
const inManaged = exists('tenant.knownToManager', ['orgId', 'tenantId', 'userId'], booking, (p) =>
  and(
    eq(booking.orgId, p.orgId),
    eq(booking.tenantId, p.tenantId),
    sql`+${booking.propertyId} in (${managedBy(p.userId)})`,
    inArray(sql`+${booking.status}`, LEASED),
  ),
)
const elsewhere = exists('tenant.leasedElsewhere', ['orgId', 'tenantId', 'userId'], booking, (p) =>
  and(
    eq(booking.orgId, p.orgId),
    eq(booking.tenantId, p.tenantId),
    sql`+${booking.propertyId} not in (${managedBy(p.userId)})`,
    ne(sql`+${booking.status}`, sql`'CANCELLED'`),
  ),
)
/**
 * Whether a scope includes a tenant: owners see those they entered and those with whom they have a lease; a limited
 * manager those with a lease there, and those they entered who have none elsewhere.
 */
export function seesTenant(db: Db, scope: Scope, { orgId, id, createdBy }: TenantRow): boolean {
  if (!isPart(scope)) return scope.kind === 'all'
  const { userId } = scope
  const key = { orgId, tenantId: id, userId }
  if (scope.kind === 'limited') return inManaged(db, key) || (createdBy === userId && !elsewhere(db, key))
  return createdBy === userId || known(db, key)
}

/** A tenant, if the scope includes it. */
export function getTenant(db: Db, orgId: string, scope: Scope, id: string): TenantRow | undefined {
  const row = findTenant(db, orgId, id)
  return row && seesTenant(db, scope, row) ? row : undefined
}

const vouched = query('booking.vouched', ['orgId', 'id'], (db, p) =>
  db
    .select({ id: booking.id })
    .from(booking)
    .where(and(eq(booking.orgId, p.orgId), eq(booking.id, p.id), sql`${booking.vouched} = 1`)),
)
type Lease = Pick<BookingRow, 'id' | 'orgId' | 'tenantId' | 'ownerUserId' | 'propertyId' | 'status'> & {
  readonly requestedBy?: string | null
}
/**
 * What an owner or a limited manager sees instead of the name in a draft or cancelled lease with a tenant whom they do
 * not know. Undefined if they may see the name, as in a draft that the tenant asked for or a manager prepared.
 */
export function maskedName(db: Db, scope: Scope, row: Lease): string | undefined {
  const { id, orgId, tenantId, status, requestedBy } = row
  if (!isPart(scope) || !holds(scope, row) || (status !== 'DRAFT' && status !== 'CANCELLED')) return
  if (getTenant(db, orgId, scope, tenantId)) return
  if (status === 'DRAFT' && (requestedBy || vouched(db).get({ orgId, id }) !== undefined)) return
  return lastDigits(findTenant(db, orgId, tenantId)?.phoneNumber ?? null)
}

/**
 * A tenant as the scope may see them: an owner or limited manager who typed a number is not told whether it has an
 * account, until its person agrees or a lease was sent out to them.
 */
export function tenantSeen(db: Db, scope: Scope, row: TenantRow): TenantRow {
  const { orgId, id: tenantId, userId } = row
  if (!isPart(scope) || userId === null || hasAgreed(db, row)) return row
  const leased = scope.kind === 'limited' ? inManaged : known
  return leased(db, { orgId, tenantId, userId: scope.userId }) ? row : { ...row, userId: null }
}

/** What an owner or a limited manager sees of the tenant in a draft or cancelled lease; undefined if all of it. */
export function tenantHidden(db: Db, scope: Scope, row: Lease & { readonly tenantName: string }) {
  const tenantName = maskedName(db, scope, row)
  if (tenantName !== undefined) return { tenantName, tenantUserId: null }
  if (!isPart(scope) || (row.status !== 'DRAFT' && row.status !== 'CANCELLED')) return undefined
  const tenant = findTenant(db, row.orgId, row.tenantId)
  if (!tenant || tenant.userId === tenantSeen(db, scope, tenant).userId) return undefined
  return { tenantName: row.tenantName, tenantUserId: null }
}

/**
 * The tenants by whose account an owner or limited manager may filter leases: only those whose account they know of,
 * because a draft would otherwise reveal whose a number is. Undefined for callers who see everything.
 */
export const tenantsByAccount = (db: Db, orgId: string, scope: Scope, userId: string): string[] | undefined =>
  isPart(scope)
    ? tenantsOfUser(db, orgId, userId).flatMap((row) => (tenantSeen(db, scope, row).userId === null ? [] : [row.id]))
    : undefined

const others = exists('tenant.leasedByOthers', ['orgId', 'tenantId', 'userId'], booking, (p) =>
  and(
    eq(booking.orgId, p.orgId),
    eq(booking.tenantId, p.tenantId),
    ne(sql`+${booking.ownerUserId}`, p.userId),
    ne(sql`+${booking.status}`, sql`'CANCELLED'`),
  ),
)
/** Whether somebody else than this owner or limited manager has a lease with a tenant, drafts included. */
export const leasedByOthers = (db: Db, { orgId, id }: TenantRow, { kind, userId }: Scope): boolean =>
  (kind === 'limited' ? elsewhere : others)(db, { orgId, tenantId: id, userId })

const bound = exists('tenant.bound', ['orgId', 'tenantId'], booking, (p) =>
  and(eq(booking.orgId, p.orgId), eq(booking.tenantId, p.tenantId), inArray(sql`+${booking.status}`, LEASED)),
)
/** Whether a tenant has any lease, drafts included. */
export const hasLease = (db: Db, orgId: string, tenantId: string): boolean => bound(db, { orgId, tenantId })

const agreed = exists('tenant.agreed', ['orgId', 'tenantId', 'userId'], booking, (p) =>
  and(
    eq(booking.orgId, p.orgId),
    eq(booking.tenantId, p.tenantId),
    sql`(+${booking.requestedBy} = ${p.userId} or exists (select 1 from ${signature} where ${signature.orgId} = ${booking.orgId} and ${signature.bookingId} = ${booking.id} and ${signature.userId} = ${p.userId}))`,
  ),
)
const account = query('tenant.account', ['orgId', 'id'], (db, p) =>
  db
    .select({ roles: appUser.roles, limited: appUser.limited, createdAt: appUser.createdAt })
    .from(appUser)
    .where(and(eq(appUser.orgId, p.orgId), eq(appUser.id, p.id))),
)
/** Whether the tenant was entered for the whole organization, not for the part of an owner or a limited manager. */
export function isOfHouse(db: Db, { orgId, createdBy }: TenantRow): boolean {
  const user = account(db).get({ orgId, id: createdBy })
  return !user || user.roles.includes('ADMIN') || (user.roles.includes('MANAGER') && !user.limited)
}

/**
 * Whether the account's person, or a manager, has agreed that they are this tenant: they asked for the lease, accepted
 * the invitation or signed. A number or id that an owner typed is no agreement.
 */
export function hasAgreed(db: Db, row: TenantRow): boolean {
  const { id, orgId, userId } = row
  if (userId === null) return false
  if (row.createdBy === userId || isOfHouse(db, row)) return true
  if (agreed(db, { orgId, tenantId: id, userId })) return true
  const user = account(db).get({ orgId, id: userId })
  return user !== undefined && row.createdAt < user.createdAt
}

// Sorted here, because ORDER BY id makes SQLite scan every tenant of the organization by id.
const earliestFirst = (rows: TenantRow[]): TenantRow[] => rows.sort((a, b) => (a.id < b.id ? -1 : 1))

const byPhone = query('tenant.byPhone', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select()
    .from(tenant)
    .where(and(eq(tenant.orgId, p.orgId), eq(tenant.phoneNumber, p.phoneNumber))),
)
/** Tenants with a number, earliest first: each owner may have entered the same person. */
export const tenantsWithPhone = (db: Db, orgId: string, phoneNumber: string): TenantRow[] =>
  earliestFirst(byPhone(db).all({ orgId, phoneNumber }))

const byUser = query('tenant.byUser', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(tenant)
    .where(and(eq(tenant.orgId, p.orgId), eq(tenant.userId, p.userId))),
)
/** Tenants linked to an account, earliest first. */
export const tenantsOfUser = (db: Db, orgId: string, userId: string): TenantRow[] =>
  earliestFirst(byUser(db).all({ orgId, userId }))

const named = query('tenant.named', ['orgId', 'pattern', 'limit'], (db, p) =>
  db
    .select({ id: tenant.id, fullName: tenant.fullName })
    .from(tenant)
    .where(and(eq(tenant.orgId, p.orgId), holding(tenant.fullName)(p.pattern)))
    .limit(p.limit),
)
/** Tenants whose name contains a word. */
export const tenantsNamed = (db: Db, orgId: string, word: string, limit: number) =>
  named(db).all({ orgId, pattern: containing(word), limit })

const managed = (p: Placeholder) => sql`+${booking.propertyId} in (${managedBy(p)})`
const heldBy = (whose: SQL) =>
  sql`exists (select 1 from ${booking} where ${booking.orgId} = ${tenant.orgId} and ${booking.tenantId} = ${tenant.id} and ${whose} and +${booking.status} in ('PENDING', 'ACTIVE', 'TERMINATED'))`
export const listTenants = list({
  name: 'tenants',
  table: tenant,
  org: tenant.orgId,
  id: tenant.id,
  columns: listColumns(tenant, 'createdBy'),
  computed: (scope, { scopeUser }) => {
    const of = { owner: sql`+${booking.ownerUserId} = ${scopeUser}`, limited: managed(scopeUser) }
    const own = scope === 'owner' || scope === 'limited' ? of[scope] : sql`1`
    const leases = sql`${booking.orgId} = ${tenant.orgId} and ${booking.tenantId} = ${tenant.id} and ${own}`
    return {
      openAmount: sql<number>`(select coalesce(sum(${invoice.grossAmount} - ${invoice.amountPaid}), 0) from ${booking} cross join ${invoice} on ${invoice.bookingId} = ${booking.id} and ${invoice.status} in ('ISSUED','OVERDUE') where ${leases})`,
      booking: sql<{
        id: string
        propertyId: string
        propertyName: string
        unitLabel: string
      }>`(select json_object('id', ${booking.id}, 'propertyId', ${booking.propertyId}, 'propertyName', ${booking.propertyName}, 'unitLabel', ${booking.unitLabel}) from ${booking} where ${leases} and +${booking.status} = 'ACTIVE' order by ${booking.id} desc limit 1)`,
    }
  },
  json: ['booking'],
  filters: {
    phoneNumber: { column: tenant.phoneNumber },
    q: { where: holding(tenant.fullName, tenant.phoneNumber) },
  },
  ranges: { updatedSince: { column: tenant.updatedAt, op: '>=' } },
  scopes: {
    owner: {
      where: (p) => sql`(${tenant.createdBy} = ${p} or ${heldBy(sql`+${booking.ownerUserId} = ${p}`)})`,
    },
    limited: {
      where: (p) =>
        sql`(${heldBy(managed(p))} or (+${tenant.createdBy} = ${p} and not exists (select 1 from ${booking} where ${booking.orgId} = ${tenant.orgId} and ${booking.tenantId} = ${tenant.id} and +${booking.status} <> 'CANCELLED' and not (${managed(p)}))))`,
    },
  },
})
