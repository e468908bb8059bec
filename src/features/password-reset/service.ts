import { randomBytes } from 'node:crypto'
import { normalizePhone } from '../../core/phone.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalid } from '../../errors.ts'
import { systemCtx } from '../../jobs/worker.ts'
import { record } from '../audit/service.ts'
import { knowNetwork } from '../budgets/service.ts'
import { dropRecoveryCode, giveBack, type PhoneChallenge, redeemCode, requestCode } from '../challenges/service.ts'
import { findChallenge } from '../challenges/store.ts'
import { tell } from '../notices/service.ts'
import { TEXTS } from '../notices/texts.ts'
import { checkPassword } from '../registration/service.ts'
import { findUserBySubject } from '../users/store.ts'

type Request = {
  readonly phoneNumber: string
  readonly channel: 'WHATSAPP' | 'SMS' | undefined
  readonly address: string
  readonly locale: 'fr' | 'en'
}

/** The same answer for every number: one without an account gets a decoy that behaves like the others. */
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
  // Also of a decoy, whose number is the one that was asked for: what is too easy to guess tells nothing.
  checkPassword(body.newPassword, '/newPassword', findChallenge(deps.db, challengeId)?.phoneNumber)
  if (!identity) throw new AppError('identity_unavailable')
  const challenge = await write(null, (tx) =>
    redeemCode(deps, tx, { purpose: 'PASSWORD_RESET', challengeId, code, userId: null }),
  )
  const userId = challenge.userId ?? ''
  try {
    await identity.setPassword(userId, body.newPassword)
  } catch (e) {
    await write(null, (tx) => giveBack(tx, challenge))
    throw e
  }
  if (challenge.asker !== null) {
    const network = challenge.asker
    await write(null, (tx) => knowNetwork(deps, tx, userId, network))
  }
  const account = await identity.findByPhone(challenge.phoneNumber)
  deps.access.forget(userId)
  if (!account?.orgId) return
  await noteReset(deps, { ...account, orgId: account.orgId }, { byRecoveryCode: challenge.byRecovery }, requestId)
}

type Holder = { readonly userId: string; readonly orgId: string; readonly phoneNumber: string }

/** After the password is set: codes in somebody's hands are dead, the audit trail knows, and the person is told. */
async function noteReset(
  deps: Deps,
  { userId, orgId, phoneNumber }: Holder,
  details: Readonly<Record<string, boolean>>,
  requestId: string,
): Promise<void> {
  const user = await deps.write(orgId, (tx) => {
    dropRecoveryCode(deps, tx, { phoneNumber, userId })
    const found = findUserBySubject(tx, orgId, userId)
    record(systemCtx(deps, tx, orgId, requestId), 'user.password_reset', {
      type: 'user',
      after: { id: found?.id ?? userId },
      details,
    })
    return found
  })
  const locale = user?.locale ?? deps.config.locale
  const text = TEXTS[locale].passwordChanged()
  await tell(deps, { orgId, to: phoneNumber, locale, purpose: 'password_changed', text })
}

/**
 * A new password for somebody who is locked out, set by the operator on the server itself (`loyer user password`): waits
 * after wrong passwords and all sessions end. Without a password one is made and returned, to be handed over.
 * @throws validation_failed, weak_password, identity_unavailable
 */
export async function setPasswordByOperator(
  deps: Deps,
  { phone, password }: { readonly phone: string; readonly password?: string | undefined },
): Promise<{ readonly userId: string; readonly password: string | undefined }> {
  const { identity } = deps
  if (!identity) throw new AppError('identity_unavailable')
  const made = password ?? randomBytes(9).toString('base64url')
  const phoneNumber = normalizePhone(phone)
  if (phoneNumber === undefined)
    throw invalid('/phone', 'This is no phone number.', "Ce n'est pas un numéro de téléphone.")
  checkPassword(made, '/password', phoneNumber)
  const account = await identity.findByPhone(phoneNumber)
  if (!account?.orgId) throw invalid('/phone', 'No account has this number.', "Aucun compte n'a ce numéro.")
  await identity.setPassword(account.userId, made)
  await noteReset(deps, { ...account, orgId: account.orgId }, { byOperator: true }, `operator-${deps.newId()}`)
  return { userId: account.userId, password: password === undefined ? made : undefined }
}
