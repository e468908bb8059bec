import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { HANDLINGS, STEPS } from '../../src/features/news/reminders/rules.ts'
import { WITHHELD } from '../../src/features/people/messages/rules.ts'
import { booking } from './bookings.ts'
import { json } from './columns.ts'
import { invoice } from './invoices.ts'

/**
 * A message about rent to a tenant, sent by the schedule or by hand. It has the id of the outbound message that carries it.
 */
export const rentMessage = sqliteTable(
  'rent_message',
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
    /** The local day: the same message is not sent twice on one day. */
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
    /** What a person did with a message that was not sent from here; null while it waits. */
    handling: text({ enum: HANDLINGS }),
    handledAt: text('handled_at'),
    handledBy: text('handled_by'),
  },
  (t) => [
    unique('rent_message_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'rent_message_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    foreignKey({
      name: 'rent_message_invoice_fk',
      columns: [t.orgId, t.invoiceId],
      foreignColumns: [invoice.orgId, invoice.id],
    }),
    uniqueIndex('rent_message_once').on(t.orgId, t.invoiceId, t.once).where(sql`once is not null`),
    index('rent_message_org_id_invoice_id_id').on(t.orgId, t.invoiceId, t.id),
    index('rent_message_org_id_booking_id_id').on(t.orgId, t.bookingId, t.id),
    index('rent_message_withheld').on(t.orgId, t.id).where(sql`withheld is not null`),
    index('rent_message_org_id_booking_id_updated_at_id').on(t.orgId, t.bookingId, t.updatedAt, t.id),
    check('rent_message_step', sql`${t.step} in ('RENT_CALL','UPCOMING','DUE','REMINDER','FINAL','FORMAL_NOTICE')`),
  ],
)

/** The letter of a formal notice, with the message's id: the frozen data that it is drawn from, and its file. */
export const letter = sqliteTable(
  'letter',
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
      name: 'letter_rent_message_fk',
      columns: [t.orgId, t.id],
      foreignColumns: [rentMessage.orgId, rentMessage.id],
    }),
    uniqueIndex('letter_org_id').on(t.orgId, t.id),
    index('letter_org_id_booking_id_id').on(t.orgId, t.bookingId, t.id),
    index('letter_render').on(t.renderAt, t.id).where(sql`render_at is not null`),
    check('letter_file', sql`(${t.sha256} is null) = (${t.renderAt} is not null)`),
  ],
)
