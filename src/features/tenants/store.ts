import { and, eq, inArray, sql } from 'drizzle-orm'
import { list, type Scope } from '../../../db/list.ts'
import type { Db } from '../../../db/open.ts'
import { query } from '../../../db/query.ts'
import { inserting, reading, saving } from '../../../db/rows.ts'
import { booking } from '../../../db/schema/bookings.ts'
import { tenant } from '../../../db/schema/tenants.ts'

export type TenantRow = typeof tenant.$inferSelect
export const insertTenant = inserting('tenant.insert', tenant)
export const saveTenant = saving('tenant.save', tenant, [
  'fullName',
  'phoneNumber',
  'idType',
  'idNumber',
  'niu',
  'address',
  'locale',
  'channel',
  'userId',
  'updatedAt',
])

const byId = reading('tenant.byId', tenant)
export const findTenant = (db: Db, orgId: string, id: string): TenantRow | undefined => byId(db, orgId, id)

const known = query('tenant.knownToOwner', ['orgId', 'tenantId', 'userId'], (db, p) =>
  db
    .select({ id: booking.id })
    .from(booking)
    .where(
      and(eq(booking.orgId, p.orgId), eq(booking.tenantId, p.tenantId), eq(sql`+${booking.ownerUserId}`, p.userId)),
    )
    .limit(1)
    .prepare(),
)
/** A tenant as far as the scope reaches: owners know those of their leases and those they entered. */
export function getTenant(db: Db, orgId: string, scope: Scope, id: string): TenantRow | undefined {
  const row = findTenant(db, orgId, id)
  if (!row || scope.kind === 'all') return row
  if (scope.kind === 'tenant') return undefined
  return row.createdBy === scope.userId || known(db).get({ orgId, tenantId: id, userId: scope.userId })
    ? row
    : undefined
}

const bound = query('tenant.bound', ['orgId', 'tenantId'], (db, p) =>
  db
    .select({ id: booking.id })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.tenantId, p.tenantId),
        inArray(sql`+${booking.status}`, ['PENDING', 'ACTIVE', 'TERMINATED']),
      ),
    )
    .limit(1)
    .prepare(),
)
/** Whether a lease was drawn up with a tenant. */
export const hasLease = (db: Db, orgId: string, tenantId: string): boolean =>
  bound(db).get({ orgId, tenantId }) !== undefined

const byPhone = query('tenant.byPhone', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select()
    .from(tenant)
    .where(and(eq(tenant.orgId, p.orgId), eq(tenant.phoneNumber, p.phoneNumber)))
    .prepare(),
)
export const findTenantByPhone = (db: Db, orgId: string, phoneNumber: string): TenantRow | undefined =>
  byPhone(db).get({ orgId, phoneNumber })

const byUser = query('tenant.byUser', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(tenant)
    .where(and(eq(tenant.orgId, p.orgId), eq(tenant.userId, p.userId)))
    .prepare(),
)
export const findTenantByUser = (db: Db, orgId: string, userId: string): TenantRow | undefined =>
  byUser(db).get({ orgId, userId })

const named = query('tenant.named', ['orgId', 'pattern', 'limit'], (db, p) =>
  db
    .select({ id: tenant.id, fullName: tenant.fullName })
    .from(tenant)
    .where(and(eq(tenant.orgId, p.orgId), sql`${tenant.fullName} like ${p.pattern} escape '\\'`))
    .limit(p.limit)
    .prepare(),
)
/** Tenants whose name holds a word. */
export const tenantsNamed = (db: Db, orgId: string, word: string, limit: number) =>
  named(db).all({ orgId, pattern: `%${word.replace(/[\\%_]/g, '\\$&')}%`, limit })

export const listTenants = list({
  name: 'tenants',
  table: tenant,
  org: tenant.orgId,
  id: tenant.id,
  columns: {
    id: tenant.id,
    orgId: tenant.orgId,
    fullName: tenant.fullName,
    phoneNumber: tenant.phoneNumber,
    idType: tenant.idType,
    idNumber: tenant.idNumber,
    niu: tenant.niu,
    address: tenant.address,
    locale: tenant.locale,
    channel: tenant.channel,
    userId: tenant.userId,
    createdAt: tenant.createdAt,
  },
  filters: {
    phoneNumber: { column: tenant.phoneNumber },
    q: { where: (p) => sql`(${tenant.fullName} like ${p} escape '\\' or ${tenant.phoneNumber} like ${p} escape '\\')` },
  },
  ranges: { updatedSince: { column: tenant.updatedAt, op: '>=' } },
  scopes: {
    owner: {
      where: (p) =>
        sql`(${tenant.createdBy} = ${p} or ${tenant.id} in (select ${booking.tenantId} from ${booking} where ${booking.orgId} = ${tenant.orgId} and ${booking.ownerUserId} = ${p}))`,
    },
  },
})
