import { hash } from 'node:crypto'
import type { Papers } from '../../../adapters/pdf/port.ts'
import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { giveBack, takeDocument } from './queue.ts'
import { type Failure, fileName, TEMPLATES } from './rules.ts'
import { keepFile, postpone } from './service.ts'
import { type DocumentRow, findDocument } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'pdf' | 'documents' | 'config' | 'stopping'>
const MAX_BYTES = 20 * 1024 * 1024
/** The time limit of one round: the service can stop between rounds, not within one. */
const ROUND_MS = 2_000

/**
 * Makes the files of due documents, as many at a time as there are drawing threads, taking organizations in turn. Papers
 * that somebody waits for come first. A failure is retried later and blocks no other paper. @returns how many it tried
 */
export async function renderDocuments(deps: Work): Promise<number> {
  const end = performance.now() + ROUND_MS
  const lanes = deps.pdf.threads
  let done = 0
  let full = false
  async function lane(): Promise<void> {
    while (performance.now() < end && !deps.stopping.aborted && !full) {
      const row = takeDocument(deps.db, deps.clock.wall(), lanes)
      if (!row) return
      try {
        if (await renderOne(deps, row)) done += 1
        else full = true
      } finally {
        giveBack(deps.db, row.id)
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  const broken = ended.find((lane) => lane.status === 'rejected')
  if (broken) throw broken.reason
  return done
}

/** Makes the file of one paper at once, before its turn. */
export async function renderNow(deps: Work, orgId: string, id: string): Promise<void> {
  const row = findDocument(deps.db, orgId, id)
  if (row) await renderOne(deps, row)
}

/** @returns false where there was no room for it now */
async function renderOne(deps: Work, row: DocumentRow): Promise<boolean> {
  const { id, orgId, kind, data, code } = row
  const template = TEMPLATES[kind]
  const wait = async (failure: Failure, error: unknown): Promise<boolean> => {
    deps.log.error('document.failed', error, { documentId: id, kind, failure, attempts: row.attempts + 1 })
    await deps.write(
      orgId,
      (tx) => postpone(systemCtx(deps, tx, orgId, `document-${id}`), id, failure, deps.clock.wall()) ?? null,
    )
    return true
  }
  const seal = {
    url: `${deps.config.publicUrl}/verify/${code}`,
    dataSha256: hash('sha256', JSON.stringify(data), 'hex'),
  }
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = await deps.pdf.render(template, data as unknown as Papers[typeof template], seal)
  } catch (e) {
    // A full queue or a shutdown is no failure of this paper.
    if (deps.stopping.aborted || (e instanceof AppError && e.code === 'overloaded')) return false
    return wait('DRAWING', e)
  }
  let file: Parameters<typeof keepFile>[2]
  try {
    const received = await deps.documents.receive(bytes, MAX_BYTES)
    try {
      await received.keep(fileName(id, received.sha256))
    } catch (e) {
      await received.drop()
      throw e
    }
    file = { sha256: received.sha256, sizeBytes: received.sizeBytes, templateVersion: deps.pdf.versions[template] }
  } catch (e) {
    return wait('STORAGE', e)
  }
  await deps.write(orgId, (tx) => keepFile(systemCtx(deps, tx, orgId, `document-${id}`), id, file) ?? null)
  return true
}
