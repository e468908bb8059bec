import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { json, listIndexes } from './columns.ts'

/** A member that an update changed; a value of null or nothing at all is absent. */
export type MemberChange = { readonly member: string; readonly before?: unknown; readonly after?: unknown }

/** Append-only: who changed what, when, the members that changed, and digests of the row before and after. */
export const auditEntry = sqliteTable(
  'audit_entry',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    actorUserId: text('actor_user_id'),
    actor: text().notNull(),
    action: text().notNull(),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id').notNull(),
    beforeDigest: text('before_digest'),
    afterDigest: text('after_digest'),
    details: json<Readonly<Record<string, string | number | boolean>>>()(),
    requestId: text('request_id').notNull(),
    createdAt: text('created_at').notNull(),
    /** When `loyer import` imported the entry, which another server recorded; null for this server's own entries. */
    importedAt: text('imported_at'),
    /** The members that an update changed; see changes/members.ts for what is masked. */
    changes: json<readonly MemberChange[]>()(),
  },
  (t) => [
    // The trail, newest first; that of one row, person, action or kind of row; and up to a day, for archives.
    index('audit_entry_org').on(t.orgId, t.id),
    ...listIndexes('audit_entry', t.orgId, t.id, {
      filters: [t.action, t.subjectId, t.actorUserId, t.subjectType],
      ranges: [t.createdAt],
    }),
  ],
)

/** A part of an organization's audit trail that was exported to a signed file; its entries are deleted afterwards. */
export const auditArchive = sqliteTable(
  'audit_archive',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    /** The day (UTC) before which the archive ends. */
    beforeDay: text('before_day').notNull(),
    entries: integer().notNull(),
    /** The highest rowid in the file: later rows are not in it, whatever their time. */
    lastRow: integer('last_row').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** SHA-256 of the file, in hex; also that of the organization's previous archive. */
    sha256: text().notNull(),
    previousSha256: text('previous_sha256'),
    /** A detached JWS over the text of `sha256`. */
    signature: text().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: text('created_at').notNull(),
    /** When the last of its entries was deleted from the trail. */
    prunedAt: text('pruned_at'),
  },
  (t) => [
    index('audit_archive_org').on(t.orgId, t.id),
    ...listIndexes('audit_archive', t.orgId, t.id, { ranges: [t.createdAt] }),
    index('audit_archive_open').on(t.id).where(sql`pruned_at is null`),
  ],
)

/** Row counts of each kind for an organization, maintained by triggers so that no request has to count a table. */
export const rowCount = sqliteTable(
  'row_count',
  { orgId: text('org_id').notNull(), kind: text().notNull(), n: integer().notNull() },
  (t) => [primaryKey({ columns: [t.orgId, t.kind] })],
)

/** The outbox: jobs that follow a committed change, each done once per (kind, source). */
export const job = sqliteTable(
  'job',
  {
    id: text().primaryKey(),
    orgId: text('org_id'),
    kind: text().notNull(),
    source: text().notNull(),
    payload: json<Readonly<Record<string, string | number | boolean>>>()(),
    status: text({ enum: ['READY', 'RUNNING', 'DONE', 'FAILED'] }).notNull(),
    /** Epoch milliseconds of real time. */
    runAt: integer('run_at').notNull(),
    attempts: integer().notNull().default(0),
    lastError: text('last_error'),
    doneAt: integer('done_at'),
  },
  (t) => [
    uniqueIndex('job_once').on(t.kind, t.source),
    index('job_ready').on(t.runAt).where(sql`status = 'READY'`),
    index('job_running').on(t.runAt).where(sql`status = 'RUNNING'`),
    index('job_done').on(t.doneAt).where(sql`status = 'DONE'`),
    index('job_failed').on(t.runAt).where(sql`status = 'FAILED'`),
  ],
)

export const idempotency = sqliteTable(
  'idempotency',
  {
    scope: text().notNull(),
    key: text().notNull(),
    bodyHash: text('body_hash').notNull(),
    status: integer().notNull(),
    body: text().notNull(),
    /** Epoch milliseconds of real time. */
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.key] }), index('idempotency_created').on(t.createdAt)],
)

/** Messages to phones, stored in sandbox mode only, for people who build and test apps. */
export const message = sqliteTable(
  'message',
  {
    id: text().primaryKey(),
    orgId: text('org_id'),
    to: text('recipient').notNull(),
    channel: text({ enum: ['WHATSAPP', 'SMS'] }).notNull(),
    purpose: text().notNull(),
    text: text().notNull(),
    code: text(),
    createdAt: text('created_at').notNull(),
  },
  (t) => [index('message_recipient').on(t.to, t.id)],
)

/** Delivery reports already seen, by the key that identifies them: vendors send them repeatedly. */
export const deliveryReport = sqliteTable(
  'delivery_report',
  {
    key: text().primaryKey(),
    /** Epoch milliseconds of real time. */
    createdAt: integer('created_at').notNull(),
    /** The vendor's id in a report of a message not yet known: the report may come before the vendor's response. */
    earlyId: text('early_id'),
    earlyStatus: text('early_status'),
  },
  (t) => [
    index('delivery_report_created').on(t.createdAt),
    index('delivery_report_early').on(t.earlyId).where(sql`early_id is not null`),
  ],
)
