// reliability T-01: 20 ways to have no good token × every secured route → 401, the body unread, the database unasked.
import { afterAll, expect, test } from 'bun:test'
import { createVerifier } from '../../src/adapters/identity/verify.ts'
import { createApp } from '../../src/app.ts'
import { resolveCaller } from '../../src/features/people/accounts/account.ts'
import { createAccess } from '../../src/http/auth.ts'
import { createTestApp, uuid } from '../support/app.ts'
import { fill, securedRoutes } from '../support/routes.ts'
import { createIssuer } from '../support/tokens.ts'

const t = createTestApp()
const { issuer, keys, mint, badTokens } = createIssuer('https://id.example.cm/realms/svc', t.clock.wall)
const verifier = createVerifier({ issuer, audience: 'svc-api', keys, wall: t.clock.wall })
const app = createApp({ ...t.deps, access: createAccess(verifier, resolveCaller(t.deps)) })

/** Statements prepared or run since the last look; every way to the database goes through these. */
let statements = 0
const { client } = t.store
type Statement = { run: unknown; get: unknown; all: unknown; iterate: unknown }
const prototype = Object.getPrototypeOf(client.prepare('select 1')) as Statement
const originals = (['run', 'get', 'all', 'iterate'] as const).map((name) => {
  const original = prototype[name] as (...args: unknown[]) => unknown
  prototype[name] = function counted(this: unknown, ...args: unknown[]) {
    statements += 1
    return original.apply(this, args)
  }
  return [name, original] as const
})
afterAll(() => {
  for (const [name, original] of originals) prototype[name] = original
})

/** A body that tells whether anybody asked for its first byte. */
function untouched() {
  const state = { read: false }
  const body = new ReadableStream(
    {
      pull(controller) {
        state.read = true
        controller.enqueue(new TextEncoder().encode('{}'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { state, body }
}

async function knock(line: string, header: string | undefined, query: string | undefined) {
  const [method = '', path = ''] = fill(line, uuid('anything')).split(' ')
  const { state, body } = untouched()
  const request = new Request(`http://localhost${path}${query ? `?${query}` : ''}`, {
    method,
    headers: { 'content-type': 'application/json', ...(header ? { authorization: header } : {}) },
    ...(method === 'GET' ? {} : { body }),
  })
  const answer = await app.handle(request)
  return { answer, read: state.read }
}

const headersOf = ({ headers }: Response): Record<string, unknown> =>
  Object.fromEntries(['www-authenticate', 'content-type', 'x-request-id'].map((name) => [name, headers.get(name)]))
const routes = securedRoutes(t.app).map(({ line }) => line)
const unknown = [
  'GET /api/v1/nothing',
  'POST /api/v1/properties/x/nothing',
  'DELETE /api/v1/me',
  'PUT /healthz',
  'GET /x',
]

test('the good token of the same issuer passes', async () => {
  statements = 0
  const { answer } = await knock('GET /api/v1/me', `Bearer ${mint()}`, undefined)
  expect(answer.status).toBe(200)
  expect(statements).toBeGreaterThan(0)
  const { read } = await knock('POST /api/v1/properties', `Bearer ${mint()}`, undefined)
  expect(read).toBe(true)
})

test('there are twenty', () => expect(badTokens()).toHaveLength(20))

const bad = badTokens()
test.each([...routes, ...unknown])('%s', async (line) => {
  for (const { name, header, query } of bad) {
    // A token in the query is refused beside a good header too.
    const sent = query ? `Bearer ${mint()}` : header
    // RFC 6750 3.1: a request that sent no bearer token is told of no error.
    const told =
      query || /^Bearer \S/.test(header ?? '') ? 'Bearer realm="svc", error="invalid_token"' : 'Bearer realm="svc"'
    statements = 0
    const { answer, read } = await knock(line, sent, query)
    const { code, detail, requestId } = (await answer.json()) as Record<string, string>
    const seen: Record<string, unknown> = { name, status: answer.status, code, read, statements, detail }
    expect({ ...seen, ...headersOf(answer) }).toEqual({
      name,
      status: 401,
      code: 'unauthorized',
      read: false,
      statements: 0,
      detail: expect.not.stringMatching(/token|signature|expired|kid|issuer/i),
      'www-authenticate': told,
      'content-type': 'application/problem+json; charset=utf-8',
      'x-request-id': String(requestId),
    })
  }
})
