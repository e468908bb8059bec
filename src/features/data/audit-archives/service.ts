import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import { record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { RECORDS } from '../../../core/budgets.ts'
import { detachedJws } from '../../../core/detached.ts'
import { deriveKey } from '../../../core/seal.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { FORMAT, fileName, latestBefore, TURN } from './rules.ts'
import { type ArchiveRow, countArchives, entriesBefore, findArchive, insertArchive, newestArchive } from './store.ts'

type Work = Pick<Deps, 'store' | 'db' | 'blobs' | 'clock' | 'newId' | 'masterKey' | 'stopping'>
/** An archive whose file is stored, but which has no row yet. */
export type Made = Omit<ArchiveRow, 'createdBy' | 'createdAt' | 'prunedAt'>

const nothing = (): AppError =>
  new AppError('invalid_state', {
    en: 'The audit trail has no entries before that day: there is nothing to archive.',
    fr: 'Le journal n’a aucune entrée avant cette date : il n’y a rien à archiver.',
  })
const underWay = (): AppError =>
  new AppError('already_running', {
    en: 'Another archive is being made, or its entries are still leaving the trail. Try again in a few minutes.',
    fr: 'Une autre archive est en cours, ou ses entrées quittent encore le journal. Réessayez dans quelques minutes.',
  })

/**
 * Writes the file of an archive: gzip with one JSON object a line. The first line describes it and names the archive
 * before it, then come the entries, and the last line counts them. @returns undefined if no entry is that old
 * @throws validation_failed, quota_exceeded, already_running, storage_unavailable, overloaded
 */
export async function makeFile(deps: Work, orgId: string, before: string): Promise<Made | undefined> {
  const latest = latestBefore(new Date(deps.clock.now()).toISOString().slice(0, 10))
  if (before > latest)
    throw invalid(
      '/before',
      `Entries stay in the audit trail for 12 months. Give ${latest} or an earlier day.`,
      `Les entrées restent 12 mois dans le journal : donnez le ${latest} ou une date antérieure.`,
    )
  if (countArchives(deps.db, orgId) >= RECORDS.archives)
    throw new AppError('quota_exceeded', {
      en: `An organization has at most ${RECORDS.archives} archives. Ask the operator of this server.`,
      fr: `Une organisation compte au plus ${RECORDS.archives} archives. Adressez-vous à l’exploitant de ce serveur.`,
    })
  const previous = newestArchive(deps.db, orgId)
  if (previous?.prunedAt === null) throw underWay()
  const id = deps.newId()
  const previousSha256 = previous?.sha256 ?? null
  const tally = { entries: 0, lastRow: 0 }
  const head = { format: FORMAT, id, organizationId: orgId, before, previousSha256 }
  const received = await deps.store.snapshot((db, rest) =>
    // Entries leave the database for a file of a tenth of their size.
    deps.blobs.receive(zipped(linesOf(db, head, tally, rest, deps.stopping)), Number.POSITIVE_INFINITY, {
      makesRoom: true,
    }),
  )
  if (tally.entries === 0) {
    await received.drop()
    return undefined
  }
  const { sha256, sizeBytes } = received
  await received.keep(fileName(id, sha256))
  const signature = detachedJws(deriveKey(deps.masterKey, 'audit archives'), sha256)
  return { id, orgId, beforeDay: before, ...tally, sizeBytes, sha256, previousSha256, signature }
}

type Head = { readonly organizationId: string; readonly before: string }
async function* linesOf(
  db: Db,
  head: Head,
  tally: { entries: number; lastRow: number },
  rest: Rest,
  stopping: AbortSignal,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head)}\n`
  const { organizationId: orgId, before } = head
  for (let afterAt = '', afterId = ''; ; ) {
    const rows = entriesBefore(db, { orgId, before, afterAt, afterId, limit: TURN })
    const last = rows.at(-1)
    if (!last) break
    afterAt = last.entry.createdAt
    afterId = last.entry.id
    tally.entries += rows.length
    for (const { row } of rows) tally.lastRow = Math.max(tally.lastRow, row)
    yield rows.map(({ entry }) => `${JSON.stringify(entry)}\n`).join('')
    stopping.throwIfAborted()
    await rest()
  }
  yield `${JSON.stringify({ entries: tally.entries })}\n`
}

async function* zipped(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip()
  const fed = pipeline(Readable.from(lines), gzip)
  // The reading below throws the same error.
  fed.catch(() => {})
  yield* gzip
  await fed
}

/**
 * Inserts the row of an archive whose file is stored; its entries may now leave the trail. @throws invalid_state,
 * already_running
 */
export function createArchive(ctx: Ctx, made: Made | undefined): ArchiveRow {
  if (!made) throw nothing()
  const newest = newestArchive(ctx.tx, made.orgId)
  if ((newest?.sha256 ?? null) !== made.previousSha256) throw underWay()
  const row: ArchiveRow = { ...made, createdBy: ctx.caller.userId, createdAt: ctx.now, prunedAt: null }
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
