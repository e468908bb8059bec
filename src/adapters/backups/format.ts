import { StoreError } from '../../../db/store-error.ts'

/**
 * A backup is a tar archive, compressed with zstd, encrypted in the age format where a passphrase is set: `tar --zstd`
 * and `age` open it without Loyer. Its files: first this head, then the database, keys, terms, media and documents, last
 * the manifest. Behind the compressed data stands the SHA-256 of all of it, as a frame that zstd skips.
 */
export const HEAD = 'loyer.json'
export const DATABASE = 'loyer.db'
export const MANIFEST = 'manifest.json'
/** The folders of a data folder that are backed up. */
export const FOLDERS = ['keys', 'legal', 'media', 'documents'] as const
export const FORMAT = 1

export type Head = {
  readonly format: number
  /** The version of Loyer that made it, and the schema of its database. */
  readonly loyer: string
  readonly schema: number
  /** ISO time at which the database was copied. */
  readonly createdAt: string
  /** How many files follow, and their bytes in all. */
  readonly files: number
  readonly bytes: number
  /** The s3:// address where media and papers were stored; they are then not in the backup. */
  readonly filesAt?: string
}
export type Entry = { readonly name: string; readonly size: number; readonly sha256: string }

const MARK = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
export const TRAILER_BYTES = MARK.byteLength + 32
/** The last bytes before encryption: a frame that zstd skips, with the SHA-256 of everything before it. */
export const trailer = (sha256: Uint8Array): Uint8Array => Buffer.concat([MARK, sha256])
export const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** The error that says why a file is not restored, without control characters, which a terminal would obey. */
export const refuse = (file: string, why: string, cause?: unknown): StoreError =>
  new StoreError(65, `${file} cannot be used: ${why.replace(/\p{C}/gu, '\ufffd')}. Nothing was changed.`, cause)

/** Whether text of a backup can be printed: one line of moderate length, without control characters. */
export const isPrintable = (text: unknown): boolean => typeof text === 'string' && /^\P{C}{0,300}$/u.test(text)

const SEGMENT = /^(?!\.\.?$)[^/\\:\p{Cc}]{1,255}$/u
/** Why a name must not be unpacked; undefined for a name that a backup of Loyer may hold. */
export function badName(name: string): string | undefined {
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return `it holds the absolute path ${name}`
  const segments = name.split('/')
  if (segments.includes('..') || name.includes('\\')) return `it holds the path ${name}, which leads out of its folder`
  if ([HEAD, DATABASE, MANIFEST].includes(name)) return undefined
  const [folder = ''] = segments
  const known = FOLDERS.some((word) => word === folder) && segments.length > 1 && segments.length <= 6
  return known && segments.every((word) => SEGMENT.test(word))
    ? undefined
    : `it holds ${name}, which is no part of a backup`
}
