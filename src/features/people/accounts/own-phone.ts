import type { Tx } from '../../../../db/open.ts'
import type { Asking, Caller } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type CommitThenFail, notFound } from '../../../errors.ts'
import { type CodeRequest, type PhoneChallenge, type Redeemed, redeemCode, requestCode } from '../codes/service.ts'
import { findUser } from '../users/store.ts'

/**
 * Sends a code to the number of the caller's account; the request cannot name another.
 * @throws invalid_state without a number, too_many_requests
 */
export function requestOwnCode(
  deps: Deps,
  { caller, address, locale }: Asking,
  request: Pick<CodeRequest, 'purpose' | 'subject' | 'signs' | 'channel'>,
): Promise<PhoneChallenge> {
  const user = findUser(deps.db, caller.orgId, caller.userId)
  if (!user) throw notFound()
  if (user.phoneNumber === null)
    throw new AppError(
      'invalid_state',
      { en: 'Your account has no number yet.', fr: 'Votre compte n’a pas encore de numéro.' },
      { currentStatus: 'NO_NUMBER', allowed: [] },
    )
  return requestCode(deps, {
    ...request,
    phoneNumber: user.phoneNumber,
    userId: user.id,
    orgId: caller.orgId,
    address,
    locale: user.locale ?? locale,
  })
}

type Answered = Pick<Parameters<typeof redeemCode>[2], 'purpose' | 'challengeId' | 'code' | 'subject'>
/** Uses up such a code: it must have been sent to the number that the account has now. @throws as `redeemCode` does */
export function redeemOwnCode(deps: Deps, tx: Tx, caller: Caller, answered: Answered): Redeemed | CommitThenFail {
  const phoneNumber = findUser(tx, caller.orgId, caller.userId)?.phoneNumber ?? null
  return redeemCode(deps, tx, { ...answered, userId: caller.userId, phoneNumber })
}
