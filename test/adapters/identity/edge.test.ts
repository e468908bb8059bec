import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { STYLE } from '../../../src/adapters/identity/embedded/pages/style.ts'
import type { Realm } from '../../support/oidc.ts'
import { createPeopleApp, type PeopleApp } from '../../support/people.ts'

const APP = 'https://app.example.cm'
let app: PeopleApp
let realm: Realm
beforeAll(async () => {
  app = await createPeopleApp({ CORS_ORIGINS: APP })
  realm = { issuer: `${app.deps.config.publicUrl}/realms/svc`, fetch: (request, address) => app.send(request, address) }
})
afterAll(() => app.close())

type Init = { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> }
const ask = (method: string, path: string, init: Init = {}): Promise<Response> =>
  realm.fetch(new Request(`${realm.issuer}${path}`, { method, ...init }), '203.0.113.9')
const at = (name: string): string => `/protocol/openid-connect/${name}`
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const HTML = { accept: 'text/html,application/xhtml+xml' }

const KNOWN: readonly (readonly [path: string, allow: string])[] = [
  ['/.well-known/openid-configuration', 'GET, HEAD, OPTIONS'],
  ['/.well-known/oauth-authorization-server', 'GET, HEAD, OPTIONS'],
  [at('certs'), 'GET, HEAD, OPTIONS'],
  [at('auth'), 'GET, HEAD, POST, OPTIONS'],
  [at('auth/0123456789abcdef'), 'GET, HEAD, OPTIONS'],
  [at('token'), 'POST, OPTIONS'],
  [at('userinfo'), 'GET, HEAD, POST, OPTIONS'],
  [at('revoke'), 'POST, OPTIONS'],
  [at('logout'), 'GET, HEAD, POST, OPTIONS'],
  [at('logout/confirm'), 'POST, OPTIONS'],
  [at('logout/success'), 'GET, HEAD, OPTIONS'],
  ['/login-actions/authenticate/abc', 'GET, HEAD, POST, OPTIONS'],
  ['/resources/login.css', 'GET, HEAD, OPTIONS'],
  ['/resources/icon.svg', 'GET, HEAD, OPTIONS'],
]

describe('methods', () => {
  test.each(KNOWN)('%s takes %s', async (path, allow) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const response = await ask(method, path)
      const taken = allow.split(', ').includes(method)
      expect([method, response.status === 405]).toEqual([method, !taken])
      if (taken) continue
      expect(response.headers.get('allow')).toBe(allow)
      if (method === 'HEAD') continue
      expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
      expect(await response.json()).toMatchObject({
        status: 405,
        code: 'method_not_allowed',
        requestId: expect.any(String),
      })
    }
    const options = await ask('OPTIONS', path)
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
  })

  test.each([
    '/',
    '/account',
    '/protocol/openid-connect',
    at('introspect'),
    at('token/'),
    at('TOKEN'),
    at('auth/'),
    at('auth/a/b'),
    at('ext/par/request'),
    '/login-actions/authenticate/',
    '/clients-registrations/openid-connect',
    '/.well-known/jwks.json',
  ])('there is no %s, whatever the method', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await ask(method, path)
      expect([method, response.status]).toEqual([method, 404])
      expect(response.headers.has('allow')).toBe(false)
      expect(await response.json()).toMatchObject({ type: 'urn:loyer:problem:not_found', code: 'not_found' })
    }
  })

  test('HEAD says what GET does, without a body', async () => {
    for (const path of ['/.well-known/openid-configuration', at('certs'), '/resources/login.css']) {
      const [head, get] = [await ask('HEAD', path), await ask('GET', path)]
      expect([head.status, head.headers.get('content-type')]).toEqual([200, get.headers.get('content-type')])
      expect(await head.text()).toBe('')
    }
  })

  test.each([
    ['gzip, deflate, br', true],
    ['br, gzip;q=0.5', true],
    ['*', true],
    ['gzip;q=0.5, identity', false],
    ['x-not-gzip', false],
    ['gzip;q=0', false],
    ['br', false],
    [undefined, false],
  ])('the style for a client that accepts %s: packed is %s, and the same text', async (accepts, packed) => {
    const headers = accepts === undefined ? {} : { 'accept-encoding': accepts }
    const answer = await ask('GET', '/resources/login.css', { headers })
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
      packed ? 'gzip' : null,
      'Accept-Encoding',
    ])
    const bytes = await answer.bytes()
    expect(new TextDecoder().decode(packed ? Bun.gunzipSync(bytes) : bytes)).toBe(STYLE)
  })
})

describe('preflights', () => {
  const preflight = (path: string, origin: string, method: string) =>
    ask('OPTIONS', path, {
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
    })
  test.each([
    ['/.well-known/openid-configuration', 'GET'],
    [at('certs'), 'GET'],
  ])('%s is open to every page', async (path, method) => {
    for (const origin of [APP, 'https://evil.example']) {
      const { status, headers } = await preflight(path, origin, method)
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
      expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD')
      const { headers: got } = await ask('GET', path, { headers: { origin } })
      expect(['*', origin]).toContain(got.get('access-control-allow-origin') ?? '')
    }
  })
  test.each([
    [at('token'), 'POST'],
    [at('revoke'), 'POST'],
    [at('userinfo'), 'GET'],
  ])('%s is open to the pages of the settings', async (path, method) => {
    const ours = await preflight(path, APP, method)
    expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([204, APP])
    expect(ours.headers.get('access-control-allow-methods')).toContain(method)
    expect(ours.headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type')
    for (const origin of ['https://evil.example', 'null', `${APP}.evil.example`]) {
      const { status, headers } = await preflight(path, origin, method)
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, null])
      expect(headers.has('access-control-allow-methods')).toBe(false)
    }
    const answer = await ask(method, path, { headers: { origin: APP } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  })
  test('no page but ours reads the sign-in page', async () => {
    for (const path of [at('auth'), at('logout'), '/login-actions/authenticate/abc']) {
      const { headers } = await preflight(path, 'https://evil.example', 'POST')
      expect(headers.has('access-control-allow-origin')).toBe(false)
    }
  })
})

describe('one shape of problem', () => {
  test.each([
    ['token', 8_192],
    ['revoke', 8_192],
    ['userinfo', 8_192],
    ['auth', 4_096],
    ['logout', 4_096],
  ])('a form for %s longer than %i bytes: 413', async (name, limit) => {
    const response = await ask('POST', at(name), { headers: FORM, body: `state=${'x'.repeat(limit)}` })
    expect([response.status, (await response.json()).code]).toEqual([413, 'body_too_large'])
    const fits = await ask('POST', at(name), { headers: FORM, body: `state=${'x'.repeat(limit - 6)}` })
    expect(fits.status).not.toBe(413)
  })

  test.each([
    ['application/json', '{"client_id":"svc-mobile"}'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['text/plain', 'client_id=svc-mobile'],
    ['', 'client_id=svc-mobile'],
  ])('a body of type %j: 415', async (type, text) => {
    for (const name of ['token', 'revoke', 'auth', 'logout', 'logout/confirm']) {
      const body = new TextEncoder().encode(text)
      const response = await ask('POST', at(name), { headers: type === '' ? {} : { 'content-type': type }, body })
      expect([name, response.status, (await response.json()).code]).toEqual([name, 415, 'unsupported_media_type'])
    }
  })

  test('an encoded form: 415', async () => {
    const response = await ask('POST', at('token'), {
      headers: { ...FORM, 'content-encoding': 'gzip' },
      body: Bun.gzipSync('client_id=svc-mobile'),
    })
    expect([response.status, (await response.json()).code]).toEqual([415, 'unsupported_media_type'])
  })

  test('a person gets a page in their language, an app the document', async () => {
    const large = { body: `state=${'x'.repeat(9_000)}` }
    for (const [language, sentence] of [
      ['fr', 'Demande refusée'],
      ['en', 'Request refused'],
    ] as const) {
      const page = await ask('POST', at('auth'), {
        headers: { ...FORM, ...HTML, 'accept-language': language },
        ...large,
      })
      expect([page.status, page.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8'])
      const text = await page.text()
      expect(text).toContain(sentence)
      expect(text).not.toContain('<script')
    }
    const token = await ask('POST', at('token'), { headers: { ...FORM, ...HTML }, ...large })
    expect(token.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    const unknown = await ask('GET', '/account', { headers: HTML })
    expect(unknown.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  })

  test('whoever asks too often is told likewise', async () => {
    const limited = await createPeopleApp({ RATE_LIMITS: 'on' })
    try {
      const url = `${limited.deps.config.publicUrl}/realms/svc${at('auth')}`
      const tries = await Promise.all(
        Array.from({ length: 80 }, (_, i) =>
          limited.send(new Request(url, i % 2 ? { headers: HTML } : {}), '203.0.113.7'),
        ),
      )
      const refused = tries.filter((r) => r.status === 429)
      expect(refused.length).toBeGreaterThan(5)
      expect(new Set(refused.map((r) => r.headers.get('content-type')))).toEqual(
        new Set(['application/problem+json; charset=utf-8', 'text/html; charset=utf-8']),
      )
      for (const r of refused) expect(Number(r.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await limited.close()
    }
  })
})
