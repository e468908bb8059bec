import type Database from 'better-sqlite3'
import { AppError, Kept } from '../src/errors.ts'
import { type Health, storageError } from './health.ts'
import type { Db, Tx, Write } from './open.ts'
import { isStorageFailure } from './store-error.ts'

type Item = {
  readonly orgId: string | null
  readonly fn: (tx: Tx) => unknown
  readonly aside: ((tx: Tx, value: never) => void) | undefined
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  value: unknown
  failed: boolean
}

const MAX_BATCH = 64
const MAX_QUEUE = 8192
/** How often a turn of the loop may pass for a batch to become as large as the last one; alone there is nothing to wait for. */
const MAX_TURNS = 4

/** A closure threw after it had written. */
class Halfway extends Error {}

/** Lets writes go on; names the organization whose version was bumped meanwhile. */
export type GiveBack = (orgId?: string | null) => void

type Writer = {
  readonly write: Write
  /** Holds back all writes, for one long transaction on another connection; reads go on. */
  readonly lend: () => Promise<GiveBack>
  /** The organization's version: changes with every committed write of it. */
  readonly orgVersion: (orgId: string) => number
  /** Runs what is queued and takes nothing more. */
  readonly finish: () => void
}

/** Group commit: closures queue, one turn of the loop runs them in one transaction; who throws undoes only their own. */
export function createWriter(client: Database.Database, db: Db, health: Health): Writer {
  const statement = (sql: string) => client.prepare(sql)
  const begin = statement('BEGIN IMMEDIATE')
  const commit = statement('COMMIT')
  const rollback = statement('ROLLBACK')
  const savepoint = statement('SAVEPOINT w')
  const release = statement('RELEASE w')
  const undo = statement('ROLLBACK TO w')
  const changes = statement('select total_changes()').pluck()
  const bump = statement('update organization set version = version + 1 where id = ?')
  const version = statement('select version from organization where id = ?').pluck()
  // One process writes, and all through `write`: what it last saw of a version holds until it commits another.
  const versions = new Map<string, number>()

  let queue: Item[] = []
  let closed = false
  let lent: Promise<void> | undefined

  /** Whether it wrote anything since the count of changes was `before`. */
  function perform(item: Item, before: unknown): boolean {
    item.value = item.fn(db as Tx)
    if (item.value instanceof Promise) throw new TypeError('a write cannot wait for anything')
    if (!client.inTransaction) throw new Error('the transaction ended in the middle of a write')
    const wrote = changes.get() !== before
    if (item.aside && !(item.value instanceof Kept)) item.aside(db as Tx, item.value as never)
    return wrote
  }

  const refuse = (item: Item, error: unknown): void => {
    // On a full disk SQLite may have undone the whole batch; running on would commit the rest one by one.
    if (!client.inTransaction || isStorageFailure(error)) throw error
    item.value = error
    item.failed = true
  }

  /** In a savepoint: what a closure wrote before it threw is undone alone. */
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
    release.run()
    return wrote
  }

  /** Without: a savepoint copies each page that is changed after it. @throws Halfway where one wrote and then threw */
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

  function run(batch: readonly Item[], one: (item: Item) => boolean): void {
    begin.run()
    const touched = new Set<string>()
    for (const item of batch) if (one(item) && item.orgId !== null) touched.add(item.orgId)
    for (const orgId of touched) bump.run(orgId)
    commit.run()
    for (const orgId of touched) versions.delete(orgId)
  }

  /** Closures are functions of the transaction alone, so that all can run again, each in a savepoint of its own. */
  function runAll(batch: readonly Item[]): void {
    try {
      run(batch, bare)
    } catch (e) {
      if (!(e instanceof Halfway)) throw e
      rollback.run()
      run(batch, guarded)
    }
  }

  let last = 1
  let waited = 0
  function flush(): void {
    if (lent) return
    // Whoever was in the last batch has just been answered and may be asking again: another turn fills this one.
    if (queue.length < last && waited < MAX_TURNS && !closed) {
      waited += 1
      return void setImmediate(flush)
    }
    waited = 0
    const batch = queue.slice(0, MAX_BATCH)
    last = batch.length
    if (batch.length === 0) return
    queue = queue.slice(MAX_BATCH)
    if (queue.length > 0) setImmediate(flush)
    try {
      health.checkWritable()
      runAll(batch)
      health.saved()
    } catch (e) {
      try {
        if (client.inTransaction) rollback.run()
      } catch {
        // The next BEGIN fails too and comes back here; every caller still gets an answer.
      }
      // Refusals too: what a closure refused may have been the work of one that is now undone.
      const error = health.lost(batch.length, e)
      for (const item of batch) item.reject(error)
      return
    }
    for (const item of batch) {
      if (item.failed) item.reject(item.value)
      else if (item.value instanceof Kept) item.reject(item.value.error)
      else item.resolve(item.value as never)
    }
  }

  return {
    write: (orgId, fn, aside) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(storageError(new Error('the store is closed')))
        if (queue.length >= MAX_QUEUE) return reject(new AppError('overloaded', undefined, { retryAfter: 1 }))
        if (queue.push({ orgId, fn, aside, resolve, reject, value: undefined, failed: false }) === 1)
          setImmediate(flush)
      }),
    async lend() {
      while (lent) await lent
      let resume = (): void => {}
      lent = new Promise((resolve) => {
        resume = resolve
      })
      return (orgId) => {
        if (orgId) versions.delete(orgId)
        lent = undefined
        resume()
        if (queue.length > 0) setImmediate(flush)
      }
    },
    orgVersion(orgId) {
      const known = versions.get(orgId)
      if (known !== undefined) return known
      const found = (version.get(orgId) as number | undefined) ?? 0
      if (versions.size >= 10_000) versions.clear()
      versions.set(orgId, found)
      return found
    },
    finish() {
      closed = true
      lent = undefined
      while (queue.length > 0) flush()
    },
  }
}
