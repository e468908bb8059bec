import { tmpdir } from 'node:os'
import Database from 'better-sqlite3'

/** Says why the store cannot be opened and what to do about it, with the exit code of the process (sysexits). */
export class StoreError extends Error {
  readonly exitCode: number
  constructor(exitCode: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.exitCode = exitCode
  }
}

/** SQLite's error code, such as SQLITE_FULL; empty if the error is not SQLite's. */
export const sqliteCode = (e: unknown): string => (e instanceof Database.SqliteError ? e.code : '')

/** Converts an error of another thread's connection to the type that this thread would throw. */
export function fromThread(e: unknown): unknown {
  const code = e instanceof Error && 'code' in e ? String(e.code) : ''
  return e instanceof Error && code.startsWith('SQLITE_') ? new Database.SqliteError(e.message, code) : e
}

/** Whether the disk fails: recognizes each of SQLite's codes for it, also when wrapped in another error. */
export const isStorageFailure = (e: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|CORRUPT|NOTADB|NOMEM|PERM)/.test(sqliteCode(e)) ||
  (e instanceof Error && e.cause !== undefined && isStorageFailure(e.cause))

export const isDamage = (e: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(e))

/** Whether the disk, or one's share of it, is full. */
export const isFull = (e: unknown): boolean =>
  sqliteCode(e) === 'SQLITE_FULL' || (e instanceof Error && 'code' in e && /^(ENOSPC|EDQUOT)$/.test(String(e.code)))

/**
 * Whether SQLite could not be loaded: the binary contains it, and writes it to a file before it can. A second try fails
 * with another error, a TypeError.
 */
export const isNotUnpacked = (e: unknown): boolean =>
  e instanceof Error &&
  (('code' in e && e.code === 'ERR_DLOPEN_FAILED') || /^addon\.initialize is not a function/.test(e.message))

const otherFolder = `name another folder in ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'}.`
export const notUnpacked = (e: unknown): StoreError =>
  new StoreError(
    78,
    `Loyer cannot unpack a part of itself to ${tmpdir()}, the folder for temporary files, and run it from there. Allow both, or ${otherFolder}`,
    e,
  )
export const noTemporary = (e: unknown): StoreError =>
  new StoreError(
    78,
    `The folder for temporary files cannot be used: ${reason(e)}. Make room there, or ${otherFolder}`,
    e,
  )

export const isReadOnly = (e: unknown): boolean => e instanceof Error && 'code' in e && e.code === 'EROFS'

/** Whether the system refuses because of who asks, or where: the file is another user's, or its disk is read-only here. */
export const isDenied = (e: unknown): boolean =>
  e instanceof Error && 'code' in e && /^(EACCES|EPERM|EROFS)$/.test(String(e.code))

/** The message of an error, in plain words for a full disk; without a full stop at its end. */
export function reason(e: unknown): string {
  const message = (e instanceof Error ? e.message : String(e)).replace(/\.$/, '')
  return isFull(e) ? `the disk is full (${message})` : message
}
