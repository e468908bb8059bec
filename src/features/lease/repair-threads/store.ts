import { and, count, eq, gt, sql } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, saving, shown } from '../../../../db/query.ts'
import { repairEntry } from '../../../../db/schema/repairs.ts'

export type EntryRow = typeof repairEntry.$inferSelect
export const insertEntry = inserting('repairEntry.insert', repairEntry)
export const findEntry = reading('repairEntry.byId', repairEntry)
export const saveEntry = saving('repair_entry', repairEntry, 'repairId', 'kind', 'side', 'authorUserId', 'plannedOn')

export const listEntries = list({
  name: 'repairEntries',
  table: repairEntry,
  org: repairEntry.orgId,
  id: repairEntry.id,
  columns: shown(repairEntry),
  filters: { repairId: { column: repairEntry.repairId, base: true } },
  ranges: { updatedSince: { column: repairEntry.updatedAt, op: '>=' } },
  scopes: {},
})

const counted = query('repairEntry.counted', ['orgId', 'repairId'], (db, p) =>
  db
    .select({
      all: count(),
      photos: sql<number>`coalesce(sum(${repairEntry.mediaObjectId} is not null), 0)`,
      reopened: sql<number>`coalesce(sum(${repairEntry.kind} = 'REOPENED'), 0)`,
    })
    .from(repairEntry)
    .where(and(eq(repairEntry.orgId, p.orgId), eq(repairEntry.repairId, p.repairId))),
)
/** How long the thread of a request is, and how many photos it has. */
export const threadOf = (db: Db, orgId: string, repairId: string) =>
  counted(db).get({ orgId, repairId }) ?? { all: 0, photos: 0, reopened: 0 }

const since = query('repairEntry.since', ['orgId', 'userId', 'since'], (db, p) =>
  db
    .select({ n: count() })
    .from(repairEntry)
    .where(
      and(eq(repairEntry.orgId, p.orgId), eq(repairEntry.authorUserId, p.userId), gt(repairEntry.createdAt, p.since)),
    ),
)
/** How much a person wrote into threads since a time. */
export const writtenSince = (db: Db, orgId: string, userId: string, at: string): number =>
  since(db).get({ orgId, userId, since: at })?.n ?? 0

const authored = query('repairEntry.ofAuthor', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(repairEntry)
    .where(
      and(
        eq(repairEntry.orgId, p.orgId),
        eq(repairEntry.authorUserId, p.userId),
        sql`(${repairEntry.text} is not null or ${repairEntry.mediaObjectId} is not null)`,
      ),
    ),
)
/** What a person wrote or sent into threads, of which something is left. */
export const entriesBy = (db: Db, orgId: string, userId: string): EntryRow[] => authored(db).all({ orgId, userId })
