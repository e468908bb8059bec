import { createHash } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import { KEPT_ANSWERS } from '../../src/core/budgets.ts'
import { DAY_MS } from '../../src/core/dates.ts'
import { AppError, type CommitThenFail, invalid } from '../../src/errors.ts'
import { dayOf, spendDay, spentOnDay } from '../budgets.ts'
import type { Tx, Write } from '../open.ts'
import { query } from '../query.ts'
import { idempotency } from '../schema/operations.ts'
import { purgeInSlices, purging } from './purge.ts'

const find = query('idempotency.find', ['scope', 'key'], (db, p) =>
  db
    .select()
    .from(idempotency)
    .where(and(eq(idempotency.scope, p.scope), eq(idempotency.key, p.key))),
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
    }),
)
const purge = purging('idempotency.purge', ['before'], idempotency, (p) => lt(idempotency.createdAt, p.before))

/** Checks the day's budget of answers stored for Idempotency-Keys. @throws too_many_requests */
function checkStoredAnswers(tx: Tx, { userId, orgId }: Whose, now: number): void {
  const day = dayOf(now)
  const spent = (key: string): number => spentOnDay(tx, 'kept_answers', key, day)
  if (spent(userId) < KEPT_ANSWERS.person && spent(orgId) < KEPT_ANSWERS.organization) return
  throw new AppError(
    'too_many_requests',
    {
      en: 'As many answers are kept for Idempotency-Keys as one day allows. Go on tomorrow, or without this header.',
      fr: 'Les réponses conservées pour les en-têtes Idempotency-Key ont atteint le maximum du jour. Continuez demain, ou sans cet en-tête.',
    },
    { retryAfter: Math.ceil(((day + 1) * DAY_MS - now) / 1000) },
  )
}

const KEPT_MS = DAY_MS
const KEY = /^[\x21-\x7e]{1,255}$/
/** What a write answers. */
export type Done<T> = {
  readonly value: T
  readonly status: number
  readonly etag: string | number | undefined
  /** True for an answer that was given before, to the same key. */
  readonly replayed?: true
}

type Whose = { readonly userId: string; readonly orgId: string }
/** A request with an Idempotency-Key: `scope` names the caller and the operation; `limited`: answers are kept up to the day's budget. */
export type Keyed = {
  readonly key: string
  readonly scope: string
  readonly bodyHash: string
  readonly limited: boolean
}
/** @throws validation_failed for an invalid key */
export function keyedOf(
  { orgId, userId }: Whose,
  {
    method,
    path,
    key,
    body,
  }: { readonly method: string; readonly path: string; readonly key: string; readonly body: unknown },
  limited: boolean,
): Keyed {
  if (!KEY.test(key))
    throw invalid(
      'Idempotency-Key',
      'Must be 1 to 255 visible ASCII characters.',
      'Doit avoir de 1 à 255 caractères ASCII visibles.',
    )
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(body ?? {}))
    .digest('base64url')
  return { key, scope: `${orgId} ${userId} ${method} ${path}`, bodyHash, limited }
}

type Written = { readonly write: Write; readonly clock: { readonly wall: () => number } }
/**
 * `once(caller, keyed, work)` does `work` in one write of the caller's organization, once for each Idempotency-Key: the
 * key's row commits with the effect, a replay answers what was answered then.
 * @throws idempotency_mismatch for a key that came with another body
 */
export const createOnce =
  ({ write, clock }: Written) =>
  <T>(caller: Whose, keyed: Keyed, work: (tx: Tx) => Done<T> | CommitThenFail): Promise<Done<T>> => {
    const { key, scope, bodyHash, limited } = keyed
    const first = (tx: Tx): Done<T> | CommitThenFail => {
      const wall = clock.wall()
      const old = find(tx).get({ scope, key })
      if (old && wall - old.createdAt < KEPT_MS) {
        if (old.bodyHash !== bodyHash) throw new AppError('idempotency_mismatch')
        return { ...(JSON.parse(old.body) as Pick<Done<T>, 'value' | 'etag'>), status: old.status, replayed: true }
      }
      if (limited) checkStoredAnswers(tx, caller, wall)
      return work(tx)
    }
    /** Stores the answer under its key. No list shows that row, so a replay does not change the version of lists. */
    const remember = (tx: Tx, { value, etag, status, replayed }: Done<T>): void => {
      if (replayed) return
      const createdAt = clock.wall()
      const text = JSON.stringify({ value, etag })
      keep(tx).run({ scope, key, bodyHash, status, body: text, createdAt })
      if (limited)
        for (const key of [caller.userId, caller.orgId])
          spendDay(tx, { budget: 'kept_answers', key, day: dayOf(createdAt) }, text.length)
    }
    return write(caller.orgId, first, { unseen: remember })
  }

/** Deletes keys older than a day; the scheduler calls it, never a request. */
export const purgeIdempotencyKeys = (deps: Written & { readonly stopping: AbortSignal }): Promise<void> =>
  purgeInSlices(deps, (tx) => purge(tx, { before: deps.clock.wall() - KEPT_MS }))
