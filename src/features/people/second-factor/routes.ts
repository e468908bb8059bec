import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { edgeOf } from '../../../http/gate.ts'
import { ADMINS, type Http } from '../../../http/routes.ts'
import { resetSecondFactor } from './service.ts'

/** An ADMIN's help for a user who lost the second factor; people manage their own on the provider's page. */
export const secondFactor = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/users', tags: ['Administration'] }).use(http).delete(
    '/:id/second-factor',
    async ({ caller, params, request }) => {
      await resetSecondFactor(deps, { caller, requestId: edgeOf(request).requestId }, params.id)
      return new Response(null, { status: 204 })
    },
    {
      access: { roles: ADMINS, stepUp: true },
      problems: ['invalid_state', 'own_account', 'identity_unavailable'],
      answers: { 204: Type.Null() },
      detail: {
        summary: 'Take the second factor off a user who lost it',
        description:
          'Apps, passkeys and recovery codes of the user are forgotten and their sessions end; they are told on their number. Where the organization asks for a second factor, their next sign-in sets up another. 409 `invalid_state` where there is none, `own_account` for one’s own: that is managed at the address /realms/svc/account/security.',
        operationId: 'resetSecondFactor',
      },
    },
  )
