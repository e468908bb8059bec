import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { holding } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { property, unit } from '../../../../db/schema/properties.ts'
import type { Scope } from '../../../core/scope.ts'

export type UnitRow = typeof unit.$inferSelect
export const insertUnit = inserting('unit.insert', unit)
export const saveUnit = saving('unit', unit, 'propertyId')

export const findUnit = reading('unit.byId', unit)

const rented = exists('unit.rentedBy', ['orgId', 'unitId', 'userId'], booking, (p) =>
  and(
    eq(booking.orgId, p.orgId),
    eq(booking.tenantUserId, p.userId),
    eq(sql`+${booking.unitId}`, p.unitId),
    inArray(sql`+${booking.status}`, ['PENDING', 'ACTIVE']),
  ),
)
/** Of a property that the scope reaches: all units, but for tenants only those they rent while it is not published. */
export const unitVisible = (db: Db, scope: Scope, propertyStatus: string, row: UnitRow): boolean =>
  scope.kind !== 'tenant' ||
  propertyStatus === 'PUBLISHED' ||
  rented(db, { orgId: row.orgId, unitId: row.id, userId: scope.userId })

const held = query('unit.held', ['orgId', 'unitId'], (db, p) =>
  db
    .select({
      active: sql<number>`sum(${booking.status} = 'ACTIVE')`,
      pending: sql<number>`sum(${booking.status} = 'PENDING')`,
    })
    .from(booking)
    .where(and(eq(booking.orgId, p.orgId), eq(booking.unitId, p.unitId))),
)
/** Whether a unit has ACTIVE and PENDING bookings. */
export function bookingsOf(db: Db, orgId: string, unitId: string): { active: boolean; pending: boolean } {
  const row = held(db).get({ orgId, unitId })
  return { active: (row?.active ?? 0) > 0, pending: (row?.pending ?? 0) > 0 }
}

const usable = query('unit.usable', ['orgId', 'propertyId', 'limit'], (db, p) =>
  db
    .select()
    .from(unit)
    .where(and(eq(unit.orgId, p.orgId), eq(unit.propertyId, p.propertyId), ne(sql`+${unit.status}`, 'ARCHIVED')))
    .orderBy(asc(unit.id))
    .limit(p.limit),
)
/** The units of a property that are not archived, the oldest first. */
export const usableUnits = (db: Db, orgId: string, propertyId: string, limit: number): UnitRow[] =>
  usable(db).all({ orgId, propertyId, limit })

const orgId = sql.placeholder('orgId')
const propertiesOf = (condition: SQL) =>
  sql`+${unit.propertyId} in (select ${property.id} from ${property} where ${property.orgId} = ${orgId} and ${condition})`
export const listUnits = list({
  name: 'units',
  table: unit,
  org: unit.orgId,
  id: unit.id,
  columns: listColumns(unit, 'orgId'),
  joins: sql`left join ${property} on ${property.orgId} = ${unit.orgId} and ${property.id} = ${unit.propertyId}`,
  computed: (scope, { scopeUser }) => ({
    propertyName: sql<string>`${property.name}`,
    // A tenant sees no lease of another person.
    booking: sql<{
      id: string
      tenantName: string
      endDate?: string
    }>`(select json_patch(json_object('id', ${booking.id}, 'tenantName', ${booking.tenantName}), json_object('endDate', ${booking.endDate})) from ${booking} where ${booking.orgId} = ${unit.orgId} and ${booking.unitId} = ${unit.id} and ${booking.status} in ('ACTIVE','PENDING') and ${scope === 'tenant' ? sql`+${booking.tenantUserId} = ${scopeUser}` : sql`1`} order by ${booking.status} limit 1)`,
  }),
  json: ['booking'],
  filters: {
    propertyId: { column: unit.propertyId },
    status: { column: unit.status, several: true },
    q: {
      where: (p) =>
        sql`(${holding(unit.label)(p)} or ${unit.propertyId} in (select p.id from ${property} p where p.org_id = ${orgId} and ${holding(sql`p.name`)(p)}))`,
    },
  },
  ranges: { updatedSince: { column: unit.updatedAt, op: '>=' } },
  scopes: {
    owner: { where: (p) => propertiesOf(sql`${property.ownerUserId} = ${p}`) },
    limited: ofProperty(unit.propertyId),
    tenant: {
      where: (p) =>
        sql`(${propertiesOf(sql`${property.status} = 'PUBLISHED'`)} or ${unit.id} in (select ${booking.unitId} from ${booking} where ${booking.orgId} = ${orgId} and ${booking.tenantUserId} = ${p} and ${booking.status} in ('PENDING', 'ACTIVE')))`,
    },
  },
})

const { id, propertyId, label, areaSqm, bedrooms, bathrooms, rentAmount, type } = unit
/** Whether the unit's property is one with a status, and more. */
const of = (condition: ReturnType<typeof sql>) =>
  sql`exists (select 1 from ${property} where ${property.orgId} = ${unit.orgId} and ${property.id} = ${unit.propertyId} and ${condition})`
const search = holding(property.name, property.addressLine, property.city, property.quartier)

/** Units by their own status and that of their property; every query names both. */
export const listHomes = list({
  name: 'homes',
  table: unit,
  org: unit.orgId,
  id: unit.id,
  columns: { id, propertyId, label, areaSqm, bedrooms, bathrooms, rentAmount, type },
  filters: {
    status: { column: unit.status, base: true },
    propertyStatus: { where: (p) => of(sql`${property.status} = ${p}`), base: true },
    propertyId: { where: (p) => sql`+${unit.propertyId} = ${p}` },
    q: { where: (p) => of(search(p)) },
  },
  ranges: { updatedSince: { column: unit.updatedAt, op: '>=' } },
  scopes: {
    owner: { where: (p) => of(sql`${property.ownerUserId} = ${p}`) },
    limited: { where: (p) => sql`+${unit.propertyId} = ${p}`, each: true },
  },
})
export type HomeRow = ReturnType<typeof listHomes>['rows'][number]
