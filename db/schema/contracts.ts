import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  PARTY_ROLES,
  SIGNATURE_STATUS,
  SIGNING_PARTIES,
  UNSIGNED_BY,
} from '../../src/features/lease/contracts/rules.ts'
import { PAYER_SOURCES } from '../../src/features/lease/leases/rules.ts'
import { CHANNELS } from '../../src/features/people/codes/rules.ts'
import { booking } from './bookings.ts'
import { flag } from './columns.ts'
import { document } from './documents.ts'
import { mediaObject } from './media.ts'

/** The people who agree to a lease besides landlord and tenant: co-tenants and guarantors. */
export const leaseParty = sqliteTable(
  'lease_party',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    role: text({ enum: PARTY_ROLES }).notNull(),
    fullName: text('full_name').notNull(),
    phoneNumber: text('phone_number'),
    idType: text('id_type'),
    idNumber: text('id_number'),
    address: text(),
    createdAt: text('created_at').notNull(),
    /** Taken off the lease after they had signed an earlier text; others are deleted. */
    removedAt: text('removed_at'),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    unique('lease_party_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'lease_party_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    index('lease_party_org_id_booking_id_id').on(t.orgId, t.bookingId, t.id),
    index('lease_party_phone').on(t.orgId, t.phoneNumber).where(sql`phone_number is not null`),
    index('lease_party_org_id_booking_id_updated_at_id').on(t.orgId, t.bookingId, t.updatedAt, t.id),
    check('lease_party_role', sql`${t.role} in ('CO_TENANT','GUARANTOR')`),
  ],
)

/** Who else pays for a lease, as money that somebody put on it taught: a relative, a company, a second number. */
export const leasePayer = sqliteTable(
  'lease_payer',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    fullName: text('full_name'),
    phoneNumber: text('phone_number'),
    source: text({ enum: PAYER_SOURCES }).notNull(),
    /** The number is a kiosk's: it says nothing of who paid, and nothing from it is booked by itself. */
    kiosk: flag('kiosk').notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    unique('lease_payer_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'lease_payer_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    index('lease_payer_org_id_booking_id_id').on(t.orgId, t.bookingId, t.id),
    index('lease_payer_phone').on(t.orgId, t.phoneNumber).where(sql`phone_number is not null`),
    check('lease_payer_source', sql`${t.source} in ('MESSAGE','PAYMENT','ENTERED')`),
    check('lease_payer_known', sql`${t.fullName} is not null or ${t.phoneNumber} is not null`),
  ],
)

/** Signatures of a lease: who agreed to which text, and how it was proved. Rows are voided, never deleted. */
export const signature = sqliteTable(
  'signature',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    documentId: text('document_id').notNull(),
    /** Of the document's file, in hex. */
    sha256: text().notNull(),
    party: text({ enum: SIGNING_PARTIES }).notNull(),
    /** Null for co-tenants and guarantors, who sign by a link to their number. */
    userId: text('user_id'),
    /** Signed by a manager for the owner. */
    onBehalf: flag('on_behalf').notNull(),
    fullName: text('full_name').notNull(),
    channel: text({ enum: CHANNELS }).notNull(),
    maskedNumber: text('masked_number').notNull(),
    /** By the wall clock. */
    signedAt: text('signed_at').notNull(),
    challengeId: text('challenge_id').notNull(),
    requestId: text('request_id').notNull(),
    status: text({ enum: SIGNATURE_STATUS }).notNull(),
    voidReason: text('void_reason', { enum: UNSIGNED_BY }),
    voidedAt: text('voided_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The co-tenant or guarantor who signed. */
    signerId: text('signer_id'),
  },
  (t) => [
    foreignKey({
      name: 'signature_signer_fk',
      columns: [t.orgId, t.signerId],
      foreignColumns: [leaseParty.orgId, leaseParty.id],
    }),
    foreignKey({
      name: 'signature_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    foreignKey({
      name: 'signature_document_fk',
      columns: [t.orgId, t.documentId],
      foreignColumns: [document.orgId, document.id],
    }),
    uniqueIndex('signature_party')
      .on(t.orgId, t.documentId, t.party)
      .where(sql`status = 'VALID' and signer_id is null`),
    uniqueIndex('signature_signer')
      .on(t.orgId, t.signerId, t.documentId)
      .where(sql`status = 'VALID' and signer_id is not null`),
    index('signature_org_id_booking_id_id').on(t.orgId, t.bookingId, t.id),
    index('signature_org_id_booking_id_updated_at_id').on(t.orgId, t.bookingId, t.updatedAt, t.id),
    index('signature_user').on(t.orgId, t.userId, t.id),
    check('signature_party', sql`${t.party} in ('LANDLORD','TENANT','CO_TENANT','GUARANTOR')`),
    check(
      'signature_signer',
      sql`(${t.party} in ('LANDLORD','TENANT')) = (${t.signerId} is null) and (${t.signerId} is null) = (${t.userId} is not null)`,
    ),
    check('signature_status', sql`${t.status} in ('VALID','VOID')`),
    check('signature_void', sql`(${t.status} = 'VOID') = (${t.voidReason} is not null and ${t.voidedAt} is not null)`),
  ],
)

/** The scan of a lease that was signed on paper. */
export const signedCopy = sqliteTable(
  'signed_copy',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    mediaObjectId: text('media_object_id').notNull(),
    /** Of the file, in hex. */
    sha256: text().notNull(),
    attachedBy: text('attached_by').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'signed_copy_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    foreignKey({
      name: 'signed_copy_media_fk',
      columns: [t.orgId, t.mediaObjectId],
      foreignColumns: [mediaObject.orgId, mediaObject.id],
    }),
    uniqueIndex('signed_copy_booking').on(t.orgId, t.bookingId),
    index('signed_copy_media').on(t.orgId, t.mediaObjectId),
  ],
)
