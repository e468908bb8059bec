import { and, asc, count, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, saving } from '../../../../db/query.ts'
import { meter, meterReading } from '../../../../db/schema/meters.ts'
import { property, unit } from '../../../../db/schema/properties.ts'
import { within } from '../../../core/scope.ts'

export type MeterRow = typeof meter.$inferSelect
export const insertMeter = inserting('meter.insert', meter)
export const saveMeter = saving('meter', meter, 'unitId', 'propertyId', 'ownerUserId', 'kind')
const findMeter = reading('meter.byId', meter)
/** The meter, if it is within a landlord's scope; tenants see only the readings behind their charges. */
export const getMeter = within(findMeter)

const ofUnit = query('meter.ofUnit', ['orgId', 'unitId'], (db, p) =>
  db
    .select()
    .from(meter)
    .where(and(eq(meter.orgId, p.orgId), eq(meter.unitId, p.unitId), isNull(meter.retiredAt)))
    .orderBy(asc(meter.id)),
)
/** The meters of a unit that are read, the oldest first. */
export const metersOf = (db: Db, orgId: string, unitId: string): MeterRow[] => ofUnit(db).all({ orgId, unitId })

export type ReadingRow = typeof meterReading.$inferSelect
export const insertReading = inserting('meterReading.insert', meterReading)
export const saveReading = saving(
  'meter_reading',
  meterReading,
  'meterId',
  'unitId',
  'propertyId',
  'ownerUserId',
  'recordedBy',
)
export const findReading = reading('meterReading.byId', meterReading)
export const getReading = within(findReading)

const standing = eq(meterReading.status, sql`'RECORDED'`)
/** The reading of a meter next to a day, on one side of it. */
const nextTo = (name: string, beyond: typeof lt, nearest: typeof desc) =>
  query(name, ['orgId', 'meterId', 'day'], (db, p) =>
    db
      .select()
      .from(meterReading)
      .where(
        and(
          eq(meterReading.orgId, p.orgId),
          eq(meterReading.meterId, p.meterId),
          standing,
          beyond(meterReading.readOn, p.day),
        ),
      )
      .orderBy(nearest(meterReading.readOn))
      .limit(1),
  )
const before = nextTo('meterReading.before', lt, desc)
const after = nextTo('meterReading.after', gt, asc)
/** The readings of a meter next to a day, which must not be passed. */
export const neighboursOf = (db: Db, orgId: string, meterId: string, day: string) => ({
  earlier: before(db).get({ orgId, meterId, day }),
  later: after(db).get({ orgId, meterId, day }),
})
const on = query('meterReading.on', ['orgId', 'meterId', 'day'], (db, p) =>
  db
    .select({ id: meterReading.id })
    .from(meterReading)
    .where(
      and(
        eq(meterReading.orgId, p.orgId),
        eq(meterReading.meterId, p.meterId),
        standing,
        eq(meterReading.readOn, p.day),
      ),
    ),
)
const counted = query('meterReading.count', ['orgId', 'meterId'], (db, p) =>
  db
    .select({ n: count() })
    .from(meterReading)
    .where(and(eq(meterReading.orgId, p.orgId), eq(meterReading.meterId, p.meterId))),
)
/** How many readings a meter has, cancelled ones included. */
export const readingsOf = (db: Db, orgId: string, meterId: string): number =>
  counted(db).get({ orgId, meterId })?.n ?? 0

/** The reading of a day that counts. */
export const readingOn = (db: Db, orgId: string, meterId: string, day: string): string | undefined =>
  on(db).get({ orgId, meterId, day })?.id

/** The readings of a meter up to a day, the oldest first. */
export const readingsUntil = query('meterReading.until', ['orgId', 'meterId', 'day'], (db, p) =>
  db
    .select()
    .from(meterReading)
    .where(
      and(
        eq(meterReading.orgId, p.orgId),
        eq(meterReading.meterId, p.meterId),
        standing,
        sql`${meterReading.readOn} <= ${p.day}`,
      ),
    )
    .orderBy(asc(meterReading.readOn)),
)
const joined = (table: typeof meter | typeof meterReading) =>
  sql`left join ${property} on ${property.orgId} = ${table.orgId} and ${property.id} = ${table.propertyId} left join ${unit} on ${unit.orgId} = ${table.orgId} and ${unit.id} = ${table.unitId}`
const places = { propertyName: sql<string>`${property.name}`, unitLabel: sql<string>`${unit.label}` }
/** In thousandths: the view makes them values. */
type Last = { readonly readOn: string; readonly thousandths: number }
export const listMeters = list({
  name: 'meters',
  table: meter,
  org: meter.orgId,
  id: meter.id,
  columns: listColumns(meter, 'ownerUserId'),
  joins: joined(meter),
  computed: () => ({
    ...places,
    lastReading: sql<Last>`(select json_object('readOn', r.read_on, 'thousandths', r.thousandths) from ${meterReading} r where r.org_id = ${meter.orgId} and r.meter_id = ${meter.id} and r.status = 'RECORDED' order by r.read_on desc limit 1)`,
  }),
  json: ['lastReading'],
  filters: {
    unitId: { column: meter.unitId, narrow: true },
    propertyId: { column: meter.propertyId },
    kind: { where: (p) => sql`+${meter.kind} = ${p}` },
    retired: { where: (p) => sql`(${meter.retiredAt} is not null) = (${p} = 'true')` },
  },
  ranges: { updatedSince: { column: meter.updatedAt, op: '>=' } },
  scopes: { owner: { column: meter.ownerUserId }, limited: ofProperty(meter.propertyId) },
})

export const listReadings = list({
  name: 'meterReadings',
  table: meterReading,
  org: meterReading.orgId,
  id: meterReading.id,
  columns: listColumns(meterReading, 'ownerUserId'),
  joins: sql`${joined(meterReading)} left join ${meter} on ${meter.orgId} = ${meterReading.orgId} and ${meter.id} = ${meterReading.meterId}`,
  computed: () => ({
    ...places,
    kind: sql<MeterRow['kind']>`${meter.kind}`,
    measure: sql<string>`${meter.measure}`,
    meterNumber: sql<string>`${meter.number}`,
  }),
  filters: {
    meterId: { column: meterReading.meterId, narrow: true },
    unitId: { column: meterReading.unitId, narrow: true },
    propertyId: { column: meterReading.propertyId },
    status: { where: (p) => sql`+${meterReading.status} = ${p}` },
  },
  ranges: {
    from: { column: meterReading.readOn, op: '>=' },
    to: { column: meterReading.readOn, op: '<=' },
    updatedSince: { column: meterReading.updatedAt, op: '>=' },
  },
  scopes: { owner: { column: meterReading.ownerUserId }, limited: ofProperty(meterReading.propertyId) },
})
