import { V7Generator } from 'uuidv7'
import type { Tx } from '../db/open.ts'
import { DAY_MS } from './core/dates.ts'
import type { Role } from './core/roles.ts'
import { isPart, type Scope } from './core/scope.ts'
import type { Clock } from './time.ts'

/**
 * The authenticated user. The widest role decides what they see: the whole organization or the properties they were
 * given to manage, what they own, or what they rent.
 */
export type Caller = {
  readonly userId: string
  readonly orgId: string
  readonly roles: readonly Role[]
  readonly scope: Scope
  /** The session of the token, if it has one. */
  readonly sessionId?: string | undefined
  /** Time of the last sign-in, epoch seconds; absent where the token has none. */
  readonly authTime?: number | undefined
  /** '2' if a second factor was used. */
  readonly acr?: string | undefined
}

/** Seconds for which a sign-in allows to change where money goes, and numbers. */
const FRESH_SECONDS = 300
/** Whether a sign-in at `authTime` (epoch seconds) is recent at `wall` (epoch ms); one of unknown time is not. */
export const isFresh = (authTime: number | undefined, wall: number): boolean =>
  authTime !== undefined && wall / 1000 - authTime <= FRESH_SECONDS

/** Finds the caller behind a bearer token: `known` answers at once for a cached token, `verify` for any. */
export type Access = {
  readonly known: (token: string) => Caller | undefined
  /** Rejects with `unauthorized` for a bad token, with 503 if the provider's keys cannot be fetched. */
  readonly verify: (token: string) => Promise<Caller>
  /** Drops a user's tokens from the cache: their roles, number, password or status have changed. */
  readonly forget: (subject: string) => void
}

/** Who asks, from where and in which language. */
export type Asking = {
  readonly caller: Caller
  readonly address: string
  readonly requestId: string
  readonly locale: 'fr' | 'en'
}

/** `properties`: what a manager is limited to; an administrator never is. */
export function scopeOf(userId: string, roles: readonly Role[], properties?: readonly string[]): Scope {
  const limited = properties !== undefined && roles.includes('MANAGER') && !roles.includes('ADMIN')
  if (limited) return { kind: 'limited', userId, properties }
  const kind =
    roles.includes('ADMIN') || roles.includes('MANAGER') ? 'all' : roles.includes('OWNER') ? 'owner' : 'tenant'
  return { kind, userId }
}

/** An owner or limited manager who is also a tenant selects that role by filtering for themselves as tenant. */
export const asTenant = (scope: Scope, tenantUserId: string | undefined): Scope =>
  isPart(scope) && scope.userId === tenantUserId ? { ...scope, kind: 'tenant' } : scope

/** What a use case gets: who asks, when, and the transaction that it writes in; nothing of how it runs. */
export type Ctx = {
  readonly tx: Tx
  readonly caller: Caller
  /** Business time, epoch ms, and the same as ISO text. */
  readonly nowMs: number
  readonly now: string
  readonly newId: () => string
  readonly requestId: string
}

/**
 * A source of UUIDv7 (RFC 9562) whose ids only grow, so that id order is creation order, also when the clock stands
 * still or goes back by less than a day. A clock more than a day ahead was wrong: its time does not stay in the ids.
 * `nowMs`: milliseconds since 1970. The source throws RangeError for a time out of range.
 */
export function createIdSource(nowMs: () => number): () => string {
  const generator = new V7Generator()
  generator.setRollbackAllowance(DAY_MS)
  return () => generator.generateOrResetWithTs(Math.floor(nowMs())).toString()
}

/** Jobs act on behalf of the system, with access to one whole organization. */
export const systemCaller = (orgId: string): Caller => ({
  userId: 'system',
  orgId,
  roles: ['ADMIN'],
  scope: { kind: 'all', userId: 'system' },
})

type Making = { readonly clock: Pick<Clock, 'now'>; readonly newId: () => string }
/** What a use case of this caller gets, now. */
export function createCtx({ clock, newId }: Making, tx: Tx, caller: Caller, requestId: string): Ctx {
  const nowMs = clock.now()
  return { tx, caller, nowMs, now: new Date(nowMs).toISOString(), newId, requestId }
}

/** What a job's use cases get: the organization's system caller, and its own id as request id. */
export const systemCtx = (deps: Making, tx: Tx, orgId: string, requestId: string): Ctx =>
  createCtx(deps, tx, systemCaller(orgId), requestId)

/** The caller of a public route, who has no access to anything else. */
export const NOBODY: Caller = { userId: '', orgId: '', roles: [], scope: { kind: 'tenant', userId: '' } }
