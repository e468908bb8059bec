import { Elysia } from 'elysia'
import type { Caller } from '../../../context.ts'
import { NUMBER_CHANGES } from '../../../core/budgets.ts'
import type { Deps } from '../../../deps.ts'
import { edgeOf, languageOf } from '../../../http/gate.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { propertiesOf } from '../caretakers/store.ts'
import { PhoneChallenge } from '../challenges/model.ts'
import { CurrentUser, toCurrentUser } from '../users/model.ts'
import type { UserRow } from '../users/store.ts'
import { NewPhone, OnFile, VerifyCode } from './model.ts'
import { changePhone, requestOldNumberCode, requestPhoneChange, requestVerification, verifyPhone } from './service.ts'

/** Idempotency-Key does not replay these: codes are never stored, and a code is single-use anyway. */
const ONCE = { 'x-idempotent': false } as object

/** Verifies and changes the number of an account. */
export function phoneChange(deps: Deps, http: Http) {
  // If neither the account nor the request names a language, codes and news use the operator's.
  const asking = (request: Request, caller: Caller) => ({
    caller,
    address: edgeOf(request).address,
    requestId: edgeOf(request).requestId,
    locale: languageOf(request, deps.config.locale),
  })
  const shown = (row: UserRow) => toCurrentUser(propertiesOf(deps.db, row), row)
  return new Elysia({ prefix: '/api/v1/account/phone', tags: ['Account'] })
    .use(http)
    .post('/otp', ({ body, caller, request }) => requestPhoneChange(deps, asking(request, caller), body), {
      access: EVERYONE,
      body: NewPhone,
      problems: [
        'reauthentication_required',
        'challenge_gone',
        'wrong_code',
        'attempts_exhausted',
        'own_number',
        'duplicate',
        'phone_prefix_not_allowed',
        'too_many_requests',
        'delivery_unavailable',
      ],
      answers: { 200: PhoneChallenge },
      detail: {
        summary: 'Send a code to a new number',
        description: `If the sign-in is older than five minutes (\`auth_time\` of the token), the password or a code sent to the present number is required. Without one, the request is refused with 403 \`reauthentication_required\`, which names both. Its WWW-Authenticate header says \`insufficient_user_authentication\` with \`max_age="300"\` (RFC 9470), for apps that sign the user in again. The same number may be requested again without them while its code is valid. An account can request ${NUMBER_CHANGES} numbers a day; after that, every number is answered with 429.`,
        operationId: 'phoneChangeOtp',
        ...ONCE,
      },
    })
    .post(
      '/old-number/otp',
      ({ body, caller, request }) => requestOldNumberCode(deps, asking(request, caller), body.channel ?? undefined),
      {
        access: EVERYONE,
        body: OnFile,
        problems: ['invalid_state', 'too_many_requests', 'delivery_unavailable'],
        answers: { 200: PhoneChallenge },
        detail: {
          summary: 'Send a code to the present number, to change it without the password',
          description: 'The code is valid for one POST /api/v1/account/phone/otp, and for nothing else.',
          operationId: 'phoneOldNumberOtp',
          ...ONCE,
        },
      },
    )
    .post(
      '/verify',
      async ({ body, caller, request }) => shown(await changePhone(deps, asking(request, caller), body)),
      {
        access: EVERYONE,
        body: VerifyCode,
        problems: [
          'challenge_gone',
          'wrong_code',
          'attempts_exhausted',
          'duplicate',
          'demo_account',
          'identity_unavailable',
        ],
        answers: { 200: CurrentUser },
        detail: {
          summary: 'Replace the login number with the verified one',
          description:
            'Ends all other sessions and invalidates every open code of the account. Both numbers get a message. The message to the previous number carries a link that takes the account back within 72 hours. The link also undoes every later change: all sessions end, the password stops working, and a code sent to the previous number sets a new one; the link itself signs nobody in. If somebody registers with the number that was given up, they get an account of their own, and the link no longer works.',
          operationId: 'phoneChangeVerify',
          ...ONCE,
        },
      },
    )
    .post(
      '/verification/otp',
      ({ body, caller, request }) => requestVerification(deps, asking(request, caller), body.channel ?? undefined),
      {
        access: EVERYONE,
        body: OnFile,
        problems: ['invalid_state', 'too_many_requests', 'delivery_unavailable'],
        answers: { 200: PhoneChallenge },
        detail: { summary: 'Send a code to the number on file', operationId: 'phoneVerificationOtp', ...ONCE },
      },
    )
    .post(
      '/verification/verify',
      async ({ body, caller, request }) => shown(await verifyPhone(deps, asking(request, caller), body)),
      {
        access: EVERYONE,
        body: VerifyCode,
        problems: ['challenge_gone', 'wrong_code', 'attempts_exhausted'],
        answers: { 200: CurrentUser },
        detail: { summary: 'Verify the number on file', operationId: 'phoneVerificationVerify', ...ONCE },
      },
    )
}
