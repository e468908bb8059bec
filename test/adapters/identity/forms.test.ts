import { describe, expect, test } from 'bun:test'
import { authorizeUrl, Browser, claimsOf, codeOf, exchange, PASSWORD, PHONE, post } from '../../support/oidc.ts'
import { createRealm } from '../../support/people.ts'

const APP = 'https://app.example.cm'
const { app, realm } = await createRealm({ CORS_ORIGINS: APP })

type Init = { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> }
const ask = (method: string, path: string, init: Init = {}): Promise<Response> =>
  realm.fetch(new Request(`${realm.issuer}${path}`, { method, ...init }), '203.0.113.9')
const at = (name: string): string => `/protocol/openid-connect/${name}`
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function code(browser = new Browser(realm), change: Record<string, string> = {}): Promise<string> {
  const page = await browser.visit(authorizeUrl(realm, change))
  const done = page.left ? page : await browser.submit(page, { username: PHONE, password: PASSWORD })
  return codeOf(new URL(done.url))
}

describe('OAuth errors', () => {
  const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })
  test.each<[string, Record<string, string>, Record<string, string>, number, string]>([
    ['no grant_type', { client_id: 'svc-mobile' }, {}, 400, 'invalid_request'],
    ['an unknown grant', { client_id: 'svc-mobile', grant_type: 'x' }, {}, 400, 'unsupported_grant_type'],
    ['the implicit grant', { client_id: 'svc-mobile', grant_type: 'implicit' }, {}, 400, 'unsupported_grant_type'],
    ['another’s grant', { client_id: 'svc-mobile', grant_type: 'client_credentials' }, {}, 400, 'unauthorized_client'],
    [
      'any grant of svc-api',
      { client_id: 'svc-api', grant_type: 'refresh_token', refresh_token: 'x' },
      {},
      400,
      'unauthorized_client',
    ],
    [
      'a code of svc-api',
      { client_id: 'svc-api', grant_type: 'authorization_code', code: 'x' },
      {},
      400,
      'unauthorized_client',
    ],
    ['nobody', { client_id: 'nobody', grant_type: 'refresh_token', refresh_token: 'x' }, {}, 401, 'invalid_client'],
    [
      'svc-admin without its secret',
      { client_id: 'svc-admin', grant_type: 'client_credentials' },
      {},
      401,
      'invalid_client',
    ],
    ['a wrong secret', { grant_type: 'client_credentials' }, basic('svc-admin', 'guess'), 401, 'invalid_client'],
    [
      'a secret of svc-mobile',
      { grant_type: 'refresh_token', refresh_token: 'x' },
      basic('svc-mobile', 'x'),
      401,
      'invalid_client',
    ],
    [
      'an unknown code',
      {
        client_id: 'svc-mobile',
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: 'com.svc.app:/callback',
        code_verifier: 'v'.repeat(43),
      },
      {},
      400,
      'invalid_grant',
    ],
    [
      'an unknown refresh token',
      { client_id: 'svc-mobile', grant_type: 'refresh_token', refresh_token: 'x' },
      {},
      400,
      'invalid_grant',
    ],
    [
      'a wrong password',
      { client_id: 'svc-mobile', grant_type: 'password', username: PHONE, password: 'x' },
      {},
      400,
      'invalid_grant',
    ],
  ])('%s: %#', async (_, form, headers, status, error) => {
    const answer = await post(realm, form, 'token', headers)
    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('www-authenticate')?.startsWith('Basic realm=') ?? false).toBe(status === 401)
    // The same of the revocation endpoint, as far as it asks for the same.
    if (error !== 'invalid_client') return
    const revoked = await post(realm, { ...form, token: 'x' }, 'revoke', headers)
    expect([revoked.status, revoked.body.error]).toEqual([status, error])
    expect(revoked.headers.get('www-authenticate')).toStartWith('Basic realm=')
  })

  test('more scope than was granted, another resource, a JWT to revoke', async () => {
    const tokens = (await exchange(realm, await code())).body
    const again = (change: Record<string, string>) =>
      post(realm, {
        client_id: 'svc-mobile',
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
        ...change,
      })
    expect((await again({ scope: 'openid profile phone' })).body.error).toBe('invalid_scope')
    expect((await again({ resource: 'urn:another' })).body.error).toBe('invalid_target')
    const revoked = await post(realm, { client_id: 'svc-mobile', token: tokens.access_token }, 'revoke')
    expect([revoked.status, revoked.body.error]).toEqual([400, 'unsupported_token_type'])
  })

  test('userinfo: 401 with the scheme of RFC 6750', async () => {
    for (const [authorization, challenge] of [
      [undefined, 'Bearer realm="svc"'],
      ['Bearer x.y.z', 'Bearer realm="svc", error="invalid_token"'],
    ] as const) {
      const response = await ask('GET', at('userinfo'), authorization ? { headers: { authorization } } : {})
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, challenge])
    }
  })
})

describe('authorization by POST', () => {
  const query = (change: Record<string, string> = {}) => new URL(authorizeUrl(realm, change)).search.slice(1)
  const postTo = (browser: Browser, body: string, search = '', headers = {}) =>
    browser.visit(`${realm.issuer}${at('auth')}${search}`, { method: 'POST', headers: { ...FORM, ...headers }, body })

  test('signs in as by address, and silently where the browser is signed in already', async () => {
    const browser = new Browser(realm)
    const page = await postTo(browser, query(), '', { origin: APP, 'sec-fetch-site': 'cross-site' })
    expect(page.text).not.toContain('<script')
    const done = await browser.submit(page, { username: PHONE, password: PASSWORD })
    const tokens = (await exchange(realm, codeOf(new URL(done.url)))).body
    const silent = await postTo(browser, query({ prompt: 'none' }))
    const second = (await exchange(realm, codeOf(new URL(silent.url)))).body
    expect(claimsOf(second.access_token).sid).toBe(claimsOf(tokens.access_token).sid)
  })

  test('the form alone counts: what stands in its address is not read', async () => {
    const evil = '?redirect_uri=https%3A%2F%2Fevil.example%2F&state=evil&prompt=none&response_mode=form_post'
    const page = await postTo(new Browser(realm), query(), evil)
    expect(page.text).toContain('name="password"')
    expect(page.url + page.text).not.toContain('evil')
    const empty = await postTo(new Browser(realm), '', `?${query()}`)
    expect([empty.left, empty.response.status]).toEqual([false, 400])
  })

  test.each(['client_id', 'redirect_uri', 'state', 'scope', 'response_type', 'code_challenge', 'nonce'])(
    '%s twice: no sign-in page',
    async (name) => {
      const page = await postTo(new Browser(realm), `${query({ nonce: 'a' })}&${name}=openid`)
      expect(page.text).not.toContain('name="password"')
      const told = page.left ? new URL(page.url).searchParams.get('error') : String(page.response.status)
      expect(['invalid_request', '400']).toContain(told ?? '')
      expect(page.url).not.toContain('code=')
    },
  )

  test.each(['form_post', 'fragment', 'web_message', 'jwt', 'query.jwt', 'form_post.jwt'])(
    'response_mode=%s gives no code and no page that sends itself',
    async (response_mode) => {
      const browser = new Browser(realm)
      await code(browser)
      const page = await postTo(browser, query({ response_mode }))
      expect(page.text).not.toMatch(/<script|name="password"/)
      expect(page.url).not.toMatch(/[?#&]code=/)
    },
  )

  test('an address that is not registered, and a client that may not: a page, and nobody is sent anywhere', async () => {
    for (const change of [
      { redirect_uri: 'https://evil.example/' },
      { client_id: 'nobody' },
      { client_id: 'svc-admin' },
      { client_id: 'svc-api' },
    ]) {
      const page = await postTo(new Browser(realm), query(change))
      expect([page.left, page.response.status]).toEqual([false, 400])
      expect(page.text).toContain('Signing in did not work')
    }
  })

  test('CR and LF in a form make no header', async () => {
    const response = await ask('POST', at('auth'), { headers: FORM, body: 'state=%0D%0Aset-cookie:%20a=b&client_id=x' })
    expect([response.status, response.headers.get('set-cookie')]).toEqual([303, null])
    expect(response.headers.get('location')).toStartWith(`${realm.issuer}${at('auth')}?state=%0D%0A`)
  })
})

describe('signing out by POST', () => {
  const out = (browser: Browser, form: Record<string, string>, search = '', headers = {}) =>
    browser.visit(`${realm.issuer}${at('logout')}${search}`, {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: new URLSearchParams(form).toString(),
    })
  const signedIn = async (browser: Browser): Promise<boolean> =>
    (await browser.visit(authorizeUrl(realm, { prompt: 'none' }))).url.includes('code=')

  test('asks on a page without script, then goes to the registered address', async () => {
    const browser = new Browser(realm)
    const { id_token } = (await exchange(realm, await code(browser))).body
    const back = `${app.deps.config.publicUrl}/console/`
    const page = await out(browser, { id_token_hint: id_token, post_logout_redirect_uri: back, state: 'bye' })
    expect(page.text).toContain('name="logout" value="yes"')
    expect(page.text).not.toContain('<script')
    expect(await signedIn(browser)).toBe(true)
    expect((await browser.submit(page, { logout: 'yes' })).url).toBe(`${back}?state=bye`)
    expect(await signedIn(browser)).toBe(false)
  })

  test('another site’s form signs nobody out: neither the request nor the answer to the question', async () => {
    const browser = new Browser(realm)
    const { id_token } = (await exchange(realm, await code(browser))).body
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    await out(browser, { id_token_hint: id_token, logout: 'yes' }, '', foreign)
    for (const xsrf of ['', 'guess']) {
      const page = await browser.visit(`${realm.issuer}${at('logout/confirm')}`, {
        method: 'POST',
        headers: { ...FORM, ...foreign },
        body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
      })
      expect(page.response.status).toBe(400)
    }
    expect(await signedIn(browser)).toBe(true)
  })

  test.each([
    'https://evil.example/',
    'https://evil.example@localhost/',
    '//evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'com.evil.app:/callback',
  ])('%s is no way out, signed in or not, with a hint, a client or neither', async (uri) => {
    const browser = new Browser(realm)
    const { id_token } = (await exchange(realm, await code(browser))).body
    const forms = [{ id_token_hint: id_token }, { client_id: 'svc-mobile' }, { client_id: 'svc-admin' }, {}]
    for (const who of [browser, new Browser(realm)])
      for (const form of forms) {
        const page = await out(who, { ...(form as Record<string, string>), post_logout_redirect_uri: uri })
        expect(page.left).toBe(false)
        if (page.response.status === 400) continue
        const done = page.text.includes('name="logout"') ? await who.submit(page, {}) : page
        expect([done.left, done.url.startsWith(realm.issuer)]).toEqual([false, true])
      }
  })

  test('twice the same parameter is refused; the address of the form is not read', async () => {
    const body = 'client_id=svc-mobile&client_id=svc-mobile'
    const twice = await new Browser(realm).visit(`${realm.issuer}${at('logout')}`, {
      method: 'POST',
      headers: FORM,
      body,
    })
    expect(twice.response.status).toBe(400)
    const evil = `?client_id=svc-mobile&post_logout_redirect_uri=${encodeURIComponent(`${app.deps.config.publicUrl}/console/`)}`
    const page = await out(new Browser(realm), {}, evil)
    expect(page.url).toBe(`${realm.issuer}${at('logout/success')}`)
  })
})
