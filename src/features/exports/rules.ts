export const EXPORT_STATUS = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'EXPIRED'] as const

export const FORMAT = 'loyer-export'
/** The file is thrown away after this; a new one is soon made. */
export const KEPT_MS = 24 * 3600_000
export const DOWNLOAD_SECONDS = 300
export const MAX_ATTEMPTS = 3
/** Of one file inside, and of the tables together, when an export is brought in again. */
export const MAX_TABLE_BYTES = 1024 * 1024 * 1024

export type Manifest = {
  readonly format: typeof FORMAT
  /** The last migration of the database that it came from: it goes into one of the same version. */
  readonly shape: string
  readonly organizationId: string
  /** All of the organization, or what one owner owns: only the former can be brought in again. */
  readonly scope: 'organization' | 'owner'
  readonly exportedAt: string
}

export const fileName = (id: string, sha256: string): string => `${id}.${sha256}`
/** The stored file that a row of media or documents names, if it names one. */
export function fileOfRow(table: string, row: Readonly<Record<string, unknown>>): string | undefined {
  if (table !== 'media_object' && table !== 'document') return undefined
  return typeof row.sha256 === 'string' ? fileName(String(row.id), row.sha256) : undefined
}
