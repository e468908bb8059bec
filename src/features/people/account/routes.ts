import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { edgeOf, languageOf } from '../../../http/gate.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { ChangePassword, Session } from './model.ts'
import { changePassword } from './service.ts'

/** Idempotency-Key does not replay these: codes and passwords are never stored, and a code is single-use anyway. */
const ONCE = { 'x-idempotent': false } as object
const instant = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** What signed-in people do with their own account. Nothing is replayed: codes and passwords are never stored. */
export function account(deps: Deps, http: Http) {
  // If neither the account nor the request names a language, codes and news use the operator's.
  const self = (request: Request, caller: Caller) => ({
    caller,
    address: edgeOf(request).address,
    requestId: edgeOf(request).requestId,
    locale: languageOf(request, deps.config.locale),
  })
  return new Elysia({ prefix: '/api/v1/account', tags: ['Account'] })
    .use(http)
    .post(
      '/password',
      async ({ body, caller, request }) => {
        await changePassword(deps, self(request, caller), body)
        return new Response(null, { status: 204 })
      },
      {
        access: EVERYONE,
        body: ChangePassword,
        problems: ['weak_password', 'demo_account', 'identity_unavailable'],
        answers: { 204: Type.Null() },
        detail: {
          summary: 'Change the password',
          operationId: 'changePassword',
          description:
            'Ends all other sessions and invalidates every open code of the account: for password resets, changes of number and signatures. A message informs the number on file.',
          ...ONCE,
        },
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
        detail: { summary: "List the caller's sessions", operationId: 'listSessions' },
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
        detail: { summary: "End one of the caller's sessions", operationId: 'endSession' },
      },
    )
}
