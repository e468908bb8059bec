import { and, asc, count, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import { fullName, holding } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query, reading, readingBy } from '../../../../db/query.ts'
import { auditArchive, auditEntry } from '../../../../db/schema/operations.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'

export const listEntries = list({
  name: 'audit',
  table: auditEntry,
  org: auditEntry.orgId,
  id: auditEntry.id,
  columns: listColumns(auditEntry, 'orgId'),
  joins: sql`left join ${appUser} on ${appUser.orgId} = ${auditEntry.orgId} and ${appUser.id} = ${auditEntry.actorUserId}`,
  computed: () => ({ actorName: fullName(appUser) }),
  filters: {
    subjectId: { column: auditEntry.subjectId },
    actorUserId: { column: auditEntry.actorUserId },
    action: { column: auditEntry.action },
    subjectType: { column: auditEntry.subjectType },
    // Ids are in order of time, so that every index of this list finds a period.
    from: { where: (p) => sql`+${auditEntry.createdAt} >= ${p}` },
    fromId: { where: (p) => sql`${auditEntry.id} >= ${p}` },
    to: { where: (p) => sql`+${auditEntry.createdAt} < ${p}` },
    toId: { where: (p) => sql`${auditEntry.id} < ${p}` },
  },
  // An entry never changes: "updated since" is "created since".
  ranges: { updatedSince: { column: auditEntry.createdAt, op: '>=' } },
  scopes: {},
})

const people = query('audit.people', ['orgId', 'q', 'limit'], (db, p) =>
  db
    .select({ id: appUser.id })
    .from(appUser)
    .where(sql`${appUser.orgId} = ${p.orgId} and ${holding(fullName(appUser))(p.q)}`)
    .limit(p.limit),
)
const actions = query('audit.actions', ['orgId', 'q', 'limit'], (db, p) =>
  db
    .select({ action: sql<string>`action` })
    .from(
      sql`(with recursive known(action) as (
        select min(${auditEntry.action}) from ${auditEntry} where ${auditEntry.orgId} = ${p.orgId}
        union all
        select (select min(a.action) from ${auditEntry} a where a.org_id = ${p.orgId} and a.action > known.action) from known where known.action is not null
      ) select action from known where action is not null)`,
    )
    .where(sql`action glob ${p.q}`)
    .limit(p.limit),
)
const MOST = 20
/** The queries that `q` stands for: entries by people of this name, else entries of actions that contain it. */
export function entriesAbout(
  db: Parameters<typeof listEntries>[0],
  orgId: string,
  q: string,
): Record<string, string>[] {
  const by = people(db).all({ orgId, q, limit: MOST })
  if (by.length > 0) return by.map(({ id }) => ({ actorUserId: id }))
  return actions(db)
    .all({ orgId, q, limit: MOST })
    .map(({ action }) => ({ action }))
}

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

export const newestArchive = query('auditArchive.newest', ['orgId'], (db, p) =>
  db.select().from(auditArchive).where(eq(auditArchive.orgId, p.orgId)).orderBy(desc(auditArchive.id)).limit(1),
)
const counted = query('auditArchive.count', ['orgId'], (db, p) =>
  db.select({ n: count() }).from(auditArchive).where(eq(auditArchive.orgId, p.orgId)),
)
export const countArchives = (db: Db, orgId: string): number => counted(db).get({ orgId })?.n ?? 0

/** Archives whose entries may still be in the trail. */
export const openArchives = query('auditArchive.open', [], (db) =>
  db
    .select()
    .from(auditArchive)
    .where(and(isNull(auditArchive.prunedAt), livesHere(auditArchive.orgId)))
    .orderBy(asc(auditArchive.id)),
)
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

/** Marks an archive whose entries have all left the trail. */
export const closeArchive = query('auditArchive.close', ['id', 'at'], (db, p) =>
  db
    .update(auditArchive)
    .set({ prunedAt: sql`${p.at}` })
    .where(eq(auditArchive.id, p.id)),
)
