import { createHmac, randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import { systemCtx } from '../../../context.ts'
import { idOfToken, linkToken } from '../../../core/link-token.ts'
import { maskPhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { endCodes, type PhoneChallenge } from '../codes/service.ts'
import { tellWith } from '../messages/news.ts'
import { TEXTS } from '../messages/texts.ts'
import { findOrganization } from '../organizations/store.ts'
import { followPhone } from '../tenants/service.ts'
import { accountsOf, numberTaken } from '../users/service.ts'
import { findUser, type UserRow } from '../users/store.ts'
import { completeReset, replacePassword, requestReset } from './password-reset.ts'
import { UNDO_MS } from './rules.ts'
import { closeUndos, dropUndos, findUndo, insertUndo, numberLedTo, type UndoRow } from './store.ts'

const keyOf = ({ masterKey }: Pick<Deps, 'masterKey'>): Buffer =>
  createHmac('sha256', masterKey).update('loyer number undo v1').digest()

/** The link with which the holder of the old number may undo a change; none if that number was never verified. */
export function undoLink(deps: Deps, tx: Tx, before: UserRow, newNumber: string): string | undefined {
  const { id: userId, orgId, phoneNumber: oldNumber, phoneVerified } = before
  const [id, changedAt] = [deps.newId(), deps.clock.wall()]
  // An account that gets an earlier number back has nothing left to undo.
  closeUndos(tx, { userId, from: id, oldNumber: newNumber, usedAt: changedAt })
  if (oldNumber === null || !phoneVerified) return undefined
  insertUndo(tx, { id, orgId, userId, oldNumber, newNumber, changedAt, expiresAt: changedAt + UNDO_MS, usedAt: null })
  return `${deps.config.publicUrl}/u/${linkToken(keyOf(deps), id)}`
}

/** The change behind a link. `undone`: the account has its number (back). `closed`: nothing can be undone any more. */
export type Undo =
  | { readonly state: 'unknown' | 'closed' }
  | { readonly state: 'open' | 'undone'; readonly row: UndoRow; readonly user: UserRow }

/** Reads the change that a link is about. */
export function openUndo(deps: Pick<Deps, 'masterKey' | 'clock' | 'store'>, db: Db, token: string): Undo {
  const id = idOfToken(keyOf(deps), token)
  if (id === undefined) return { state: 'unknown' }
  const row = findUndo(db, id, deps.clock.wall())
  const user = row && findUser(db, row.orgId, row.userId)
  if (!row || user?.status !== 'ACTIVE') return { state: 'closed' }
  deps.store.checkRead(row.orgId)
  if (user.phoneNumber === row.oldNumber) return { state: 'undone', row, user }
  // An external provider decides about its numbers: a number that it set is not undone.
  const open = row.usedAt === null && user.phoneNumber === numberLedTo(db, user.id)
  return open ? { state: 'open', row, user } : { state: 'closed' }
}

type Undoing = { readonly address: string; readonly requestId: string; readonly locale: 'fr' | 'en' }

/**
 * Restores an account's number and undoes every later change. This signs nobody in: all sessions and codes end, and
 * the password is replaced, because others may know it. @throws link_expired, duplicate
 */
export async function undoPhoneChange(deps: Deps, token: string, { requestId, locale }: Undoing): Promise<UndoRow> {
  const undo = openUndo(deps, deps.db, token)
  if (undo.state !== 'open') throw new AppError('link_expired')
  const { row, user } = undo
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
  const holder = await accounts.findByPhone(oldNumber)
  if (holder && holder.userId !== user.subject) {
    await refuse('number_taken')
    throw numberTaken()
  }
  // First replace the password: others may know the one that would work with the restored number.
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
      tellWith(deps, tx, {
        ...news,
        to: user.phoneNumber,
        text: TEXTS[spoken].phoneUndone(maskPhone(oldNumber), findOrganization(tx, orgId)?.name ?? ''),
      })
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

/** Sends a code for a new password to the restored number; undefined if none can be sent now. */
export async function codeAfterUndo(
  deps: Deps,
  token: string,
  { address, locale }: Undoing,
): Promise<PhoneChallenge | undefined> {
  const undo = openUndo(deps, deps.db, token)
  if (undo.state !== 'undone') throw new AppError('link_expired')
  const { row, user } = undo
  const request = { phoneNumber: row.oldNumber, channel: undefined, address, locale: user.locale ?? locale }
  return requestReset(deps, request).catch((e: unknown) => {
    if (e instanceof AppError && ['too_many_requests', 'delivery_unavailable'].includes(e.code)) return undefined
    throw e
  })
}

/** Deletes the number changes of an erased person. */
export const forgetUndos = dropUndos

/** Sets the new password by an ordinary reset, with the code sent to the restored number. */
export const newPasswordAfterUndo = completeReset
