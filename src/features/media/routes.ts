import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { EVERYONE, type Http } from '../../http/http.ts'
import { ListParameters } from '../../http/paging.ts'
import { Body, oneOf, Uuid } from '../../http/schema.ts'
import { paperOf } from '../documents/model.ts'
import { findLinkedDocument } from '../documents/store.ts'
import { exportFileOf } from '../exports/model.ts'
import { findLinkedExport } from '../exports/store.ts'
import { letterOf } from '../reminders/model.ts'
import { findLinkedLetter } from '../reminders/store.ts'
import { DownloadLink, Media, MediaCreate, MediaUpload, ThumbnailSize, toMedia } from './model.ts'
import {
  contentDisposition,
  downloadSeconds,
  fileName,
  MEDIA_KINDS,
  MEDIA_STATUS,
  OWNER_TYPES,
  spanOf,
  type Thumbnail,
  thumbnailName,
  UPLOAD_SECONDS,
} from './rules.ts'
import {
  completeMedia,
  createMedia,
  isTraced,
  mediaToDownload,
  mediaToUpload,
  prepareCompletion,
  receiveUpload,
  recordView,
  removeMedia,
  seeMedia,
} from './service.ts'
import { findLinkedMedia, listMedia, type MediaRow } from './store.ts'

const ById = Type.Object({ id: Uuid })
const Query = ListParameters({
  ownerType: Type.Optional(oneOf(OWNER_TYPES)),
  ownerId: Type.Optional(Uuid),
  kind: Type.Optional(oneOf(MEDIA_KINDS)),
  status: Type.Optional(oneOf(MEDIA_STATUS)),
})
const FILTERS = ['ownerType', 'ownerId', 'kind', 'status', 'updatedSince', 'manager', 'reviewer'] as const
const LINK_PROBLEMS = ['link_invalid', 'link_expired', 'not_found'] as const

/** What a signed link answers is never run, framed or guessed at by a browser, and kept by no cache. */
const FILE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-site',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
}

export function media(deps: Deps, http: Http) {
  const { blobs, links } = deps

  /** The one thing that a signed link lets its holder do; nothing is looked up before it holds. */
  function judged({ method, url }: Request): Readonly<Record<string, string>> {
    const verdict = links.check(method, url)
    if (verdict.kind === 'good') return verdict.parameters
    throw verdict.kind === 'expired' ? new AppError('link_expired') : new AppError('link_invalid')
  }

  /** Links are made when the answer leaves, so that a replayed one brings fresh ones. */
  function withUpload(object: Media): MediaUpload {
    const { url, expiresAt } = links.sign('PUT', '/media-uploads', object.id, UPLOAD_SECONDS)
    const headers = { 'Content-Type': object.contentType }
    return { ...object, upload: { method: 'PUT', url, headers, expiresAt: new Date(expiresAt).toISOString() } }
  }

  async function downloadExport(request: Request, id: string): Promise<Response> {
    const row = findLinkedExport(deps.db, id)
    const file = row?.status === 'SUCCEEDED' && (await deps.blobs.open(exportFileOf(row).name))
    if (!file || !row) throw notFound()
    const { filename } = exportFileOf(row)
    const shown = { sha256: row.sha256, contentType: 'application/zip', filename }
    return answerFile(request, { ...shown, kind: 'DOCUMENT' }, undefined, file)
  }

  /** A generated document: only what it was when it was frozen is handed out. */
  async function downloadPaper(request: Request, id: string, kind: 'letter' | 'document'): Promise<Response> {
    const of = kind === 'letter' ? letterOf(findLinkedLetter(deps.db, id)) : paperOf(findLinkedDocument(deps.db, id))
    if (!of?.sha256) throw notFound()
    const bytes = await (await deps.documents.open(of.name))?.bytes()
    if (!bytes || createHash('sha256').update(bytes).digest('hex') !== of.sha256) {
      deps.log.error('document.damaged', new Error('the file is gone or not what it was'), { documentId: id })
      throw notFound()
    }
    const file = {
      sizeBytes: bytes.length,
      part: async (start: number, end: number) => new Blob([bytes.subarray(start, end + 1)]),
      close: async () => {},
    }
    const shown = { sha256: of.sha256, contentType: 'application/pdf', filename: of.filename }
    return answerFile(request, { ...shown, kind: 'DOCUMENT' }, undefined, file)
  }

  async function download(request: Request, id: string, size: string | undefined): Promise<Response> {
    const row = findLinkedMedia(deps.db, id)
    if (row?.status !== 'AVAILABLE' || row.sha256 === null) throw notFound()
    const file = await blobs.open(
      size === undefined ? fileName(id, row.sha256) : thumbnailName(id, row.sha256, size as Thumbnail),
    )
    if (!file) throw notFound()
    return answerFile(request, row, size, file)
  }

  return new Elysia({ tags: ['Media'] })
    .use(http)
    .post(
      '/api/v1/media',
      ({ body, mutate }) => mutate(201, body, (ctx) => createMedia(ctx, deps, body), toMedia).then(withUpload),
      {
        access: EVERYONE,
        body: MediaCreate,
        problems: ['not_found', 'quota_exceeded', 'photos_unavailable'],
        answers: { 201: MediaUpload },
        detail: { summary: 'Announce a photo or document, and get a link to upload it to', operationId: 'createMedia' },
      },
    )
    .get(
      '/api/v1/media',
      ({ caller, query, many }) => {
        // Managers and administrators do not see the same here.
        const reviewer = caller.roles.includes('ADMIN') ? caller.userId : undefined
        const manager = caller.scope.kind === 'all' && !reviewer ? caller.userId : undefined
        const asked = { ...query, manager, reviewer }
        return many('media', asked, FILTERS, (q) => listMedia(deps.db, q), reviewer ? 'reviewer' : 'person')
      },
      {
        access: EVERYONE,
        query: Query,
        answers: { 200: Type.Array(Media) },
        detail: { summary: 'List photos and documents', operationId: 'listMedia' },
      },
    )
    .get('/api/v1/media/:id', ({ caller, params, one }) => one(seeMedia(deps.db, caller, params.id), toMedia), {
      access: EVERYONE,
      params: ById,
      answers: { 200: Media },
      detail: { summary: 'Read what is known of a file', operationId: 'getMedia' },
    })
    .delete(
      '/api/v1/media/:id',
      async ({ params, perform }) => {
        await perform(204, undefined, (ctx) => removeMedia(ctx, params.id) ?? null)
        return new Response(null, { status: 204 })
      },
      {
        access: EVERYONE,
        params: ById,
        problems: ['invalid_state'],
        answers: { 204: Type.Null() },
        detail: { summary: 'Delete a file; its links stop working at once', operationId: 'deleteMedia' },
      },
    )
    .post(
      '/api/v1/media/:id/upload-url',
      ({ params, body, mutate }) => mutate(200, body, (ctx) => mediaToUpload(ctx, params.id), toMedia).then(withUpload),
      {
        access: EVERYONE,
        params: ById,
        body: Body({}),
        problems: ['invalid_state'],
        answers: { 200: MediaUpload },
        detail: { summary: 'A new link to upload to', operationId: 'renewUploadLink' },
      },
    )
    .post(
      '/api/v1/media/:id/complete',
      async ({ caller, params, body, mutate }) => {
        // A refusal is told inside the write, after If-Match and a replay had their say.
        const stored = await prepareCompletion(deps, caller, params.id).catch((e: unknown) => {
          if (e instanceof AppError) return e
          throw e
        })
        return mutate(200, body, (ctx) => completeMedia(ctx, params.id, stored), toMedia)
      },
      {
        access: EVERYONE,
        params: ById,
        body: Body({}),
        problems: ['upload_missing', 'content_mismatch'],
        answers: { 200: Media },
        detail: {
          summary: 'Say that the upload is complete: it is checked and AVAILABLE',
          operationId: 'completeMedia',
        },
      },
    )
    .get(
      '/api/v1/media/:id/download-url',
      async ({ caller, params, query, set, perform }) => {
        const row = mediaToDownload(deps.db, caller, params.id)
        const { size } = query
        if (size !== undefined && row.kind !== 'PHOTO') throw notFound()
        if (isTraced(row, caller)) await perform(200, undefined, (ctx) => recordView(ctx, params.id).version)
        set.headers['cache-control'] = 'no-store'
        const seconds = downloadSeconds(row.ownerType)
        const { url } = links.sign('GET', '/media-files', row.id, seconds, size === undefined ? {} : { size })
        return { url }
      },
      {
        access: EVERYONE,
        params: ById,
        query: Type.Object({
          size: Type.Optional(ThumbnailSize),
        }),
        problems: ['invalid_state'],
        answers: { 200: DownloadLink },
        detail: { summary: 'A short-lived link to the file', operationId: 'getMediaDownloadUrl' },
      },
    )
    .put(
      '/media-uploads/:id',
      async ({ request, params }) => {
        await receiveUpload(deps, params.id, request)
        return new Response(null, { status: 204 })
      },
      {
        params: ById,
        parse: 'none',
        // Before anything else of the request is looked at.
        transform: ({ request }: { request: Request }) => void judged(request),
        problems: [...LINK_PROBLEMS, 'invalid_state', 'body_too_large', 'unsupported_media_type', 'content_mismatch'],
        detail: {
          summary: 'Upload the bytes themselves, by a signed link and without a token',
          operationId: 'uploadMedia',
          description: 'The body is the file as it is, with the Content-Type that was announced.',
          responses: { 204: { description: 'Received; say `complete` next.' } },
          'x-roles': 'public',
        } as object,
      },
    )
    .get(
      '/media-files/:id',
      async ({ request, params }) => {
        const { size, of } = judged(request)
        if (of === 'export') return downloadExport(request, params.id)
        const { id } = params
        if (of === 'letter' || of === 'document') return downloadPaper(request, id, of)
        return download(request, id, size)
      },
      {
        params: ById,
        parse: 'none',
        // Before anything else of the request is looked at.
        transform: ({ request }: { request: Request }) => void judged(request),
        problems: LINK_PROBLEMS,
        detail: {
          summary: 'The file, by a signed link and without a token',
          operationId: 'downloadMedia',
          description: 'Takes one byte range (Range, If-Range: 206 or 416) and If-None-Match (304).',
          responses: {
            200: { description: 'The file.' },
          },
          'x-roles': 'public',
        } as object,
      },
    )
}

type File = Omit<NonNullable<Awaited<ReturnType<Deps['blobs']['open']>>>, 'bytes'>
type Shown = Pick<MediaRow, 'sha256' | 'kind' | 'filename'> & { readonly contentType: string }

async function answerFile(request: Request, row: Shown, size: string | undefined, file: File): Promise<Response> {
  const etag = `"${row.sha256?.slice(0, 32)}${size === undefined ? '' : `-${size}`}"`
  const headers: Record<string, string> = {
    ...FILE_HEADERS,
    etag,
    'content-type': size === undefined ? row.contentType : 'image/webp',
    'content-disposition': contentDisposition(row.kind === 'PHOTO' ? 'inline' : 'attachment', row.filename),
  }
  const none = async (status: number): Promise<Response> => {
    await file.close()
    return new Response(null, { status, headers })
  }
  if ((request.headers.get('if-none-match') ?? '').split(',').some((tag) => tag.trim() === etag)) return none(304)
  const whole = { start: 0, end: file.sizeBytes - 1 }
  const ifRange = request.headers.get('if-range')
  const ranged = request.method === 'GET' && (ifRange === null || ifRange === etag)
  const asked = ranged ? spanOf(request.headers.get('range'), file.sizeBytes) : undefined
  if (asked === 'unsatisfiable') {
    headers['content-range'] = `bytes */${file.sizeBytes}`
    return none(416)
  }
  if (asked) headers['content-range'] = `bytes ${asked.start}-${asked.end}/${file.sizeBytes}`
  const { start, end } = asked ?? whole
  headers['content-length'] = String(end + 1 - start)
  // Of HEAD the framework counts the bytes and sends none.
  return new Response(await file.part(start, end), { status: asked ? 206 : 200, headers })
}
