import { createHash } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { query } from '../../db/query.ts'
import { idempotency } from '../../db/schema/operations.ts'
import { inSlices, purging } from '../../db/slices.ts'
import { dayOf, spendDay, spentOnDay } from '../../db/spending.ts'
import type { Caller } from '../context.ts'
import { KEPT_ANSWERS } from '../core/budgets.ts'
import type { Deps } from '../deps.ts'
import { AppError, type CommitThenFail, invalid } from '../errors.ts'
import { callerOf, pathOf } from './gate.ts'

const find = query('idempotency.find', ['scope', 'key'], (db, p) =>
  db
    .select()
    .from(idempotency)
    .where(and(eq(idempotency.scope, p.scope), eq(idempotency.key, p.key)))
    .prepare(),
)
const keep = query('idempotency.keep', ['scope', 'key', 'bodyHash', 'status', 'body', 'createdAt'], (db, p) =>
  db
    .insert(idempotency)
    .values({
      scope: p.scope,
      key: p.key,
      bodyHash: p.bodyHash,
      status: p.status,
      body: p.body,
      createdAt: p.createdAt,
    })
    .onConflictDoUpdate({
      target: [idempotency.scope, idempotency.key],
      set: {
        bodyHash: sql`excluded.body_hash`,
        status: sql`excluded.status`,
        body: sql`excluded.body`,
        createdAt: sql`excluded.created_at`,
      },
    })
    .prepare(),
)
const purge = purging('idempotency.purge', ['before'], idempotency, (p) => lt(idempotency.createdAt, p.before))

const DAY = 86_400_000
/** Checks the day's budget of answers stored for Idempotency-Keys. @throws too_many_requests */
function checkKept(tx: Tx, { userId, orgId }: Caller, now: number): void {
  const day = dayOf(now)
  const spent = (key: string): number => spentOnDay(tx, 'kept_answers', key, day)
  if (spent(userId) < KEPT_ANSWERS.person && spent(orgId) < KEPT_ANSWERS.organization) return
  throw new AppError(
    'too_many_requests',
    {
      en: 'As many answers are kept for Idempotency-Keys as one day allows. Go on tomorrow, or without this header.',
      fr: 'Les réponses conservées pour les en-têtes Idempotency-Key ont atteint le maximum du jour. Continuez demain, ou sans cet en-tête.',
    },
    { retryAfter: Math.ceil(((day + 1) * DAY - now) / 1000) },
  )
}

const KEPT_MS = 24 * 3600_000
const KEY = /^[\x21-\x7e]{1,255}$/
/** What a write answers. */
export type Done<T> = {
  readonly value: T
  readonly status: number
  readonly etag: string | number | undefined
  /** Answered before, to the same key. */
  readonly replayed?: true
}

/**
 * `once(key, request, body, work)` does `work` in one write of the caller's organization, once for each Idempotency-Key: the
 * key's row commits with the effect, a replay answers what was answered then.
 * @throws validation_failed for a key that is none, idempotency_mismatch for one that came with another body
 */
export function createOnce({ write, clock, config }: Pick<Deps, 'write' | 'clock' | 'config'>) {
  return <T>(
    key: string,
    request: Request,
    body: unknown,
    work: (tx: Tx) => Done<T> | CommitThenFail,
  ): Promise<Done<T>> => {
    if (!KEY.test(key))
      throw invalid(
        'Idempotency-Key',
        'Must be 1 to 255 visible ASCII characters.',
        'Doit avoir de 1 à 255 caractères ASCII visibles.',
      )
    const caller = callerOf(request)
    const scope = `${caller.orgId} ${caller.userId} ${request.method} ${pathOf(request.url)}`
    const bodyHash = createHash('sha256')
      .update(JSON.stringify(body ?? {}))
      .digest('base64url')
    const first = (tx: Tx): Done<T> | CommitThenFail => {
      const wall = clock.wall()
      const old = find(tx).get({ scope, key })
      if (old && wall - old.createdAt < KEPT_MS) {
        if (old.bodyHash !== bodyHash) throw new AppError('idempotency_mismatch')
        return { ...(JSON.parse(old.body) as Pick<Done<T>, 'value' | 'etag'>), status: old.status, replayed: true }
      }
      if (config.rateLimits) checkKept(tx, caller, wall)
      return work(tx)
    }
    /** The key's row is nothing that a list shows: what had been done already leaves lists as they are. */
    const remember = (tx: Tx, { value, etag, status, replayed }: Done<T>): void => {
      if (replayed) return
      const createdAt = clock.wall()
      const text = JSON.stringify({ value, etag })
      keep(tx).run({ scope, key, bodyHash, status, body: text, createdAt })
      if (config.rateLimits)
        for (const of of [caller.userId, caller.orgId]) spendDay(tx, 'kept_answers', of, dayOf(createdAt), text.length)
    }
    return write(caller.orgId, first, remember)
  }
}

/** Deletes keys older than a day; the scheduler calls it, never a request. */
export const purgeIdempotencyKeys = (deps: Pick<Deps, 'write' | 'clock' | 'stopping'>): Promise<void> =>
  inSlices(deps, (tx) => purge(tx, { before: deps.clock.wall() - KEPT_MS }))
