import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { edgeOf, languageOf } from '../../../http/gate.ts'
import type { Http } from '../../../http/routes.ts'
import { Body, Phone } from '../../../http/schema.ts'
import { AnyCode, ChallengeId, Channel, PhoneChallenge } from '../challenges/model.ts'
import { Password } from '../registration/model.ts'
import { completeReset, requestReset } from './service.ts'

export const passwordReset = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/account/password-reset', tags: ['Account'] })
    .use(http)
    .post(
      '/request',
      ({ body, request, set }) => {
        set.status = 202
        const { address } = edgeOf(request)
        return requestReset(deps, {
          phoneNumber: body.phoneNumber,
          channel: body.channel ?? undefined,
          address,
          locale: languageOf(request, deps.config.locale),
        })
      },
      {
        access: 'public',
        body: Body({ phoneNumber: Phone, channel: Channel }, { examples: [{ phoneNumber: '+237677123456' }] }),
        problems: ['too_many_requests', 'identity_unavailable', 'delivery_unavailable'],
        answers: { 202: PhoneChallenge },
        detail: {
          summary: 'Send a code to reset a forgotten password',
          operationId: 'passwordResetRequest',
          description:
            'The answer is the same for every number. If the same network asks again, the answer names the same challenge and a new code is sent. If somebody else has just had a code sent to this number, that code also opens this challenge, and no second code is sent at once (see Limits).',
        },
      },
    )
    .post(
      '/complete',
      async ({ body, request, set }) => {
        await completeReset(deps, body, edgeOf(request).requestId)
        set.status = 204
        return new Response(null, { status: 204 })
      },
      {
        access: 'public',
        body: Body({ challengeId: ChallengeId, code: AnyCode, newPassword: Password }),
        problems: [
          'challenge_gone',
          'wrong_code',
          'weak_password',
          'attempts_exhausted',
          'demo_account',
          'identity_unavailable',
        ],
        answers: { 204: Type.Null() },
        detail: { summary: 'Set a new password with the code', operationId: 'passwordResetComplete' },
      },
    )
