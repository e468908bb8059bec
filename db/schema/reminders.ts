import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { STEPS } from '../../src/features/news/reminders/rules.ts'
import { WITHHELD } from '../../src/features/people/messages/rules.ts'
import { booking } from './bookings.ts'
import { json } from './columns.ts'
import { invoice } from './invoices.ts'

/**
 * A notice about an invoice to a tenant, sent automatically or by hand. Its id is that of the message that carried
 * it.
 */
export const notice = sqliteTable(
  'notice',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    step: text({ enum: STEPS }).notNull(),
    /** The balance that was due when it was sent. */
    amount: integer().notNull(),
    currency: text().notNull(),
    locale: text({ enum: ['fr', 'en'] }).notNull(),
    maskedDestination: text('masked_destination').notNull(),
    /** The step of the schedule that it belongs to, each sent once. Null if sent by hand. */
    once: text(),
    sentBy: text('sent_by'),
    /** The local day: the same notice is not sent twice on one day. */
    sentOn: text('sent_on').notNull(),
    linkExpiresAt: text('link_expires_at').notNull(),
    linkRevokedAt: text('link_revoked_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** Why no message was sent; null if one was or will be. */
    withheld: text({ enum: WITHHELD }),
    /** When the message goes out, if it had to wait for the next day's budget. */
    sendAfter: text('send_after'),
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

/** The letter of a formal notice, with the notice's id: the frozen data that it is drawn from, and its file. */
export const noticeLetter = sqliteTable(
  'notice_letter',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    number: text().notNull(),
    locale: text({ enum: ['fr', 'en'] }).notNull(),
    data: json<Readonly<Record<string, unknown>>>()().notNull(),
    attempts: integer().notNull().default(0),
    /** When it is drawn or tried again, in epoch ms of real time; null once the file exists. */
    renderAt: integer('render_at'),
    templateVersion: integer('template_version'),
    /** SHA-256 of the file, in hex; part of its name. */
    sha256: text(),
    sizeBytes: integer('size_bytes'),
    createdAt: text('created_at').notNull(),
    renderedAt: text('rendered_at'),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    foreignKey({
      name: 'notice_letter_notice_fk',
      columns: [t.orgId, t.id],
      foreignColumns: [notice.orgId, notice.id],
    }),
    uniqueIndex('notice_letter_org_id').on(t.orgId, t.id),
    index('notice_letter_org_id_booking_id_id').on(t.orgId, t.bookingId, t.id),
    index('notice_letter_render').on(t.renderAt, t.id).where(sql`render_at is not null`),
    check('notice_letter_file', sql`(${t.sha256} is null) = (${t.renderAt} is not null)`),
  ],
)
