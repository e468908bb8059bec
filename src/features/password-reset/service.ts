import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { systemCtx } from '../../jobs/worker.ts'
import { record } from '../audit/service.ts'
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
  const account = await identity.findByPhone(challenge.phoneNumber)
  deps.access.forget(userId)
  if (!account?.orgId) return
  const { orgId } = account
  const user = await write(orgId, (tx) => {
    dropRecoveryCode(deps, tx, challenge)
    const found = findUserBySubject(tx, orgId, userId)
    const details = { byRecoveryCode: challenge.spent.length > 1 }
    record(systemCtx(deps, tx, orgId, requestId), 'user.password_reset', {
      type: 'user',
      after: { id: found?.id ?? userId },
      details,
    })
    return found
  })
  const locale = user?.locale ?? deps.config.locale
  const text = TEXTS[locale].passwordChanged()
  await tell(deps, { orgId, to: challenge.phoneNumber, locale, purpose: 'password_changed', text })
}
