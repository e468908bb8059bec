import { hash } from 'node:crypto'
import type { Papers, Template } from '../../../adapters/pdf/port.ts'
import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound, refused } from '../../../errors.ts'
import { letterFile } from '../../news/reminders/rules.ts'
import { renewLetter } from '../../news/reminders/service.ts'
import { findLinkedLetter } from '../../news/reminders/store.ts'
import { filenameOf, fileName as paperName, TEMPLATES } from '../../papers/documents/rules.ts'
import { renewFile } from '../../papers/documents/service.ts'
import { findLinkedDocument } from '../../papers/documents/store.ts'
import { fileName, nameWithEnding, type Thumbnail, thumbnailName, uploadName } from '../../papers/media/rules.ts'
import { findLinkedMedia, type MediaRow } from '../../papers/media/store.ts'

type Files = Pick<Deps, 'db' | 'blobs'>
export const ANY_BYTES = 'application/octet-stream'

/**
 * Stores the upload of a signed link. Until completion, a later upload replaces an earlier one.
 * @throws not_found if the media is deleted, invalid_state once it is complete, content_mismatch, body_too_large
 */
export async function receiveUpload(
  { db, blobs }: Files,
  id: string,
  type: string | undefined,
  request: Request,
  /** Called for each attempt with the largest size possible, whatever its outcome. */
  count: (row: MediaRow) => void,
): Promise<void> {
  const waiting = (): MediaRow => {
    const row = findLinkedMedia(db).get({ id })
    if (!row) throw notFound()
    if (row.status !== 'PENDING') throw refused(row.status, [])
    return row
  }
  const row = waiting()
  const { contentType, sizeBytes } = row
  // Generated clients know one type for any file; the bytes themselves are judged at `complete`.
  if (type !== contentType && type !== ANY_BYTES)
    throw new AppError('unsupported_media_type', {
      en: `Send the bytes as ${contentType}.`,
      fr: `Envoyez les octets en ${contentType}.`,
    })
  if (Number(request.headers.get('content-length') ?? 0) > sizeBytes) throw new AppError('body_too_large')
  count(row)
  const received = await blobs.receive(request.body, sizeBytes)
  if (received.sizeBytes !== sizeBytes) {
    await received.drop()
    throw new AppError('content_mismatch')
  }
  await received.keep(uploadName(id))
  try {
    waiting()
  } catch (e) {
    // The media was deleted or completed during the upload: nobody else would remove this file.
    await blobs.remove(id, (name) => name === uploadName(id))
    throw e
  }
}

/** What the headers of a download need to know of a file. */
export type Download = Pick<MediaRow, 'sha256' | 'kind' | 'filename'> & { readonly contentType: string }
export type StoredFile = Omit<NonNullable<Awaited<ReturnType<Deps['blobs']['open']>>>, 'bytes'>

/** An uploaded file or its thumbnail, for the holder of a link; itself where it is too large for one. @throws not_found */
export async function openMedia(
  { db, blobs }: Files,
  id: string,
  requestedSize: string | undefined,
): Promise<{ download: Download; file: StoredFile; size: string | undefined }> {
  const row = findLinkedMedia(db).get({ id })
  if (row?.status !== 'AVAILABLE' || row.sha256 === null) throw notFound()
  const thumbnail = requestedSize && (await blobs.open(thumbnailName(id, row.sha256, requestedSize as Thumbnail)))
  const size = thumbnail ? requestedSize : undefined
  const file = thumbnail || (await blobs.open(fileName(id, row.sha256)))
  if (!file) throw notFound()
  const filename = nameWithEnding(row.filename, size === undefined ? row.contentType : 'image/webp')
  return { download: { ...row, filename }, file, size }
}

export type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'pdf' | 'documents' | 'config'>
export type PaperKind = 'document' | 'letter'
/** A paper that has been drawn. */
type Paper = {
  readonly kind: PaperKind
  readonly id: string
  readonly orgId: string
  readonly template: Template
  readonly data: Readonly<Record<string, unknown>>
  /** The address in its seal. */
  readonly url: string
  readonly sha256: string
  readonly name: string
  readonly filename: string
}
type PaperFile = { readonly bytes: Uint8Array<ArrayBuffer>; readonly sha256: string; readonly filename: string }

const MAX_BYTES = 20 * 1024 * 1024
const hashOf = (bytes: Uint8Array | string): string => hash('sha256', bytes, 'hex')

function paperOf({ db, config }: Pick<Work, 'db' | 'config'>, kind: PaperKind, id: string): Paper | undefined {
  if (kind === 'letter') {
    const row = findLinkedLetter(db).get({ id })
    if (!row || row.sha256 === null) return undefined
    const { name, filename } = letterFile(row)
    const { orgId, data, sha256 } = row
    return { kind, id, orgId, template: 'letter', data, url: config.publicUrl, sha256, name, filename }
  }
  const row = findLinkedDocument(db).get({ id })
  if (!row || row.sha256 === null) return undefined
  const { orgId, data, sha256 } = row
  const url = `${config.publicUrl}/verify/${row.code}`
  const name = paperName(id, sha256)
  return { kind, id, orgId, template: TEMPLATES[row.kind], data, url, sha256, name, filename: filenameOf(row) }
}

/**
 * A paper whose bytes match the hash in its row. If the file is missing or damaged, it is redrawn from its frozen
 * data. @returns undefined if the paper does not exist, or is not drawn yet
 * @throws overloaded; storage_unavailable if the new file differs and cannot be stored
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

/**
 * Redraws a paper. With the same layout the bytes are the same; otherwise its row gets the new hash, and the change is
 * audited.
 */
async function redraw(deps: Work, paper: Paper): Promise<PaperFile> {
  const { kind, id, orgId, template, data, url, filename, sha256: was } = paper
  const seal = { url, dataSha256: hashOf(JSON.stringify(data)) }
  const bytes = await deps.pdf.render(template, data as unknown as Papers[typeof template], seal)
  const sha256 = hashOf(bytes)
  try {
    const received = await deps.documents.receive(bytes, MAX_BYTES)
    try {
      await received.keep(paperName(id, sha256))
    } catch (e) {
      await received.drop()
      throw e
    }
  } catch (e) {
    // The bytes in memory match the row, even if storing them failed.
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
