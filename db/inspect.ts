import { closeSync, openSync, readSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { sizeOf } from './files.ts'
import { APPLICATION_ID, refuseNewer } from './migrate.ts'
import { isDamage, reason, StoreError } from './store-error.ts'

/** Above this size the check at start would keep people waiting; the daily one finds the damage. */
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

/** What is wrong with a database's pages, at most ten lines; also while a service writes to it. */
export function quickCheck(file: string): readonly string[] {
  const client = new Database(file, { readonly: true, fileMustExist: true })
  try {
    client.pragma('cell_size_check = ON')
    const found = client.pragma('quick_check(10)') as readonly { quick_check: string }[]
    return found.map((row) => row.quick_check).filter((line) => line !== 'ok')
  } catch (e) {
    if (isDamage(e)) return [reason(e)]
    throw e
  } finally {
    client.close()
  }
}

/** Looks at a database that nothing has changed yet, through a connection that only reads. @throws StoreError */
export type Guard = (client: Database.Database) => void

/** Refuses a file that is not Loyer's, damaged, or newer than this program, before anything of it can change. */
export function inspect(file: string, guard?: Guard): void {
  const head = header(file)
  if (head.length < HEADER_BYTES || head.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw new StoreError(65, `${file} is not a database. ${RESTORE}`)
  if (head.readUInt32BE(68) !== APPLICATION_ID)
    throw new StoreError(65, `${file} is a database of another program. ${RESTORE}`)
  refuseNewer(head.readUInt32BE(60))

  // Even a reading connection makes these two: what was not there before must not stay behind.
  const beside = [`${file}-wal`, `${file}-shm`].filter((path) => sizeOf(path) === undefined)
  const bytes = (sizeOf(file) ?? 0) + (sizeOf(`${file}-wal`) ?? 0)
  const client = new Database(file, { readonly: true, fileMustExist: true })
  let refused = true
  try {
    client.pragma('trusted_schema = OFF')
    client.pragma('cell_size_check = ON')
    // Once more: what the write-ahead log says counts, not the header.
    refuseNewer(client.pragma('user_version', { simple: true }) as number)
    const problems = bytes > CHECK_AT_START_BYTES ? 'ok' : client.pragma('quick_check(1)', { simple: true })
    if (problems !== 'ok') throw new StoreError(65, `${file} is damaged. ${RESTORE}`)
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
