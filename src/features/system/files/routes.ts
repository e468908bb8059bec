import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { scopeOf } from '../../../context.ts'
import { FILES } from '../../../core/budgets.ts'
import { isRole } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { mediaTypeOf, refuseEncoded } from '../../../http/body.ts'
import { isKnown } from '../../../http/etag.ts'
import { createLimiter, unlimited } from '../../../http/limits.ts'
import type { Http } from '../../../http/routes.ts'
import { archiveFileOf } from '../../data/audit/model.ts'
import { findLinkedArchive } from '../../data/audit/store.ts'
import { exportFileOf } from '../../data/exports/model.ts'
import { findLinkedExport } from '../../data/exports/store.ts'
import { MEDIA_TYPES, ThumbnailSize } from '../../papers/media/model.ts'
import { isPersonal, isViewable } from '../../papers/media/rules.ts'
import type { MediaRow } from '../../papers/media/store.ts'
import { isOpenPhoto } from '../../papers/vacancies/store.ts'
import { findUser, isLimitedSince, propertiesOf } from '../../people/users/store.ts'
import { OF_FILE, SIGNED } from './model.ts'
import { contentDisposition, spanOf } from './rules.ts'
import { ANY_BYTES, type Download, openMedia, readPaper, receiveUpload, type StoredFile } from './service.ts'

const binary = { schema: { type: 'string', format: 'binary' } }
const typed = (types: readonly string[]) => Object.fromEntries(types.map((type) => [type, binary]))
const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
const FILE = { ...header('ETag'), ...header('Content-Disposition'), ...header('Accept-Ranges') }
const CONTENT = typed([...MEDIA_TYPES, 'application/zip', 'application/gzip'])

/** In a sandbox many browsers show no PDF; their viewers keep its scripts away from this origin themselves. */
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
/** A thumbnail of a home: its link in lists stays the same for as long. */
const THUMBNAIL_CACHE = 'private, max-age=150'
/** `open`: for anybody, now. */
type Answered = Download & Partial<Pick<MediaRow, 'ownerType'>> & { readonly inline?: boolean; readonly open?: true }
const OPEN_CACHE = 'public, max-age=300'

const FILE_ANSWERS = {
  200: { description: 'The file.', headers: FILE, content: CONTENT },
  206: {
    description: 'The bytes asked for in Range.',
    headers: { ...FILE, ...header('Content-Range') },
    content: CONTENT,
  },
  304: { description: 'Unchanged since If-None-Match.', headers: header('ETag') },
  416: {
    description: 'The file ends before the range begins.',
    headers: { ...header('ETag'), ...header('Content-Range') },
  },
}
const LINK_PROBLEMS = ['link_invalid', 'link_expired', 'not_found'] as const

/** Headers of every file behind a signed link: browsers must not run, frame or sniff it, and no cache may store it. */
const FILE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-site',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
}

/**
 * Counts uploaded bytes for the user who announced the file, also if the upload breaks off or replaces another.
 * @throws too_many_requests
 */
function createArrivals({ db, config }: Pick<Deps, 'db' | 'config'>) {
  const limiter = (aDay: number) => (config.rateLimits ? createLimiter(aDay / 86_400, aDay) : unlimited)
  const by = {
    tenant: limiter(FILES.tenant.arrived),
    owner: limiter(FILES.owner.arrived),
    limited: limiter(FILES.owner.arrived),
    all: limiter(FILES.all.arrived),
  }
  return ({ orgId, ownerUserId, sizeBytes }: MediaRow): void => {
    const user = findUser(db, orgId, ownerUserId)
    const roles = (user?.roles ?? []).filter(isRole)
    const retryAfter = by[scopeOf(ownerUserId, roles, user && propertiesOf(db, user)).kind].take(ownerUserId, sizeBytes)
    if (retryAfter === 0) return
    throw new AppError(
      'too_many_requests',
      {
        en: 'You have uploaded as much today as one person may. Wait, then upload again.',
        fr: 'Vous avez envoyé autant de fichiers qu’il est permis par jour. Patientez, puis réessayez.',
      },
      { retryAfter },
    )
  }
}

/** Uploads and downloads of bytes, by signed links instead of a token. */
export function files(deps: Deps, http: Http) {
  const { links } = deps
  const countArrival = createArrivals(deps)

  /** The action that a signed link allows; nothing is looked up before its signature is verified. */
  function judged({ method, url }: Request): Readonly<Record<string, string>> {
    const verdict = links.check(method, url)
    if (verdict.kind === 'good') return verdict.parameters
    throw verdict.kind === 'expired' ? new AppError('link_expired') : new AppError('link_invalid')
  }

  async function downloadExport(request: Request, id: string): Promise<Response> {
    const run = findLinkedExport(deps.db, id)
    const maker = run && findUser(deps.db, run.orgId, run.createdBy)
    const row = run && isLimitedSince(deps.db, maker, run.createdAt) ? undefined : run
    const file = row?.status === 'SUCCEEDED' && (await deps.blobs.open(exportFileOf(row).name))
    if (!file || !row) throw notFound()
    const { filename } = exportFileOf(row)
    const download = { sha256: row.sha256, contentType: 'application/zip', filename }
    return answerFile(request, { ...download, kind: 'DOCUMENT' }, undefined, file)
  }

  async function downloadArchive(request: Request, id: string): Promise<Response> {
    const row = findLinkedArchive(deps.db, id)
    const file = row && (await deps.blobs.open(archiveFileOf(row).name))
    if (!file) throw notFound()
    const { filename } = archiveFileOf(row)
    const download = { sha256: row.sha256, contentType: 'application/gzip', filename }
    return answerFile(request, { ...download, kind: 'DOCUMENT' }, undefined, file)
  }

  /** Downloads a generated document with the bytes that were frozen; it is redrawn if its file is lost. */
  async function downloadPaper(
    request: Request,
    id: string,
    kind: 'letter' | 'document',
    inline: boolean,
  ): Promise<Response> {
    const paper = await readPaper(deps, kind, id).catch((e: unknown) => {
      if (e instanceof AppError) throw e
      deps.log.error('document.lost', e, { documentId: id })
    })
    if (!paper) throw notFound()
    const { bytes } = paper
    const file = {
      sizeBytes: bytes.length,
      part: async (start: number, end: number) => new Blob([bytes.subarray(start, end + 1)]),
      close: async () => {},
    }
    const download = { ...paper, contentType: 'application/pdf', inline }
    return answerFile(request, { ...download, kind: 'DOCUMENT' }, undefined, file)
  }

  async function downloadMedia(
    request: Request,
    id: string,
    requestedSize: string | undefined,
    inline: boolean,
  ): Promise<Response> {
    const { download, file, size } = await openMedia(deps, id, requestedSize)
    return answerFile(request, { ...download, inline }, size, file)
  }

  return new Elysia({ tags: ['Media'] })
    .use(http)
    .get(
      '/media-files/public/:id',
      async ({ request, params, query }) => {
        if (!isOpenPhoto(deps.db, params.id)) throw notFound()
        const { download, file, size } = await openMedia(deps, params.id, query.size)
        return answerFile(request, { ...download, open: true }, size, file)
      },
      {
        query: Type.Object({ size: Type.Optional(ThumbnailSize) }),
        access: 'public',
        problems: ['not_found', 'precondition_failed', 'storage_unavailable'],
        detail: {
          summary: 'Get a photo of a published property',
          operationId: 'publicPhoto',
          description:
            'Open to everybody. Caches may keep it for five minutes. Answers 404 once its property is no longer published.',
          'x-parameters': ['Range', 'If-Range', 'If-Match', 'If-None-Match'].map(parameter),
          responses: FILE_ANSWERS,
        } as object,
      },
    )
    .put(
      '/media-uploads/:id',
      async ({ request, params }) => {
        refuseEncoded(request)
        await receiveUpload(deps, params.id, mediaTypeOf(request), request, countArrival)
        return new Response(null, { status: 204 })
      },
      {
        parse: 'none',
        // Checked before anything else in the request.
        transform: ({ request }: { request: Request }) => void judged(request),
        problems: [
          ...LINK_PROBLEMS,
          'invalid_state',
          'body_too_large',
          'unsupported_media_type',
          'content_mismatch',
          'too_many_requests',
        ],
        detail: {
          summary: 'Upload the bytes of a file by a signed link, without a token',
          operationId: 'uploadMedia',
          description:
            'The body is the file itself, of exactly the announced size, with the announced Content-Type or `application/octet-stream`, and without Content-Encoding. The link is valid for this one file; until `complete`, a later upload replaces an earlier one.',
          requestBody: { required: true, content: typed([ANY_BYTES]) },
          'x-parameters': SIGNED,
          responses: { 204: { description: 'Received; say `complete` next.' } },
          'x-roles': 'public',
        } as object,
      },
    )
    .get(
      '/media-files/:id',
      async ({ request, params }) => {
        const { size, of, disposition } = judged(request)
        const inline = disposition === 'inline'
        if (of === 'export') return downloadExport(request, params.id)
        if (of === 'audit-archive') return downloadArchive(request, params.id)
        const { id } = params
        if (of === 'letter' || of === 'document') return downloadPaper(request, id, of, inline)
        return downloadMedia(request, id, size, inline)
      },
      {
        parse: 'none',
        // Checked before anything else in the request.
        transform: ({ request }: { request: Request }) => void judged(request),
        problems: [...LINK_PROBLEMS, 'precondition_failed', 'overloaded', 'storage_unavailable'],
        detail: {
          summary: 'Get a file by a signed link, without a token',
          operationId: 'downloadMedia',
          description:
            'Browsers show photos and save papers as a file; with `inline`, the link shows the paper. Nothing in a file is executed or framed. HEAD works too. The link is valid for one minute (personal papers) or five, for anybody who has it.',
          'x-parameters': [...SIGNED, ...OF_FILE, ...['Range', 'If-Range', 'If-Match', 'If-None-Match'].map(parameter)],
          responses: FILE_ANSWERS,
          'x-roles': 'public',
        } as object,
      },
    )
}

async function answerFile(
  request: Request,
  row: Answered,
  size: string | undefined,
  file: StoredFile,
): Promise<Response> {
  const isInline = row.inline === true && isViewable(row.contentType)
  const etag = `"${row.sha256?.slice(0, 32)}${size === undefined ? '' : `-${size}`}"`
  const headers: Record<string, string> = {
    ...FILE_HEADERS,
    etag,
    'content-type': size === undefined ? row.contentType : 'image/webp',
    'content-disposition': contentDisposition(row.kind === 'PHOTO' || isInline ? 'inline' : 'attachment', row.filename),
    ...(isInline && row.contentType === 'application/pdf' && { 'content-security-policy': PDF_POLICY }),
    ...(size !== undefined && row.ownerType && !isPersonal(row.ownerType) && { 'cache-control': THUMBNAIL_CACHE }),
    ...(row.open && { 'cache-control': OPEN_CACHE }),
  }
  const none = async (status: number): Promise<Response> => {
    await file.close()
    return new Response(null, { status, headers })
  }
  try {
    if (isKnown(request.headers, etag)) return await none(304)
  } catch (e) {
    await file.close()
    throw e
  }
  const whole = { start: 0, end: file.sizeBytes - 1 }
  const ifRange = request.headers.get('if-range')
  const ranged = request.method === 'GET' && (ifRange === null || ifRange === etag)
  const span = ranged ? spanOf(request.headers.get('range'), file.sizeBytes) : undefined
  if (span === 'unsatisfiable') {
    headers['content-range'] = `bytes */${file.sizeBytes}`
    return none(416)
  }
  if (span) headers['content-range'] = `bytes ${span.start}-${span.end}/${file.sizeBytes}`
  const { start, end } = span ?? whole
  headers['content-length'] = String(end + 1 - start)
  // For HEAD, the framework sends the length without the bytes.
  return new Response(await file.part(start, end), { status: span ? 206 : 200, headers })
}
