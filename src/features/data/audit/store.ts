import { sql } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import { fullName } from '../../../../db/matching.ts'
import { holding, query, shown } from '../../../../db/query.ts'
import { auditEntry } from '../../../../db/schema/operations.ts'
import { appUser } from '../../../../db/schema/users.ts'

export const listEntries = list({
  name: 'audit',
  table: auditEntry,
  org: auditEntry.orgId,
  id: auditEntry.id,
  columns: shown(auditEntry, 'orgId'),
  joins: sql`left join ${appUser} on ${appUser.orgId} = ${auditEntry.orgId} and ${appUser.id} = ${auditEntry.actorUserId}`,
  added: () => ({ actorName: fullName(appUser) }),
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
