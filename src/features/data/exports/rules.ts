import type { Role } from '../../../core/roles.ts'

export const EXPORT_STATUS = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'EXPIRED'] as const

export const FORMAT = 'loyer-export'
/** The file is thrown away after this; a new one is soon made. */
export const KEPT_MS = 24 * 3600_000
export const DOWNLOAD_SECONDS = 300
export const MAX_ATTEMPTS = 3
/** What is taken of an archive that is brought in: as many entries and bytes as a ZIP without extensions holds. */
export const LIMITS = { entries: 65_535, bytes: 0xffff_ffff }
/** Of one file inside: a photo or document as it is kept; of the manifest and of one row; of the checksums. */
export const MAX_BYTES = { file: 32 * 1024 * 1024, row: 8 * 1024 * 1024, sums: 16 * 1024 * 1024 }

/** Who gets an export: the widest role of its maker, none of whom is only a tenant. */
export const widest = (roles: readonly Role[]): Role | undefined =>
  (['ADMIN', 'MANAGER', 'OWNER'] as const).find((role) => roles.includes(role))

export type Manifest = {
  readonly format: typeof FORMAT
  /** The last migration of the database that it came from: it goes into one of the same version. */
  readonly shape: string
  readonly organizationId: string
  /** All of the organization, or what one person sees of it: only the former can be brought in again. */
  readonly scope: 'organization' | 'part'
  readonly exportedAt: string
}

/** The last entry of an archive: the SHA-256 of each other one, in hex, by its name. */
export const CHECKSUMS = 'checksums.json'

export const fileName = (id: string, sha256: string): string => `${id}.${sha256}`
type Row = Readonly<Record<string, unknown>>
/** The tables whose rows name stored files, where those are kept, and the files a row has or can have. */
export const FILES: Readonly<
  Record<string, { readonly kept: 'blobs' | 'documents'; readonly of: (row: Row) => readonly string[] }>
> = {
  media_object: { kept: 'blobs', of: (row) => [nameOf(row), ...THUMBNAILS.map((size) => `${nameOf(row)}.${size}`)] },
  document: { kept: 'documents', of: (row) => [nameOf(row)] },
  notice_letter: { kept: 'documents', of: (row) => [nameOf(row)] },
}
const THUMBNAILS = ['320', '800']
const nameOf = ({ id, sha256 }: Row): string => fileName(String(id), String(sha256))
