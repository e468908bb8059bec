import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { METER_KINDS } from '../../src/core/meters.ts'
import { READING_STATUS } from '../../src/features/lease/meters/rules.ts'
import { listIndexes } from './columns.ts'
import { mediaObject } from './media.ts'
import { property, unit } from './properties.ts'

/** A sub-meter of a unit. */
export const meter = sqliteTable(
  'meter',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    unitId: text('unit_id').notNull(),
    propertyId: text('property_id').notNull(),
    /** Copied from the property and kept in step with it. */
    ownerUserId: text('owner_user_id').notNull(),
    kind: text({ enum: METER_KINDS }).notNull(),
    /** The number printed on it. */
    number: text(),
    /** The unit of measure: kWh, m³. */
    measure: text().notNull(),
    /** Since when nobody reads it any more; null while it is read. */
    retiredAt: text('retired_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    unique('meter_org_id').on(t.orgId, t.id),
    foreignKey({ name: 'meter_unit_fk', columns: [t.orgId, t.unitId], foreignColumns: [unit.orgId, unit.id] }),
    foreignKey({
      name: 'meter_property_fk',
      columns: [t.orgId, t.propertyId],
      foreignColumns: [property.orgId, property.id],
    }),
    ...listIndexes('meter', t.orgId, t.id, {
      filters: [t.unitId, t.propertyId],
      scopes: [t.ownerUserId],
      ranges: [t.updatedAt],
    }),
    check('meter_kind', sql`${t.kind} in ('WATER','POWER','GAS','OTHER')`),
  ],
)

/** What a meter showed on a day, in thousandths of its measure. Rows are cancelled, never deleted. */
export const meterReading = sqliteTable(
  'meter_reading',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    meterId: text('meter_id').notNull(),
    unitId: text('unit_id').notNull(),
    propertyId: text('property_id').notNull(),
    /** Copied from the property and kept in step with it. */
    ownerUserId: text('owner_user_id').notNull(),
    readOn: text('read_on').notNull(),
    thousandths: integer().notNull(),
    /** Its last value before it was replaced or set back on that day. */
    finalThousandths: integer('final_thousandths'),
    mediaObjectId: text('media_object_id'),
    recordedBy: text('recorded_by').notNull(),
    status: text({ enum: READING_STATUS }).notNull(),
    /** How many regularisations in force count with it. */
    billed: integer().notNull().default(0),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    unique('meter_reading_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'meter_reading_meter_fk',
      columns: [t.orgId, t.meterId],
      foreignColumns: [meter.orgId, meter.id],
    }),
    foreignKey({
      name: 'meter_reading_media_fk',
      columns: [t.orgId, t.mediaObjectId],
      foreignColumns: [mediaObject.orgId, mediaObject.id],
    }),
    uniqueIndex('meter_reading_day').on(t.orgId, t.meterId, t.readOn).where(sql`status = 'RECORDED'`),
    index('meter_reading_media').on(t.orgId, t.mediaObjectId).where(sql`media_object_id is not null`),
    ...listIndexes('meter_reading', t.orgId, t.id, {
      filters: [t.meterId, t.unitId, t.propertyId],
      scopes: [t.ownerUserId],
      ranges: [t.readOn, t.updatedAt],
    }),
    check('meter_reading_status', sql`${t.status} in ('RECORDED','CANCELLED')`),
    check('meter_reading_value', sql`${t.thousandths} between 0 and 1000000000000`),
    check('meter_reading_final', sql`${t.finalThousandths} between 0 and 1000000000000`),
  ],
)
