import { and, asc, count, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query, reading, readingBy } from '../../../../db/query.ts'
import { auditArchive, auditEntry } from '../../../../db/schema/operations.ts'

export type ArchiveRow = typeof auditArchive.$inferSelect
export const insertArchive = inserting('auditArchive.insert', auditArchive)
export const findArchive = reading('auditArchive.byId', auditArchive)
/** The archive that a signed link names. */
export const findLinkedArchive = readingBy('auditArchive.linked', auditArchive, auditArchive.id)

export const listArchives = list({
  name: 'auditArchives',
  table: auditArchive,
  org: auditArchive.orgId,
  id: auditArchive.id,
  columns: {
    id: auditArchive.id,
    before: auditArchive.beforeDay,
    entries: auditArchive.entries,
    sha256: auditArchive.sha256,
    signature: auditArchive.signature,
    previousSha256: auditArchive.previousSha256,
    createdAt: auditArchive.createdAt,
  },
  filters: {},
  // An archive never changes: "updated since" is "created since".
  ranges: { updatedSince: { column: auditArchive.createdAt, op: '>=' } },
  scopes: {},
})

const newest = query('auditArchive.newest', ['orgId'], (db, p) =>
  db.select().from(auditArchive).where(eq(auditArchive.orgId, p.orgId)).orderBy(desc(auditArchive.id)).limit(1),
)
export const newestArchive = (db: Db, orgId: string): ArchiveRow | undefined => newest(db).get({ orgId })

const counted = query('auditArchive.count', ['orgId'], (db, p) =>
  db.select({ n: count() }).from(auditArchive).where(eq(auditArchive.orgId, p.orgId)),
)
export const countArchives = (db: Db, orgId: string): number => counted(db).get({ orgId })?.n ?? 0

const open = query('auditArchive.open', [], (db) =>
  db.select().from(auditArchive).where(isNull(auditArchive.prunedAt)).orderBy(asc(auditArchive.id)),
)
/** Archives whose entries may still be in the trail. */
export const openArchives = (db: Db): readonly ArchiveRow[] => open(db).all({})

const page = query('auditArchive.entries', ['orgId', 'before', 'afterAt', 'afterId', 'limit'], (db, p) =>
  db
    .select({ row: sql<number>`${auditEntry}.rowid`, entry: auditEntry })
    .from(auditEntry)
    .where(
      and(
        eq(auditEntry.orgId, p.orgId),
        lt(auditEntry.createdAt, p.before),
        sql`(${auditEntry.createdAt}, ${auditEntry.id}) > (${p.afterAt}, ${p.afterId})`,
      ),
    )
    .orderBy(asc(auditEntry.createdAt), asc(auditEntry.id))
    .limit(p.limit),
)
type Page = ReturnType<ReturnType<typeof page>['all']>
/** Entries of the days before one, with their rowids, by time. */
export const entriesBefore = (
  db: Db,
  q: { orgId: string; before: string; afterAt: string; afterId: string; limit: number },
): Page => page(db).all(q)

const remove = query('auditArchive.remove', ['orgId', 'before', 'lastRow', 'limit'], (db, p) =>
  db.delete(auditEntry).where(
    sql`${auditEntry.id} in (select e.id from audit_entry e where e.org_id = ${p.orgId} and e.created_at < ${p.before}
        and e.rowid <= ${p.lastRow} order by e.created_at, e.id limit ${p.limit})`,
  ),
)
/** Deletes entries that an archive contains from the trail. @returns how many */
export const removeEntries = (tx: Tx, { orgId, beforeDay, lastRow }: ArchiveRow, limit: number): number =>
  remove(tx).run({ orgId, before: beforeDay, lastRow, limit }).changes

const close = query('auditArchive.close', ['id', 'at'], (db, p) =>
  db
    .update(auditArchive)
    .set({ prunedAt: sql`${p.at}` })
    .where(eq(auditArchive.id, p.id)),
)
/** Marks an archive whose entries have all left the trail. */
export const closeArchive = (tx: Tx, id: string, at: string): void => void close(tx).run({ id, at })
