import { createHmac } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import type { Db, Tx } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import { type Caller, type Ctx, systemCtx } from '../../../context.ts'
import { RECOVERIES } from '../../../core/budgets.ts'
import { momentOf } from '../../../core/dates.ts'
import { idOfToken, linkToken } from '../../../core/link-token.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { RECOVERY_DELAY_MS, RECOVERY_MS, type RecoveryKind } from '../codes/rules.ts'
import { addRecovery, decideRecovery, endCodes, makeRecoveryCode } from '../codes/service.ts'
import { findRecovery, pendingRecoveries, type RecoveryRow, recoveriesSince } from '../codes/store.ts'
import { tooMany } from '../messages/budgets.ts'
import { tellWith, warnWith } from '../messages/news.ts'
import { findOrganization } from '../organizations/store.ts'
import { isOrWasAdmin } from '../users/rules.ts'
import { accountsOf, tellUser, userOf } from '../users/service.ts'
import { adminsOf, findUser, nameIn, type UserRow } from '../users/store.ts'
import type { Recovery } from './model.ts'
import { ctxOf, dropFactors } from './second-factor.ts'
import { RECOVERY_TEXTS } from './texts.ts'

type Asking = { readonly caller: Caller; readonly requestId: string }
const contextOf = (deps: Deps, tx: Tx, { caller, requestId }: Asking): Ctx => ({
  ...systemCtx(deps, tx, caller.orgId, requestId),
  caller,
})
const keyOf = ({ masterKey }: Pick<Deps, 'masterKey'>): Buffer =>
  createHmac('sha256', masterKey).update('loyer recovery v1').digest()

/** Somebody of the organization who is not the caller. @throws not_found, own_account */
function other(ctx: Ctx, id: string): UserRow {
  const user = userOf(ctx, id)
  if (id === ctx.caller.userId) throw new AppError('own_account')
  return user
}

/**
 * A code to hand over to a user who cannot receive one. It allows one password reset within a day; their number is
 * told. An ADMIN's is valid a day later, unless they confirm it, and they can stop it.
 * @throws not_found, own_account, invalid_state, too_many_requests
 */
export async function issueRecoveryCode(
  deps: Deps,
  asking: Asking,
  id: string,
): Promise<{ code: string; expiresAt: string; effectiveAt?: string }> {
  type Made = ReturnType<typeof makeRecoveryCode> & { readonly effectiveAt?: number }
  const issued = await deps.write(asking.caller.orgId, (tx): Made => {
    const ctx = contextOf(deps, tx, asking)
    const user = other(ctx, id)
    accountsOf(deps)
    if (user.status !== 'ACTIVE') throw refused(user.status, [])
    const { phoneNumber, subject: userId } = user
    if (phoneNumber === null) throw refused('NO_NUMBER', [])
    if (isOrWasAdmin(user, deps.clock.wall())) {
      const { id: recoveryId, effectiveAt } = ask(deps, ctx, user, 'RECOVERY_CODE')
      const code = makeRecoveryCode(deps, tx, { id: recoveryId, phoneNumber, userId, validFrom: effectiveAt })
      return { ...code, effectiveAt }
    }
    record(ctx, 'user.recovery_code', { type: 'user', after: user })
    // The user no longer has the phone that earlier codes went to.
    endCodes(deps, tx, user)
    tellUser(tx, deps, user, 'recovery_code_issued', (t, name) => t.recoveryCodeIssued(name))
    return makeRecoveryCode(deps, tx, { id: ctx.newId(), phoneNumber, userId })
  })
  const { code, expiresAt, effectiveAt } = issued
  return {
    code,
    expiresAt: new Date(expiresAt).toISOString(),
    ...(effectiveAt !== undefined && { effectiveAt: new Date(effectiveAt).toISOString() }),
  }
}

/**
 * Removes the second factors of another user, who lost them: their sessions end, they are told, and it is audited. An
 * ADMIN's go a day later, unless they confirm it, and they can stop it. @returns what waits, if it does
 * @throws not_found, own_account, invalid_state if there is none, identity_unavailable, too_many_requests
 */
export async function resetSecondFactor(deps: Deps, asking: Asking, id: string): Promise<RecoveryRow | undefined> {
  type Reset = { readonly user: UserRow; readonly row?: RecoveryRow }
  const { user, row } = await deps.write(asking.caller.orgId, (tx): Reset => {
    const ctx = contextOf(deps, tx, asking)
    const user = other(ctx, id)
    if (deps.embedded?.hasSecondFactor(user.subject) && isOrWasAdmin(user, deps.clock.wall()))
      return { user, row: ask(deps, ctx, user, 'SECOND_FACTOR') }
    if (!dropFactors(deps, ctx, user)) throw refused('NONE', [])
    return { user }
  })
  if (!row) await signOut(deps, user)
  return row
}

async function signOut(deps: Deps, { subject }: UserRow): Promise<void> {
  await accountsOf(deps).endSessions(subject)
  deps.access.forget(subject)
}

const ASKED = { RECOVERY_CODE: 'user.recovery_code', SECOND_FACTOR: 'user.second_factor_reset_ask' } as const
/** Writes what waits for a day and tells the person at once on every channel, and the other ADMINs. */
function ask(deps: Deps, ctx: Ctx, user: UserRow, kind: RecoveryKind): RecoveryRow {
  const { tx, caller } = ctx
  const { id: userId, orgId } = user
  const now = deps.clock.wall()
  if (pendingRecoveries(tx, { orgId, userId, now }).some((row) => row.kind === kind)) throw refused('PENDING', [])
  const [first = now, ...more] = recoveriesSince(tx, userId, now - RECOVERIES.ms)
  if (more.length + 1 >= RECOVERIES.most) throw tooMany(first + RECOVERIES.ms - now)
  const effectiveAt = now + RECOVERY_DELAY_MS
  const row: RecoveryRow = {
    ...{ id: ctx.newId(), orgId, userId, askedBy: caller.userId, kind, status: 'PENDING' },
    ...{ askedAt: now, effectiveAt, expiresAt: effectiveAt + RECOVERY_MS },
  }
  addRecovery(tx, row)
  if (kind === 'SECOND_FACTOR') enqueue(ctx, 'recovery.due', row.id, {}, effectiveAt)
  const details = { effectiveAt: new Date(effectiveAt).toISOString() }
  record(ctx, ASKED[kind], { type: 'user', after: user, details })
  const url = `${deps.config.publicUrl}/a/${linkToken(keyOf(deps), row.id)}`
  tell(deps, tx, row, [user], (t, said) => t.asked(kind, { ...said, url }))
  const others = adminsOf(tx, orgId).filter(({ id }) => id !== userId && id !== caller.userId)
  tell(deps, tx, row, others, (t, said) =>
    t.askedOfOther(kind, { ...said, url: `${deps.config.publicUrl}/console/users` }),
  )
  return row
}

type Texts = (typeof RECOVERY_TEXTS)['fr' | 'en']
type Said = { readonly who: string; readonly whom: string; readonly when: string }
/** Tells people in their own languages; the person whom it is about on every channel. */
function tell(
  deps: Deps,
  tx: Tx,
  { orgId, userId, askedBy, effectiveAt }: RecoveryRow,
  people: readonly UserRow[],
  say: (t: Texts, said: Said) => string,
): void {
  const organization = findOrganization(tx, orgId)
  const [who, whom] = [nameIn(tx, orgId, askedBy), nameIn(tx, orgId, userId)]
  for (const { id, phoneNumber: to, locale: spoken } of people) {
    if (to === null) continue
    const locale = spoken ?? organization?.locale ?? deps.config.locale
    const when = momentOf(effectiveAt, locale, organization?.timeZone ?? deps.config.timeZone)
    const text = say(RECOVERY_TEXTS[locale], { who, whom, when })
    const send = id === userId ? warnWith : tellWith
    send(deps, tx, { orgId, to, locale, purpose: 'recovery', text })
  }
}

/** Carries out what was asked for. @returns false if it was settled meanwhile */
function takeEffect(deps: Deps, ctx: Ctx, row: RecoveryRow, user: UserRow): boolean {
  if (!decideRecovery(ctx.tx, row, 'EFFECTIVE')) return false
  if (row.kind === 'SECOND_FACTOR') dropFactors(deps, ctx, user)
  return true
}

/** Removes second factors whose day has passed, unless the person or the one who asked has no say any more. */
export async function carryOut(deps: Deps, id: string): Promise<void> {
  const pending = findRecovery(deps.db, id)
  if (!pending) return
  const { orgId, userId, askedBy } = pending
  const done = await deps.write(orgId, (tx) => {
    const row = findRecovery(tx, id)
    const [user, asker] = [findUser(tx, orgId, userId), findUser(tx, orgId, askedBy)]
    if (!row || deps.clock.wall() < row.effectiveAt) return null
    const holds = user?.status === 'ACTIVE' && asker?.status === 'ACTIVE' && asker.roles.includes('ADMIN')
    if (!holds) return decideRecovery(tx, row, 'STOPPED') ? undefined : null
    return takeEffect(deps, ctxOf(deps, tx, asker, id), row, user) ? user : null
  })
  if (done) await signOut(deps, done)
}

/** What the caller can still stop: about themselves; an ADMIN, about anybody of the organization. */
export const visibleRecoveries = ({ db, clock }: Deps, { orgId, userId, roles }: Caller): RecoveryRow[] =>
  pendingRecoveries(db, { orgId, userId: roles.includes('ADMIN') ? null : userId, now: clock.wall() })

/** Voids what was asked for; the one who asked, the person and the other ADMINs are told. */
function stop(deps: Deps, ctx: Ctx, row: RecoveryRow): RecoveryRow {
  const { tx, caller } = ctx
  const { orgId, userId, kind, askedBy } = row
  if (!decideRecovery(tx, row, 'STOPPED')) throw refused(row.status, [])
  const user = userOf(ctx, userId)
  record(ctx, 'user.recovery_stop', { type: 'user', after: user, details: { kind, askedBy } })
  const people = [user, ...adminsOf(tx, orgId).filter((admin) => admin.id !== userId)]
  const by = nameIn(tx, orgId, caller.userId)
  tell(
    deps,
    tx,
    row,
    people.filter((one) => one.id !== caller.userId),
    (t, said) => t.stopped(kind, { ...said, by }),
  )
  return { ...row, status: 'STOPPED' }
}

/** Stops it, as the person whom it is about or as an ADMIN. @throws not_found, invalid_state */
export function stopRecovery(ctx: Ctx, deps: Deps, id: string): RecoveryRow {
  const { orgId, userId, roles } = ctx.caller
  const row = findRecovery(ctx.tx, id)
  if (!row || row.orgId !== orgId || (row.userId !== userId && !roles.includes('ADMIN'))) throw notFound()
  if (row.status === 'STOPPED') return row
  if (deps.clock.wall() >= row.expiresAt) throw refused('EFFECTIVE', [])
  return stop(deps, ctx, row)
}

/** What a link is about: `unknown` if it is none of ours, `closed` if it is too old. */
export type Opened =
  | { readonly state: 'unknown' | 'closed' }
  | { readonly state: RecoveryRow['status']; readonly row: RecoveryRow; readonly user: UserRow }

/** Reads what the link in the person's message is about. */
export function openRecovery(deps: Pick<Deps, 'masterKey' | 'clock' | 'store'>, db: Db, token: string): Opened {
  const id = idOfToken(keyOf(deps), token)
  if (id === undefined) return { state: 'unknown' }
  const row = findRecovery(db, id)
  const user = row && findUser(db, row.orgId, row.userId)
  if (!row || user?.status !== 'ACTIVE' || deps.clock.wall() >= row.expiresAt) return { state: 'closed' }
  deps.store.checkRead(row.orgId)
  return { state: row.status, row, user }
}

/** The person stops it, or lets it take effect at once, by the link in their message. @throws link_expired */
export async function answerByLink(deps: Deps, token: string, answer: 'stop' | 'confirm', requestId: string) {
  const link = openRecovery(deps, deps.db, token)
  if (!('row' in link)) throw new AppError('link_expired')
  const { user, row } = await deps.write(link.row.orgId, (tx) => {
    const now = openRecovery(deps, tx, token)
    if (now.state !== 'PENDING' || !('row' in now)) throw new AppError('link_expired')
    const { row, user } = now
    const ctx = ctxOf(deps, tx, user, requestId)
    if (answer === 'stop') stop(deps, ctx, row)
    else {
      const { kind, askedBy } = row
      record(ctx, 'user.recovery_confirm', { type: 'user', after: user, details: { kind, askedBy } })
      takeEffect(deps, ctx, row, user)
    }
    return now
  })
  if (answer === 'confirm' && row.kind === 'SECOND_FACTOR') await signOut(deps, user)
}

/** A recovery with the names of both people. */
export const toRecovery =
  (db: Db) =>
  ({ id, orgId, kind, status, userId, askedBy, askedAt, effectiveAt }: RecoveryRow): Static<typeof Recovery> => ({
    ...{ id, kind, status, userId, askedBy },
    userName: nameIn(db, orgId, userId),
    askedByName: nameIn(db, orgId, askedBy),
    askedAt: new Date(askedAt).toISOString(),
    effectiveAt: new Date(effectiveAt).toISOString(),
  })
