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
        description: `Where the sign-in is older than five minutes (\`auth_time\` of the token), the password or a code sent to the present number is asked for: 403 \`reauthentication_required\` names both, and its WWW-Authenticate says \`insufficient_user_authentication\` with \`max_age="300"\` (RFC 9470) to apps that sign in anew. The same number may be asked for again without them while its code is good. An account can ask for ${NUMBER_CHANGES} numbers a day; from then on every number is answered 429.`,
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
          description: 'Good for one POST /api/v1/account/phone/otp, and for nothing else.',
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
          summary: 'Change the login number to the verified one',
          description:
            'All other sessions end, and every open code of the account is used up. Both numbers are told. The message to the number before carries a link by which it takes the account back within 72 hours, with every later change undone too: sessions end, the password opens nothing any more, and a code sent to that number sets another; nobody is signed in by it. Who signs up with a number that was left makes an account of their own: it can then no longer be taken back.',
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
