import { and, asc, eq, lt, lte, type SQL, sql } from 'drizzle-orm'
import { isStorageFailure, type Tx } from '../../db/open.ts'
import { query } from '../../db/query.ts'
import { job } from '../../db/schema/operations.ts'
import { livesHere } from '../../db/transfer/moves.ts'
import { purgeInSlices, purging } from '../../db/write/purge.ts'
import { DAY_MS } from '../core/dates.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'

export type JobRow = typeof job.$inferSelect
/** Runs one job; must be idempotent, because a job whose process died runs again. */
export type Handler = (job: JobRow) => Promise<void>
export type Handlers = Readonly<Record<string, Handler>>
type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'stopping' | 'observer'>

const ATTEMPTS = 5
const RETRY_MS = [1_000, 10_000, 60_000, 600_000]
/** The lease of a running job: after it the job is run again. */
const LEASE_MS = 120_000
const KEPT_MS = 30 * DAY_MS

const ready = query('job.ready', ['now', 'limit'], (db, p) =>
  db
    .select({ id: job.id })
    .from(job)
    .where(and(eq(job.status, sql`'READY'`), lte(job.runAt, p.now), livesHere(job.orgId)))
    .orderBy(asc(job.runAt))
    .limit(p.limit),
)
const claim = query('job.claim', ['id', 'until'], (db, p) =>
  db
    .update(job)
    .set({ status: sql`'RUNNING'`, runAt: sql`${p.until}`, attempts: sql`${job.attempts} + 1` })
    .where(and(eq(job.id, p.id), eq(job.status, sql`'READY'`)))
    .returning(),
)
const giveBack = query('job.giveBack', ['id', 'runAt'], (db, p) =>
  db
    .update(job)
    .set({ status: sql`'READY'`, runAt: sql`${p.runAt}`, attempts: sql`${job.attempts} - 1` })
    .where(eq(job.id, p.id)),
)
const finish = query('job.finish', ['id', 'status', 'runAt', 'error', 'doneAt'], (db, p) =>
  db
    .update(job)
    .set({ status: sql`${p.status}`, runAt: sql`${p.runAt}`, lastError: sql`${p.error}`, doneAt: sql`${p.doneAt}` })
    .where(eq(job.id, p.id)),
)
const reclaim = query('job.reclaim', ['now', 'until'], (db, p) =>
  db
    .update(job)
    .set({ status: sql`'READY'`, runAt: sql`${p.now}` })
    .where(and(eq(job.status, sql`'RUNNING'`), lt(job.runAt, p.until))),
)
/** At start no job is running: jobs of the previous process are due now, although their leases may last for minutes. */
export const recoverJobs = (tx: Tx, wall: number): void =>
  void reclaim(tx).run({ now: wall, until: Number.MAX_SAFE_INTEGER })
const purge = purging('job.purge', ['before'], job, (p) => and(eq(job.status, sql`'DONE'`), lt(job.doneAt, p.before)))
const counts = query('job.counts', [], (db) => {
  const of = (status: string, index: SQL) => sql<number>`(select count(*) from ${job} where ${index})`.as(status)
  return db
    .select({
      READY: of('READY', sql`${job.status} = 'READY'`),
      RUNNING: of('RUNNING', sql`${job.status} = 'RUNNING'`),
      FAILED: of('FAILED', sql`${job.status} = 'FAILED'`),
    })
    .from(sql`(select 1)`)
})
/** Numbers of waiting, running and failed jobs; each is counted in its own index. */
export const jobCounts = (deps: Pick<Deps, 'db'>): Record<string, number> => counts(deps.db).get({}) ?? {}

/** Errors of the store, which no job causes and no retry of a job mends. */
const storeFails = (e: unknown): boolean =>
  isStorageFailure(e) || (e instanceof AppError && e.code === 'storage_unavailable')
/** Its organization was frozen for a move while the job ran: it goes on where that ends. */
const standsStill = (e: unknown): boolean =>
  e instanceof AppError && (e.code === 'organization_frozen' || e.code === 'organization_moved')
/** The worker's backoff after a database error: twice as long each time, because a full disk stays full for a while. */
const REST_MS = 1_000
const LONGEST_REST_MS = 30_000
/** A job that finds no room waits behind the others, which may need less. */
const AGAIN_MS = 5_000

/**
 * Claims and runs jobs, a few at a time. A failed job is retried later; after five attempts it stays FAILED and
 * visible. A database error is not the job's fault: it costs no attempt, and ends the round.
 */
export function createWorker(deps: Work, handlers: Handlers) {
  let stopped = false

  async function runOne(id: string): Promise<void> {
    const wall = deps.clock.wall()
    const row = await deps.write(null, (tx) => claim(tx).get({ id, until: wall + LEASE_MS }) ?? null)
    if (!row) return
    const startedAt = performance.now()
    try {
      const handler = handlers[row.kind]
      if (!handler) throw new Error(`no handler for ${row.kind}`)
      await handler(row)
      await deps.write(
        null,
        (tx) =>
          finish(tx).run({ id, status: 'DONE', runAt: row.runAt, error: null, doneAt: deps.clock.wall() }) as object,
      )
      deps.observer.worked(row.kind, startedAt, false)
    } catch (e) {
      // A job interrupted by shutdown is due at the next start.
      if (deps.stopping.aborted)
        return void (await deps.write(null, (tx) => giveBack(tx).run({ id, runAt: wall }) as object))
      if (storeFails(e) || standsStill(e)) {
        // If this fails too, the job becomes due when its lease expires.
        await deps.write(null, (tx) => giveBack(tx).run({ id, runAt: wall + AGAIN_MS }) as object).catch(() => {})
        if (standsStill(e)) return
        throw e
      }
      deps.observer.worked(row.kind, startedAt, true)
      const final = row.attempts >= ATTEMPTS
      deps.log.error('job.failed', e, { kind: row.kind, jobId: id, attempts: row.attempts, final })
      const error = (e instanceof Error ? e.message : String(e)).slice(0, 300)
      const runAt = deps.clock.wall() + (RETRY_MS[row.attempts - 1] ?? 600_000)
      await deps.write(
        null,
        (tx) => finish(tx).run({ id, status: final ? 'FAILED' : 'READY', runAt, error, doneAt: null }) as object,
      )
    }
  }

  /** Runs all due jobs, and those that they enqueue. @returns how many jobs ran */
  async function drain(): Promise<number> {
    let done = 0
    while (!stopped) {
      const rows = ready(deps.db).all({ now: deps.clock.wall(), limit: 16 })
      if (rows.length === 0) break
      const outcomes = await Promise.allSettled(rows.map((r) => runOne(r.id)))
      const broken = outcomes.find((o) => o.status === 'rejected')
      if (broken) throw broken.reason
      done += rows.length
    }
    return done
  }

  let rest = 0
  let restedAt = 0

  return {
    drain,
    /** Runs what is due, unless it rests after an error, which is logged. */
    async round(): Promise<void> {
      if (performance.now() < restedAt) return
      try {
        await drain()
        rest = 0
      } catch (e) {
        rest = Math.min(LONGEST_REST_MS, rest * 2 || REST_MS)
        restedAt = performance.now() + rest
        deps.log.error('worker.failed', e, { restMs: rest })
      }
    },
    /** Claims no further jobs; those in hand finish. */
    stop: (): void => {
      stopped = true
    },
    /** Releases the jobs of a dead process, and deletes jobs completed a month ago. */
    async tidy(): Promise<void> {
      const now = deps.clock.wall()
      await deps.write(null, (tx) => reclaim(tx).run({ now, until: now }) as object)
      await purgeInSlices(deps, (tx) => purge(tx, { before: now - KEPT_MS }))
    },
  }
}
