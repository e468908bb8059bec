import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import { RECORDS } from '../../../core/budgets.ts'
import { detachedJws } from '../../../core/jws.ts'
import { deriveKey } from '../../../core/seal.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid } from '../../../errors.ts'
import { type NewArchive, underWay } from './archives.ts'
import { FORMAT, fileName, latestBefore, TURN } from './rules.ts'
import { closeArchive, countArchives, entriesBefore, newestArchive, openArchives, removeEntries } from './store.ts'

type Work = Pick<Deps, 'db' | 'longReads' | 'blobs' | 'clock' | 'newId' | 'masterKey' | 'stopping'>

/**
 * Makes the file of an archive of the entries before a day. @returns undefined if no entry is that old
 * @throws validation_failed, quota_exceeded, already_running, storage_unavailable, overloaded
 */
export async function makeFile(deps: Work, orgId: string, before: string): Promise<NewArchive | undefined> {
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
  const previous = newestArchive(deps.db).get({ orgId })
  if (previous?.prunedAt === null) throw underWay()
  const id = deps.newId()
  const previousSha256 = previous?.sha256 ?? null
  const task: ArchiveTask = { format: FORMAT, id, organizationId: orgId, before, previousSha256 }
  const file = await deps.longReads.run(
    { kind: 'archive', task },
    (db, rest) => makeArchive(deps, db, task, rest),
    deps.stopping,
  )
  if (!file) return undefined
  const signature = detachedJws(deriveKey(deps.masterKey, 'audit archives'), file.sha256)
  return { id, orgId, beforeDay: before, ...file, previousSha256, signature }
}

/** The first line of an archive's file. */
export type ArchiveTask = {
  readonly format: typeof FORMAT
  readonly id: string
  readonly organizationId: string
  readonly before: string
  readonly previousSha256: string | null
}
type Tally = { entries: number; lastRow: number }
type ArchiveFile = Readonly<Tally> & { readonly sha256: string; readonly sizeBytes: number }

/**
 * Writes the file of an archive: gzip with one JSON object a line. The first line describes it and names the archive
 * before it, then come the entries, and the last line counts them. `rest` throws when it is given up.
 * @returns undefined if no entry is that old. @throws storage_unavailable
 */
export async function makeArchive(
  { blobs }: Pick<Deps, 'blobs'>,
  db: Db,
  task: ArchiveTask,
  rest: Rest,
): Promise<ArchiveFile | undefined> {
  const tally: Tally = { entries: 0, lastRow: 0 }
  // Entries leave the database for a file of a tenth of their size.
  const received = await blobs.receive(zipped(linesOf(db, task, tally, rest)), Number.POSITIVE_INFINITY, {
    makesRoom: true,
  })
  if (tally.entries === 0) {
    await received.drop()
    return undefined
  }
  const { sha256, sizeBytes } = received
  await received.keep(fileName(task.id, sha256))
  return { ...tally, sha256, sizeBytes }
}

async function* linesOf(db: Db, task: ArchiveTask, tally: Tally, rest: Rest): AsyncGenerator<string> {
  yield `${JSON.stringify(task)}\n`
  const { organizationId: orgId, before } = task
  for (let afterAt = '', afterId = ''; ; ) {
    const rows = entriesBefore(db, { orgId, before, afterAt, afterId, limit: TURN })
    const last = rows.at(-1)
    if (!last) break
    afterAt = last.entry.createdAt
    afterId = last.entry.id
    tally.entries += rows.length
    for (const { row } of rows) tally.lastRow = Math.max(tally.lastRow, row)
    yield rows.map(({ entry }) => `${JSON.stringify(entry)}\n`).join('')
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
 * Deletes some archived entries from the audit trail, provided that the archive's file exists and is intact. Call it
 * again until it returns 0. @returns how many
 */
export async function pruneTrail(deps: Pick<Deps, 'db' | 'write' | 'blobs' | 'clock' | 'log'>): Promise<number> {
  let done = 0
  for (const row of openArchives(deps.db).all({})) {
    const file = await deps.blobs.open(fileName(row.id, row.sha256))
    await file?.close()
    if (file?.sizeBytes !== row.sizeBytes) {
      deps.log.error('audit.archive', new Error('the file is gone or incomplete'), { archiveId: row.id })
      continue
    }
    done += await deps.write(row.orgId, (tx) => {
      const removed = removeEntries(tx, row, TURN)
      if (removed < TURN) closeArchive(tx).run({ id: row.id, at: new Date(deps.clock.now()).toISOString() })
      return removed
    })
  }
  return done
}
