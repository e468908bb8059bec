import { createHash } from 'node:crypto'
import type { Papers } from '../../adapters/pdf/port.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { systemCtx } from '../../jobs/worker.ts'
import { type Failure, fileName, TEMPLATES } from './rules.ts'
import { keepFile, postpone } from './service.ts'
import { type DocumentRow, dueDocuments, findDocument } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'pdf' | 'documents' | 'config'>
const BATCH = 16
const MAX_BYTES = 20 * 1024 * 1024
/** How long one round may take: the service stops between rounds, never in the middle of a thousand papers. */
const ROUND_MS = 2_000

/**
 * Makes the files of documents that are due, those that wait longest first, one after another: memory stays that of one
 * paper. What fails is tried again later and holds up no other. @returns how many it took up
 */
export async function renderDocuments(deps: Work): Promise<number> {
  const end = performance.now() + ROUND_MS
  let done = 0
  while (performance.now() < end) {
    const rows = dueDocuments(deps.db, deps.clock.wall(), BATCH)
    for (const { orgId, id } of rows) {
      const row = findDocument(deps.db, orgId, id)
      if (row) await renderOne(deps, row)
      done += 1
      if (performance.now() >= end) break
    }
    if (rows.length < BATCH) break
  }
  return done
}

async function renderOne(deps: Work, row: DocumentRow): Promise<void> {
  const { id, orgId, kind, data, code } = row
  const template = TEMPLATES[kind]
  const wait = async (failure: Failure, error: unknown): Promise<void> => {
    deps.log.error('document.failed', error, { documentId: id, kind, failure, attempts: row.attempts + 1 })
    await deps.write(
      orgId,
      (tx) => postpone(systemCtx(deps, tx, orgId, `document-${id}`), id, failure, deps.clock.wall()) ?? null,
    )
  }
  const seal = {
    url: `${deps.config.publicUrl}/verify/${code}`,
    dataSha256: createHash('sha256').update(JSON.stringify(data)).digest('hex'),
  }
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = await deps.pdf.render(template, data as unknown as Papers[typeof template], seal)
  } catch (e) {
    // A full queue says nothing about this paper.
    if (e instanceof AppError && e.code === 'overloaded') return
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
}
