import type Database from 'better-sqlite3'
import { soon } from '../../src/core/event-loop.ts'
import { AppError, CommitThenFail } from '../../src/errors.ts'
import { type Health, storageError } from '../health.ts'
import { indexing } from '../search-index.ts'
import { isStorageFailure, sqliteCode } from '../store-error.ts'
import { createWatch, createWriteCheck } from '../transfer/moves.ts'
import type { Db, Tx, Write } from '../types.ts'
import { leaveLog } from '../wal/wal.ts'

type Item = {
  readonly orgId: string | null
  readonly fn: (tx: Tx) => unknown
  readonly unseen: ((tx: Tx, value: never) => void) | undefined
  readonly undo: boolean
  readonly since: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  value: unknown
  failed: boolean
}

const MAX_BATCH = 64
/** A batch that has run this long takes no further function: those left are the next batch, and requests go first. */
const BATCH_MS = 20
const MAX_QUEUE = 8192
/**
 * How many turns of the event loop a batch may wait to grow as large as the last one; a single writer does not wait.
 */
const MAX_TURNS = 4
/** How often a batch asks again while another process writes, such as `loyer import`, ms. */
const ASK_MS = 5
/** How long a write waits for a long one of another connection, ms: less than a client's connection may be idle. */
const HELD_MS = 25_000
const HELD_LOOK_MS = 1000
const HELD_RETRY_S = 10

class Halfway extends Error {}

/** Releases the writes, and names the organization whose version has gone up meanwhile. */
export type GiveBack = (orgId?: string | null, much?: boolean) => (() => void) | undefined

type Writer = {
  readonly write: Write
  /** Blocks all writes during one long transaction on another connection, as long as they may wait; reads continue. */
  readonly lend: () => Promise<GiveBack>
  /** @throws organization_moved, and organization_frozen for one that has come but is not open yet */
  readonly checkRead: (orgId: string) => void
  /** The organization's version, which every committed write to it changes. */
  readonly orgVersion: (orgId: string) => number
  /** Calls `listener` after each commit that changed something, long ones of another connection included. */
  readonly whenWritten: (listener: () => void) => void
  /** Runs the queued writes and accepts no more. */
  readonly finish: () => void
}

/**
 * Group commit: functions queue, and one turn of the event loop runs them in one transaction. An exception undoes the
 * effects of its own function only. `now`: monotonic milliseconds.
 */
export function createWriter(
  client: Database.Database,
  db: Db,
  health: Health,
  now = (): number => performance.now(),
): Writer {
  const statement = (sql: string) => client.prepare(sql)
  // Reads go on beside a long write of another process, as they would not while SQLite waits for it.
  client.pragma('busy_timeout = 0')
  const begin = statement('BEGIN IMMEDIATE')
  const commit = statement('COMMIT')
  const rollback = statement('ROLLBACK')
  const savepoint = statement('SAVEPOINT w')
  const release = statement('RELEASE w')
  const undo = statement('ROLLBACK TO w')
  const changes = statement('select total_changes()').pluck()
  const checkWrite = createWriteCheck(client)
  const bump = statement('update organization set version = version + 1 where id = ?')
  const index = indexing(client)
  const version = statement('select version from organization where id = ?').pluck()
  // The service writes through `write` alone; `look` finds what a command wrote beside it.
  const versions = new Map<string, number>()
  const { look, checkRead } = createWatch(client, now, () => {
    versions.clear()
  })

  let written = (): void => {}
  let queue: Item[] = []
  let closed = false
  let lent: Promise<void> | undefined
  let watch: ReturnType<typeof setInterval> | undefined

  /** Runs a function. @returns whether the count of changes is no longer `before` */
  function perform(item: Item, before: unknown): boolean {
    item.value = item.fn(db as Tx)
    if (item.value instanceof Promise) throw new TypeError('a write cannot wait for anything')
    if (!client.inTransaction) throw new Error('the transaction ended in the middle of a write')
    const wrote = changes.get() !== before
    if (wrote && item.orgId !== null) checkWrite(item.orgId)
    if (item.unseen && !(item.value instanceof CommitThenFail)) item.unseen(db as Tx, item.value as never)
    return wrote
  }

  const refuse = (item: Item, error: unknown): void => {
    // On a full disk, SQLite may have undone the whole batch; continuing would commit the rest one by one.
    if (!client.inTransaction || isStorageFailure(error)) throw error
    item.value = error
    item.failed = true
  }

  /** Runs a function in a savepoint, so that only its own writes are undone if it throws. */
  function guarded(item: Item): boolean {
    item.failed = false
    savepoint.run()
    let wrote = false
    try {
      wrote = perform(item, changes.get())
    } catch (e) {
      refuse(item, e)
      undo.run()
    }
    if (item.undo && !item.failed) {
      undo.run()
      wrote = false
    }
    release.run()
    return wrote
  }

  /**
   * Runs a function without a savepoint, which would copy each page that is changed. @throws Halfway if it wrote
   * before it threw
   */
  function bare(item: Item): boolean {
    const before = changes.get()
    try {
      return perform(item, before)
    } catch (e) {
      refuse(item, e)
      if (changes.get() !== before) throw new Halfway()
      return false
    }
  }

  /** @returns how many functions ran: the first, and those that began in time */
  function run(batch: readonly Item[], one: (item: Item) => boolean): number {
    begin.run()
    const until = now() + BATCH_MS
    const touched = new Set<string>()
    let ran = 0
    let wrote = false
    for (const item of batch) {
      if (one(item)) {
        wrote = true
        if (item.orgId !== null) touched.add(item.orgId)
      }
      ran += 1
      if (now() >= until && !closed) break
    }
    index()
    for (const orgId of touched) bump.run(orgId)
    commit.run()
    for (const orgId of touched) versions.delete(orgId)
    if (wrote) written()
    return ran
  }

  /** The functions depend on the transaction alone, so all can run again, each in a savepoint of its own. */
  function runAll(batch: readonly Item[]): number {
    try {
      return run(batch, (item) => (item.undo ? guarded(item) : bare(item)))
    } catch (e) {
      if (!(e instanceof Halfway)) throw e
      rollback.run()
      return run(batch, guarded)
    }
  }

  /** After this nobody is in a transaction, whatever was thrown in it. */
  function leave(): void {
    try {
      if (client.inTransaction) rollback.run()
    } catch {
      // A failed rollback shows at the next BEGIN, which fails too; every caller still gets an answer.
    }
  }
  function fail(batch: readonly Item[], e: unknown): void {
    // Refusals also fail: they may be based on a write of this batch that is now undone.
    const error = health.lost(batch.length, e)
    for (const item of batch) item.reject(error)
  }
  /** Answers those that ran; the others come first in the next batch. */
  function answer(batch: readonly Item[], ran: number): void {
    queue = [...batch.slice(ran), ...queue]
    for (const item of batch.slice(0, ran)) {
      if (item.failed) item.reject(item.value)
      else if (item.value instanceof CommitThenFail) item.reject(item.value.error)
      else item.resolve(item.value as never)
    }
  }

  let last = 1
  let waited = 0
  /** Refuses those that have waited too long for another connection. */
  function giveUp(): void {
    const late = queue.filter(({ since }) => now() - since >= HELD_MS)
    queue = queue.slice(late.length)
    for (const item of late) item.reject(new AppError('overloaded', undefined, { retryAfter: HELD_RETRY_S }))
  }
  function flush(): void {
    if (lent) return
    // Clients of the last batch have just been answered and may write again: wait a turn to fill this batch.
    if (queue.length < last && waited < MAX_TURNS && !closed) {
      waited += 1
      return void soon(flush)
    }
    waited = 0
    const batch = queue.slice(0, MAX_BATCH)
    last = batch.length
    if (last === 0) return
    queue = queue.slice(MAX_BATCH)
    let ran = batch.length
    try {
      health.checkWritable()
      ran = runAll(batch)
      last = ran
      health.saved()
    } catch (e) {
      leave()
      if (sqliteCode(e) === 'SQLITE_BUSY' && !closed) {
        queue = [...batch, ...queue]
        giveUp()
        if (queue.length > 0) setTimeout(flush, ASK_MS)
        return
      }
      fail(batch, e)
      if (queue.length > 0) soon(flush)
      return
    }
    answer(batch, ran)
    if (queue.length > 0) soon(flush)
  }

  return {
    write: (orgId, fn, { unseen, undo = false } = {}) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(storageError(new Error('the store is closed')))
        if (queue.length >= MAX_QUEUE) return reject(new AppError('overloaded', undefined, { retryAfter: 1 }))
        const item = { orgId, fn, unseen, undo, since: now(), resolve, reject, value: undefined, failed: false }
        if (queue.push(item) === 1) soon(flush)
      }),
    async lend() {
      while (lent) await lent
      let resume = (): void => {}
      lent = new Promise((resolve) => {
        resume = resolve
      })
      watch = setInterval(giveUp, HELD_LOOK_MS)
      return (orgId, much) => {
        clearInterval(watch)
        if (orgId) versions.delete(orgId)
        lent = undefined
        resume()
        if (queue.length > 0) soon(flush)
        written()
        return much ? leaveLog(client) : undefined
      }
    },
    checkRead,
    orgVersion(orgId) {
      look()
      const known = versions.get(orgId)
      if (known !== undefined) return known
      const stored = (version.get(orgId) as number | undefined) ?? 0
      if (versions.size >= 10_000) versions.clear()
      versions.set(orgId, stored)
      return stored
    },
    whenWritten(listener) {
      written = listener
    },
    finish() {
      closed = true
      lent = undefined
      clearInterval(watch)
      while (queue.length > 0) flush()
    },
  }
}
