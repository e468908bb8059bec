import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { holding } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { ownerTransfer } from '../../../../db/schema/expenses.ts'
import { mediaObject } from '../../../../db/schema/media.ts'
import { property, unit } from '../../../../db/schema/properties.ts'
import { verificationCase } from '../../../../db/schema/verification.ts'
import type { ScopeKind } from '../../../core/scope.ts'
import { holds, type Scope } from '../../../core/scope.ts'

export type PropertyRow = typeof property.$inferSelect
export const insertProperty = inserting('property.insert', property)
export const saveProperty = saving('property', property)

export const findProperty = reading('property.byId', property)
const rents = exists('property.rentedBy', ['orgId', 'propertyId', 'userId'], booking, (p) =>
  and(
    eq(booking.orgId, p.orgId),
    eq(booking.tenantUserId, p.userId),
    eq(booking.propertyId, p.propertyId),
    inArray(booking.status, ['PENDING', 'ACTIVE']),
  ),
)
/** A property as far as the scope reaches: an owner's own; those of a limited manager; for a tenant published ones and what they rent. */
export function getProperty(db: Db, orgId: string, scope: Scope, id: string): PropertyRow | undefined {
  const row = findProperty(db, orgId, id)
  if (!row || holds(scope, { ownerUserId: row.ownerUserId, propertyId: id })) return row
  if (scope.kind !== 'tenant') return undefined
  return row.status === 'PUBLISHED' || rents(db, { orgId, propertyId: id, userId: scope.userId }) ? row : undefined
}

/** Whether a property may be published where the organization asks for a proof. */
export const hasApprovedProof = exists('property.approvedProof', ['orgId', 'propertyId'], verificationCase, (p) =>
  and(
    eq(verificationCase.orgId, p.orgId),
    eq(verificationCase.propertyId, p.propertyId),
    eq(sql`+${verificationCase.status}`, 'APPROVED'),
  ),
)
const transferred = query('property.lastTransfer', ['orgId', 'propertyId'], (db, p) =>
  db
    .select({ paidOn: ownerTransfer.paidOn })
    .from(ownerTransfer)
    .where(
      and(
        eq(ownerTransfer.orgId, p.orgId),
        eq(ownerTransfer.propertyId, p.propertyId),
        eq(sql`+${ownerTransfer.status}`, sql`'RECORDED'`),
      ),
    )
    .orderBy(desc(ownerTransfer.paidOn))
    .limit(1),
)
/** The day of the last transfer to the owner of a property that counts. */
export const lastTransferOn = (db: Db, orgId: string, propertyId: string): string | undefined =>
  transferred(db).get({ orgId, propertyId })?.paidOn

export const hasUsableUnit = exists('property.usableUnit', ['orgId', 'propertyId'], unit, (p) =>
  and(eq(unit.orgId, p.orgId), eq(unit.propertyId, p.propertyId), ne(unit.status, 'ARCHIVED')),
)
export const hasLiveBooking = exists('property.liveBooking', ['orgId', 'propertyId'], booking, (p) =>
  and(eq(booking.orgId, p.orgId), eq(booking.propertyId, p.propertyId), inArray(booking.status, ['PENDING', 'ACTIVE'])),
)
const inUse = sql`${unit.orgId} = ${property.orgId} and ${unit.propertyId} = ${property.id} and ${unit.status} <> 'ARCHIVED'`
const ofLandlords = (scope: ScopeKind, of: SQL) => (scope === 'tenant' ? sql<number>`null` : sql<number>`(${of})`)
export const listProperties = list({
  name: 'properties',
  table: property,
  org: property.orgId,
  id: property.id,
  columns: listColumns(property),
  computed: (scope) => ({
    coverMediaId: sql<string>`(select substr(min(printf('%010d', coalesce(${mediaObject.position}, 9999999999)) || ${mediaObject.id}), 11) from ${mediaObject} where ${mediaObject.orgId} = ${property.orgId} and ${mediaObject.ownerId} = ${property.id} and +${mediaObject.ownerType} = 'PROPERTY' and +${mediaObject.kind} = 'PHOTO' and +${mediaObject.status} = 'AVAILABLE')`,
    unitCount: ofLandlords(scope, sql`select count(*) from ${unit} where ${inUse}`),
    vacantCount: ofLandlords(scope, sql`select count(*) from ${unit} where ${inUse} and ${unit.status} = 'AVAILABLE'`),
    monthlyRent: ofLandlords(
      scope,
      sql`select coalesce(sum(${booking.rentAmount}), 0) from ${booking} where ${booking.orgId} = ${property.orgId} and ${booking.propertyId} = ${property.id} and ${booking.status} = 'ACTIVE'`,
    ),
  }),
  filters: {
    city: { column: property.city },
    type: { column: property.type },
    status: { column: property.status, several: true },
    q: { where: holding(property.name, property.addressLine, property.city, property.quartier) },
  },
  ranges: { updatedSince: { column: property.updatedAt, op: '>=' } },
  scopes: {
    owner: { column: property.ownerUserId },
    limited: ofProperty(property.id),
    tenant: {
      where: (p) =>
        sql`(${property.status} = 'PUBLISHED' or ${property.id} in (select ${booking.propertyId} from ${booking} where ${booking.orgId} = ${sql.placeholder('orgId')} and ${booking.tenantUserId} = ${p} and ${booking.status} in ('PENDING', 'ACTIVE')))`,
    },
  },
})
