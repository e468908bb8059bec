import { createHash } from 'node:crypto'
import type { Papers, Template } from '../../../adapters/pdf/port.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { systemCtx } from '../../../jobs/worker.ts'
import { letterFile } from '../../news/reminders/rules.ts'
import { renewLetter } from '../../news/reminders/service.ts'
import { findLinkedLetter } from '../../news/reminders/store.ts'
import { fileName, filenameOf, TEMPLATES } from '../../papers/documents/rules.ts'
import { renewFile } from '../../papers/documents/service.ts'
import { findLinkedDocument } from '../../papers/documents/store.ts'

export type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'pdf' | 'documents' | 'config'>
export type PaperKind = 'document' | 'letter'
/** A paper whose file was made once. */
type Paper = {
  readonly kind: PaperKind
  readonly id: string
  readonly orgId: string
  readonly template: Template
  readonly data: Readonly<Record<string, unknown>>
  /** What its seal leads to. */
  readonly url: string
  readonly sha256: string
  readonly name: string
  readonly filename: string
}
type PaperFile = { readonly bytes: Uint8Array<ArrayBuffer>; readonly sha256: string; readonly filename: string }

const MAX_BYTES = 20 * 1024 * 1024
const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

function paperOf({ db, config }: Pick<Work, 'db' | 'config'>, kind: PaperKind, id: string): Paper | undefined {
  if (kind === 'letter') {
    const row = findLinkedLetter(db, id)
    if (!row || row.sha256 === null) return undefined
    const { name, filename } = letterFile(row)
    const { orgId, data, sha256 } = row
    return { kind, id, orgId, template: 'letter', data, url: config.publicUrl, sha256, name, filename }
  }
  const row = findLinkedDocument(db, id)
  if (!row || row.sha256 === null) return undefined
  const { orgId, data, sha256 } = row
  const url = `${config.publicUrl}/verify/${row.code}`
  const name = fileName(id, sha256)
  return { kind, id, orgId, template: TEMPLATES[row.kind], data, url, sha256, name, filename: filenameOf(row) }
}

/**
 * A paper as its row says it is, by a hash of its bytes. Where the file is gone or damaged, it is drawn again from its
 * frozen data. @returns undefined for a paper that is not there, or has not been drawn yet
 * @throws overloaded; storage_unavailable where what was drawn is another file and cannot be kept
 */
export async function readPaper(deps: Work, kind: PaperKind, id: string): Promise<PaperFile | undefined> {
  const paper = paperOf(deps, kind, id)
  if (!paper) return undefined
  const { sha256, filename } = paper
  const bytes = await (await deps.documents.open(paper.name))?.bytes()
  if (bytes && hashOf(bytes) === sha256) return { bytes, sha256, filename }
  deps.log.error('document.damaged', new Error('the file is gone or not what it was'), { documentId: id })
  return redraw(deps, paper)
}

/** Draws a paper again. An unchanged layout makes the very same bytes; else its row gets another hash, and the trail says so. */
async function redraw(deps: Work, paper: Paper): Promise<PaperFile> {
  const { kind, id, orgId, template, data, url, filename, sha256: was } = paper
  const seal = { url, dataSha256: hashOf(JSON.stringify(data)) }
  const bytes = await deps.pdf.render(template, data as unknown as Papers[typeof template], seal)
  const sha256 = hashOf(bytes)
  try {
    const received = await deps.documents.receive(bytes, MAX_BYTES)
    try {
      await received.keep(fileName(id, sha256))
    } catch (e) {
      await received.drop()
      throw e
    }
  } catch (e) {
    // What its row says is in memory, at least.
    if (sha256 === was) return { bytes, sha256, filename }
    throw e instanceof AppError ? e : new AppError('storage_unavailable', undefined, { retryAfter: 30 }, e)
  }
  deps.log.info('document.redrawn', { documentId: id, same: sha256 === was })
  if (sha256 !== was) {
    const file = { sha256, sizeBytes: bytes.length, templateVersion: deps.pdf.versions[template] }
    const renew = kind === 'letter' ? renewLetter : renewFile
    await deps.write(orgId, (tx) => {
      renew(systemCtx(deps, tx, orgId, `${kind}-${id}`), id, was, file)
      return true
    })
  }
  return { bytes, sha256, filename }
}
