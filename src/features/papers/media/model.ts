import { type Static, Type } from '@sinclair/typebox'
import { Body, DateTime, Maybe, oneOf, QueryBoolean, Text, Uuid } from '../../../http/schema.ts'
import { CONTENT_TYPES, MAX_BYTES, MEDIA_KINDS, MEDIA_STATUS, OWNER_TYPES, THUMBNAILS } from './rules.ts'
import type { MediaRow } from './store.ts'

const OwnerType = oneOf(OWNER_TYPES, { $id: 'MediaOwnerType' })
const MediaKind = oneOf(MEDIA_KINDS, { $id: 'MediaKind' })
export const Media = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    ownerId: Uuid,
    ownerType: OwnerType,
    ownerUserId: Type.String({ format: 'uuid', description: 'Who uploaded it.' }),
    kind: MediaKind,
    filename: Type.String(),
    contentType: Type.String(),
    sizeBytes: Type.Integer({ description: 'As announced while PENDING, then that of the file as it is kept.' }),
    status: oneOf(MEDIA_STATUS, { $id: 'MediaStatus' }),
    createdAt: DateTime,
    position: Type.Optional(
      Type.Integer({
        description:
          'Its place among the photos of the same property or unit, from 0. Photos without one come after, the oldest first; the first of all is the cover.',
      }),
    ),
    url: Type.Optional(
      Type.String({
        description:
          'In a list with `links`: a thumbnail, for two to five minutes, of a photo of a property or unit. Papers of people are opened one by one, as each look is recorded.',
      }),
    ),
  },
  { $id: 'MediaObject' },
)
export type Media = Static<typeof Media>

export const MediaPatch = Body({
  position: Maybe(
    Type.Integer({
      minimum: 0,
      maximum: 9_999,
      description: 'Its new place among the photos of the same property or unit; the others make room. 0 is the cover.',
    }),
  ),
})
export type MediaPatch = Static<typeof MediaPatch>

const Upload = Type.Object(
  {
    method: Type.Literal('PUT'),
    url: Type.String({ description: 'Send the bytes here, without a token.' }),
    headers: Type.Object({ 'Content-Type': Type.String() }, { $id: 'UploadHeaders', description: 'To be sent along.' }),
    expiresAt: DateTime,
  },
  { $id: 'UploadTarget' },
)
export const MediaUpload = Type.Object({ ...Media.properties, upload: Upload }, { $id: 'MediaUpload' })
export type MediaUpload = Static<typeof MediaUpload>

export const DownloadLink = Type.Object(
  { url: Type.String({ description: 'Works for a minute (papers of people) or five, for whoever has it.' }) },
  { $id: 'DownloadLink' },
)

export const Inline = Type.Optional(
  QueryBoolean({ description: 'True for a link that a browser shows, and does not save: of PDFs and pictures.' }),
)

/** What may be uploaded, and comes back. */
export const MEDIA_TYPES: readonly string[] = CONTENT_TYPES
export const ThumbnailSize = oneOf(THUMBNAILS, {
  $id: 'ThumbnailSize',
  description: 'The thumbnail of a photo, by its longer side; the photo itself where it is too large for one.',
})

export const MediaCreate = Body(
  {
    ownerType: OwnerType,
    ownerId: Type.String({
      format: 'uuid',
      description: "The property or unit; of USER and VERIFICATION the caller's own user id.",
    }),
    kind: MediaKind,
    filename: Text({ max: 255 }),
    contentType: oneOf(CONTENT_TYPES, { $id: 'MediaContentType' }),
    sizeBytes: Type.Integer({
      minimum: 1,
      maximum: MAX_BYTES.DOCUMENT,
      description: 'Exactly what will be sent: a PHOTO has up to 10 MiB, a DOCUMENT up to 20.',
    }),
  },
  {
    examples: [
      {
        ownerType: 'PROPERTY',
        ownerId: '01985f3a-7c00-7000-8000-000000000010',
        kind: 'PHOTO',
        filename: 'façade.jpg',
        contentType: 'image/jpeg',
        sizeBytes: 845_213,
      },
    ],
  },
)
export type MediaCreate = Static<typeof MediaCreate>

export const toMedia = ({
  propertyId: _p,
  sha256: _h,
  purgeAt: _d,
  updatedAt: _u,
  version: _v,
  position,
  ...row
}: MediaRow): Media => (position === null ? row : { ...row, position })
