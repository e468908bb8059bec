import type { Db, Tx } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import { type Asking, type Caller, type Ctx, isFresh, systemCtx } from '../../../context.ts'
import { maskPhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid, notFound, refusedAt } from '../../../errors.ts'
import {
  checkPrefix,
  checkStanding,
  endCodes,
  giveBack,
  type PhoneChallenge,
  type Redeemed,
  redeemCode,
  requestCode,
} from '../codes/service.ts'
import { liveChallenge } from '../codes/store.ts'
import { spendNumberChange } from '../messages/budgets.ts'
import { tellWith } from '../messages/news.ts'
import { TEXTS } from '../messages/texts.ts'
import { findOrganization } from '../organizations/store.ts'
import { followPhone } from '../tenants/service.ts'
import { accountsOf, markVerified, numberTaken } from '../users/service.ts'
import { findUser, type UserRow } from '../users/store.ts'
import { requestOwnCode } from './own-phone.ts'
import { undoLink } from './phone-undo.ts'

type Channel = 'WHATSAPP' | 'SMS'
type Answered = { readonly challengeId: string; readonly code: string }
type Wanted = {
  readonly newPhoneNumber: string
  readonly channel?: Channel | null
  readonly currentPassword?: string | null
  readonly oldNumberChallengeId?: string | null
  readonly oldNumberCode?: string | null
}

function self(db: Db, { orgId, userId }: Caller): UserRow {
  const row = findUser(db, orgId, userId)
  if (!row) throw notFound()
  return row
}
const contextOf = (deps: Deps, tx: Tx, { caller, requestId }: Asking): Ctx => ({
  ...systemCtx(deps, tx, caller.orgId, requestId),
  caller,
})
/** Ties a code for the new number to the number that the account had when the code was asked for. */
const subjectOf = ({ phoneNumber }: UserRow) => (phoneNumber === null ? {} : { subject: phoneNumber })

/** Sends a code that replaces the password as proof if the sign-in is old. */
export const requestOldNumberCode = async (deps: Deps, asking: Asking, channel?: Channel): Promise<PhoneChallenge> =>
  requestOwnCode(deps, asking, { purpose: 'REAUTHENTICATION', channel })

/** Sends a code to the number on file; the request cannot name another. */
export const requestVerification = async (deps: Deps, asking: Asking, channel?: Channel): Promise<PhoneChallenge> =>
  requestOwnCode(deps, asking, { purpose: 'PHONE_VERIFICATION', channel })

/** Marks the number on file as verified. */
export const verifyPhone = (deps: Deps, asking: Asking, body: Answered): Promise<UserRow> =>
  deps.write(asking.caller.orgId, (tx) => {
    const user = self(tx, asking.caller)
    const { id: userId, phoneNumber } = user
    const met = redeemCode(deps, tx, { purpose: 'PHONE_VERIFICATION', ...body, userId, phoneNumber })
    return 'phoneNumber' in met ? markVerified(contextOf(deps, tx, asking), user) : met
  })

/**
 * Checks that the person themselves asks for another number, not somebody with their phone or token. A given password
 * or code is checked; without one, a recent sign-in is enough, or a code for the same number that is still valid.
 * @returns the challenge that it used up. @throws reauthentication_required, validation_failed, wrong_code,
 * challenge_gone
 */
async function prove(deps: Deps, { caller, address }: Asking, user: UserRow, w: Wanted): Promise<Redeemed | undefined> {
  const { id: userId, phoneNumber } = user
  if (typeof w.currentPassword === 'string') {
    if (!deps.embedded)
      throw invalid(
        '/currentPassword',
        'Passwords are checked at the identity provider: sign in again, or give a code sent to your present number.',
        'Les mots de passe se vérifient chez le fournisseur d’identité : reconnectez-vous, ou donnez un code envoyé à votre numéro actuel.',
      )
    if (!(await deps.embedded.checkPassword(user.username ?? '', w.currentPassword, address)))
      throw invalid('/currentPassword', 'Is not your password.', 'N’est pas votre mot de passe.')
    return undefined
  }
  const { oldNumberChallengeId: challengeId, oldNumberCode: code } = w
  if (typeof challengeId === 'string' && typeof code === 'string')
    return deps.write(null, (tx) =>
      redeemCode(deps, tx, { purpose: 'REAUTHENTICATION', challengeId, code, userId, phoneNumber }),
    )
  if (typeof challengeId === 'string' || typeof code === 'string') {
    const path = typeof code === 'string' ? '/oldNumberChallengeId' : '/oldNumberCode'
    throw invalid(path, 'Must come together with the other one.', 'Doit accompagner l’autre.')
  }
  const now = deps.clock.wall()
  const sent = { phoneNumber: w.newPhoneNumber, purpose: 'PHONE_CHANGE', userId, subject: phoneNumber } as const
  if (!isFresh(caller.authTime, now) && !liveChallenge(deps.db, { ...sent, asker: null, now }))
    throw new AppError('reauthentication_required')
  return undefined
}

/**
 * Sends a code to the number that the caller wants.
 * @throws own_number, duplicate, phone_prefix_not_allowed, too_many_requests, and what `prove` throws
 */
export async function requestPhoneChange(deps: Deps, asking: Asking, wanted: Wanted): Promise<PhoneChallenge> {
  const { caller, address, locale } = asking
  const user = self(deps.db, caller)
  const phoneNumber = wanted.newPhoneNumber
  if (phoneNumber === user.phoneNumber) throw refusedAt('/newPhoneNumber', 'own_number')
  const accounts = accountsOf(deps)
  const proof = await prove(deps, asking, user, wanted)
  try {
    await deps.write(null, (tx) => spendNumberChange(deps, tx, user.id))
    if (await accounts.findByPhone(phoneNumber)) throw numberTaken('/newPhoneNumber')
    checkPrefix(deps, phoneNumber, false)
    return await requestCode(deps, {
      purpose: 'PHONE_CHANGE',
      phoneNumber,
      userId: user.id,
      ...subjectOf(user),
      orgId: caller.orgId,
      channel: wanted.channel ?? undefined,
      address,
      locale: user.locale ?? locale,
    })
  } catch (e) {
    if (proof) await deps.write(null, (tx) => giveBack(tx, proof))
    throw e
  }
}

/**
 * Changes to the verified number. All other sessions end, both numbers are told, and the old one may undo the change.
 */
export async function changePhone(deps: Deps, asking: Asking, body: Answered): Promise<UserRow> {
  const { caller } = asking
  const before = self(deps.db, caller)
  const r = { purpose: 'PHONE_CHANGE', ...body, userId: before.id, ...subjectOf(before) } as const
  const challenge = await deps.write(null, (tx) => redeemCode(deps, tx, r))
  const { phoneNumber } = challenge
  function also(tx: Tx): void {
    const after = self(tx, caller)
    const ctx = contextOf(deps, tx, asking)
    endCodes(deps, tx, before, true)
    endCodes(deps, tx, { ...before, phoneNumber })
    record(ctx, 'user.phone_change', { type: 'user', before, after })
    followPhone(ctx, after)
    const locale = before.locale ?? asking.locale
    const news = { orgId: caller.orgId, locale, purpose: 'phone_changed' }
    const url = undoLink(deps, tx, before, phoneNumber)
    const masked = maskPhone(phoneNumber)
    const text = TEXTS[locale].phoneChanged(masked, findOrganization(tx, caller.orgId)?.name ?? '')
    if (before.phoneNumber !== null)
      tellWith(deps, tx, {
        ...news,
        to: before.phoneNumber,
        text: url === undefined ? text : TEXTS[locale].phoneLost(masked, url),
      })
    tellWith(deps, tx, { ...news, to: phoneNumber, text })
  }
  try {
    const holds = (db: Db): void => checkStanding(db, challenge)
    await accountsOf(deps).setPhone(before.subject, phoneNumber, { keepSession: caller.sessionId, holds, also })
  } catch (e) {
    await deps.write(null, (tx) => giveBack(tx, challenge))
    throw e instanceof AppError && e.code === 'duplicate' ? numberTaken('/newPhoneNumber') : e
  }
  return self(deps.db, caller)
}
