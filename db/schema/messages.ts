import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { MESSAGE_CHANNELS, MESSAGE_STATUS } from '../../src/features/people/messages/rules.ts'

/** Every message to a phone and what became of it. All times in epoch milliseconds of real time. */
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
    /** The WhatsApp message that this SMS stands in for. */
    insteadOf: text('instead_of'),
    status: text({ enum: MESSAGE_STATUS }).notNull(),
    attempts: integer().notNull(),
    /** A word that says why it was not taken or not delivered. */
    reason: text(),
    /** Number and text, sealed with a key outside of the database, while they may still be sent; then null. */
    sealed: text(),
    /** When it is tried next; null when it is not. */
    nextAt: integer('next_at'),
    /** Not sent after this. */
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
    index('outbound_message_created').on(t.createdAt),
  ],
)
