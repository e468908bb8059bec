import type { Db } from '../../../db/open.ts'
import { AppError, notFound, refused } from '../../errors.ts'
import type { Caller, Ctx } from '../../http/caller.ts'
import { record } from '../audit/service.ts'
import { type ExportRow, findExport, hasOpenExport, insertExport, saveExport } from './store.ts'

/** An export of one's own; who sees everything of the organization sees all of them. */
export function getExport(db: Db, { orgId, userId, scope }: Caller, id: string): ExportRow | undefined {
  const row = findExport(db, orgId, id)
  return row && (scope.kind === 'all' || row.createdBy === userId) ? row : undefined
}

/** Puts an export in the queue. @throws already_running */
export function createExport(ctx: Ctx): ExportRow {
  const { orgId, userId } = ctx.caller
  if (hasOpenExport(ctx.tx, orgId)) throw new AppError('already_running')
  const row: ExportRow = {
    id: ctx.newId(),
    orgId,
    createdBy: userId,
    status: 'QUEUED',
    sha256: null,
    sizeBytes: null,
    attempts: 0,
    createdAt: ctx.now,
    finishedAt: null,
    purgeAt: null,
    updatedAt: ctx.now,
    version: 1,
  }
  insertExport(ctx.tx, row)
  record(ctx, 'export.create', { type: 'export', after: row })
  return row
}

export function changeExport(ctx: Ctx, before: ExportRow, changes: Partial<ExportRow>): ExportRow {
  const after = saveExport(ctx.tx, before, { ...before, ...changes, updatedAt: ctx.now })
  if (!after) throw new AppError('precondition_failed')
  if (after.finishedAt !== null && before.finishedAt === null)
    record(ctx, 'export.finish', { type: 'export', before, after })
  return after
}

/** The file that a link is asked for; every link leaves a trace. @throws not_found, invalid_state */
export function exportToDownload(ctx: Ctx, id: string): ExportRow {
  const row = getExport(ctx.tx, ctx.caller, id)
  if (!row) throw notFound()
  if (row.status !== 'SUCCEEDED') throw refused(row.status, [])
  record(ctx, 'export.download', { type: 'export', after: row })
  return row
}
