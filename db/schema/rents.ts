import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { RENT_CHANGE_STATUS } from '../../src/features/lease/leases/rules.ts'
import { CHANNELS } from '../../src/features/people/codes/rules.ts'
import { booking } from './bookings.ts'
import { flag } from './columns.ts'
import { mediaObject } from './media.ts'

/** Changes of the rent of a running lease, each from its day on. Rows are cancelled, never deleted. */
export const rentChange = sqliteTable(
  'rent_change',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    /** The first day of the new rent: that of a rent period. */
    fromDate: text('from_date').notNull(),
    rentAmount: integer('rent_amount').notNull(),
    /** The rent of the day before. */
    previousAmount: integer('previous_amount').notNull(),
    reason: text(),
    status: text({ enum: RENT_CHANGE_STATUS }).notNull(),
    /** Whether it counts only once the tenant has signed. */
    needsAgreement: flag('needs_agreement').notNull(),
    documentId: text('document_id').notNull(),
    createdBy: text('created_by').notNull(),
    /** The tenant's signature by code … */
    signedBy: text('signed_by'),
    signedName: text('signed_name'),
    signedAt: text('signed_at'),
    channel: text({ enum: CHANNELS }),
    maskedNumber: text('masked_number'),
    /** … or the scan of the rider that was signed on paper. */
    mediaObjectId: text('media_object_id'),
    createdAt: text('created_at').notNull(),
    cancelledAt: text('cancelled_at'),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** When the tenant refused to sign, and why in their words; it is CANCELLED then. */
    declinedAt: text('declined_at'),
    declinedReason: text('declined_reason'),
  },
  (t) => [
    foreignKey({
      name: 'rent_change_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    foreignKey({
      name: 'rent_change_media_fk',
      columns: [t.orgId, t.mediaObjectId],
      foreignColumns: [mediaObject.orgId, mediaObject.id],
    }),
    index('rent_change_org_id_booking_id_id').on(t.orgId, t.bookingId, t.id),
    index('rent_change_org_id_booking_id_updated_at_id').on(t.orgId, t.bookingId, t.updatedAt, t.id),
    index('rent_change_media').on(t.orgId, t.mediaObjectId).where(sql`media_object_id is not null`),
    index('rent_change_signer').on(t.orgId, t.signedBy, t.id).where(sql`signed_by is not null`),
    index('rent_change_proposed').on(t.orgId, t.bookingId).where(sql`status = 'PROPOSED'`),
    check('rent_change_status', sql`${t.status} in ('PROPOSED','SCHEDULED','IN_FORCE','CANCELLED')`),
    check('rent_change_rent', sql`${t.rentAmount} between 0 and 1000000000000`),
    check('rent_change_cancelled', sql`(${t.status} = 'CANCELLED') = (${t.cancelledAt} is not null)`),
  ],
)
