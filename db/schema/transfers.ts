import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { IMPORT_KINDS } from '../../src/core/import-columns.ts'
import { ROLES } from '../../src/core/roles.ts'
import { EXPORT_STATUS } from '../../src/features/data/exports/rules.ts'
import {
  type Asked,
  type Preview,
  type Problem,
  type Reading,
  RUN_STATUS,
} from '../../src/features/data/imports/rules.ts'
import { flag, json, listIndexes } from './columns.ts'
import { appUser } from './users.ts'

/** An import of a file, or a dry run of one. */
export const importRun = sqliteTable(
  'import_run',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    createdBy: text('created_by').notNull(),
    kind: text({ enum: IMPORT_KINDS }).notNull(),
    dryRun: flag('dry_run').notNull(),
    status: text({ enum: RUN_STATUS }).notNull(),
    mediaObjectId: text('media_object_id'),
    /** The rows sent in the request itself; deleted when the run has ended. */
    csv: text(),
    rows: integer().notNull(),
    rowsDone: integer('rows_done').notNull(),
    problemCount: integer('problem_count').notNull(),
    problems: json<readonly Problem[]>()().notNull(),
    /** The number of rows created, by type. */
    created: json<Readonly<Record<string, number>>>()().notNull(),
    /** How many times it was started: a run stays RUNNING if its process died. */
    attempts: integer().notNull(),
    createdAt: text('created_at').notNull(),
    finishedAt: text('finished_at'),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** What was said beside the file; deleted when the run has ended. */
    asked: json<Asked>()(),
    /** How the sheet was read: which column is what, how many rows of each outcome. */
    reading: json<Reading>()(),
    /** The rows as they were read, which name people: gone with an erasure. */
    preview: json<Preview>()(),
  },
  (t) => [
    unique('import_run_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'import_run_user_fk',
      columns: [t.orgId, t.createdBy],
      foreignColumns: [appUser.orgId, appUser.id],
    }),
    ...listIndexes('import_run', t.orgId, t.id, { scopes: [t.createdBy], ranges: [t.updatedAt] }),
    index('import_run_open').on(t.orgId, t.id).where(sql`status in ('QUEUED','RUNNING')`),
    index('import_run_waiting').on(t.id).where(sql`status in ('QUEUED','RUNNING')`),
    check('import_run_status', sql`${t.status} in ('QUEUED','RUNNING','SUCCEEDED','FAILED')`),
  ],
)

/** An export of all data of an organization, or of one owner, in one file. */
export const exportRun = sqliteTable(
  'export_run',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    createdBy: text('created_by').notNull(),
    status: text({ enum: EXPORT_STATUS }).notNull(),
    /** SHA-256 of the file, in hex; part of its name. */
    sha256: text(),
    sizeBytes: integer('size_bytes'),
    attempts: integer().notNull(),
    createdAt: text('created_at').notNull(),
    finishedAt: text('finished_at'),
    /** When the file is deleted, in epoch ms of real time. */
    purgeAt: integer('purge_at'),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /**
     * The highest role that its maker had when it was packed: they may download it while they still have that role.
     */
    madeAs: text('made_as', { enum: ROLES }),
  },
  (t) => [
    unique('export_run_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'export_run_user_fk',
      columns: [t.orgId, t.createdBy],
      foreignColumns: [appUser.orgId, appUser.id],
    }),
    ...listIndexes('export_run', t.orgId, t.id, { scopes: [t.createdBy], ranges: [t.updatedAt] }),
    index('export_run_open').on(t.orgId, t.id).where(sql`status in ('QUEUED','RUNNING')`),
    index('export_run_waiting').on(t.id).where(sql`status in ('QUEUED','RUNNING')`),
    index('export_run_purge').on(t.purgeAt).where(sql`purge_at is not null`),
    check('export_run_status', sql`${t.status} in ('QUEUED','RUNNING','SUCCEEDED','FAILED','EXPIRED')`),
    check('export_run_file', sql`(${t.sha256} is null) = (${t.status} <> 'SUCCEEDED')`),
  ],
)
