import Database from 'better-sqlite3'

/** Why the store cannot be opened, in a sentence that says what to do, with the process exit code (sysexits). */
export class StoreError extends Error {
  readonly exitCode: number
  constructor(exitCode: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.exitCode = exitCode
  }
}

/** SQLite's word for what went wrong, such as SQLITE_FULL; empty when it was not SQLite. */
export const sqliteCode = (e: unknown): string => (e instanceof Database.SqliteError ? e.code : '')

/** What a failing disk looks like, in the several words SQLite has for it, also wrapped in another error. */
export const isStorageFailure = (e: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|CORRUPT|NOTADB|NOMEM|PERM)/.test(sqliteCode(e)) ||
  (e instanceof Error && e.cause !== undefined && isStorageFailure(e.cause))

export const isDamage = (e: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(e))

/** An error's own sentence, without a full stop. */
export const reason = (e: unknown): string => (e instanceof Error ? e.message : String(e)).replace(/\.$/, '')
