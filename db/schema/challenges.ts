import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { CHANNELS, PURPOSES, SEND_STATUS } from '../../src/features/people/codes/rules.ts'
import { SEND_KINDS } from '../../src/features/people/messages/rules.ts'
import { flag } from './columns.ts'

/** A one-time code sent to a number for one purpose. All times in epoch milliseconds of real time. */
export const challenge = sqliteTable(
  'challenge',
  {
    id: text().primaryKey(),
    purpose: text({ enum: PURPOSES }).notNull(),
    phoneNumber: text('phone_number').notNull(),
    /** The signed-in user who asked, or the owner of the account; null for strangers. */
    userId: text('user_id'),
    channel: text({ enum: CHANNELS }).notNull(),
    /** HMAC of purpose, id and code. The hash of a decoy matches no code. */
    codeHash: text('code_hash').notNull(),
    decoy: flag().notNull(),
    attempts: integer().notNull(),
    expiresAt: integer('expires_at').notNull(),
    sentAt: integer('sent_at').notNull(),
    usedAt: integer('used_at'),
    /** The only thing that the code may be used for within its purpose: the text and the party of a signature. */
    subject: text(),
    /** The network of a request without a token: a request from another network starts another challenge. */
    asker: text(),
    /** An earlier challenge whose code also completes this one: it was still valid, so no new code was sent. */
    joins: text(),
    kind: text({ enum: SEND_KINDS }).notNull().default('OWN'),
    /** A recovery code opens nothing before; null where it is valid from the start. */
    validFrom: integer('valid_from'),
  },
  (t) => [
    index('challenge_live').on(t.phoneNumber, t.purpose, t.expiresAt),
    index('challenge_expires').on(t.expiresAt),
    index('challenge_user').on(t.userId).where(sql`user_id is not null`),
    check('challenge_attempts', sql`${t.attempts} between 0 and 5`),
  ],
)

/** Every requested code and its outcome: what the budgets count. */
export const codeSend = sqliteTable(
  'code_send',
  {
    id: text().primaryKey(),
    phoneNumber: text('phone_number').notNull(),
    prefix: text().notNull(),
    purpose: text({ enum: PURPOSES }).notNull(),
    address: text().notNull(),
    userId: text('user_id'),
    sentAt: integer('sent_at').notNull(),
    challengeId: text('challenge_id'),
    /** The IPv6 /48 or IPv4 /16 around the address. */
    site: text().notNull().default(''),
    kind: text({ enum: SEND_KINDS }).notNull().default('STRANGER'),
    status: text({ enum: SEND_STATUS }).notNull().default('SENT'),
    subject: text(),
  },
  (t) => [
    index('code_send_phone').on(t.phoneNumber, t.sentAt),
    index('code_send_prefix').on(t.prefix, t.sentAt),
    index('code_send_address').on(t.address, t.sentAt),
    index('code_send_user').on(t.userId, t.sentAt),
    index('code_send_at').on(t.sentAt),
    index('code_send_site').on(t.site, t.sentAt),
    index('code_send_spent').on(t.sentAt, t.kind).where(sql`status = 'SENT'`),
    index('code_send_challenge').on(t.challengeId),
  ],
)

/** Proof that a phone number was verified; it can be redeemed once for an account. */
export const registrationTicket = sqliteTable(
  'registration_ticket',
  {
    /** SHA-256 of the ticket. */
    hash: text().primaryKey(),
    phoneNumber: text('phone_number').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** Set while a registration is in progress; cleared when it is refused. */
    takenAt: integer('taken_at'),
    usedAt: integer('used_at'),
  },
  (t) => [index('registration_ticket_expires').on(t.expiresAt), index('registration_ticket_phone').on(t.phoneNumber)],
)

/** Who accepted which version of the terms or the privacy notice, and when: append-only. */
export const consent = sqliteTable(
  'consent',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    userId: text('user_id').notNull(),
    document: text({ enum: ['TERMS', 'PRIVACY'] }).notNull(),
    documentVersion: text('document_version').notNull(),
    locale: text({ enum: ['fr', 'en'] }).notNull(),
    textSha256: text('text_sha256').notNull(),
    acceptedAt: text('accepted_at').notNull(),
  },
  (t) => [index('consent_user').on(t.orgId, t.userId, t.id)],
)
