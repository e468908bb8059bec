import { type Static, Type } from '@sinclair/typebox'
import { CreatedAt, FinishedAt, Id, OrgId, sha256 } from '../../../http/members.ts'
import { oneOf } from '../../../http/schema.ts'
import { EXPORT_STATUS, fileName } from './rules.ts'
import type { ExportRow } from './store.ts'

export const ExportRun = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    createdBy: Type.String({ format: 'uuid', description: 'The user who made the export; only they may download it.' }),
    status: oneOf(EXPORT_STATUS, {
      description: 'EXPIRED: the file was deleted, one day after it was made.',
      examples: ['SUCCEEDED'],
    }),
    sizeBytes: Type.Optional(Type.Integer({ description: 'The size of the file in bytes.', examples: [845_213] })),
    sha256: Type.Optional(sha256('The SHA-256 of the file, in hex.')),
    createdAt: CreatedAt,
    finishedAt: Type.Optional(FinishedAt),
  },
  { $id: 'ExportRun' },
)
export type ExportRun = Static<typeof ExportRun>

export const toExport = ({
  id,
  orgId,
  createdBy,
  status,
  sizeBytes,
  sha256,
  createdAt,
  finishedAt,
}: ExportRow): ExportRun => ({
  id,
  orgId,
  createdBy,
  status,
  ...(sizeBytes === null ? {} : { sizeBytes }),
  ...(sha256 === null ? {} : { sha256 }),
  createdAt,
  ...(finishedAt === null ? {} : { finishedAt }),
})

/** The file of an export: its stored name, and its name for downloads. */
export const exportFileOf = ({ id, sha256, createdAt }: ExportRow) => ({
  name: fileName(id, sha256 ?? ''),
  filename: `loyer-${createdAt.slice(0, 10)}.zip`,
})
