import { sql } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import { holding } from '../../../../db/query.ts'
import { property, unit } from '../../../../db/schema/properties.ts'

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
  countedBy: 'unit_status',
  ranges: { updatedSince: { column: unit.updatedAt, op: '>=' } },
  scopes: {
    owner: { where: (p) => of(sql`${property.ownerUserId} = ${p}`) },
    limited: { where: (p) => sql`+${unit.propertyId} = ${p}`, each: true },
  },
})
export type HomeRow = ReturnType<typeof listHomes>['rows'][number]
