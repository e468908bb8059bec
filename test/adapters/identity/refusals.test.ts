import { beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import {
  authorizeUrl,
  Browser,
  CALLBACK,
  claimsOf,
  codeOf,
  createTestIdentity,
  exchange,
  PASSWORD,
  PHONE,
  post,
  refresh,
  signIn,
  type TestIdentity,
  VERIFIER,
} from '../../support/oidc.ts'

let production: TestIdentity
let sandbox: TestIdentity
beforeAll(async () => {
  production = await createTestIdentity({ sandbox: false, redirectUris: ['https://app.example.cm/cb?x=1'] })
  sandbox = await createTestIdentity()
})

describe('PKCE', () => {
  test.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['plain', { code_challenge: VERIFIER, code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge: VERIFIER, code_challenge_method: undefined }],
    ['S512', { code_challenge_method: 'S512' }],
    ['a short challenge', { code_challenge: 'abc' }],
  ])('%s: no code, no sign-in page', async (_, change) => {
    const page = await new Browser(sandbox).visit(authorizeUrl(sandbox, change))
    const told = page.left ? new URL(page.url).searchParams.get('error') : page.response.status
    expect(told === 'invalid_request' || told === 400).toBe(true)
    expect(page.url).not.toContain('code=')
    expect(page.text).not.toContain('name="password"')
  })

  test.each([
    ['a wrong verifier', { code_verifier: 'w'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['the challenge itself', { code_verifier: '4vfwSHZCtMUqLgBKyRTgKI9Wj5m9cRBqYyRjR-qLnZU' }],
    ['another redirect URI', { redirect_uri: 'http://localhost/callback' }],
    ['another client', { client_id: 'svc-api' }],
  ])('the right code with %s: no tokens', async (_, change) => {
    const { status, body } = await exchange(sandbox, codeOf(await signIn(sandbox)), change)
    expect(status).toBe(400)
    expect(body).not.toHaveProperty('access_token')
  })
})

describe('redirect URIs of production are exact', () => {
  const good = 'https://rent.example.cm/console/callback'
  test.each([good, 'https://rent.example.cm/portal/callback', 'https://app.example.cm/cb?x=1'])(
    '%s is taken',
    async (uri) => {
      expect((await new Browser(production).visit(authorizeUrl(production, { redirect_uri: uri }))).text).toContain(
        'name="password"',
      )
    },
  )

  test.each([
    `${good}/`,
    `${good}?x=1`,
    `${good}?`,
    `${good}#`,
    `${good}#token`,
    `${good}%2f`,
    `${good}%00`,
    `${good}/..`,
    `${good};x`,
    `${good}.evil.cm`,
    ` ${good}`,
    `${good} `,
    `${good}\n`,
    `${good},https://evil.cm`,
    `${good} https://evil.cm`,
    'https://rent.example.cm/console/callbac',
    'https://rent.example.cm/console/Callback',
    'https://rent.example.cm/console//callback',
    'https://rent.example.cm/console/../console/callback',
    'https://rent.example.cm/./console/callback',
    'https://rent.example.cm/console/%63allback',
    'https://rent.example.cm/console',
    'https://rent.example.cm/',
    'https://rent.example.cm',
    'http://rent.example.cm/console/callback',
    'HTTPS://rent.example.cm/console/callback',
    'https://RENT.example.cm/console/callback',
    'https://rent.example.cm:443/console/callback',
    'https://rent.example.cm:8443/console/callback',
    'https://rent.example.cm./console/callback',
    'https://www.rent.example.cm/console/callback',
    'https://rent.example.cm.evil.cm/console/callback',
    'https://evil.cm/console/callback',
    'https://evil.cm/https://rent.example.cm/console/callback',
    'https://evil.cm\\@rent.example.cm/console/callback',
    'https://rent.example.cm@evil.cm/console/callback',
    'https://user@rent.example.cm/console/callback',
    'https://user:pw@rent.example.cm/console/callback',
    '//rent.example.cm/console/callback',
    '/console/callback',
    'rent.example.cm/console/callback',
    'https:rent.example.cm/console/callback',
    'https:\\\\rent.example.cm\\console\\callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'com.svc.app:/callback',
    'com.svc.app://callback',
    'http://localhost/callback',
    'http://localhost:3000/console/callback',
    'http://127.0.0.1:8080/callback',
    'http://[::1]:8080/callback',
    'https://app.example.cm/cb',
    'https://app.example.cm/cb?x=2',
    'https://app.example.cm/cb?x=1&y=2',
    'urn:ietf:wg:oauth:2.0:oob',
    '*',
    '',
  ])('%j: an error page, and nobody is sent anywhere', async (uri) => {
    const page = await new Browser(production).visit(authorizeUrl(production, { redirect_uri: uri }))
    expect(page.left).toBe(false)
    expect(page.response.status).toBe(400)
    expect(page.text).toContain('Signing in did not work')
    expect(page.text).toContain('La connexion n’a pas pu se faire')
    expect(page.text).not.toContain('name="password"')
  })

  test('without any there is an error page too', async () => {
    const page = await new Browser(production).visit(authorizeUrl(production, { redirect_uri: undefined }))
    expect([page.left, page.response.status]).toEqual([false, 400])
  })

  test.each([
    [CALLBACK, true],
    ['http://localhost:8081/callback', true],
    ['http://127.0.0.1:49152/', true],
    ['http://[::1]:49152/oauth/cb', true],
    ['http://localhost', true],
    ['https://localhost:8081/callback', false],
    ['http://localhost.evil.cm/callback', false],
    ['http://127.0.0.1.evil.cm/callback', false],
    ['http://127.0.0.2:8080/callback', false],
    ['http://127.1:8080/callback', false],
    ['http://0x7f000001/callback', false],
    ['http://localhost@evil.cm/callback', false],
    ['http://localhost:80@evil.cm/callback', false],
    ['http://localhost:99999/callback', false],
    ['http://localhost:8080/cb#x', false],
    ['http://localhost:8080\\@evil.cm/', false],
    ['http://localhost:8080/../x', false],
    ['com.svc.app:/callback2', false],
    ['com.evil.app:/callback', false],
  ])('sandbox: %s → %p', async (uri, taken) => {
    const page = await new Browser(sandbox).visit(authorizeUrl(sandbox, { redirect_uri: uri }))
    expect(page.text.includes('name="password"')).toBe(taken)
    if (!taken) expect([page.left, page.response.status]).toEqual([false, 400])
  })
})

describe('authorization codes', () => {
  test('replayed: refused, and what was issued for it is revoked', async () => {
    const code = codeOf(await signIn(sandbox))
    const first = await exchange(sandbox, code)
    expect(first.status).toBe(200)
    expect((await exchange(sandbox, code)).body.error).toBe('invalid_grant')
    expect((await refresh(sandbox, first.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('ten exchanges at the same moment: at most one passes, and it is revoked', async () => {
    const code = codeOf(await signIn(sandbox))
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(sandbox, code)))
    const passed = answers.filter((a) => a.status === 200)
    expect(passed.length).toBeLessThanOrEqual(1)
    for (const { body } of passed) expect((await refresh(sandbox, body.refresh_token)).status).toBe(400)
  })

  test('after 60 seconds: refused', async () => {
    const code = codeOf(await signIn(sandbox))
    try {
      setSystemTime(Date.now() + 61_000)
      expect((await exchange(sandbox, code)).body.error).toBe('invalid_grant')
    } finally {
      setSystemTime()
    }
  })

  test.each(['token', 'id_token', 'code id_token', 'none'])(
    'response type %s does not exist',
    async (response_type) => {
      const page = await new Browser(sandbox).visit(authorizeUrl(sandbox, { response_type, nonce: 'n' }))
      expect(new URL(page.url).search + new URL(page.url).hash).toMatch(
        /error=(unsupported_response_type|invalid_request)/,
      )
      expect(page.url).not.toMatch(/(code|token)=/)
    },
  )

  test.each(['form_post', 'fragment', 'web_message', 'jwt'])(
    'response mode %s does not exist',
    async (response_mode) => {
      const page = await new Browser(sandbox).visit(authorizeUrl(sandbox, { response_mode }))
      expect(page.text).not.toMatch(/name="password"|<script/)
      expect(page.url).not.toMatch(/code=/)
    },
  )
})

describe('the password grant', () => {
  const form = { grant_type: 'password', client_id: 'svc-mobile', username: PHONE, password: PASSWORD, scope: 'openid' }
  test('sandbox: tokens as after signing in', async () => {
    const { status, body, headers } = await post(sandbox, form)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(claimsOf(body.access_token)).toMatchObject({ sub: sandbox.userId, aud: 'svc-api', scope: 'openid' })
    expect((await refresh(sandbox, body.refresh_token)).status).toBe(200)
    expect((await post(sandbox, { ...form, password: 'mangue' })).body.error).toBe('invalid_grant')
  })
  test('production: there is no such grant, whatever the password', async () => {
    for (const password of [PASSWORD, 'mangue'])
      expect(await post(production, { ...form, password })).toMatchObject({
        status: 400,
        body: { error: 'unsupported_grant_type' },
      })
  })
})

test.each([
  { host: 'evil.cm' },
  { 'x-forwarded-host': 'evil.cm', 'x-forwarded-proto': 'http' },
  { forwarded: 'host=evil.cm;proto=http' },
  { host: 'rent.example.cm:1234', 'x-forwarded-port': '4321', 'x-forwarded-prefix': '/evil' },
])('forged %j changes no issuer, endpoint, redirect or page', async (headers) => {
  const forge = (url: string) =>
    new Request(url.replace('rent.example.cm', headers.host ?? 'rent.example.cm'), {
      headers: { accept: 'text/html', ...headers },
    })
  const text = async (url: string) => {
    const response = await production.fetch(forge(url), '::1')
    return { status: response.status, text: (await response.text()) + [...response.headers].join() }
  }
  const redirect_uri = 'https://rent.example.cm/console/callback'
  const discovery = await text(`${production.issuer}/.well-known/openid-configuration`)
  const start = await text(authorizeUrl(production, { redirect_uri }))
  const out = await text(`${production.issuer}/protocol/openid-connect/logout`)
  expect([discovery.status, start.status, out.status]).toEqual([200, 303, 303])
  for (const answer of [discovery, start, out]) {
    expect(answer.text).not.toContain('evil')
    expect(answer.text).not.toContain('http://')
  }
  expect(out.text).toContain('https://rent.example.cm/realms/svc/')
})
