import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { Body, oneOf, Uuid } from '../../../http/schema.ts'
import { DownloadLink, Media, MediaCreate, MediaUpload, ThumbnailSize, toMedia } from './model.ts'
import { downloadSeconds, MEDIA_KINDS, MEDIA_STATUS, OWNER_TYPES, UPLOAD_SECONDS } from './rules.ts'
import {
  completeMedia,
  createMedia,
  isTraced,
  mediaToChange,
  mediaToDownload,
  mediaToUpload,
  prepareCompletion,
  recordView,
  removeMedia,
  seeMedia,
} from './service.ts'
import { listMedia } from './store.ts'

const ById = Type.Object({ id: Uuid })
const Query = ListParameters({
  ownerType: Type.Optional(oneOf(OWNER_TYPES)),
  ownerId: Type.Optional(Uuid),
  kind: Type.Optional(oneOf(MEDIA_KINDS)),
  status: Type.Optional(oneOf(MEDIA_STATUS)),
})
const FILTERS = ['ownerType', 'ownerId', 'kind', 'status', 'updatedSince', 'manager', 'reviewer'] as const

export function media(deps: Deps, http: Http) {
  const { links } = deps

  /** Links are made when the answer leaves, so that a replayed one brings fresh ones. */
  function withUpload(object: Media): MediaUpload {
    const { url, expiresAt } = links.sign('PUT', '/media-uploads', object.id, UPLOAD_SECONDS)
    const headers = { 'Content-Type': object.contentType }
    return { ...object, upload: { method: 'PUT', url, headers, expiresAt: new Date(expiresAt).toISOString() } }
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
        creates: ['/api/v1/media/{id}'],
        answers: { 201: MediaUpload },
        detail: { summary: 'Announce a photo or document, and get a link to upload it to', operationId: 'createMedia' },
      },
    )
    .get(
      '/api/v1/media',
      ({ caller, query, many }) => {
        // Managers and administrators see different papers here.
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
        await perform(
          204,
          undefined,
          (ctx) => removeMedia(ctx, params.id) ?? null,
          ({ tx, caller }) => mediaToChange(tx, caller, params.id),
        )
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
      ({ params, body, mutate }) =>
        mutate(
          200,
          body,
          (ctx) => mediaToUpload(ctx, params.id),
          toMedia,
          ({ tx, caller }) => mediaToChange(tx, caller, params.id),
        ).then(withUpload),
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
        // Report a refusal inside the write, after If-Match and the idempotency replay were checked.
        const stored = await prepareCompletion(deps, caller, params.id).catch((e: unknown) => {
          if (e instanceof AppError) return e
          throw e
        })
        return mutate(
          200,
          body,
          (ctx) => completeMedia(ctx, params.id, stored),
          toMedia,
          ({ tx, caller }) => mediaToChange(tx, caller, params.id),
        )
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
}
