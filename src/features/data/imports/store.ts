import { and, asc, desc, eq, isNotNull, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { exists, inserting, perDb, query, reading, readingAll, saving } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { property, unit } from '../../../../db/schema/properties.ts'
import { tenant } from '../../../../db/schema/tenants.ts'
import { importRun } from '../../../../db/schema/transfers.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'
import { RUNS_KEPT } from '../../../core/budgets.ts'

export type ImportRow = typeof importRun.$inferSelect
export const insertImport = inserting('import.insert', importRun)
export const findImport = reading('import.byId', importRun)
export const saveImport = saving('import', importRun, 'createdBy', 'dryRun', 'mediaObjectId')

/** The problems of a run may be thousands: a list leaves them to `findImport`. */
export const listImports = list({
  name: 'imports',
  table: importRun,
  org: importRun.orgId,
  id: importRun.id,
  columns: listColumns(
    importRun,
    ...(['createdBy', 'mediaObjectId', 'csv', 'problems', 'attempts', 'asked', 'reading', 'preview'] as const),
  ),
  filters: {},
  ranges: { updatedSince: { column: importRun.updatedAt, op: '>=' } },
  scopes: { owner: { column: importRun.createdBy }, limited: { column: importRun.createdBy } },
})

const forget = query('import.forget', ['orgId', 'retained'], (db, p) =>
  db.delete(importRun).where(
    sql`${importRun.id} in (select i.id from import_run i where i.org_id = ${p.orgId}
        and i.status in ('SUCCEEDED','FAILED') order by i.id desc limit 100 offset ${p.retained})`,
  ),
)
/** Deletes finished runs, except the newest ones. */
export const forgetImports = (tx: Tx, orgId: string): void =>
  void forget(tx).run({ orgId, retained: RUNS_KEPT.imports })

/** Whether a person's import is still to be made; others have their own, made one after the other. */
export const hasOpenImport = exists('import.open', ['orgId', 'userId'], importRun, (p) =>
  and(
    eq(importRun.orgId, p.orgId),
    sql`${importRun.status} in ('QUEUED','RUNNING')`,
    eq(sql`+${importRun.createdBy}`, p.userId),
  ),
)
/**
 * The next run, which a dead process may have left unfinished: organizations take turns, the one whose last import ended
 * longest ago first; within one, the run that has waited longest.
 */
export const nextImport = query('import.waiting', [], (db) =>
  db
    .select({ id: importRun.id, orgId: importRun.orgId })
    .from(importRun)
    .where(and(sql`${importRun.status} in ('QUEUED','RUNNING')`, livesHere(importRun.orgId)))
    .orderBy(sql`(select max(f.finished_at) from import_run f where f.org_id = import_run.org_id)`, asc(importRun.id))
    .limit(1),
)
export const propertyNames = readingAll(
  'import.propertyNames',
  ['orgId'],
  { id: property.id, name: property.name, addressLine: property.addressLine, ownerUserId: property.ownerUserId },
  (db, columns, p) => db.select(columns).from(property).where(eq(property.orgId, p.orgId)),
)
export const unitLabels = readingAll(
  'import.unitLabels',
  ['orgId'],
  { id: unit.id, propertyId: unit.propertyId, label: unit.label },
  (db, columns, p) => db.select(columns).from(unit).where(eq(unit.orgId, p.orgId)),
)
export const tenantNames = readingAll(
  'import.tenantNames',
  ['orgId'],
  { id: tenant.id, fullName: tenant.fullName, phoneNumber: tenant.phoneNumber },
  (db, columns, p) => db.select(columns).from(tenant).where(eq(tenant.orgId, p.orgId)),
)

export const unitLeases = readingAll(
  'import.unitLeases',
  ['orgId'],
  {
    id: booking.id,
    unitId: booking.unitId,
    tenantId: booking.tenantId,
    tenantName: booking.tenantName,
    status: booking.status,
    startDate: booking.startDate,
    endDate: booking.endDate,
    rentAmount: booking.rentAmount,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(and(eq(booking.orgId, p.orgId), sql`${booking.status} <> 'CANCELLED'`)),
)

const lastReading = query('import.lastReading', ['orgId', 'key'], (db, p) =>
  db
    .select({ reading: importRun.reading, kind: importRun.kind })
    .from(importRun)
    .where(
      and(
        eq(importRun.orgId, p.orgId),
        sql`${importRun.status} = 'SUCCEEDED' and ${importRun.dryRun} = 0`,
        sql`json_extract(${importRun.reading}, '$.key') = ${p.key}`,
      ),
    )
    .orderBy(desc(importRun.id))
    .limit(1),
)
/** How the newest file with the same headings was read that came in. */
export const readBefore = (db: Db, orgId: string, key: string) => lastReading(db).get({ orgId, key })

const forgetRows = query('import.forgetRows', ['orgId', 'at'], (db, p) =>
  db
    .update(importRun)
    .set({ preview: null, updatedAt: sql`${p.at}`, version: sql`${importRun.version} + 1` })
    .where(and(eq(importRun.orgId, p.orgId), isNotNull(importRun.preview))),
)
/** Takes the rows of all files away, which name people; what was imported stays. */
export const forgetPreviews = (tx: Tx, orgId: string, at: string): void => void forgetRows(tx).run({ orgId, at })

const counts = query('import.counts', ['orgId'], (db, p) => {
  const of = (table: SQLiteTable, orgId: SQLWrapper) =>
    sql<number>`(select count(*) from ${table} where ${orgId} = ${p.orgId})`
  return db
    .select({
      properties: of(property, property.orgId).as('properties'),
      units: of(unit, unit.orgId).as('units'),
      tenants: of(tenant, tenant.orgId).as('tenants'),
      bookings: of(booking, booking.orgId).as('bookings'),
      invoices: of(invoice, invoice.orgId).as('invoices'),
    })
    .from(sql`(select 1)`)
})
/** How many there are of what an import brings in. */
export const countsOf = (db: Db, orgId: string): Readonly<Record<string, number>> => counts(db).get({ orgId }) ?? {}

/** How far a run has come, which its transaction alone knows. */
export type Progress = Pick<ImportRow, 'rows' | 'rowsDone' | 'problemCount'>
export const progressOf = perDb(() => new Map<string, Progress>())
