import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { STEPS } from '../../src/features/reminders/rules.ts'
import { booking } from './bookings.ts'
import { invoice } from './invoices.ts'

/** What a tenant was told about an invoice, by itself or by hand. Its id is that of the message that carried it. */
export const notice = sqliteTable(
  'notice',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    step: text({ enum: STEPS }).notNull(),
    /** What was open when it was sent. */
    amount: integer().notNull(),
    currency: text().notNull(),
    locale: text({ enum: ['fr', 'en'] }).notNull(),
    maskedDestination: text('masked_destination').notNull(),
    /** What of the schedule it answers: once each. Null when somebody sent it by hand. */
    once: text(),
    sentBy: text('sent_by'),
    /** The local day, so that nobody is told the same twice on one. */
    sentOn: text('sent_on').notNull(),
    linkExpiresAt: text('link_expires_at').notNull(),
    linkRevokedAt: text('link_revoked_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    unique('notice_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'notice_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    foreignKey({
      name: 'notice_invoice_fk',
      columns: [t.orgId, t.invoiceId],
      foreignColumns: [invoice.orgId, invoice.id],
    }),
    uniqueIndex('notice_once').on(t.orgId, t.invoiceId, t.once).where(sql`once is not null`),
    index('notice_org_id_invoice_id_id').on(t.orgId, t.invoiceId, t.id),
    index('notice_org_id_booking_id_id').on(t.orgId, t.bookingId, t.id),
    index('notice_org_id_booking_id_updated_at_id').on(t.orgId, t.bookingId, t.updatedAt, t.id),
    check('notice_step', sql`${t.step} in ('RENT_CALL','UPCOMING','DUE','REMINDER','FINAL','FORMAL_NOTICE')`),
  ],
)
