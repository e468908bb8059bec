import { createHmac, randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import { systemCtx } from '../../../context.ts'
import { idOfToken, linkToken } from '../../../core/link-token.ts'
import { maskPhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { endCodes, type PhoneChallenge } from '../challenges/service.ts'
import { tellWith } from '../notices/service.ts'
import { TEXTS } from '../notices/texts.ts'
import { completeReset, replacePassword, requestReset } from '../password-reset/service.ts'
import { followPhone } from '../tenants/service.ts'
import { accountsOf, numberTaken } from '../users/service.ts'
import { findUser, type UserRow } from '../users/store.ts'
import { UNDO_MS } from './rules.ts'
import { closeUndos, dropUndos, findUndo, insertUndo, numberLedTo, type UndoRow } from './store.ts'

const keyOf = ({ masterKey }: Pick<Deps, 'masterKey'>): Buffer =>
  createHmac('sha256', masterKey).update('loyer number undo v1').digest()

/** The link by which the number before may undo a change; none for a number that nobody ever proved. */
export function undoLink(deps: Deps, tx: Tx, before: UserRow, newNumber: string): string | undefined {
  const { id: userId, orgId, phoneNumber: oldNumber, phoneVerified } = before
  const [id, changedAt] = [deps.newId(), deps.clock.wall()]
  // Whoever has a number back has nothing to undo any more.
  closeUndos(tx, { userId, from: id, oldNumber: newNumber, usedAt: changedAt })
  if (oldNumber === null || !phoneVerified) return undefined
  insertUndo(tx, { id, orgId, userId, oldNumber, newNumber, changedAt, expiresAt: changedAt + UNDO_MS, usedAt: null })
  return `${deps.config.publicUrl}/u/${linkToken(keyOf(deps), id)}`
}

/** A change that a link is about. `undone`: its number is the account's (again). `closed`: there is nothing to be undone. */
export type Undo =
  | { readonly state: 'unknown' | 'closed' }
  | { readonly state: 'open' | 'undone'; readonly row: UndoRow; readonly user: UserRow }

/** What a link in a message to the number before opens. */
export function openUndo(deps: Pick<Deps, 'masterKey' | 'clock'>, db: Db, token: string): Undo {
  const id = idOfToken(keyOf(deps), token)
  if (id === undefined) return { state: 'unknown' }
  const row = findUndo(db, id, deps.clock.wall())
  const user = row && findUser(db, row.orgId, row.userId)
  if (!row || user?.status !== 'ACTIVE') return { state: 'closed' }
  if (user.phoneNumber === row.oldNumber) return { state: 'undone', row, user }
  // Whoever administers an external provider has the last word: a number that came from there stays.
  const open = row.usedAt === null && user.phoneNumber === numberLedTo(db, user.id)
  return open ? { state: 'open', row, user } : { state: 'closed' }
}

type Undoing = { readonly address: string; readonly requestId: string; readonly locale: 'fr' | 'en' }

/**
 * Gives an account its number back, with every later change undone too. Nobody is signed in by it: all sessions and codes
 * end, and the password, which may be in other hands, opens nothing any more. @throws link_expired, duplicate
 */
export async function undoPhoneChange(deps: Deps, token: string, { requestId, locale }: Undoing): Promise<UndoRow> {
  const found = openUndo(deps, deps.db, token)
  if (found.state !== 'open') throw new AppError('link_expired')
  const { row, user } = found
  const { orgId, userId, oldNumber } = row
  const accounts = accountsOf(deps)
  const holds = (db: Db): void => {
    if (openUndo(deps, db, token).state !== 'open') throw new AppError('link_expired')
  }
  function refuse(reason: string): Promise<true> {
    return deps.write(orgId, (tx) => {
      const ctx = systemCtx(deps, tx, orgId, requestId)
      record(ctx, 'user.phone_undo_refused', { type: 'user', after: { id: userId }, details: { reason } })
      return true
    })
  }
  const taken = await accounts.findByPhone(oldNumber)
  if (taken && taken.userId !== user.subject) {
    await refuse('number_taken')
    throw numberTaken()
  }
  // First: what the number signs in with next must not be a password that others know.
  const nobodys = randomBytes(32).toString('base64url')
  await replacePassword(deps, { ...user, userId: user.subject, phoneNumber: null }, nobodys, {
    action: 'user.password_lock',
    requestId,
    holds,
  })
  function also(tx: Tx): void {
    const after = findUser(tx, orgId, userId)
    if (!after) throw notFound()
    const ctx = systemCtx(deps, tx, orgId, requestId)
    closeUndos(tx, { userId, from: row.id, oldNumber, usedAt: deps.clock.wall() })
    endCodes(deps, tx, user, true)
    endCodes(deps, tx, { ...user, phoneNumber: oldNumber })
    record(ctx, 'user.phone_undo', { type: 'user', before: user, after })
    followPhone(ctx, after)
    const spoken = user.locale ?? locale
    const news = { orgId, locale: spoken, purpose: 'phone_restored' }
    tellWith(deps, tx, { ...news, to: oldNumber, text: TEXTS[spoken].phoneRestored() })
    if (user.phoneNumber !== null)
      tellWith(deps, tx, { ...news, to: user.phoneNumber, text: TEXTS[spoken].phoneUndone(maskPhone(oldNumber)) })
  }
  try {
    await accounts.setPhone(user.subject, oldNumber, { holds, also })
  } catch (e) {
    if (!(e instanceof AppError && e.code === 'duplicate')) throw e
    await refuse('number_taken')
    throw numberTaken()
  } finally {
    deps.access.forget(user.subject)
  }
  return row
}

/** The code for a new password, to the number that was restored; undefined where none can be sent now. */
export async function codeAfterUndo(
  deps: Deps,
  token: string,
  { address, locale }: Undoing,
): Promise<PhoneChallenge | undefined> {
  const found = openUndo(deps, deps.db, token)
  if (found.state !== 'undone') throw new AppError('link_expired')
  const { row, user } = found
  const asked = { phoneNumber: row.oldNumber, channel: undefined, address, locale: user.locale ?? locale }
  return requestReset(deps, asked).catch((e: unknown) => {
    if (e instanceof AppError && ['too_many_requests', 'delivery_unavailable'].includes(e.code)) return undefined
    throw e
  })
}

/** Nothing of an erased person's numbers is kept. */
export const forgetUndos = dropUndos

/** The new password itself: an ordinary reset, whose code went to the number that was restored. */
export const newPasswordAfterUndo = completeReset
