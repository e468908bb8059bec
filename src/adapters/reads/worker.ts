// The thread for reports, exports and archives of the trail: each has a connection of its own that sees one moment, and
// they take turns.
import { parentPort, workerData } from 'node:worker_threads'
import type { Db } from '../../../db/open.ts'
import { createSnapshots, type Rest } from '../../../db/snapshot.ts'
import { sqliteCode } from '../../../db/store-error.ts'
import { AppError } from '../../errors.ts'
import { type ArchiveTask, makeArchive } from '../../features/data/audit/jobs.ts'
import { type ExportTask, makeExport } from '../../features/data/exports/jobs.ts'
import { makeReport, type PaperTask, paperOf, type ReportTask } from '../../features/data/reports/jobs.ts'
import { type JournalTask, readBooks } from '../../features/money/accounting/jobs.ts'
import { zip } from '../archive/zip.ts'
import { openBlobs } from '../blobs/blobs.ts'
import { createTables } from '../tables/tables.ts'
import { FINISH, giveWay } from '../threads.ts'
import type { LongRead } from './port.ts'
import type { Answer, Begin, ReadRequest } from './thread.ts'

const { file, files, awaited } = workerData as Begin
if (!awaited) giveWay()
const { snapshot, finish } = createSnapshots(file)
const deps = {
  tables: createTables(zip),
  zip,
  blobs: openBlobs(files, 'media'),
  documents: openBlobs(files, 'documents'),
}
const MAKERS: Readonly<Record<LongRead['kind'], (db: Db, task: object, rest: Rest) => Promise<unknown>>> = {
  report: (db, task, rest) => makeReport(deps, db, task as ReportTask, rest),
  paper: (db, task, rest) => paperOf(db, task as PaperTask, rest),
  export: (db, task, rest) => makeExport(deps, db, task as ExportTask, rest),
  books: (db, task, rest) => readBooks(deps, db, task as JournalTask, rest),
  archive: (db, task, rest) => makeArchive(deps, db, task as ArchiveTask, rest),
}
const inHand = new Map<number, AbortController>()

function failure(e: unknown, { aborted }: AbortSignal) {
  if (aborted) return { refused: { code: 'overloaded' as const, text: undefined, details: { retryAfter: 2 } } }
  if (e instanceof AppError) return { refused: { code: e.code, text: e.text, details: e.details } }
  return { message: e instanceof Error ? e.message : String(e), code: sqliteCode(e) }
}
async function answerTo(id: number, { kind, task }: LongRead, { signal }: AbortController): Promise<Answer> {
  try {
    const result = await snapshot((db, rest) =>
      MAKERS[kind](db, task, () => {
        signal.throwIfAborted()
        return rest()
      }),
    )
    return { id, result }
  } catch (e) {
    return { id, ...failure(e, signal) }
  }
}
parentPort?.on('message', (request: ReadRequest) => {
  if (request === FINISH) {
    finish()
    return parentPort?.postMessage(FINISH)
  }
  if ('giveUp' in request) return inHand.get(request.giveUp)?.abort()
  const task = new AbortController()
  inHand.set(request.id, task)
  void answerTo(request.id, request.read, task).then((answer) => {
    inHand.delete(request.id)
    parentPort?.postMessage(answer, buffersOf(answer))
  })
})
/** The bytes of a report, which are handed over, not copied; nothing else is made of parts. */
function buffersOf(answer: Answer): ArrayBuffer[] {
  const { parts = [] } = (('result' in answer && answer.result) || {}) as { parts?: readonly Uint8Array<ArrayBuffer>[] }
  return parts.map(({ buffer }) => buffer)
}
