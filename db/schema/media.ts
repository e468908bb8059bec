import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { CONTENT_TYPES, MEDIA_KINDS, MEDIA_STATUS, OWNER_TYPES } from '../../src/features/papers/media/rules.ts'
import { listIndexes } from './columns.ts'
import { property } from './properties.ts'
import { appUser } from './users.ts'

export const mediaObject = sqliteTable(
  'media_object',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    ownerType: text('owner_type', { enum: OWNER_TYPES }).notNull(),
    ownerId: text('owner_id').notNull(),
    /** The user who uploaded it. */
    ownerUserId: text('owner_user_id').notNull(),
    /** For a photo or document of a property or unit: the property that decides who may see it. */
    propertyId: text('property_id'),
    kind: text({ enum: MEDIA_KINDS }).notNull(),
    filename: text().notNull(),
    contentType: text('content_type', { enum: CONTENT_TYPES }).notNull(),
    /** The declared size while PENDING, then the size of the stored bytes. */
    sizeBytes: integer('size_bytes').notNull(),
    /** SHA-256 of the stored bytes, in hex; part of the file's name. */
    sha256: text(),
    status: text({ enum: MEDIA_STATUS }).notNull(),
    /** When an upload that is still PENDING is deleted, in epoch ms of real time. */
    purgeAt: integer('purge_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** Of a photo, once somebody ordered them: its place among the photos of its owner, from 0. */
    position: integer(),
  },
  (t) => [
    unique('media_object_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'media_object_user_fk',
      columns: [t.orgId, t.ownerUserId],
      foreignColumns: [appUser.orgId, appUser.id],
    }),
    foreignKey({
      name: 'media_object_property_fk',
      columns: [t.orgId, t.propertyId],
      foreignColumns: [property.orgId, property.id],
    }),
    ...listIndexes('media_object', t.orgId, t.id, {
      filters: [t.ownerId, t.ownerType, t.kind, t.status],
      ranges: [t.updatedAt],
    }),
    index('media_object_purge').on(t.purgeAt).where(sql`purge_at is not null`),
    check('media_object_owner_type', sql`${t.ownerType} in ('PROPERTY','UNIT','VERIFICATION','USER')`),
    check('media_object_kind', sql`${t.kind} in ('PHOTO','DOCUMENT')`),
    check('media_object_status', sql`${t.status} in ('PENDING','AVAILABLE')`),
    check('media_object_property', sql`(${t.propertyId} is null) = (${t.ownerType} in ('VERIFICATION','USER'))`),
    check('media_object_size', sql`${t.sizeBytes} between 1 and 1073741824`),
    check('media_object_stored', sql`(${t.sha256} is null) = (${t.status} = 'PENDING')`),
    check('media_object_waiting', sql`(${t.purgeAt} is null) = (${t.status} = 'AVAILABLE')`),
  ],
)
