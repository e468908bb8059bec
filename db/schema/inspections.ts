import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { PARTIES, SIGNATURE_STATUS } from '../../src/features/lease/contracts/rules.ts'
import {
  INSPECTION_KINDS,
  INSPECTION_STATUS,
  type ItemState,
  type METER_KINDS,
} from '../../src/features/lease/inspections/rules.ts'
import { CHANNELS } from '../../src/features/people/codes/rules.ts'
import { booking } from './bookings.ts'
import { flag, json, listIndexes } from './columns.ts'
import { document } from './documents.ts'
import { mediaObject } from './media.ts'

/** `id`: given by whoever fills it in, and kept from the entry to the exit, so that both compare. */
type InspectedItem = {
  readonly id: string
  readonly name: string
  readonly state: ItemState
  readonly note?: string
  /** Of an exit: what is proposed to be kept of the deposit, in francs. */
  readonly deduction?: number
}
export type InspectedRoom = { readonly id: string; readonly name: string; readonly items: readonly InspectedItem[] }
type Meter = { readonly kind: (typeof METER_KINDS)[number]; readonly number?: string; readonly reading: number }

/** The state of a unit at the beginning or the end of a lease. */
export const inspection = sqliteTable(
  'inspection',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    propertyId: text('property_id').notNull(),
    /** Copied from the lease and kept in step with it, as is tenantUserId. */
    ownerUserId: text('owner_user_id').notNull(),
    tenantUserId: text('tenant_user_id'),
    kind: text({ enum: INSPECTION_KINDS }).notNull(),
    status: text({ enum: INSPECTION_STATUS }).notNull(),
    inspectedOn: text('inspected_on').notNull(),
    rooms: json<readonly InspectedRoom[]>()().notNull(),
    meters: json<readonly Meter[]>()().notNull(),
    keyCount: integer('key_count'),
    note: text(),
    /** The paper that is out or signed. */
    documentId: text('document_id'),
    startedBy: text('started_by').notNull(),
    proposedAt: text('proposed_at'),
    signedAt: text('signed_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    unique('inspection_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'inspection_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    foreignKey({
      name: 'inspection_document_fk',
      columns: [t.orgId, t.documentId],
      foreignColumns: [document.orgId, document.id],
    }),
    uniqueIndex('inspection_kind_once').on(t.orgId, t.bookingId, t.kind),
    ...listIndexes('inspection', t.orgId, t.id, {
      filters: [t.status, t.bookingId, t.propertyId],
      scopes: [t.ownerUserId, t.tenantUserId],
      ranges: [t.updatedAt],
    }),
    check('inspection_kind', sql`${t.kind} in ('ENTRY','EXIT')`),
    check('inspection_status', sql`${t.status} in ('DRAFT','PROPOSED','SIGNED')`),
    check('inspection_paper', sql`(${t.documentId} is null) = (${t.status} = 'DRAFT')`),
  ],
)

/** A photo of a room, or of something in it. */
export const inspectionPhoto = sqliteTable(
  'inspection_photo',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    inspectionId: text('inspection_id').notNull(),
    place: text().notNull(),
    mediaObjectId: text('media_object_id').notNull(),
    /** Of the file, in hex: what is signed names it. */
    sha256: text().notNull(),
    addedBy: text('added_by').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'inspection_photo_inspection_fk',
      columns: [t.orgId, t.inspectionId],
      foreignColumns: [inspection.orgId, inspection.id],
    }),
    foreignKey({
      name: 'inspection_photo_media_fk',
      columns: [t.orgId, t.mediaObjectId],
      foreignColumns: [mediaObject.orgId, mediaObject.id],
    }),
    uniqueIndex('inspection_photo_once').on(t.orgId, t.inspectionId, t.mediaObjectId),
    index('inspection_photo_org_id_inspection_id_id').on(t.orgId, t.inspectionId, t.id),
    index('inspection_photo_media').on(t.orgId, t.mediaObjectId),
  ],
)

/** Who signed an inspection and how it was proved. Rows are voided, never deleted. */
export const inspectionSignature = sqliteTable(
  'inspection_signature',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    inspectionId: text('inspection_id').notNull(),
    documentId: text('document_id').notNull(),
    /** Of the document's file, in hex. */
    sha256: text().notNull(),
    party: text({ enum: PARTIES }).notNull(),
    userId: text('user_id').notNull(),
    onBehalf: flag('on_behalf').notNull(),
    fullName: text('full_name').notNull(),
    /** What the signer does not agree with, in their words. */
    remarks: text(),
    channel: text({ enum: CHANNELS }).notNull(),
    maskedNumber: text('masked_number').notNull(),
    /** By the wall clock. */
    signedAt: text('signed_at').notNull(),
    challengeId: text('challenge_id').notNull(),
    requestId: text('request_id').notNull(),
    status: text({ enum: SIGNATURE_STATUS }).notNull(),
    voidedAt: text('voided_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    foreignKey({
      name: 'inspection_signature_inspection_fk',
      columns: [t.orgId, t.inspectionId],
      foreignColumns: [inspection.orgId, inspection.id],
    }),
    foreignKey({
      name: 'inspection_signature_document_fk',
      columns: [t.orgId, t.documentId],
      foreignColumns: [document.orgId, document.id],
    }),
    uniqueIndex('inspection_signature_party').on(t.orgId, t.documentId, t.party).where(sql`status = 'VALID'`),
    index('inspection_signature_org_id_inspection_id_id').on(t.orgId, t.inspectionId, t.id),
    index('inspection_signature_user').on(t.orgId, t.userId, t.id),
    check('inspection_signature_party', sql`${t.party} in ('LANDLORD','TENANT')`),
    check('inspection_signature_status', sql`${t.status} in ('VALID','VOID')`),
  ],
)
