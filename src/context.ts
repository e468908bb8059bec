import type { Scope } from '../db/list.ts'
import type { Tx } from '../db/open.ts'

import type { Role } from './core/roles.ts'
import type { Deps } from './deps.ts'

/** Who asks. The widest role decides what they see: everything of the organization, what they own, or what they rent. */
export type Caller = {
  readonly userId: string
  readonly orgId: string
  readonly roles: readonly Role[]
  readonly scope: Scope
  /** Session of the token, where it has one. */
  readonly sessionId?: string | undefined
  /** When they last signed in, epoch seconds; absent where the token does not say. */
  readonly authTime?: number | undefined
  /** '2' where that was followed by a second factor. */
  readonly acr?: string | undefined
}

export function scopeOf(userId: string, roles: readonly Role[]): Scope {
  const kind =
    roles.includes('ADMIN') || roles.includes('MANAGER') ? 'all' : roles.includes('OWNER') ? 'owner' : 'tenant'
  return { kind, userId }
}

/** An owner who also rents asks for that side of theirs by naming themselves as the tenant. */
export const asTenant = (scope: Scope, tenantUserId: string | undefined): Scope =>
  scope.kind === 'owner' && scope.userId === tenantUserId ? { ...scope, kind: 'tenant' } : scope

/** What a use case gets: who asks, when, and the transaction that its effects go to. */
export type Ctx = {
  readonly tx: Tx
  readonly caller: Caller
  /** Business time, epoch ms, and the same as ISO text. */
  readonly nowMs: number
  readonly now: string
  readonly newId: () => string
  readonly requestId: string
  /** Somebody waits for what comes of it: papers of this go before those of a night, an import or a seed. */
  readonly waited?: boolean
}

/** Jobs act with everything of one organization in view. */
export const systemCaller = (orgId: string): Caller => ({
  userId: 'system',
  orgId,
  roles: ['ADMIN'],
  scope: { kind: 'all', userId: 'system' },
})

/** What a use case of this caller gets, now. */
export function createCtx(
  { clock, newId }: { readonly clock: Pick<Deps['clock'], 'now'>; readonly newId: () => string },
  tx: Tx,
  caller: Caller,
  requestId: string,
): Ctx {
  const nowMs = clock.now()
  return { tx, caller, nowMs, now: new Date(nowMs).toISOString(), newId, requestId }
}

/** What a job's use cases get: the organization's system caller, and its own id as request id. */
export const systemCtx = (deps: Pick<Deps, 'clock' | 'newId'>, tx: Tx, orgId: string, requestId: string): Ctx =>
  createCtx(deps, tx, systemCaller(orgId), requestId)

/** Who calls a public route: nobody who could be let in anywhere else. */
export const NOBODY: Caller = { userId: '', orgId: '', roles: [], scope: { kind: 'tenant', userId: '' } }
