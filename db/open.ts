import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { AppError, Kept } from '../src/errors.ts'
import { APPLICATION_ID, migrate } from './migrate.ts'
import { StoreError } from './store-error.ts'

export type Db = BetterSQLite3Database<Record<string, never>> & { readonly $client: Database.Database }
declare const inWrite: unique symbol
/** A Db inside a write closure: store functions that write take this, those that read take Db. */
export type Tx = Db & { readonly [inWrite]: true }
type NotPromise<T> = T extends PromiseLike<unknown> ? never : T
/**
 * Runs `fn` in the next group commit and resolves once it is on disk. `orgId` is the organization whose version
 * it bumps; null for what belongs to none. What `fn` throws undoes its own effects only; 503 when nothing can be saved.
 */
export type Write = <T>(orgId: string | null, fn: (tx: Tx) => NotPromise<T> | Kept) => Promise<T>

type Item = {
  readonly orgId: string | null
  readonly fn: (tx: Tx) => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  value: unknown
  failed: boolean
}

const MAX_BATCH = 64
const MAX_QUEUE = 8192
/** Above this size the check at start would keep people waiting; the daily one finds the damage. */
const CHECK_AT_START_BYTES = 64 * 1024 * 1024

/** Refuses a file that is not Loyer's before SQLite touches it, so that nothing of it changes. */
function inspect(file: string): void {
  const header = Buffer.alloc(100)
  const fd = openSync(file, 'r')
  const read = readSync(fd, header, 0, 100, 0)
  closeSync(fd)
  const restore = 'Restore a backup, or move the file away to begin with an empty database.'
  if (read < 100 || header.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw new StoreError(65, `${file} is not a database. ${restore}`)
  if (header.readUInt32BE(68) !== APPLICATION_ID)
    throw new StoreError(65, `${file} is a database of another program. ${restore}`)
  if (statSync(file).size > CHECK_AT_START_BYTES) return
  const client = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const problems = client.pragma('quick_check(1)', { simple: true })
    if (problems !== 'ok') throw new Error(String(problems))
  } catch {
    throw new StoreError(65, `${file} is damaged. ${restore}`)
  } finally {
    client.close()
  }
}

/** One serving process: the transaction on the lock file is held as long as its Database is referenced. */
function takeLock(file: string): Database.Database {
  const lock = new Database(`${file}.lock`, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new StoreError(
      75,
      `Another Loyer is already running on ${file}. Stop it first, or choose another LOYER_DATA.`,
    )
  }
  return lock
}

const errorCode = (e: unknown): string => (e instanceof Database.SqliteError ? e.code : '')

/** What a failing disk looks like, in the several words SQLite has for it. */
export const isStorageFailure = (e: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|CORRUPT|NOTADB|NOMEM|PERM)/.test(errorCode(e))

/** Opens, locks, checks and migrates the database. @throws StoreError with a sentence and an exit code. */
export function openStore(file: string, wall: () => number = Date.now) {
  const memory = file === ':memory:'
  let lock: Database.Database | undefined
  let client: Database.Database
  if (memory) client = new Database(file)
  else {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      lock = takeLock(file)
      if (existsSync(file)) inspect(file)
      else closeSync(openSync(file, 'wx', 0o600))
      client = new Database(file)
    } catch (e) {
      lock?.close()
      if (e instanceof StoreError) throw e
      throw new StoreError(78, `The data folder cannot be used: ${e instanceof Error ? e.message : String(e)}`)
    }
  }
  return attach(client, file, lock, wall)
}

/** A store on an open client; tests hand in copies of a migrated in-memory database. */
export function attach(
  client: Database.Database,
  file = ':memory:',
  lock?: Database.Database,
  wall: () => number = Date.now,
) {
  try {
    for (const pragma of [
      'journal_mode = WAL',
      'synchronous = FULL',
      'foreign_keys = ON',
      'busy_timeout = 5000',
      'trusted_schema = OFF',
      'cell_size_check = ON',
      'journal_size_limit = 67108864',
      'temp_store = MEMORY',
      'cache_size = -65536',
    ])
      client.pragma(pragma)
    migrate(client, file, new Date(wall()).toISOString())
  } catch (e) {
    client.close()
    lock?.close()
    if (e instanceof StoreError) throw e
    throw new StoreError(65, `${file} cannot be opened: ${e instanceof Error ? e.message : String(e)}`)
  }
  const db: Db = drizzle(client)
  const statement = (sql: string) => client.prepare(sql)
  const begin = statement('BEGIN IMMEDIATE')
  const commit = statement('COMMIT')
  const rollback = statement('ROLLBACK')
  const savepoint = statement('SAVEPOINT w')
  const release = statement('RELEASE w')
  const undo = statement('ROLLBACK TO w')
  const bump = statement('update organization set version = version + 1 where id = ?')
  const version = statement('select version from organization where id = ?').pluck()

  let queue: Item[] = []
  let closed = false
  const unavailable = (cause: unknown) => new AppError('storage_unavailable', undefined, { retryAfter: 30 }, cause)

  function run(batch: readonly Item[]): void {
    begin.run()
    const touched = new Set<string>()
    for (const item of batch) {
      savepoint.run()
      try {
        item.value = item.fn(db as Tx)
        release.run()
        if (item.orgId !== null) touched.add(item.orgId)
      } catch (e) {
        // On a full disk SQLite has already undone the whole batch; running on would commit the rest one by one.
        if (!client.inTransaction || isStorageFailure(e)) throw e
        item.value = e
        item.failed = true
        undo.run()
        release.run()
      }
    }
    for (const orgId of touched) bump.run(orgId)
    commit.run()
  }

  function flush(): void {
    const batch = queue.length > MAX_BATCH ? queue.slice(0, MAX_BATCH) : queue
    queue = queue.length > MAX_BATCH ? queue.slice(MAX_BATCH) : []
    if (queue.length > 0) setImmediate(flush)
    try {
      run(batch)
    } catch (e) {
      if (client.inTransaction) rollback.run()
      for (const item of batch) item.reject(item.failed ? item.value : unavailable(e))
      return
    }
    for (const item of batch) {
      if (item.failed) item.reject(item.value)
      else if (item.value instanceof Kept) item.reject(item.value.error)
      else item.resolve(item.value as never)
    }
  }

  const write: Write = (orgId, fn) =>
    new Promise((resolve, reject) => {
      if (closed) return reject(unavailable('closed'))
      if (queue.length >= MAX_QUEUE) return reject(new AppError('overloaded', undefined, { retryAfter: 1 }))
      if (queue.push({ orgId, fn, resolve, reject, value: undefined, failed: false }) === 1) setImmediate(flush)
    })

  const epoch = (): string => {
    const read = statement("select value from setting where key = 'epoch'").pluck()
    statement("insert into setting(key, value) values('epoch', ?) on conflict do nothing").run(
      randomBytes(6).toString('base64url'),
    )
    return read.get() as string
  }

  return {
    client,
    db,
    write,
    file,
    /** Random for each database and renewed by a restore: part of every weak ETag. */
    epoch: epoch(),
    /** The organization's version: changes with every committed write of it. */
    orgVersion: (orgId: string): number => (version.get(orgId) as number | undefined) ?? 0,
    /** Waits for what is queued, then checkpoints and closes. */
    async close(): Promise<void> {
      if (closed) return
      await write(null, () => true)
      closed = true
      client.pragma('optimize')
      client.close()
      lock?.close()
    },
  }
}
export type Store = ReturnType<typeof attach>
