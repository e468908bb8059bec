import { type Static, Type } from '@sinclair/typebox'
import { CreatedAt, ExpiresAt, Id, OrgId } from '../../../http/members.ts'
import { As, Body, Maybe, oneOf, QueryBoolean, Text, Uuid } from '../../../http/schema.ts'
import { CONTENT_TYPES, MAX_BYTES, MEDIA_KINDS, MEDIA_STATUS, OWNER_TYPES, THUMBNAILS } from './rules.ts'
import type { MediaRow } from './store.ts'

const OwnerType = oneOf(OWNER_TYPES, { $id: 'MediaOwnerType', description: 'The kind of object that it belongs to.' })
const MediaKind = oneOf(MEDIA_KINDS, { $id: 'MediaKind' })
export const Media = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    ownerId: { ...Uuid, description: 'The id of the object that it belongs to.' },
    ownerType: OwnerType,
    ownerUserId: Type.String({ format: 'uuid', description: 'Who uploaded it.' }),
    kind: { ...MediaKind, description: 'The kind.' },
    filename: Type.String({ description: 'The file name.', examples: ['façade.jpg'] }),
    contentType: Type.String({ description: 'The media type of the file.', examples: ['image/jpeg'] }),
    sizeBytes: Type.Integer({
      description: 'The announced size while PENDING, then the size of the stored file.',
      examples: [845_213],
    }),
    status: oneOf(MEDIA_STATUS, {
      $id: 'MediaStatus',
      description: 'The current status; the operations change it.',
      examples: ['AVAILABLE'],
    }),
    createdAt: CreatedAt,
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
    method: Type.Literal('PUT', { description: 'Always PUT.' }),
    url: Type.String({
      description: 'Send the bytes here, without a token.',
      examples: [
        'https://loyer.example.cm/media-uploads/01985f3a-7c00-7000-8000-000000000020?exp=1772619450&sig=q1Yt0pJ4c2m8Zr5v',
      ],
    }),
    headers: Type.Object(
      { 'Content-Type': Type.String({ description: 'The announced media type.', examples: ['image/jpeg'] }) },
      { $id: 'UploadHeaders', description: 'The headers to send with it.' },
    ),
    expiresAt: ExpiresAt,
  },
  { $id: 'UploadTarget' },
)
export const MediaUpload = Type.Object(
  { ...Media.properties, upload: As(Upload, 'How to upload the file.') },
  { $id: 'MediaUpload' },
)
export type MediaUpload = Static<typeof MediaUpload>

export const DownloadLink = Type.Object(
  {
    url: Type.String({
      description: 'Valid for one minute (personal papers) or five, for anybody who has it.',
      examples: [
        'https://loyer.example.cm/media-files/01985f3a-7c00-7000-8000-000000000020?exp=1772619450&sig=q1Yt0pJ4c2m8Zr5v',
      ],
    }),
  },
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
    kind: { ...MediaKind, description: 'PHOTO: a picture to show; DOCUMENT: a paper.' },
    filename: Text({ max: 255, description: 'The file name.', examples: ['façade.jpg'] }),
    contentType: oneOf(CONTENT_TYPES, { $id: 'MediaContentType', description: 'The media type of the file.' }),
    sizeBytes: Type.Integer({
      minimum: 1,
      maximum: MAX_BYTES.DOCUMENT,
      description: 'The exact size of the upload: at most 10 MiB for a PHOTO, at most 20 MiB for a DOCUMENT.',
      examples: [845_213],
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
