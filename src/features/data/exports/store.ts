import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving } from '../../../../db/query.ts'
import { exportRun } from '../../../../db/schema/transfers.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { readSetting, writeSetting } from '../../../../db/settings.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'
import { RUNS_KEPT } from '../../../core/budgets.ts'
import { isRole } from '../../../core/roles.ts'
import { widest } from './rules.ts'

export type ExportRow = typeof exportRun.$inferSelect
export const insertExport = inserting('export.insert', exportRun)
export const findExport = reading('export.byId', exportRun)
export const saveExport = saving('export', exportRun, 'createdBy')

export const listExports = list({
  name: 'exports',
  table: exportRun,
  org: exportRun.orgId,
  id: exportRun.id,
  columns: listColumns(exportRun, 'attempts', 'purgeAt', 'madeAs'),
  filters: {},
  ranges: { updatedSince: { column: exportRun.updatedAt, op: '>=' } },
  scopes: { owner: { column: exportRun.createdBy }, limited: { column: exportRun.createdBy } },
})

const forget = query('export.forget', ['orgId', 'retained'], (db, p) =>
  db.delete(exportRun).where(
    sql`${exportRun.id} in (select e.id from export_run e where e.org_id = ${p.orgId} and e.status in ('FAILED','EXPIRED')
        order by e.id desc limit 100 offset ${p.retained})`,
  ),
)
/** Deletes exports without a file, except the newest ones. */
export const forgetExports = (tx: Tx, orgId: string): void =>
  void forget(tx).run({ orgId, retained: RUNS_KEPT.exports })

/** Whether a person's export is still to be made; others have their own, made one after the other. */
export const hasOpenExport = exists('export.open', ['orgId', 'userId'], exportRun, (p) =>
  and(
    eq(exportRun.orgId, p.orgId),
    sql`${exportRun.status} in ('QUEUED','RUNNING')`,
    eq(sql`+${exportRun.createdBy}`, p.userId),
  ),
)
export const nextExport = query('export.waiting', [], (db) =>
  db
    .select({ id: exportRun.id, orgId: exportRun.orgId })
    .from(exportRun)
    .where(and(sql`${exportRun.status} in ('QUEUED','RUNNING')`, livesHere(exportRun.orgId)))
    .orderBy(asc(exportRun.id))
    .limit(1),
)
/** Exports whose files are to be deleted. */
export const oldExports = query('export.old', ['now'], (db, p) =>
  db
    .select({ id: exportRun.id, orgId: exportRun.orgId })
    .from(exportRun)
    .where(and(lte(exportRun.purgeAt, p.now), livesHere(exportRun.orgId))),
)
const linked = query('export.linked', ['id'], (db, p) =>
  db
    .select({ row: exportRun, roles: appUser.roles })
    .from(exportRun)
    .innerJoin(appUser, and(eq(appUser.orgId, exportRun.orgId), eq(appUser.id, exportRun.createdBy)))
    .where(and(eq(exportRun.id, p.id), eq(exportRun.status, 'SUCCEEDED'), eq(sql`+${appUser.status}`, 'ACTIVE'))),
)
/** The export that a signed link names, while its maker is active and still has the role it was made for. */
export function findLinkedExport(db: Db, id: string): ExportRow | undefined {
  const match = linked(db).get({ id })
  return match && match.row.madeAs === widest(match.roles.filter(isRole)) ? match.row : undefined
}

export type { TransferRow } from '../../../../db/transfer/checks.ts'
// The tables that exports read whole.
export {
  type Along,
  bringAlong,
  endSessionsOf,
  messagesUnderWay,
  organizationThere,
  removeOrganization,
  rowsAlong,
  rowsWith,
  SHAPE,
  type TransferTable,
  transferRows,
  transferTables,
} from '../../../../db/transfer/transfer.ts'

const arrivalOf = (org: string): string => `arrival.${org}`
/** The sealed part of an organization that has come and is not open yet. */
export const readArrival = (db: Db, org: string): string | undefined => readSetting(db, arrivalOf(org))
export const writeArrival = (tx: Tx, org: string, sealed: string): void => writeSetting(tx, arrivalOf(org), sealed)
export const dropArrival = (tx: Tx, org: string): void =>
  void tx.$client.prepare('delete from setting where key = ?').run(arrivalOf(org))

// Where an organization is between two services.
export { type Move, readMove, readMoves, writeMove } from '../../../../db/transfer/moves.ts'
