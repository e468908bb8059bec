import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { normalizePhone } from '../../../core/phone.ts'
import { ROLES } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { invalid, notFound } from '../../../errors.ts'
import { dto } from '../../../http/json.ts'
import { CreatedAt, Id } from '../../../http/members.ts'
import { edgeOf } from '../../../http/request.ts'
import { type Http, section } from '../../../http/routes.ts'
import { Body, DateTime, Maybe, oneOf, Text } from '../../../http/schema.ts'
import { findMessages, firstUserWithRole, type InboxRow } from './store.ts'

const TokenRequest = Body(
  {
    username: Maybe(
      Text({ max: 40, description: 'The number of a demo user; together with password.', examples: ['+237699000011'] }),
    ),
    password: Maybe(
      Text({ max: 128, description: 'The password of the demo user.', examples: ['trois mangues mûres'] }),
    ),
    role: Maybe(oneOf(ROLES, { description: 'The first demo user with this role.', examples: ['OWNER'] })),
  },
  {
    $id: 'SandboxTokenRequest',
    ways: { ByRole: { has: ['role'] }, ByPassword: { has: ['username', 'password'] } },
    examples: [{ role: 'OWNER' }],
  },
)
const TokenAnswer = Type.Object(
  {
    access_token: Type.String({
      description: 'The access token, to send as `Authorization: Bearer …`.',
      examples: ['eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIwMTk4NWYzYSJ9.c2lnbmF0dXJl'],
    }),
    token_type: Type.String({ description: 'Always Bearer.', examples: ['Bearer'] }),
    expires_in: Type.Integer({ description: 'The seconds until the access token expires.', examples: [300] }),
    refresh_token: Type.Optional(
      Type.String({ description: 'The token to get new tokens with, at the token endpoint.' }),
    ),
    id_token: Type.Optional(Type.String({ description: 'Tells the app who signed in.' })),
    scope: Type.Optional(Type.String({ description: 'The scopes of the token.', examples: ['openid profile email'] })),
  },
  { $id: 'TokenAnswer' },
)
const Message = Type.Object(
  {
    id: Id,
    to: Type.String({ description: 'The phone number of the recipient.', examples: ['+237677123456'] }),
    channel: Type.String({ description: 'The channel on which it would have been sent.', examples: ['WHATSAPP'] }),
    purpose: Type.String({ description: 'The purpose of the message.', examples: ['REGISTRATION'] }),
    text: Type.String({
      description: 'The text of the message, word for word.',
      examples: ['Loyer : votre code est 482913. Ne le donnez à personne.'],
    }),
    code: Type.Optional(
      Type.String({ description: 'The code in the message, if there is one.', examples: ['482913'] }),
    ),
    createdAt: CreatedAt,
  },
  { $id: 'SandboxMessage' },
)
const toMessage = ({ orgId: _o, ...row }: InboxRow) => dto(row)

/** Decisions section 10: only if LOYER_MODE=sandbox; otherwise these paths do not exist. */
export function sandbox(deps: Deps, http: Http) {
  const routes = new Elysia({
    prefix: '/api/v1/sandbox',
    ...section('Sandbox', 'Tokens, messages and the clock of a sandbox; these paths exist nowhere else.'),
  }).use(http)
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
      body: Body(
        {
          advanceDays: Type.Integer({
            minimum: 1,
            maximum: 366,
            description: 'The number of days to move the clock forward.',
          }),
        },
        { examples: [{ advanceDays: 31 }] },
      ),
      answers: { 200: Type.Object({ now: { ...DateTime, description: 'The business time from now on.' } }) },
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
      query: Type.Object({ to: Type.Optional(Text({ max: 30, description: 'Only those to this number.' })) }),
      answers: { 200: Type.Array(Message) },
      detail: {
        summary: 'What was sent to phones, newest first',
        description: 'At most 50.',
        operationId: 'sandboxMessages',
      },
    },
  )
}
