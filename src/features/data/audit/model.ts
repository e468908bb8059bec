import { type Static, Type } from '@sinclair/typebox'
import { CreatedAt, Id, sha256 } from '../../../http/members.ts'
import { Body, DateOnly } from '../../../http/schema.ts'
import { fileName } from './rules.ts'
import type { ArchiveRow } from './store.ts'

export const AuditArchiveCreate = Body(
  {
    before: {
      ...DateOnly,
      description: 'Entries of days before this one (UTC) are archived; the day must be at least 12 months ago.',
      examples: ['2025-01-01'],
    },
  },
  { $id: 'AuditArchiveCreate', examples: [{ before: '2025-01-01' }] },
)
export const AuditArchive = Type.Object(
  {
    id: Id,
    before: {
      ...DateOnly,
      description: 'The file holds the entries of days before this one (UTC).',
      examples: ['2025-01-01'],
    },
    entries: Type.Integer({ description: 'The number of entries in the file.', examples: [18_204] }),
    sha256: sha256('SHA-256 of the file, in hex.'),
    signature: Type.String({
      description: 'A detached JWS (RFC 7515, appendix F), EdDSA, over the 64 characters of `sha256`.',
      examples: [
        'eyJhbGciOiJFZERTQSIsImp3ayI6eyJrdHkiOiJPS1AiLCJjcnYiOiJFZDI1NTE5IiwieCI6ImRRR09GWE1SM1AtQ09hSjZZRUNZZFo1UldVZXRsSkpyM2otWFhRcW5tNWsifX0..n6VAS9oo5o8Xu0tydP_jHNV7o-vL5ACVKUszlR94EPxD0_RMyoIpTDp8eXbB6xR8pH8uOVTtNsTbZm90iYTsAg',
      ],
    }),
    previousSha256: Type.Optional(
      Type.String({
        description: "The `sha256` of the organization's previous archive; absent in the first one.",
      }),
    ),
    createdAt: CreatedAt,
  },
  { $id: 'AuditArchive' },
)
export type AuditArchive = Static<typeof AuditArchive>

export const toArchive = (row: ArchiveRow): AuditArchive => ({
  id: row.id,
  before: row.beforeDay,
  entries: row.entries,
  sha256: row.sha256,
  signature: row.signature,
  ...(row.previousSha256 === null ? {} : { previousSha256: row.previousSha256 }),
  createdAt: row.createdAt,
})

/** The file of an archive: its stored name, and its name for downloads. */
export const archiveFileOf = ({ id, sha256, beforeDay }: ArchiveRow) => ({
  name: fileName(id, sha256),
  filename: `loyer-audit-${beforeDay}.ndjson.gz`,
})
