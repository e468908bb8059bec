import { existsSync, lstatSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { createEpoch, isAsClosed } from './epoch.ts'
import {
  createPrivate,
  giveReserve,
  holdReserve,
  makeFolder,
  sizeOf,
  strangerText,
  syncFile,
  syncFolder,
  takeLock,
} from './files.ts'
import { createHealth } from './health.ts'
import { type Guard, inspect } from './integrity.ts'
import { planOnce } from './internals.ts'
import { migrate } from './migrate.ts'
import { CACHE_KB } from './page-cache.ts'
import { createSnapshots, resting } from './snapshot.ts'
import { isDamage, isNotUnpacked, isStorageFailure, notUnpacked, reason, StoreError } from './store-error.ts'
import type { Db } from './types.ts'
import { createHold, LONGEST_LOG, leaveLog, MUCH, pagesOf } from './wal/wal.ts'
import { createWriter } from './write/write.ts'

export { isStorageFailure } from './store-error.ts'
export type { Db, Tx, Write } from './types.ts'

const PRAGMAS = [
  'synchronous = FULL',
  'foreign_keys = ON',
  'busy_timeout = 5000',
  'trusted_schema = OFF',
  'cell_size_check = ON',
  // What is erased must not stay readable in the file where its row was.
  'secure_delete = ON',
  `journal_size_limit = ${LONGEST_LOG}`,
  'temp_store = MEMORY',
  `cache_size = ${-CACHE_KB}`,
]

/** The real path of the file: one database must not get two locks because of a link. */
function resolveFile(file: string): string {
  if (existsSync(file)) return realpathSync(file)
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new StoreError(78, `${file} points to a file that is not there. Is its disk mounted?`)
  makeFolder(dirname(file))
  return file
}

/** A new database gets its name only when it is complete, so a killed process leaves no half-made one. */
function create(file: string): void {
  for (const log of [`${file}-wal`, `${file}-journal`])
    if ((sizeOf(log) ?? 0) > 0)
      throw new StoreError(
        65,
        `${file} is gone, but ${log} with its latest changes is there. Put the database back beside it, or move that file away to begin with an empty database.`,
      )
  const temporary = `${file}.new`
  const clear = () => {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(temporary + end, { force: true })
  }
  clear()
  createPrivate(temporary)
  const client = new Database(temporary)
  try {
    client.pragma('journal_mode = MEMORY')
    client.pragma('synchronous = OFF')
    migrate(client, temporary)
    client.pragma('journal_mode = WAL')
    client.close()
    syncFile(temporary)
    renameSync(temporary, file)
    syncFolder(dirname(file))
  } catch (e) {
    client.close()
    clear()
    throw e
  }
}

/** On a full disk, frees the reserve: SQLite needs space beside the file even to read it. */
function inspectWithRoom(file: string, guard: Guard | undefined): void {
  try {
    inspect(file, guard)
  } catch (e) {
    if (!isStorageFailure(e) || isDamage(e) || !giveReserve(file)) throw e
    inspect(file, guard)
  }
}

/** Opens, locks, checks and migrates the database. @throws StoreError with a sentence and an exit code. */
export function openStore(path: string, guard?: Guard): Store {
  if (path === ':memory:') return attach(new Database(path))
  let lock: Database.Database | undefined
  try {
    const file = resolveFile(path)
    lock = takeLock(file)
    const goesOn = isAsClosed(file)
    if (!existsSync(file)) create(file)
    else inspectWithRoom(file, guard)
    const store = attach(new Database(file, { fileMustExist: true }), { file, lock, goesOn })
    holdReserve(file)
    return store
  } catch (e) {
    lock?.close()
    if (e instanceof StoreError) throw e
    if (isNotUnpacked(e)) throw notUnpacked(e)
    if (isDamage(e)) throw new StoreError(65, `${path} is damaged: ${reason(e)}. Restore a backup.`, e)
    const folder = dirname(path)
    throw new StoreError(78, `The data folder ${folder} cannot be used: ${reason(e)}.${strangerText(folder)}`, e)
  }
}

/**
 * Without statistics, query plans depend on the schema alone, and the tests check them all. Statistics of a small
 * database would make SQLite read whole tables once it has grown, until somebody renews them. Hence no ANALYZE and no
 * PRAGMA optimize.
 */
function dropStatistics(client: Database.Database): void {
  const tables = client
    .prepare("select name from sqlite_master where name like 'sqlite\\_stat_' escape '\\'")
    .pluck()
    .all()
  for (const name of tables) client.exec(`drop table "${String(name)}"`)
}

/** How a store is opened. `goesOn`: the database continues where it stopped. `now`: monotonic milliseconds. */
type Opening = {
  readonly file?: string
  readonly lock?: Database.Database
  readonly goesOn?: boolean
  readonly now?: () => number
}
/** A store on an open client; tests pass copies of a migrated in-memory database. */
export function attach(client: Database.Database, { file = ':memory:', lock, goesOn = true, now }: Opening = {}) {
  let epoch: ReturnType<typeof createEpoch>
  try {
    const mode = client.pragma('journal_mode = WAL', { simple: true })
    if (file !== ':memory:' && mode !== 'wal')
      throw new StoreError(78, `${dirname(file)} is on a disk that cannot hold the database: choose a local one.`)
    for (const pragma of PRAGMAS) client.pragma(pragma)
    migrate(client, file)
    dropStatistics(client)
    planOnce(client)
    epoch = createEpoch(client, file, goesOn)
  } catch (e) {
    client.close()
    throw e
  }
  const db: Db = drizzle(client)
  const health = createHealth(file, () => void client.pragma('wal_checkpoint(PASSIVE)'))
  const { write, lend, checkRead, orgVersion, whenWritten, finish } = createWriter(client, db, health, now)
  let read = (): Promise<void> | undefined => undefined
  const hold = createHold(now)
  const {
    snapshot,
    counted,
    finish: endSnapshots,
  } = createSnapshots(file, {
    own: db,
    hold: (reading) => reading && hold(pagesOf(client)),
    ended: () => read(),
  })

  let closed = false
  return {
    client,
    db,
    write,
    lend,
    snapshot,
    counted,
    resting,
    file,
    health,
    /** A random part of every ETag, renewed unless the database continues where it stopped: see epoch.ts. */
    epoch: epoch.value,
    checkRead,
    orgVersion,
    whenWritten,
    /**
     * Calls `listener` when the last reader of an earlier state has ended, with the number of log pages not yet in the file, or
     * with all pages of a log that must begin anew; `leave` as in log.ts.
     */
    whenRead(listener: (pages: number, leave: () => () => void) => Promise<void> | undefined): void {
      read = () => {
        const { log, left } = pagesOf(client)
        return listener(log < MUCH || left === 0 ? left : log, () => leaveLog(client))
      }
    },
    /** Runs the queued writes, then checkpoints and closes, even if the disk fails. */
    async close(): Promise<void> {
      if (closed) return
      closed = true
      finish()
      endSnapshots()
      epoch.close()
      lock?.close()
    },
  }
}
export type Store = ReturnType<typeof attach>
