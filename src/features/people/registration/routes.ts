import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { edgeOf, languageOf } from '../../../http/gate.ts'
import type { Http } from '../../../http/routes.ts'
import { PhoneChallenge } from '../challenges/model.ts'
import { Completion, OtpRequest, OtpVerify, Registered, Ticket } from './model.ts'
import { completeRegistration, requestRegistration, verifyRegistration } from './service.ts'

export const registration = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/registration', tags: ['Registration'] })
    .use(http)
    .post(
      '/otp',
      ({ body, request, set }) => {
        set.status = 202
        const { address } = edgeOf(request)
        return requestRegistration(deps, {
          phoneNumber: body.phoneNumber,
          channel: body.channel ?? undefined,
          address,
          locale: languageOf(request, deps.config.locale),
        })
      },
      {
        access: 'public',
        body: OtpRequest,
        problems: ['phone_prefix_not_allowed', 'too_many_requests', 'delivery_unavailable'],
        answers: { 202: PhoneChallenge },
        detail: {
          summary: 'Send a code to a number to create an account',
          operationId: 'registrationOtp',
          description:
            'The answer is the same for every number. If the same network asks again, the answer names the same challenge and a new code is sent. If somebody else has just had a code sent to this number, that code also opens this challenge, and no second code is sent at once (see Limits).',
        },
      },
    )
    .post('/otp/verify', ({ body }) => verifyRegistration(deps, body.challengeId, body.code), {
      access: 'public',
      body: OtpVerify,
      problems: ['challenge_gone', 'wrong_code', 'attempts_exhausted'],
      answers: { 200: Ticket },
      detail: { summary: 'Exchange the code for a registration ticket', operationId: 'registrationVerify' },
    })
    .post(
      '/complete',
      ({ body, request, set }) => {
        set.status = 201
        const { requestId, address } = edgeOf(request)
        const locale = languageOf(request, deps.config.locale)
        return completeRegistration(deps, body, { locale, requestId, address })
      },
      {
        access: 'public',
        body: Completion,
        problems: ['ticket_invalid', 'duplicate', 'outdated_terms', 'weak_password', 'account_unavailable'],
        creates: ['/api/v1/me'],
        answers: { 201: Registered },
        detail: { summary: 'Create the account with the ticket', operationId: 'registrationComplete' },
      },
    )
