import { type Static, Type } from '@sinclair/typebox'
import { Body, DateTime, oneOf, Text, Uuid } from '../../http/schema.ts'
import { CONTENT_TYPES, MAX_BYTES, MEDIA_KINDS, MEDIA_STATUS, OWNER_TYPES } from './rules.ts'
import type { MediaRow } from './store.ts'

export const Media = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    ownerId: Uuid,
    ownerType: oneOf(OWNER_TYPES),
    ownerUserId: Type.String({ format: 'uuid', description: 'Who uploaded it.' }),
    kind: oneOf(MEDIA_KINDS),
    filename: Type.String(),
    contentType: Type.String(),
    sizeBytes: Type.Integer({ description: 'As announced while PENDING, then that of the file as it is kept.' }),
    status: oneOf(MEDIA_STATUS),
    createdAt: DateTime,
  },
  { $id: 'MediaObject' },
)
export type Media = Static<typeof Media>

const Upload = Type.Object({
  method: Type.Literal('PUT'),
  url: Type.String({ description: 'Send the bytes here, without a token.' }),
  headers: Type.Object({ 'Content-Type': Type.String() }, { description: 'To be sent along.' }),
  expiresAt: DateTime,
})
export const MediaUpload = Type.Object({ ...Media.properties, upload: Upload }, { $id: 'MediaUpload' })
export type MediaUpload = Static<typeof MediaUpload>

export const DownloadLink = Type.Object(
  { url: Type.String({ description: 'Works for a minute (papers of people) or five, for whoever has it.' }) },
  { $id: 'DownloadLink' },
)

export const MediaCreate = Body(
  {
    ownerType: oneOf(OWNER_TYPES),
    ownerId: Type.String({
      format: 'uuid',
      description: "The property or unit; of USER and VERIFICATION the caller's own user id.",
    }),
    kind: oneOf(MEDIA_KINDS),
    filename: Text({ max: 255 }),
    contentType: oneOf(CONTENT_TYPES),
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
  ...row
}: MediaRow): Media => row
