import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { MESSAGE_CHANNELS, MESSAGE_STATUS } from '../../src/features/people/messages/rules.ts'

/** Every message to a phone and its delivery state. All times in epoch milliseconds of real time. */
export const outboundMessage = sqliteTable(
  'outbound_message',
  {
    id: text().primaryKey(),
    /** Null before the person belongs to an organization. */
    orgId: text('org_id'),
    channel: text({ enum: MESSAGE_CHANNELS }).notNull(),
    purpose: text().notNull(),
    vendor: text().notNull(),
    vendorMessageId: text('vendor_message_id'),
    maskedDestination: text('masked_destination').notNull(),
    /** The challenge whose code it carries. */
    challengeId: text('challenge_id'),
    /** The WhatsApp message that this SMS replaces. */
    insteadOf: text('instead_of'),
    status: text({ enum: MESSAGE_STATUS }).notNull(),
    attempts: integer().notNull(),
    /** A code for why it was not accepted or not delivered. */
    reason: text(),
    /** Phone number and text, encrypted with a key outside the database; null once they cannot be sent any more. */
    sealed: text(),
    /** When the next attempt is due; null if none is. */
    nextAt: integer('next_at'),
    /** It is not sent after this time. */
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
    sentAt: integer('sent_at'),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('outbound_message_due').on(t.nextAt).where(sql`next_at is not null`),
    index('outbound_message_vendor').on(t.vendorMessageId).where(sql`vendor_message_id is not null`),
    index('outbound_message_challenge').on(t.challengeId).where(sql`challenge_id is not null`),
    uniqueIndex('outbound_message_instead').on(t.insteadOf).where(sql`instead_of is not null`),
    index('outbound_message_sealed').on(t.expiresAt).where(sql`sealed is not null`),
    index('outbound_message_failed').on(t.orgId, t.id).where(sql`status in ('FAILED','EXPIRED')`),
    index('outbound_message_created').on(t.createdAt),
  ],
)
