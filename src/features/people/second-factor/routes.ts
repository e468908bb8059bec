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
        summary: 'Remove the second factor of a user who lost it',
        description:
          "Deletes the user's apps, passkeys and recovery codes and ends their sessions; a message informs their number. If the organization requires a second factor, the user sets up a new one at the next sign-in. Refused with 409 `invalid_state` if the user has no second factor, and with 409 `own_account` for the caller's own: manage that at /realms/svc/account/security.",
        operationId: 'resetSecondFactor',
      },
    },
  )
