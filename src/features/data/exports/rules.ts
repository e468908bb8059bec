import { DAY_MS } from '../../../core/dates.ts'
import type { Role } from '../../../core/roles.ts'

export const EXPORT_STATUS = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'EXPIRED'] as const

export const FORMAT = 'loyer-export'
/** The file is deleted after this time; a new one is quickly made. */
export const KEPT_MS = DAY_MS
export const DOWNLOAD_SECONDS = 300
export const MAX_ATTEMPTS = 3
/** Limits of an archive that is imported: the entries and bytes of a ZIP without extensions. */
export const LIMITS = { entries: 65_535, bytes: 0xffff_ffff }
/** Limits of one file inside it: a stored file; the manifest or one row; the checksums; the sealed part. */
export const MAX_BYTES = {
  file: 32 * 1024 * 1024,
  row: 8 * 1024 * 1024,
  sums: 16 * 1024 * 1024,
  sealed: 256 * 1024 * 1024,
}

/** The widest role of an export's maker, which decides its contents; tenants make none. */
export const widest = (roles: readonly Role[]): Role | undefined =>
  (['ADMIN', 'MANAGER', 'OWNER'] as const).find((role) => roles.includes(role))

export type Manifest = {
  readonly format: typeof FORMAT
  /** The last migration of its database; it can be imported only at the same version. */
  readonly shape: string
  readonly organizationId: string
  /** The whole organization, or what one person sees of it; only the former can be imported. */
  readonly scope: 'organization' | 'part'
  readonly exportedAt: string
  /** Of an organization that moves for good: the SHA-256 of the key that opens it where it arrives. */
  readonly opens?: string
}

/** What goes along with an organization that moves: passwords and waiting work, sealed with the key that opens it. */
export const SEALED = 'sealed.txt'

/** The last entry of an archive: the SHA-256 of every other entry, in hex, by name. */
export const CHECKSUMS = 'checksums.json'

export const fileName = (id: string, sha256: string): string => `${id}.${sha256}`
type Row = Readonly<Record<string, unknown>>
/** Tables whose rows name stored files: where the files are, and which a row has or may have. */
export const FILES: Readonly<
  Record<string, { readonly store: 'blobs' | 'documents'; readonly of: (row: Row) => readonly string[] }>
> = {
  media_object: { store: 'blobs', of: (row) => [nameOf(row), ...THUMBNAILS.map((size) => `${nameOf(row)}.${size}`)] },
  document: { store: 'documents', of: (row) => [nameOf(row)] },
  letter: { store: 'documents', of: (row) => [nameOf(row)] },
}
const THUMBNAILS = ['320', '800']
const nameOf = ({ id, sha256 }: Row): string => fileName(String(id), String(sha256))
