import { record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import { type ArchiveRow, findArchive, insertArchive, newestArchive } from './store.ts'

/** An archive whose file is stored, but which has no row yet. */
export type NewArchive = Omit<ArchiveRow, 'createdBy' | 'createdAt' | 'prunedAt'>

const nothing = (): AppError =>
  new AppError('invalid_state', {
    en: 'The audit trail has no entries before that day: there is nothing to archive.',
    fr: 'Le journal n’a aucune entrée avant cette date : il n’y a rien à archiver.',
  })
export const underWay = (): AppError =>
  new AppError('already_running', {
    en: 'Another archive is being made, or its entries are still leaving the trail. Try again in a few minutes.',
    fr: 'Une autre archive est en cours, ou ses entrées quittent encore le journal. Réessayez dans quelques minutes.',
  })

/**
 * Inserts the row of an archive whose file is stored; its entries may now leave the trail. @throws invalid_state,
 * already_running
 */
export function createArchive(ctx: Ctx, archive: NewArchive | undefined): ArchiveRow {
  if (!archive) throw nothing()
  const newest = newestArchive(ctx.tx).get({ orgId: archive.orgId })
  if ((newest?.sha256 ?? null) !== archive.previousSha256) throw underWay()
  const row: ArchiveRow = { ...archive, createdBy: ctx.caller.userId, createdAt: ctx.now, prunedAt: null }
  insertArchive(ctx.tx, row)
  const { beforeDay: before, entries, sha256 } = row
  record(ctx, 'audit.archive', { type: 'audit_archive', after: row, details: { before, entries, sha256 } })
  return row
}

/** The archive to make a download link for; every link is audited. @throws not_found */
export function archiveToDownload(ctx: Ctx, id: string): ArchiveRow {
  const row = findArchive(ctx.tx, ctx.caller.orgId, id)
  if (!row) throw notFound()
  record(ctx, 'audit.archive_download', { type: 'audit_archive', after: row })
  return row
}
