import { closeSync, openSync, readSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { sizeOf } from './files.ts'
import { APPLICATION_ID, refuseNewer } from './migrate.ts'
import { isDamage, reason, StoreError } from './store-error.ts'
import { breakOf } from './wal/damage.ts'

/** A larger file is not checked at start, which would take too long; the daily check finds the damage. */
const CHECK_AT_START_BYTES = 64 * 1024 * 1024
const HEADER_BYTES = 100
const RESTORE = 'Nothing was changed. Restore a backup, or move the file away to begin with an empty database.'

function header(file: string): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  const fd = openSync(file, 'r')
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, HEADER_BYTES, 0))
  } finally {
    closeSync(fd)
  }
}

const isDatabase = (head: Buffer): boolean =>
  head.length === HEADER_BYTES && head.toString('latin1', 0, 16) === 'SQLite format 3\0'

const MOST_LINES = 10
/** The second check covers the list of free pages: SQLite skips it in the first because of the table of the search index. */
function damageOf(client: Database.Database): readonly string[] {
  client.pragma('cell_size_check = ON')
  // Each page is read once: a larger cache would only stay behind in the memory of the process.
  client.pragma('cache_size = -1000')
  const lines = [MOST_LINES, 'sqlite_schema'].flatMap((about) =>
    (client.pragma(`quick_check(${about})`) as readonly { quick_check: string }[]).map((row) => row.quick_check),
  )
  return lines.filter((line) => line !== 'ok').slice(0, MOST_LINES)
}

/** Damage of a database's pages, at most ten lines. Works while a service writes to the database. */
export function quickCheck(file: string): readonly string[] {
  const client = new Database(file, { readonly: true, fileMustExist: true })
  try {
    return damageOf(client)
  } catch (e) {
    if (isDamage(e)) return [reason(e)]
    throw e
  } finally {
    client.close()
  }
}

/**
 * The same for a database that this process does not serve, its first bytes included, which SQLite does not read beside a
 * log. A service never reads its own file so: whoever closes a file gives up all locks that the process has on it.
 */
export const checkFromOutside = (file: string): readonly string[] =>
  isDatabase(header(file)) ? quickCheck(file) : ['the file does not begin as a database does']

/** Checks a database through a read-only connection, before anything is changed. @throws StoreError */
export type Guard = (client: Database.Database) => void

/** Refuses a file that is not Loyer's, is damaged, or is newer than this program, before it is changed. */
export function inspect(file: string, guard?: Guard): void {
  const head = header(file)
  if (!isDatabase(head)) throw new StoreError(65, `${file} is not a database. ${RESTORE}`)
  if (head.readUInt32BE(68) !== APPLICATION_ID)
    throw new StoreError(65, `${file} is a database of another program. ${RESTORE}`)

  const log = `${file}-wal`
  const whole = sizeOf(log) ? breakOf(log) : undefined
  if (whole !== undefined)
    throw new StoreError(
      65,
      `${log} is damaged after its first ${whole} bytes, and changes that were saved later cannot be read. Nothing was changed. Restore a backup, or go on without those changes: truncate -s ${whole} '${log}'`,
    )
  // Even a read-only connection creates these two files: remove them afterwards if they were not there before.
  const beside = [`${file}-wal`, `${file}-shm`].filter((path) => sizeOf(path) === undefined)
  const bytes = (sizeOf(file) ?? 0) + (sizeOf(`${file}-wal`) ?? 0)
  const client = new Database(file, { readonly: true, fileMustExist: true })
  let refused = true
  try {
    client.pragma('trusted_schema = OFF')
    // Checked again: the version in the write-ahead log counts, not the one in the header.
    refuseNewer(client)
    if (bytes <= CHECK_AT_START_BYTES && damageOf(client).length > 0)
      throw new StoreError(65, `${file} is damaged. ${RESTORE}`)
    guard?.(client)
    refused = false
  } catch (e) {
    if (isDamage(e)) throw new StoreError(65, `${file} is damaged. ${RESTORE}`, e)
    throw e
  } finally {
    client.close()
    if (refused) for (const path of beside) rmSync(path, { force: true })
  }
}
