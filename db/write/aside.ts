import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { CommitThenFail } from '../../src/errors.ts'
import { storageError } from '../health.ts'
import { planOnce } from '../internals.ts'
import type { Db, Tx, Write } from '../open.ts'
import { CACHE_KB } from '../page-cache.ts'
import { indexing } from '../search-index.ts'
import { isStorageFailure } from '../store-error.ts'
import { createWriteCheck } from '../transfer/moves.ts'

/** A write of more rows than this is followed by a checkpoint. */
const MUCH = 1000

/**
 * Waits until no other connection of this process writes. The others stay blocked until the returned function is
 * called; after many changes (`much`) this connection copies the log into the file, and none of their commits does.
 */
export type Turn = () => Promise<(orgId: string | null, much: boolean) => void>

/**
 * A second connection to an open database, for a thread of its own. Its transactions may be of any length. They use
 * no savepoints, unlike a group commit: inside a savepoint, SQLite goes through everything that it may have to undo
 * at each statement.
 */
export function openAside(file: string, turn: Turn) {
  const client = new Database(file, { fileMustExist: true })
  for (const pragma of [
    'synchronous = FULL',
    'foreign_keys = ON',
    'busy_timeout = 5000',
    'trusted_schema = OFF',
    // The journal that could undo a statement is as large as what it changes: hundreds of MB, which belong on disk.
    'temp_store = FILE',
    // What is changed stays here until the commit; beyond it goes to the log early. Only one such thread writes at a time.
    `cache_size = ${-2 * CACHE_KB}`,
    'wal_autocheckpoint = 0',
  ])
    client.pragma(pragma)
  const db: Db = drizzle(planOnce(client))
  const changes = client.prepare('select total_changes()').pluck()
  const index = indexing(client)
  const checkWrite = createWriteCheck(client)
  const bump = client.prepare('update organization set version = version + 1 where id = ?')

  /**
   * A long write leaves a long write-ahead log. This copies it into the file after the lock is released, so that no
   * small write has to; a second pass, in a turn of its own, copies the rest and truncates the log. If the disk has no
   * room for that, the write stands all the same, and a later one tries again.
   */
  async function checkpoint(): Promise<void> {
    try {
      client.pragma('wal_checkpoint(PASSIVE)')
      const giveBack = await turn()
      try {
        // While somebody reads a long report, the log is in use and stays as it is.
        client.pragma('busy_timeout = 100')
        client.pragma('wal_checkpoint(TRUNCATE)')
      } finally {
        client.pragma('busy_timeout = 5000')
        giveBack(null, false)
      }
    } catch (e) {
      if (!isStorageFailure(e)) throw e
    }
  }

  const write: Write = async (orgId, fn, { unseen } = {}) => {
    const giveBack = await turn()
    let bumped: string | null = null
    let written = 0
    try {
      client.exec('BEGIN IMMEDIATE')
      const before = changes.get()
      const value = fn(db as Tx)
      if (value instanceof CommitThenFail) throw new TypeError('a long write keeps no refusal')
      if (orgId !== null && changes.get() !== before) {
        checkWrite(orgId)
        bump.run(orgId)
        bumped = orgId
      }
      unseen?.(db as Tx, value)
      index()
      client.exec('COMMIT')
      written = Number(changes.get()) - Number(before)
      return value
    } catch (e) {
      bumped = null
      if (client.inTransaction) client.exec('ROLLBACK')
      if (!isStorageFailure(e)) throw e
      throw storageError(e)
    } finally {
      giveBack(bumped, written > MUCH)
      if (written > MUCH) await checkpoint()
    }
  }
  return {
    db,
    write,
    close: (): void => void client.close(),
  }
}
