import { randomBytes } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import type { Account, Change } from '../../../adapters/identity/port.ts'
import { record } from '../../../changes/record.ts'
import { type Caller, systemCtx } from '../../../context.ts'
import { normalizePhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { checkStanding, endCodes, giveBack, type PhoneChallenge, redeemCode, requestCode } from '../codes/service.ts'
import { findChallenge } from '../codes/store.ts'
import { knowNetwork } from '../messages/budgets.ts'
import { tellWith } from '../messages/news.ts'
import { TEXTS } from '../messages/texts.ts'
import { findOrganization } from '../organizations/store.ts'
import { accountsOf } from '../users/service.ts'
import { findUserBySubject } from '../users/store.ts'
import { checkPassword } from './registration.ts'

type Request = {
  readonly phoneNumber: string
  readonly channel: 'WHATSAPP' | 'SMS' | undefined
  readonly address: string
  readonly locale: 'fr' | 'en'
}

/** Gives the same answer for every number: one without an account gets a decoy that behaves like a real challenge. */
export async function requestReset(deps: Deps, r: Request): Promise<PhoneChallenge> {
  const account = await deps.identity?.findByPhone(r.phoneNumber)
  const known = account?.enabled === true
  return requestCode(deps, {
    ...r,
    purpose: 'PASSWORD_RESET',
    userId: known ? account.userId : null,
    orgId: known ? (account.orgId ?? null) : null,
    decoy: !known,
  })
}

/** Sets a new password and ends all sessions. @throws challenge_gone (410), wrong_code (422), attempts_exhausted (429) */
export async function completeReset(
  deps: Deps,
  body: { challengeId: string; code: string; newPassword: string },
  requestId: string,
): Promise<void> {
  const { identity, write } = deps
  const { challengeId, code } = body
  // Decoys check the password too, against the number asked for, so that the refusal does not reveal an account.
  checkPassword(body.newPassword, '/newPassword', findChallenge(deps.db, challengeId)?.phoneNumber)
  if (!identity) throw new AppError('identity_unavailable')
  const challenge = await write(null, (tx) =>
    redeemCode(deps, tx, { purpose: 'PASSWORD_RESET', challengeId, code, userId: null }),
  )
  let account: Account | undefined
  try {
    account = await identity.findByPhone(challenge.phoneNumber)
    // An external provider may have changed the number or disabled the account without notice.
    if (!account?.enabled || account.userId !== challenge.userId) throw new AppError('challenge_gone')
    await replacePassword(deps, account, body.newPassword, {
      requestId,
      details: { byRecoveryCode: challenge.byRecovery },
      holds: (db) => checkStanding(db, challenge),
    })
  } catch (e) {
    if (e instanceof AppError && e.code === 'challenge_gone') throw e
    if (await write(null, (tx) => giveBack(tx, challenge))) throw e
    // The code stays used: the password is set, and only the provider's sessions have still to end.
    await endSessionsLater(deps, account, e)
  }
  const { asker, userId } = challenge
  if (asker !== null && userId !== null) await write(null, (tx) => knowNetwork(deps, tx, userId, asker))
}

async function endSessionsLater(deps: Deps, account: Account | undefined, e: unknown): Promise<void> {
  const subject = account?.userId ?? ''
  deps.log.error('user.follow_failed', e, { userId: subject })
  await deps.write(null, (tx) => {
    const id = deps.newId()
    enqueue(systemCtx(deps, tx, account?.orgId ?? '', id), 'user.sessions', id, { subject })
    return true
  })
}

type Holder = { readonly userId: string; readonly orgId?: string | undefined; readonly phoneNumber: string | null }
type Replacing = Pick<Change, 'keepSession' | 'holds'> & {
  readonly requestId: string
  /** The caller, if signed in. */
  readonly caller?: Caller
  readonly action?: string
  readonly details?: Readonly<Record<string, boolean>>
  readonly locale?: 'fr' | 'en'
}

/**
 * Replaces an account's password, voids its open codes, writes the audit entry and tells its number, all or nothing.
 * @throws identity_unavailable, overloaded, and what `holds` throws: then nothing has changed
 */
export async function replacePassword(
  deps: Deps,
  { userId: subject, orgId, phoneNumber }: Holder,
  password: string,
  { requestId, caller, action = 'user.password_reset', details, locale, ...change }: Replacing,
): Promise<void> {
  function also(tx: Tx): void {
    const user = orgId === undefined ? undefined : findUserBySubject(tx, orgId, subject)
    const id = user?.id ?? subject
    endCodes(deps, tx, { id, subject, phoneNumber })
    if (orgId !== undefined) {
      const ctx = systemCtx(deps, tx, orgId, requestId)
      const change = { type: 'user', after: { id }, ...(details ? { details } : {}) }
      record(caller ? { ...ctx, caller } : ctx, action, change)
    }
    if (phoneNumber === null) return
    const spoken = user?.locale ?? locale ?? deps.config.locale
    const text = TEXTS[spoken].passwordChanged(orgId === undefined ? '' : (findOrganization(tx, orgId)?.name ?? ''))
    tellWith(deps, tx, { orgId: orgId ?? null, to: phoneNumber, locale: spoken, purpose: 'password_changed', text })
  }
  try {
    await accountsOf(deps).setPassword(subject, password, { ...change, also })
  } finally {
    deps.access.forget(subject)
  }
}

/**
 * The operator sets a password on the server (`loyer user password`) for somebody who is locked out: the waits after
 * wrong passwords and all sessions end. Without a password it generates one and returns it.
 * @throws validation_failed, weak_password, identity_unavailable
 */
export async function setPasswordByOperator(
  deps: Deps,
  { phone, password }: { readonly phone: string; readonly password?: string | undefined },
): Promise<{ readonly userId: string; readonly password: string | undefined }> {
  const { identity } = deps
  if (!identity) throw new AppError('identity_unavailable')
  const newPassword = password ?? randomBytes(9).toString('base64url')
  const phoneNumber = normalizePhone(phone)
  if (phoneNumber === undefined)
    throw invalid('/phone', 'This is no phone number.', 'Ce n’est pas un numéro de téléphone.')
  checkPassword(newPassword, '/password', phoneNumber)
  const account = await identity.findByPhone(phoneNumber)
  if (!account?.orgId) throw invalid('/phone', 'No account has this number.', 'Aucun compte n’a ce numéro.')
  const requestId = `operator-${deps.newId()}`
  await replacePassword(deps, account, newPassword, { requestId, details: { byOperator: true } })
  return { userId: account.userId, password: password === undefined ? newPassword : undefined }
}
