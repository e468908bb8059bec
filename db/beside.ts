import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { AppError, Kept } from '../src/errors.ts'
import type { Db, Tx, Write } from './open.ts'
import { planOnce } from './query.ts'
import { createSnapshots } from './snapshot.ts'
import { isStorageFailure } from './store-error.ts'

/** Waits until no other connection of this process writes, nor will before the function it gives is called. */
export type Turn = () => Promise<(orgId: string | null) => void>

/**
 * A second connection to an open database, for a thread of its own. Its writes are transactions of any length, without
 * the savepoints of a group commit: inside one of those, SQLite walks all that it may undo at each statement.
 */
export function openBeside(file: string, turn: Turn) {
  const client = new Database(file, { fileMustExist: true })
  const pragmas = ['synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 5000', 'trusted_schema = OFF']
  for (const pragma of [...pragmas, 'temp_store = MEMORY', 'cache_size = -131072']) client.pragma(pragma)
  const db: Db = drizzle(planOnce(client))
  const { snapshot, finish } = createSnapshots(db, file)
  const changes = client.prepare('select total_changes()').pluck()
  const bump = client.prepare('update organization set version = version + 1 where id = ?')

  const write: Write = async (orgId, fn) => {
    const giveBack = await turn()
    let bumped: string | null = null
    try {
      client.exec('BEGIN IMMEDIATE')
      const before = changes.get()
      const value = fn(db as Tx)
      if (value instanceof Kept) throw new TypeError('a long write keeps no refusal')
      if (orgId !== null && changes.get() !== before) {
        bump.run(orgId)
        bumped = orgId
      }
      client.exec('COMMIT')
      return value
    } catch (e) {
      bumped = null
      if (client.inTransaction) client.exec('ROLLBACK')
      if (!isStorageFailure(e)) throw e
      throw new AppError('storage_unavailable', undefined, { retryAfter: 30 }, e)
    } finally {
      giveBack(bumped)
    }
  }
  return {
    db,
    write,
    snapshot,
    close(): void {
      finish()
      client.close()
    },
  }
}
