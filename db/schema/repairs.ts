import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import {
  COST_KINDS,
  ENTRY_KINDS,
  REPAIR_CATEGORIES,
  REPAIR_STATUS,
  SIDES,
  URGENCIES,
} from '../../src/features/lease/repairs/rules.ts'
import { booking } from './bookings.ts'
import { listIndexes } from './columns.ts'
import { mediaObject } from './media.ts'
import { property, unit } from './properties.ts'

/** What is to be repaired in a unit, reported by its tenant or by the landlord. */
export const repair = sqliteTable(
  'repair',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    unitId: text('unit_id').notNull(),
    propertyId: text('property_id').notNull(),
    /** Copied from the property and kept in step with it. */
    ownerUserId: text('owner_user_id').notNull(),
    /** The lease whose tenant sees it; null for what the landlord notes for themselves. */
    bookingId: text('booking_id'),
    /** Copied from the lease and kept in step with it. */
    tenantUserId: text('tenant_user_id'),
    reportedBy: text('reported_by').notNull(),
    title: text().notNull(),
    description: text(),
    category: text({ enum: REPAIR_CATEGORIES }).notNull(),
    urgency: text({ enum: URGENCIES }).notNull(),
    status: text({ enum: REPAIR_STATUS }).notNull(),
    /** The day that somebody comes. */
    plannedOn: text('planned_on'),
    doneOn: text('done_on'),
    refusalReason: text('refusal_reason'),
    costAmount: integer('cost_amount'),
    costCurrency: text('cost_currency'),
    costKind: text('cost_kind', { enum: COST_KINDS }),
    costOn: text('cost_on'),
    /** When it last became DONE or REFUSED. */
    closedAt: text('closed_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    unique('repair_org_id').on(t.orgId, t.id),
    foreignKey({ name: 'repair_unit_fk', columns: [t.orgId, t.unitId], foreignColumns: [unit.orgId, unit.id] }),
    foreignKey({
      name: 'repair_property_fk',
      columns: [t.orgId, t.propertyId],
      foreignColumns: [property.orgId, property.id],
    }),
    foreignKey({
      name: 'repair_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    ...listIndexes('repair', t.orgId, t.id, {
      filters: [t.status, t.unitId, t.propertyId, t.bookingId],
      scopes: [t.ownerUserId, t.tenantUserId],
      ranges: [t.updatedAt],
    }),
    check('repair_status', sql`${t.status} in ('OPEN','SEEN','PLANNED','DONE','REFUSED')`),
    check('repair_cost', sql`${t.costAmount} between 0 and 1000000000000`),
    check('repair_refused', sql`${t.status} <> 'REFUSED' or ${t.refusalReason} is not null`),
    check('repair_planned', sql`${t.status} <> 'PLANNED' or ${t.plannedOn} is not null`),
  ],
)
export type RepairRow = typeof repair.$inferSelect

/** The thread of a request: messages, photos and moves, only ever added. An erased person's words and photos go. */
export const repairEntry = sqliteTable(
  'repair_entry',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    repairId: text('repair_id').notNull(),
    kind: text({ enum: ENTRY_KINDS }).notNull(),
    side: text({ enum: SIDES }).notNull(),
    authorUserId: text('author_user_id').notNull(),
    text: text(),
    plannedOn: text('planned_on'),
    mediaObjectId: text('media_object_id'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    foreignKey({
      name: 'repair_entry_repair_fk',
      columns: [t.orgId, t.repairId],
      foreignColumns: [repair.orgId, repair.id],
    }),
    foreignKey({
      name: 'repair_entry_media_fk',
      columns: [t.orgId, t.mediaObjectId],
      foreignColumns: [mediaObject.orgId, mediaObject.id],
    }),
    index('repair_entry_org_id_repair_id_id').on(t.orgId, t.repairId, t.id),
    index('repair_entry_org_id_repair_id_updated_at_id').on(t.orgId, t.repairId, t.updatedAt, t.id),
    index('repair_entry_media').on(t.orgId, t.mediaObjectId).where(sql`media_object_id is not null`),
    index('repair_entry_author').on(t.orgId, t.authorUserId, t.createdAt),
    check('repair_entry_kind', sql`${t.kind} in ('MESSAGE','PHOTO','SEEN','PLANNED','DONE','REFUSED','REOPENED')`),
    check('repair_entry_side', sql`${t.side} in ('LANDLORD','TENANT')`),
  ],
)
