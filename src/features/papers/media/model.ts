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
    sizeBytes: Type.Integer({ description: 'The announced size while PENDING, then the size of the stored file.' }),
    status: oneOf(MEDIA_STATUS, { $id: 'MediaStatus' }),
    createdAt: DateTime,
    position: Type.Optional(
      Type.Integer({
        description:
          'The position among the photos of the same property or unit, from 0. Photos without a position follow, the oldest first; the first of all is the cover.',
      }),
    ),
    url: Type.Optional(
      Type.String({
        description:
          'In a list with `links`: a thumbnail of a photo of a property or unit, valid for two to five minutes. Personal papers are opened one by one, because each access is recorded.',
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
      description: 'The new position among the photos of the same property or unit; the others move. 0 is the cover.',
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
  { url: Type.String({ description: 'Valid for one minute (personal papers) or five, for anybody who has it.' }) },
  { $id: 'DownloadLink' },
)

export const Inline = Type.Optional(
  QueryBoolean({ description: 'true: the browser shows the file instead of saving it; for PDFs and pictures.' }),
)

/** What may be uploaded, and comes back. */
export const MEDIA_TYPES: readonly string[] = CONTENT_TYPES
export const ThumbnailSize = oneOf(THUMBNAILS, {
  $id: 'ThumbnailSize',
  description:
    'The size of the thumbnail of a photo, by its longer side; if the photo is too large for a thumbnail, the photo itself.',
})

export const MediaCreate = Body(
  {
    ownerType: OwnerType,
    ownerId: Type.String({
      format: 'uuid',
      description: "The property or unit; for USER and VERIFICATION the caller's own user id.",
    }),
    kind: MediaKind,
    filename: Text({ max: 255 }),
    contentType: oneOf(CONTENT_TYPES, { $id: 'MediaContentType' }),
    sizeBytes: Type.Integer({
      minimum: 1,
      maximum: MAX_BYTES.DOCUMENT,
      description: 'The exact size of the upload: at most 10 MiB for a PHOTO, at most 20 MiB for a DOCUMENT.',
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
