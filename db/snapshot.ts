import { setTimeout as later } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { turn } from '../src/core/event-loop.ts'
import { AppError } from '../src/errors.ts'
import { planOnce } from './internals.ts'
import { CACHE_KB } from './page-cache.ts'
import { fromThread, isDamage } from './store-error.ts'
import type { Db } from './types.ts'

/** How long statements run before other work gets a turn. */
const TURN_MS = 2
/** More snapshots at once are refused: each prevents the write-ahead log from being truncated. */
const MOST = 8
const IDLE = 2
/** How long the pages stay in memory for the next report, ms. */
const KEPT_MS = 10_000

/** Yields to other work when the turn is over. Call it between two statements. */
export type Rest = () => Promise<void>
/** Turns for short reads on the serving connection, which may see writes in between; for long ones use a snapshot. */
export function resting(): Rest {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < TURN_MS) return
    await turn()
    since = performance.now()
  }
}

/** A connection that only reads, beside the service's own. Close its `$client` when done. */
export function readOnly(file: string): Db {
  const client = new Database(file, { readonly: true, fileMustExist: true })
  for (const pragma of [
    'query_only = ON',
    'busy_timeout = 5000',
    'trusted_schema = OFF',
    'temp_store = MEMORY',
    `cache_size = ${-CACHE_KB}`,
  ])
    client.pragma(pragma)
  return drizzle(planOnce(client))
}

/** The same, or an empty database if the file is too damaged to open, as `loyer doctor` reports other findings too. */
export function readOnlyOrEmpty(file: string): Db {
  try {
    return readOnly(file)
  } catch (e) {
    if (!isDamage(e)) throw e
    return drizzle(new Database(':memory:'))
  }
}

/** How often a read that waits asks whether it may begin, ms. */
const ASK_MS = 10

type Log = {
  /** Whether new reads are to wait; `reading`: whether there are others, or the log is being cleared after them. */
  readonly hold?: (reading: boolean) => boolean
  /** Called when the last of them has ended; resolves when the log is cleared. */
  readonly ended?: () => Promise<void> | undefined
}

/**
 * `snapshot(fn)`: long reads, on a read-only connection that sees the database at one moment. Writes that others make
 * while `fn` rests are invisible to it. `counted(fn)`: the same, of a thread with a connection of its own. `own`: the
 * connection of a database in memory. @throws overloaded
 */
export function createSnapshots(file: string, { own, hold = () => false, ended }: Log & { own?: Db } = {}) {
  const idle: Db[] = []
  /** Those that wait, too. */
  let open = 0
  let reading = 0
  let clearing = 0
  let closed = false
  let shrinking: ReturnType<typeof setTimeout> | undefined

  /** Frees the pages of connections that nobody has used for a while. */
  function shrinkLater(): void {
    clearTimeout(shrinking)
    shrinking = setTimeout(() => {
      for (const db of idle) db.$client.pragma('shrink_memory')
    }, KEPT_MS)
    shrinking.unref()
  }

  function clear(): void {
    const cleared = ended?.()
    if (!cleared) return
    clearing += 1
    void cleared.finally(() => {
      clearing -= 1
    })
  }

  async function inTurn<T>(fn: () => Promise<T>): Promise<T> {
    if (open >= MOST || closed) throw new AppError('overloaded', undefined, { retryAfter: 2 })
    open += 1
    try {
      while (!closed && hold(reading + clearing > 0)) await later(ASK_MS)
      if (closed) throw new AppError('overloaded', undefined, { retryAfter: 2 })
      reading += 1
      return await fn().finally(() => {
        reading -= 1
        if (reading === 0 && !closed) clear()
      })
    } finally {
      open -= 1
    }
  }
  async function begun<T>(fn: (db: Db, rest: Rest) => Promise<T>): Promise<T> {
    const db = idle.pop() ?? readOnly(file)
    try {
      db.$client.exec('BEGIN')
      return await fn(db, resting())
    } finally {
      if (db.$client.inTransaction) db.$client.exec('ROLLBACK')
      if (closed || idle.length >= IDLE) db.$client.close()
      else {
        idle.push(db)
        shrinkLater()
      }
    }
  }

  return {
    // A database in memory has only one connection.
    snapshot: <T>(fn: (db: Db, rest: Rest) => Promise<T>): Promise<T> =>
      own && file === ':memory:' ? fn(own, resting()) : inTurn(() => begun(fn)),
    counted: <T>(fn: () => Promise<T>): Promise<T> => inTurn(() => fn().catch((e) => Promise.reject(fromThread(e)))),
    finish(): void {
      closed = true
      clearTimeout(shrinking)
      for (const db of idle.splice(0)) db.$client.close()
    },
  }
}
