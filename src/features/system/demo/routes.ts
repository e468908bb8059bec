import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { normalizePhone } from '../../../core/phone.ts'
import { ROLES } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { invalid, notFound } from '../../../errors.ts'
import { dto } from '../../../http/json.ts'
import { edgeOf } from '../../../http/request.ts'
import type { Http } from '../../../http/routes.ts'
import { Body, DateTime, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import { findMessages, firstUserWithRole, type InboxRow } from './store.ts'

const TokenRequest = Body(
  { username: Maybe(Text({ max: 40 })), password: Maybe(Text({ max: 128 })), role: Maybe(oneOf(ROLES)) },
  {
    $id: 'SandboxTokenRequest',
    'x-one-of': { ByRole: { has: ['role'] }, ByPassword: { has: ['username', 'password'] } },
    examples: [{ role: 'OWNER' }],
  },
)
const TokenAnswer = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.String(),
    expires_in: Type.Integer(),
    refresh_token: Type.Optional(Type.String()),
    id_token: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String()),
  },
  { $id: 'TokenAnswer' },
)
const Message = Type.Object(
  {
    id: Uuid,
    to: Type.String(),
    channel: Type.String(),
    purpose: Type.String(),
    text: Type.String(),
    code: Type.Optional(Type.String()),
    createdAt: DateTime,
  },
  { $id: 'SandboxMessage' },
)
const toMessage = ({ orgId: _o, ...row }: InboxRow) => dto(row)

/** Decisions section 10: only if LOYER_MODE=sandbox; otherwise these paths do not exist. */
export function sandbox(deps: Deps, http: Http) {
  const routes = new Elysia({ prefix: '/api/v1/sandbox', tags: ['Sandbox'] }).use(http)
  const { embedded, advanceClock, reset } = deps
  if (!deps.config.sandbox) return routes
  if (embedded)
    routes.post(
      '/token',
      async ({ body, request, set }) => {
        set.headers['cache-control'] = 'no-store'
        if (body.role) {
          const userId = firstUserWithRole(deps.db, body.role)
          if (userId === undefined) throw notFound()
          return embedded.issueTokens(userId)
        }
        if (!body.username || !body.password)
          throw invalid(
            '/role',
            'Give a role, or username and password.',
            'Donnez un rôle (role), ou username et password.',
          )
        return embedded.passwordTokens(body.username, body.password, edgeOf(request).address)
      },
      {
        access: 'public',
        body: TokenRequest,
        problems: ['invalid_credentials', 'not_found'],
        answers: { 200: TokenAnswer },
        detail: { summary: 'Tokens for a demo user, by role or by number and password', operationId: 'sandboxToken' },
      },
    )
  if (advanceClock)
    routes.post('/clock', async ({ body }) => ({ now: new Date(await advanceClock(body.advanceDays)).toISOString() }), {
      access: 'public',
      body: Body({ advanceDays: Type.Integer({ minimum: 1, maximum: 366 }) }, { examples: [{ advanceDays: 31 }] }),
      answers: { 200: Type.Object({ now: DateTime }) },
      detail: { summary: 'Move the business date forward', operationId: 'sandboxClock' },
    })
  if (reset)
    routes.post(
      '/reset',
      async () => {
        await reset()
        return new Response(null, { status: 204 })
      },
      {
        access: 'public',
        problems: ['too_many_requests'],
        answers: { 204: Type.Null() },
        detail: {
          summary: 'Put the demo back as it was',
          operationId: 'sandboxReset',
          description:
            'Only in a demo (`loyer demo`). Deletes everything that visitors made or changed, sets the business date to today, and creates the sample data anew, with other ids, tokens and keys. Answers when this is done, after some seconds; until then other requests get 503. `SANDBOX_RESET` does the same at set times.',
        },
      },
    )
  // In a query string a plus sign means a space.
  return routes.get(
    '/messages',
    ({ query }) =>
      findMessages(deps.db, query.to === undefined ? undefined : (normalizePhone(query.to) ?? query.to)).map(toMessage),
    {
      access: 'public',
      query: Type.Object({ to: Type.Optional(Text({ max: 30 })) }),
      answers: { 200: Type.Array(Message) },
      detail: { summary: 'What was sent to phones, newest first', operationId: 'sandboxMessages' },
    },
  )
}
