import { createHash } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { query } from '../../db/query.ts'
import { idempotency } from '../../db/schema/operations.ts'
import { dayOf, spendDay, spentOnDay } from '../../db/spending.ts'
import { type Caller, type Ctx, createCtx } from '../context.ts'
import { KEPT_ANSWERS } from '../core/budgets.ts'
import type { Deps } from '../deps.ts'
import { AppError, invalid, Kept } from '../errors.ts'
import { expectVersion, isConditional } from './cache.ts'
import { callerOf, edgeOf, pathOf } from './gate.ts'
import { type Spend, sizeOf } from './limits.ts'

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
const purge = query('idempotency.purge', ['before'], (db, p) =>
  db.delete(idempotency).where(lt(idempotency.createdAt, p.before)).prepare(),
)

const DAY = 86_400_000
/** That more answers may be kept for Idempotency-Keys today. @throws too_many_requests */
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
type Out = { headers: Record<string, string | number>; status?: number | string }
/** What is kept of an answer for its replay. */
type Answered<T> = { readonly value: T; readonly etag?: string | number | undefined }
type Done<T> = Answered<T> & { readonly status: number; readonly replayed: boolean }

/** The row that If-Match is about, as the caller sees it; undefined leaves the use case to say that there is none. */
export type Current = (ctx: Ctx) => { readonly version: number } | undefined
export type Mutate = <T>(
  request: Request,
  set: Out,
  status: number,
  body: unknown,
  fn: (ctx: Ctx) => T | Kept,
  current?: Current,
) => Promise<T>

/**
 * `mutate(request, set, status, body, fn, current)` runs `fn` in one write of the caller's organization, once for each
 * Idempotency-Key: the key's row commits with the effect, a replay answers what was answered then. In the same write,
 * before `fn`, If-Match is held against the `current` row. @throws precondition_failed
 */
export function createMutate(deps: Pick<Deps, 'store' | 'write' | 'clock' | 'newId' | 'config'>, spend: Spend): Mutate {
  const { store, write, clock, config } = deps
  return async <T>(
    request: Request,
    set: Out,
    status: number,
    body: unknown,
    fn: (ctx: Ctx) => T | Kept,
    current?: Current,
  ): Promise<T> => {
    const caller = callerOf(request)
    const { requestId } = edgeOf(request)
    spend(request, caller, sizeOf(request, body))
    const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null
    if (key !== null && !KEY.test(key))
      throw invalid(
        'Idempotency-Key',
        'Must be 1 to 255 visible ASCII characters.',
        'Doit avoir de 1 à 255 caractères ASCII visibles.',
      )
    const scope = key === null ? '' : `${caller.orgId} ${caller.userId} ${request.method} ${pathOf(request.url)}`
    const bodyHash =
      key === null
        ? ''
        : createHash('sha256')
            .update(JSON.stringify(body ?? {}))
            .digest('base64url')
    const work = (tx: Tx): Done<T> | Kept => {
      const wall = clock.wall()
      const old = key === null ? undefined : find(tx).get({ scope, key })
      if (old && wall - old.createdAt < KEPT_MS) {
        if (old.bodyHash !== bodyHash) throw new AppError('idempotency_mismatch')
        return { ...(JSON.parse(old.body) as Answered<T>), status: old.status, replayed: true }
      }
      if (key !== null && config.rateLimits) checkKept(tx, caller, wall)
      const ctx: Ctx = { ...createCtx(deps, tx, caller, requestId), waited: true }
      if (current && isConditional(request.headers)) {
        const row = current(ctx)
        if (row) expectVersion(request.headers, store.epoch, row.version)
      }
      const value = fn(ctx)
      if (value instanceof Kept) return value
      return { value, etag: set.headers.etag, status, replayed: false }
    }
    /** The key's row is nothing that a list shows: what had been done already leaves lists as they are. */
    const remember = (tx: Tx, { value, etag, replayed }: Done<T>): void => {
      if (key === null || replayed) return
      const answered: Answered<T> = { value, etag }
      const createdAt = clock.wall()
      const text = JSON.stringify(answered)
      keep(tx).run({ scope, key, bodyHash, status, body: text, createdAt })
      if (config.rateLimits)
        for (const of of [caller.userId, caller.orgId]) spendDay(tx, 'kept_answers', of, dayOf(createdAt), text.length)
    }
    const done = await write(caller.orgId, work, remember)
    set.status = done.status
    if (done.replayed) set.headers['idempotency-replayed'] = 'true'
    if (done.etag !== undefined) set.headers.etag = done.etag
    return done.value
  }
}

/** Forgets keys older than a day; called by the schedule, never in a request. */
export const purgeIdempotencyKeys = ({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<unknown> =>
  write(null, (tx) => purge(tx).run({ before: clock.wall() - KEPT_MS }) as object)
