import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, primaryKey, real, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import type { ManagementFee } from '../../src/core/management-fees.ts'
import type { PayInstruction } from '../../src/features/people/organizations/rules.ts'
import { PROPERTY_STATUS, PROPERTY_TYPES } from '../../src/features/property/properties/rules.ts'
import { UNIT_STATUS, UNIT_TYPES } from '../../src/features/property/units/rules.ts'
import { json, listIndexes } from './columns.ts'
import { appUser } from './users.ts'

export const property = sqliteTable(
  'property',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    ownerUserId: text('owner_user_id').notNull(),
    name: text().notNull(),
    addressLine: text('address_line').notNull(),
    city: text().notNull(),
    province: text(),
    quartier: text(),
    latitude: real(),
    longitude: real(),
    amenities: json<readonly string[]>()().notNull(),
    type: text({ enum: PROPERTY_TYPES }).notNull(),
    status: text({ enum: PROPERTY_STATUS }).notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** Where its rent is paid; null for the instructions of the organization. */
    payTo: json<readonly PayInstruction[]>()('pay_to'),
    /** The management fees, by their first day; null if nobody manages it for the owner. */
    managementFees: json<readonly ManagementFee[]>()('management_fees'),
    /** When the rent was last told to be paid elsewhere than before. */
    payToChangedAt: text('pay_to_changed_at'),
  },
  (t) => [
    unique('property_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'property_owner_fk',
      columns: [t.orgId, t.ownerUserId],
      foreignColumns: [appUser.orgId, appUser.id],
    }),
    ...listIndexes('property', t.orgId, t.id, {
      filters: [t.status, t.type, t.city],
      scopes: [t.ownerUserId],
      ranges: [t.updatedAt],
    }),
    check('property_status', sql`${t.status} in ('DRAFT','PUBLISHED','ARCHIVED')`),
    check('property_type', sql`${t.type} in ('APARTMENT','STUDIO','HOUSE','VILLA','OFFICE','COMMERCIAL','LAND')`),
    check('property_place', sql`(${t.latitude} is null) = (${t.longitude} is null)`),
  ],
)

/** The properties that a limited manager sees. */
export const assignment = sqliteTable(
  'assignment',
  {
    orgId: text('org_id').notNull(),
    userId: text('user_id').notNull(),
    propertyId: text('property_id').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.propertyId] }),
    foreignKey({
      name: 'assignment_user_fk',
      columns: [t.orgId, t.userId],
      foreignColumns: [appUser.orgId, appUser.id],
    }),
    foreignKey({
      name: 'assignment_property_fk',
      columns: [t.orgId, t.propertyId],
      foreignColumns: [property.orgId, property.id],
    }),
    index('assignment_property').on(t.orgId, t.propertyId, t.userId),
  ],
)

export const unit = sqliteTable(
  'unit',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    propertyId: text('property_id').notNull(),
    label: text().notNull(),
    areaSqm: real('area_sqm'),
    bedrooms: integer(),
    bathrooms: integer(),
    rentAmount: integer('rent_amount'),
    rentCurrency: text('rent_currency'),
    status: text({ enum: UNIT_STATUS }).notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** Null for the type of the property. */
    type: text({ enum: UNIT_TYPES }),
  },
  (t) => [
    unique('unit_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'unit_property_fk',
      columns: [t.orgId, t.propertyId],
      foreignColumns: [property.orgId, property.id],
    }),
    index('unit_property').on(t.orgId, t.propertyId, t.id),
    index('unit_property_status').on(t.orgId, t.propertyId, t.status),
    ...listIndexes('unit', t.orgId, t.id, { filters: [t.status], ranges: [t.updatedAt] }),
    check('unit_status', sql`${t.status} in ('AVAILABLE','RESERVED','OCCUPIED','MAINTENANCE','ARCHIVED')`),
    check('unit_rent', sql`${t.rentAmount} between 0 and 1000000000000`),
  ],
)
