import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { NUMBER_CHANGES } from '../../core/budgets.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { edgeOf } from '../../http/edge.ts'
import { EVERYONE, type Http } from '../../http/http.ts'
import { languageOf } from '../../http/messages.ts'
import { PhoneChallenge } from '../challenges/model.ts'
import { CurrentUser, toCurrentUser } from '../users/model.ts'
import { ChangePassword, NewPhone, OnFile, Session, VerifyCode } from './model.ts'
import { changePassword, changePhone, requestPhoneChange, requestVerification, verifyPhone } from './service.ts'

/** Not replayed by Idempotency-Key: codes and passwords are never stored, and a code is single-use by itself. */
const ONCE = { 'x-idempotent': false } as object
const instant = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** What signed-in people do with their own account. None of it is replayed: codes and passwords are never stored. */
export function account(deps: Deps, http: Http) {
  // Codes and news go out in the operator's language where neither account nor request says which.
  const self = (request: Request, caller: Caller) => ({
    caller,
    address: edgeOf(request).address,
    requestId: edgeOf(request).requestId,
    locale: languageOf(request, deps.config.locale),
  })
  return new Elysia({ prefix: '/api/v1/account', tags: ['Account'] })
    .use(http)
    .post('/phone/otp', ({ body, caller, request }) => requestPhoneChange(deps, self(request, caller), body), {
      access: EVERYONE,
      body: NewPhone,
      problems: ['own_number', 'duplicate', 'phone_prefix_not_allowed', 'too_many_requests', 'delivery_unavailable'],
      answers: { 200: PhoneChallenge },
      detail: {
        summary: 'Send a code to a new number',
        operationId: 'phoneChangeOtp',
        description: `An account can ask for ${NUMBER_CHANGES} numbers a day; from then on every number is answered 429.`,
        ...ONCE,
      },
    })
    .post(
      '/phone/verify',
      async ({ body, caller, request }) => toCurrentUser(await changePhone(deps, self(request, caller), body)),
      {
        access: EVERYONE,
        body: VerifyCode,
        problems: ['challenge_gone', 'wrong_code', 'attempts_exhausted', 'duplicate', 'identity_unavailable'],
        answers: { 200: CurrentUser },
        detail: { summary: 'Change the login number to the verified one', operationId: 'phoneChangeVerify', ...ONCE },
      },
    )
    .post(
      '/phone/verification/otp',
      ({ body, caller, request }) => requestVerification(deps, self(request, caller), body.channel),
      {
        access: EVERYONE,
        body: OnFile,
        problems: ['invalid_state', 'too_many_requests', 'delivery_unavailable'],
        answers: { 200: PhoneChallenge },
        detail: { summary: 'Send a code to the number on file', operationId: 'phoneVerificationOtp', ...ONCE },
      },
    )
    .post(
      '/phone/verification/verify',
      async ({ body, caller, request }) => toCurrentUser(await verifyPhone(deps, self(request, caller), body)),
      {
        access: EVERYONE,
        body: VerifyCode,
        problems: ['challenge_gone', 'wrong_code', 'attempts_exhausted'],
        answers: { 200: CurrentUser },
        detail: { summary: 'Verify the number on file', operationId: 'phoneVerificationVerify', ...ONCE },
      },
    )
    .post(
      '/password',
      async ({ body, caller, request }) => {
        await changePassword(deps, self(request, caller), body)
        return new Response(null, { status: 204 })
      },
      {
        access: EVERYONE,
        body: ChangePassword,
        problems: ['weak_password', 'identity_unavailable'],
        answers: { 204: Type.Null() },
        detail: { summary: 'Change the password', operationId: 'changePassword', ...ONCE },
      },
    )
    .get(
      '/sessions',
      ({ caller }) =>
        (deps.embedded?.sessions(caller.userId) ?? []).map((s) => ({
          id: s.id,
          signedInAt: instant(s.signedInAt),
          expiresAt: instant(s.expiresAt),
          current: s.id === caller.sessionId,
        })),
      {
        access: EVERYONE,
        answers: { 200: Type.Array(Session) },
        detail: { summary: "List one's own sessions", operationId: 'listSessions' },
      },
    )
    .delete(
      '/sessions/:session',
      async ({ caller, params }) => {
        if (!deps.embedded) throw new AppError('identity_unavailable')
        if (!(await deps.embedded.endSession(caller.userId, params.session))) throw notFound()
        return new Response(null, { status: 204 })
      },
      {
        access: EVERYONE,
        params: Type.Object({ session: Type.String({ maxLength: 100 }) }),
        problems: ['not_found', 'identity_unavailable'],
        answers: { 204: Type.Null() },
        detail: { summary: "End one of one's own sessions", operationId: 'endSession' },
      },
    )
}
