import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Ctx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http, section } from '../../../http/routes.ts'
import { Body, oneOf, someOf } from '../../../http/schema.ts'
import { DownloadLink, Inline, Media, MediaCreate, MediaPatch, MediaUpload, ThumbnailSize, toMedia } from './model.ts'
import {
  downloadSeconds,
  isPersonal,
  isTraced,
  isViewable,
  LINK_STEP,
  LISTED_SECONDS,
  MEDIA_KINDS,
  MEDIA_STATUS,
  OWNER_TYPES,
  OWNERS_ASKED,
  UPLOAD_SECONDS,
} from './rules.ts'
import {
  completeMedia,
  createMedia,
  mediaToChange,
  mediaToDownload,
  mediaToUpload,
  moveMedia,
  prepareCompletion,
  recordView,
  removeMedia,
  seeMedia,
} from './service.ts'
import { listMedia } from './store.ts'

const ID = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'
const Query = ListParameters({
  ownerType: Type.Optional(oneOf(OWNER_TYPES, { description: 'Only those that belong to this kind of object.' })),
  ownerId: Type.Optional(
    Type.String({
      maxLength: OWNERS_ASKED * 37,
      pattern: `^${ID}(,${ID}){0,${OWNERS_ASKED - 1}}$`,
      description: `The property, unit or person that it belongs to; several are separated by commas, at most ${OWNERS_ASKED}.`,
    }),
  ),
  kind: Type.Optional(oneOf(MEDIA_KINDS, { description: 'Only those of this kind.' })),
  status: Type.Optional(someOf(MEDIA_STATUS)),
  links: Type.Optional(ThumbnailSize),
})
const FILTERS = ['ownerType', 'ownerId', 'ownerIds', 'kind', 'status', 'updatedSince', 'manager', 'reviewer'] as const

export function media(deps: Deps, http: Http) {
  const { links } = deps

  /** Links are made when the answer leaves, so that a replayed one brings fresh ones. */
  function withUpload(object: Media): MediaUpload {
    const { url, expiresAt } = links.sign('PUT', '/media-uploads', object.id, UPLOAD_SECONDS)
    const headers = { 'Content-Type': object.contentType }
    return { ...object, upload: { method: 'PUT', url, headers, expiresAt: new Date(expiresAt).toISOString() } }
  }

  /** Thumbnails of a page. The same link within a span of time, so that a browser need not fetch it again. */
  const withLinks = <T extends { rows: readonly Media[] }>(page: T, size: string) => ({
    ...page,
    rows: page.rows.map((row) => {
      if (row.kind !== 'PHOTO' || row.status !== 'AVAILABLE' || isPersonal(row.ownerType)) return row
      return {
        ...row,
        url: links.sign('GET', '/media-files', row.id, LISTED_SECONDS, { size }, LINK_STEP).url,
      }
    }),
  })

  const current = ({ tx, caller }: Ctx, id: string) => mediaToChange(tx, caller, id)

  return new Elysia(section('Media', 'Photos and documents, with short-lived links.'))
    .use(http)
    .post(
      '/api/v1/media',
      ({ body, mutate }) =>
        mutate({ status: 201, body, run: (ctx) => createMedia(ctx, deps, body), view: toMedia }).then(withUpload),
      {
        access: EVERYONE,
        body: MediaCreate,
        problems: ['not_found', 'quota_exceeded', 'photos_unavailable'],
        creates: ['/api/v1/media/{id}'],
        answers: { 201: MediaUpload },
        detail: { summary: 'Create a photo or document, and get its upload link', operationId: 'createMedia' },
      },
    )
    .get(
      '/api/v1/media',
      ({ caller, query, many }) => {
        // Managers and administrators see different papers here.
        const reviewer = caller.roles.includes('ADMIN') ? caller.userId : undefined
        const manager = caller.scope.kind === 'all' && !reviewer ? caller.userId : undefined
        const { ownerId, links: size } = query
        const several = ownerId?.includes(',')
          ? { ownerId: undefined, ownerIds: JSON.stringify(ownerId.split(',')) }
          : {}
        const listQuery = { ...query, ...several, manager, reviewer }
        const seenAs = reviewer ? 'reviewer' : 'person'
        if (size === undefined)
          return many({ name: 'media', query: listQuery, filters: FILTERS }, (q) => listMedia(deps.db, q), { seenAs })
        const span = Math.floor(deps.clock.wall() / 1000 / LINK_STEP)
        return many(
          { name: 'media', query: listQuery, filters: FILTERS },
          (q) => withLinks(listMedia(deps.db, q), size),
          {
            seenAs: `${seenAs}${span}`,
            keep: false,
          },
        )
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
      answers: { 200: Media },
      detail: { summary: 'Read the metadata of a file', operationId: 'getMedia' },
    })
    .patch('/api/v1/media/:id', ({ body, mutate }) => mutate({ body, run: moveMedia, view: toMedia, current }), {
      access: EVERYONE,
      body: MediaPatch,
      answers: { 200: Media },
      detail: { summary: 'Change the position of a photo (JSON merge patch)', operationId: 'updateMedia' },
    })
    .delete(
      '/api/v1/media/:id',
      async ({ perform }) => {
        await perform({ status: 204, run: (ctx, id) => removeMedia(ctx, id) ?? null, current })
        return new Response(null, { status: 204 })
      },
      {
        access: EVERYONE,
        problems: ['invalid_state'],
        answers: { 204: Type.Null() },
        detail: {
          summary: 'Delete a file and its links',
          description: 'The links stop working at once.',
          operationId: 'deleteMedia',
        },
      },
    )
    .post(
      '/api/v1/media/:id/upload-url',
      ({ body, mutate }) => mutate({ body, run: mediaToUpload, view: toMedia, current }).then(withUpload),
      {
        access: EVERYONE,
        body: Body({}),
        problems: ['invalid_state'],
        answers: { 200: MediaUpload },
        detail: { summary: 'Get a new upload link', operationId: 'renewUploadLink' },
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
        return mutate({ body, run: (ctx, id) => completeMedia(ctx, id, stored), view: toMedia, current })
      },
      {
        access: EVERYONE,
        body: Body({}),
        problems: ['upload_missing', 'content_mismatch'],
        answers: { 200: Media },
        detail: {
          summary: 'Complete an upload',
          description: 'Checks the uploaded file and makes it AVAILABLE.',
          operationId: 'completeMedia',
        },
      },
    )
    .get(
      '/api/v1/media/:id/download-url',
      async ({ caller, params, query, set, perform }) => {
        const row = mediaToDownload(deps.db, caller, params.id)
        const { size, inline } = query
        if (size !== undefined && row.kind !== 'PHOTO') throw notFound()
        if (inline === 'true' && !isViewable(row.contentType))
          throw invalid(
            '/inline',
            'Only pictures and PDFs can be shown.',
            'Seuls les images et les PDF peuvent être affichés.',
          )
        if (isTraced(row, caller.userId)) await perform({ run: (ctx, id) => recordView(ctx, id).version })
        set.headers['cache-control'] = 'no-store'
        const seconds = downloadSeconds(row.ownerType)
        const more = { ...(size && { size }), ...(inline === 'true' && { disposition: 'inline' }) }
        const { url } = links.sign('GET', '/media-files', row.id, seconds, more)
        return { url }
      },
      {
        access: EVERYONE,
        query: Type.Object({
          size: Type.Optional(ThumbnailSize),
          inline: Inline,
        }),
        problems: ['invalid_state'],
        answers: { 200: DownloadLink },
        detail: { summary: 'Get a short-lived link to the file', operationId: 'getMediaDownloadUrl' },
      },
    )
}
