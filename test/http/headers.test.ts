// What every answer carries, whoever asked for what; who may read it from a browser; which host and method is answered.
import { describe, expect, test } from 'bun:test'
import { createTestApp, uuid } from '../support/app.ts'
import { fill, routesOf } from '../support/routes.ts'
import { samples, worldApp } from '../support/world.ts'

const APP = 'https://app.example.cm'
const { t, w } = await worldApp(['organization'], {
  corsOrigins: [APP, 'https://b.example.cm'],
  publicUrl: 'https://rent.example.cm',
})
const ask = async (line: string, headers: Record<string, string> = {}, base = 'http://localhost', body?: string) => {
  const [method = '', path = ''] = line.split(' ')
  return await t.app.handle(new Request(`${base}${path}`, { method, headers, ...(body ? { body } : {}) }))
}
const bearer = { authorization: `Bearer ${w.as.ada}` }

const EVERYWHERE: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
}
// Pages have a policy of their own, and tests of their own.
const visible = routesOf(t.app).filter(({ hidden, path }) => !hidden && !/^\/(i|p|r|verify)\//.test(path))
const lines: [what: string, line: string, headers: Record<string, string>][] = [
  ...visible.flatMap(({ line }): [string, string, Record<string, string>][] => [
    ['an answer', fill(line, samples(w).find((s) => s.line === line)?.mine ?? uuid('x')), bearer],
    ['no token', fill(line, uuid('x')), {}],
  ]),
  ['404', 'GET /api/v1/nowhere', bearer],
  ['405', 'DELETE /api/v1/me', bearer],
  ['413', 'POST /api/v1/properties', { ...bearer, 'content-type': 'application/json', 'content-length': '99999' }],
  ['415', 'POST /api/v1/properties', { ...bearer, 'content-type': 'text/plain' }],
  ['304', 'GET /api/v1/me', { ...bearer, 'if-none-match': '*' }],
  ['HEAD', 'HEAD /api/v1/properties', bearer],
  ['OPTIONS', 'OPTIONS /api/v1/properties', { origin: APP, 'access-control-request-method': 'POST' }],
]
test.each(lines)('%s of %s has all of them', async (_what, line, headers) => {
  const answer = await ask(line, headers, 'http://localhost', headers['content-type'] ? 'x' : undefined)
  for (const [name, value] of Object.entries(EVERYWHERE))
    expect([name, answer.headers.get(name)]).toEqual([
      name,
      headers.origin && name.startsWith('cross') ? 'cross-origin' : value,
    ])
  // The legal texts are the same for everybody.
  const cached = line.includes('/legal/') && answer.ok ? /^public, max-age=300$/ : /^(no-store|private, no-cache)$/
  expect(answer.headers.get('cache-control')).toMatch(cached)
  expect(answer.headers.get('vary')).toBe('Authorization, Accept-Encoding, Origin')
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w.-]{8,128}$/)
  for (const name of ['server', 'x-powered-by', 'set-cookie', 'access-control-allow-credentials'])
    expect(answer.headers.has(name)).toBe(false)
  // What is no JSON: by the end of its path.
  const FILES: [path: RegExp, type: RegExp][] = [
    [/\/account\/export$|\/file$/, /^application\/zip$/],
    [/\/imports\/templates\/|\/ledger\/export$/, /^text\/csv; charset=utf-8$/],
    [/\/preview$/, /^application\/pdf$/],
    [/\/events$/, /^text\/event-stream; charset=utf-8$/],
  ]
  const file = answer.ok ? FILES.find(([path]) => path.test(line))?.[1] : undefined
  if (answer.status !== 204 && answer.status !== 304)
    expect(answer.headers.get('content-type')).toMatch(file ?? /^application\/(problem\+)?json; charset=utf-8$/)
})

test('an answer of 500 has them too, and says nothing of the cause', async () => {
  const broken = createTestApp({ config: { publicUrl: 'https://rent.example.cm', corsOrigins: [APP] } })
  await broken.call('OWNER.bo', 'GET /api/v1/me')
  broken.store.client.exec('drop table payment')
  const request = new Request('http://localhost/api/v1/payments', {
    headers: { authorization: 'Bearer OWNER.bo', origin: APP },
  })
  const answer = await broken.app.handle(request)
  const text = await answer.text()
  expect(answer.status).toBe(500)
  for (const [name, value] of Object.entries(EVERYWHERE))
    expect([name, answer.headers.get(name)]).toEqual([name, name.startsWith('cross') ? 'cross-origin' : value])
  expect(text).not.toMatch(/payment\b.*table|sqlite|select|\.ts|stack|drizzle/i)
  expect((JSON.parse(text) as { code: string }).code).toBe('internal')
})

test('no Strict-Transport-Security where the public address is http', async () => {
  const plain = createTestApp()
  expect((await plain.call(undefined, 'GET /healthz')).headers.has('strict-transport-security')).toBe(false)
})

describe('request ids', () => {
  const cases: [given: string, kept: boolean][] = [
    ['abcdefgh', true],
    ['A.b_c-123', true],
    ['x'.repeat(128), true],
    ['abcdefg', false],
    ['x'.repeat(129), false],
    ['has blanks in it', false],
    ['ééééééééé', false],
    ['../../etc/passwd', false],
    ['<script>alert(1)</script>', false],
    ['', false],
  ]
  test.each(cases)('%s kept: %p', async (given, kept) => {
    for (const line of ['GET /healthz', 'GET /api/v1/nowhere', 'GET /api/v1/me']) {
      const answer = await ask(line, { 'x-request-id': given, ...(line.endsWith('me') ? bearer : {}) })
      const id = answer.headers.get('x-request-id')
      expect(id === given).toBe(kept)
      if (answer.status >= 400) expect(((await answer.json()) as { requestId: string }).requestId).toBe(String(id))
    }
  })
  test('each request gets its own', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await ask('GET /healthz')).headers.get('x-request-id')),
    )
    expect(new Set(ids).size).toBe(50)
  })
})

describe('CORS', () => {
  const statuses: [line: string, headers: Record<string, string>, status: number][] = [
    ['GET /api/v1/me', bearer, 200],
    ['GET /api/v1/me', {}, 401],
    ['GET /api/v1/nowhere', bearer, 404],
    ['DELETE /api/v1/me', bearer, 405],
    ['GET /healthz', {}, 200],
  ]
  test.each(statuses)('%s: the listed origin may read the answer, no other', async (line, headers, status) => {
    const yes = await ask(line, { ...headers, origin: APP })
    expect([yes.status, yes.headers.get('access-control-allow-origin')]).toEqual([status, APP])
    expect(yes.headers.get('access-control-expose-headers')).toBe(
      'Link, ETag, X-Total-Count, X-Request-Id, Idempotency-Replayed, Retry-After',
    )
    for (const origin of [
      'https://evil.example',
      `${APP}.evil.example`,
      `${APP}/`,
      APP.toUpperCase(),
      'http://app.example.cm',
      'null',
      '',
    ]) {
      const no = await ask(line, { ...headers, origin })
      expect([origin, no.status, no.headers.get('access-control-allow-origin')]).toEqual([origin, status, null])
      expect(no.headers.get('vary')).toContain('Origin')
    }
  })
  test('429 can be read too', async () => {
    const tight = createTestApp({ config: { corsOrigins: [APP], rateLimits: true } })
    const knock = () =>
      tight.app.handle(
        new Request('http://localhost/api/v1/registration/x', { method: 'POST', headers: { origin: APP } }),
      )
    for (let i = 0; i < 10; i++) await knock()
    const refused = await knock()
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([429, APP])
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
  })
  test('a preflight needs no token, and names methods and headers to the listed origin only', async () => {
    const preflight = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' }
    const yes = await ask('OPTIONS /api/v1/bookings', { ...preflight, origin: APP })
    expect([yes.status, await yes.text()]).toEqual([204, ''])
    expect(yes.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE')
    for (const name of [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'X-Request-Id',
    ])
      expect(yes.headers.get('access-control-allow-headers')).toContain(name)
    for (const headers of [{ ...preflight, origin: 'https://evil.example' }, preflight, { origin: APP }])
      expect((await ask('OPTIONS /api/v1/bookings', headers)).headers.has('access-control-allow-methods')).toBe(false)
  })
})

describe('hosts', () => {
  const cases: [base: string, status: number][] = [
    ['http://rent.example.cm', 200],
    ['http://RENT.example.cm', 200],
    ['http://localhost', 200],
    ['http://localhost:8080', 200],
    ['http://127.0.0.1:3000', 200],
    ['http://127.8.8.8', 200],
    ['http://[::1]:3000', 200],
    ['http://evil.example', 421],
    ['http://rent.example.cm.evil.example', 421],
    ['http://rent.example.cm:8443', 421],
    ['http://localhost.evil.example', 421],
    ['http://127.0.0.1.evil.example', 421],
    ['http://x', 421],
    ['http://[::2]', 421],
    ['http://0.0.0.0', 421],
  ]
  test.each(cases)('%s → %d', async (base, status) => {
    const answer = await ask('GET /api/v1/me', bearer, base)
    expect(answer.status).toBe(status)
    // A short host does not shift the path: interface paths stay where they are.
    if (status === 421) expect(((await answer.json()) as { code: string }).code).toBe('misdirected_request')
  })
  test('links are made of the public address, whoever was asked', async () => {
    const answer = await ask('GET /api/v1/bookings?limit=1', {
      ...bearer,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    })
    expect(answer.headers.get('link')).toStartWith('<https://rent.example.cm/api/v1/bookings?')
  })
})

describe('methods', () => {
  const paths = [...new Set(visible.map(({ path }) => path))]
  const methodsOf = (path: string): string[] => {
    const taken = visible.filter((route) => route.path === path).map(({ method }) => method)
    return [...taken, ...(taken.includes('GET') ? ['HEAD'] : [])]
  }
  test.each(paths.map((path) => [path]))('%s', async (path) => {
    // Also where a word (/payments/parse) stands in the place of an id (/payments/:id) with methods of its own.
    const taken = methodsOf(path).sort()
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await ask(`${method} ${fill(path, uuid('x'))}`, bearer)
      if (taken.includes(method)) expect([method, answer.status]).not.toEqual([method, 405])
      else {
        expect([method, answer.status]).toEqual([method, 405])
        expect((answer.headers.get('allow') ?? '').split(', ').sort()).toEqual(taken)
      }
    }
  })
})

test.each<[string, string[], string]>([
  ['no origin', [], 'Authorization, Accept-Encoding'],
  ['one', [APP], 'Authorization, Accept-Encoding, Origin'],
  ['two', [APP, 'https://b.example.cm'], 'Authorization, Accept-Encoding, Origin'],
])('with %s in CORS_ORIGINS, caches keep apart what differs', async (_, corsOrigins, vary) => {
  const { app } = createTestApp({ config: { corsOrigins } })
  const answer = await app.handle(new Request('http://localhost/healthz', { headers: { origin: APP } }))
  expect(answer.headers.get('vary')).toBe(vary)
})
