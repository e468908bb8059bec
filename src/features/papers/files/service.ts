import type { Deps } from '../../../deps.ts'
import { AppError, notFound, refused } from '../../../errors.ts'
import { type PaperKind, readPaper } from '../../system/lost-papers/service.ts'
import { fileName, nameWithEnding, type Thumbnail, thumbnailName, uploadName } from '../media/rules.ts'
import { findLinkedMedia, type MediaRow } from '../media/store.ts'

type Files = Pick<Deps, 'db' | 'blobs'>

/**
 * Takes the bytes that a signed link stands for. A later upload takes the place of an earlier one until completion.
 * @throws not_found when the object is gone, invalid_state once it is complete, content_mismatch, body_too_large
 */
export async function receiveUpload(
  { db, blobs }: Files,
  id: string,
  type: string | undefined,
  request: Request,
  /** Told of each attempt as large as it may become, whatever comes of it. */
  count: (row: MediaRow) => void,
): Promise<void> {
  const waiting = (): MediaRow => {
    const row = findLinkedMedia(db, id)
    if (!row) throw notFound()
    if (row.status !== 'PENDING') throw refused(row.status, [])
    return row
  }
  const row = waiting()
  const { contentType, sizeBytes } = row
  if (type !== contentType)
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
    // It was deleted or completed meanwhile: nobody would come to clear this away.
    await blobs.remove(id, (name) => name === uploadName(id))
    throw e
  }
}

/** What the headers of a download say of a file. */
export type Shown = Pick<MediaRow, 'sha256' | 'kind' | 'filename'> & { readonly contentType: string }
export type StoredFile = Omit<NonNullable<Awaited<ReturnType<Deps['blobs']['open']>>>, 'bytes'>

/** An uploaded file, or a thumbnail of it, for the holder of a link. @throws not_found */
export async function openMedia(
  { db, blobs }: Files,
  id: string,
  size: string | undefined,
): Promise<{ shown: Shown; file: StoredFile }> {
  const row = findLinkedMedia(db, id)
  if (row?.status !== 'AVAILABLE' || row.sha256 === null) throw notFound()
  const file = await blobs.open(
    size === undefined ? fileName(id, row.sha256) : thumbnailName(id, row.sha256, size as Thumbnail),
  )
  if (!file) throw notFound()
  const filename = nameWithEnding(row.filename, size === undefined ? row.contentType : 'image/webp')
  return { shown: { ...row, filename }, file }
}

/** A generated document or letter for the holder of a link, drawn again where its file is lost. */
export const openPaper = (deps: Parameters<typeof readPaper>[0], kind: PaperKind, id: string) =>
  readPaper(deps, kind, id)
