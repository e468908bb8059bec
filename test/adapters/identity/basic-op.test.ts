import { afterAll, afterEach, beforeAll, expect, setSystemTime, test } from 'bun:test'
import { decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { addUser, Browser, claimsOf, PHONE, post } from '../../support/oidc.ts'
import {
  asksForPassword,
  errorOf,
  type RelyingParty,
  SECRET,
  startRelyingParty,
  unsigned,
} from '../../support/relying-party.ts'

/** What of the plan does not apply, why, and how the provider says so: never passed in silence. */
const NOT_RUN: Readonly<Record<string, readonly [reason: string, told: () => Promise<void>]>> = {
  'oidcc-idtoken-signature': [
    'the plan drops it for clients that are not registered dynamically; every ID token here is RS256',
    async () => expect((await rp.discovered()).id_token_signing_alg_values_supported).toEqual(['RS256']),
  ],
  'oidcc-idtoken-unsigned': [
    'the plan drops it for clients that are not registered dynamically; alg none is not offered',
    async () => expect((await rp.discovered()).id_token_signing_alg_values_supported).not.toContain('none'),
  ],
  'oidcc-userinfo-post-body': [
    'optional (RFC 6750 section 2.2); tokens are taken from the Authorization header only',
    async () => {
      const { tokens } = await rp.signedIn()
      const { status, headers } = await post(rp.idp, { access_token: tokens.access_token }, 'userinfo')
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="svc"'])
    },
  ],
  'oidcc-scope-address': [
    'no address is kept of an account; the scope is not announced and grants nothing',
    async () => {
      expect((await rp.discovered()).scopes_supported).not.toContain('address')
      const { tokens } = await rp.signedIn({ scope: 'openid address' })
      expect(tokens.scope).toBe('openid')
      expect(tokens.claims()).not.toHaveProperty('address')
    },
  ],
  'oidcc-scope-all': [
    'it asks for address too; the others together are asked for here',
    async () => {
      const { tokens } = await rp.signedIn({ scope: 'openid profile email phone' })
      const info = await client.fetchUserInfo(rp.config, tokens.access_token, rp.idp.userId)
      expect(Object.keys(info)).toEqual(expect.arrayContaining(['sub', 'name', 'email', 'phone_number']))
    },
  ],
  'oidcc-server-client-secret-post': [
    'svc-mobile is public (token_endpoint_auth_method none) and svc-admin uses client_secret_basic',
    async () => {
      expect((await rp.discovered()).token_endpoint_auth_methods_supported).toEqual(['none', 'client_secret_basic'])
      const form = { grant_type: 'client_credentials', client_id: 'svc-admin', client_secret: SECRET }
      expect((await post(rp.idp, form)).body.error).toBe('invalid_client')
    },
  ],
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': [
    'the plan drops it for clients that are not registered dynamically; request_uri is refused by its error',
    async () => {
      const page = await new Browser(rp.idp).visit((await rp.request({ request_uri: 'https://rp.example/r.jwt' })).url)
      expect(errorOf(page)).toBe('request_uri_not_supported')
    },
  ],
  'oidcc-claims-essential': [
    'the claims parameter is not supported, as discovery says; the scope profile brings the name',
    async () => {
      expect((await rp.discovered()).claims_parameter_supported).toBe(false)
      const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
      const { tokens } = await rp.signedIn({ claims, scope: 'openid profile' })
      expect(await client.fetchUserInfo(rp.config, tokens.access_token, rp.idp.userId)).toHaveProperty(
        'name',
        'Ama Ngo Bell',
      )
    },
  ],
}

let rp: RelyingParty
beforeAll(async () => {
  rp = await startRelyingParty()
})
afterAll(() => rp.stop())
afterEach(() => void setSystemTime())
const later = (seconds: number) => setSystemTime(Date.now() + seconds * 1000)

/**
 * The modules of the OpenID Foundation's plan "oidcc-basic-certification-test-plan", by their names and in its order,
 * as far as a public client with PKCE can be asked; openid-client is the relying party.
 */
const MODULES: Readonly<Record<string, () => Promise<void>>> = {
  async 'oidcc-server'() {
    const { tokens, back } = await rp.signedIn()
    expect(new URL(back.url).searchParams.get('iss')).toBe(rp.idp.issuer)
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'openid' })
    const { sub, iss, aud, exp, iat, auth_time } = { ...tokens.claims() }
    expect({ sub, iss, aud }).toEqual({ sub: rp.idp.userId, iss: rp.idp.issuer, aud: 'svc-mobile' })
    expect(Number(exp) - Number(iat)).toBe(300)
    expect(Number(auth_time)).toBeLessThanOrEqual(Number(iat))
    const { alg, kid } = decodeProtectedHeader(tokens.id_token ?? '')
    expect(alg).toBe('RS256')
    expect(rp.idp.jwks().keys.map((key) => key.kid)).toContain(kid)
  },
  async 'oidcc-response-type-missing'() {
    const page = await new Browser(rp.idp).visit((await rp.request({ response_type: undefined })).url)
    expect(asksForPassword(page)).toBe(false)
    expect(errorOf(page)).toBe('invalid_request')
    expect(new URL(page.url).searchParams.has('state')).toBe(true)
  },
  async 'oidcc-userinfo-get'() {
    const { tokens } = await rp.signedIn()
    const response = await rp.userinfo(tokens.access_token)
    expect(response.headers.get('content-type')).toStartWith('application/json')
    expect((await response.json()).sub).toBe(tokens.claims()?.sub)
  },
  async 'oidcc-userinfo-post-header'() {
    const { tokens } = await rp.signedIn()
    const response = await rp.userinfo(tokens.access_token, 'POST')
    expect([response.status, (await response.json()).sub]).toEqual([200, rp.idp.userId])
  },
  async 'oidcc-ensure-request-without-nonce-succeeds-for-code-flow'() {
    const { tokens } = await rp.signedIn({ nonce: undefined })
    expect(tokens.claims()).not.toHaveProperty('nonce')
  },
  async 'oidcc-scope-profile'() {
    const { tokens } = await rp.signedIn({ scope: 'openid profile' })
    const info = await client.fetchUserInfo(rp.config, tokens.access_token, rp.idp.userId)
    const profile = { name: 'Ama Ngo Bell', given_name: 'Ama', family_name: 'Ngo Bell', preferred_username: PHONE }
    expect(info).toMatchObject(profile)
    expect([info.email, info.phone_number]).toEqual([undefined, undefined])
  },
  async 'oidcc-scope-email'() {
    const { tokens } = await rp.signedIn({ scope: 'openid email' })
    const info = await client.fetchUserInfo(rp.config, tokens.access_token, rp.idp.userId)
    expect([info.email, info.name, info.phone_number]).toEqual(['ama@example.cm', undefined, undefined])
  },
  async 'oidcc-scope-phone'() {
    const { tokens } = await rp.signedIn({ scope: 'openid phone' })
    const info = await client.fetchUserInfo(rp.config, tokens.access_token, rp.idp.userId)
    expect([info.phone_number, info.phone_number_verified, info.name]).toEqual([PHONE, true, undefined])
  },
  async 'oidcc-ensure-other-scope-order-succeeds'() {
    const { tokens } = await rp.signedIn({ scope: 'email openid' })
    expect(new Set(tokens.scope?.split(' '))).toEqual(new Set(['openid', 'email']))
    expect(tokens.claims()?.email).toBe('ama@example.cm')
  },
  async 'oidcc-alternate-happy-flow'() {
    const redirect_uri = `${rp.idp.publicUrl}/portal/callback`
    const { url, checks } = await rp.request({ redirect_uri, scope: 'phone email profile openid', state: 'x y&z=ü' })
    const browser = new Browser(rp.idp)
    const back = await rp.typeIn(browser, await browser.visit(url))
    expect(new URL(back.url).pathname).toBe('/portal/callback')
    await client.authorizationCodeGrant(rp.config, new URL(back.url), { ...checks, expectedState: 'x y&z=ü' })
  },
  'oidcc-display-page': async () => expect(asksForPassword((await rp.signedIn({ display: 'page' })).first)).toBe(true),
  'oidcc-display-popup': async () =>
    expect(asksForPassword((await rp.signedIn({ display: 'popup' })).first)).toBe(true),
  async 'oidcc-prompt-login'() {
    const browser = new Browser(rp.idp)
    const before = await rp.signedIn({}, browser)
    later(2)
    const again = await rp.signedIn({ prompt: 'login' }, browser)
    expect(asksForPassword(again.first)).toBe(true)
    expect(Number(again.tokens.claims()?.auth_time)).toBeGreaterThan(Number(before.tokens.claims()?.auth_time))
    expect(again.tokens.claims()?.sub).toBe(rp.idp.userId)
  },
  async 'oidcc-prompt-none-not-logged-in'() {
    const page = await new Browser(rp.idp).visit((await rp.request({ prompt: 'none' })).url)
    expect(errorOf(page)).toBe('login_required')
    expect(new URL(page.url).searchParams.get('iss')).toBe(rp.idp.issuer)
  },
  async 'oidcc-prompt-none-logged-in'() {
    const browser = new Browser(rp.idp)
    const before = (await rp.signedIn({}, browser)).tokens.claims()
    later(2)
    const { first, tokens } = await rp.signedIn({ prompt: 'none' }, browser)
    expect(first.left).toBe(true)
    expect([tokens.claims()?.sub, tokens.claims()?.auth_time]).toEqual([before?.sub, before?.auth_time])
  },
  async 'oidcc-max-age-1'() {
    const browser = new Browser(rp.idp)
    const before = (await rp.signedIn({}, browser)).tokens.claims()
    later(2)
    const { first, tokens } = await rp.signedIn({ max_age: '1' }, browser)
    expect(asksForPassword(first)).toBe(true)
    expect(Number(tokens.claims()?.auth_time)).toBeGreaterThan(Number(before?.auth_time))
  },
  async 'oidcc-max-age-10000'() {
    const browser = new Browser(rp.idp)
    const before = (await rp.signedIn({}, browser)).tokens.claims()
    later(2)
    const { first, tokens } = await rp.signedIn({ max_age: '10000' }, browser)
    expect([first.left, tokens.claims()?.auth_time]).toEqual([true, before?.auth_time])
  },
  async 'oidcc-ensure-request-with-unknown-parameter-succeeds'() {
    const { back } = await rp.signedIn({ extra: 'foobar' })
    expect(back.url).not.toContain('foobar')
  },
  async 'oidcc-id-token-hint'() {
    const browser = new Browser(rp.idp)
    const { tokens } = await rp.signedIn({}, browser)
    const again = await rp.signedIn({ prompt: 'none', id_token_hint: tokens.id_token }, browser)
    expect(again.tokens.claims()?.sub).toBe(tokens.claims()?.sub)
    // The hint of somebody else finds nobody signed in.
    const phone = '+237699000777'
    const other = (await rp.idp.identity.findByPhone(phone))?.userId ?? (await addUser(rp.idp, phone))
    const { id_token } = await rp.idp.issueTokens(other)
    const page = await browser.visit((await rp.request({ prompt: 'none', id_token_hint: id_token })).url)
    expect(errorOf(page)).toBe('login_required')
  },
  async 'oidcc-login-hint'() {
    const { first } = await rp.signedIn({ login_hint: '+237 677 12 34 56' })
    expect(first.text).toContain('value="+237 677 12 34 56"')
  },
  async 'oidcc-ui-locales'() {
    for (const [ui_locales, words] of [
      ['fr', 'Mot de passe'],
      ['en', 'Password'],
      ['de fr-CM', 'Mot de passe'],
    ])
      expect((await rp.signedIn({ ui_locales })).first.text).toContain(words ?? '')
  },
  async 'oidcc-claims-locales'() {
    expect((await rp.signedIn({ claims_locales: 'se' })).tokens.id_token).toBeDefined()
  },
  async 'oidcc-ensure-request-with-acr-values-succeeds'() {
    const supported: string[] = (await rp.discovered()).acr_values_supported ?? []
    const { tokens } = await rp.signedIn({ acr_values: '1 2' })
    expect([undefined, ...supported]).toContain(tokens.claims()?.acr as string | undefined)
  },
  'oidcc-codereuse': () => reuse(0),
  'oidcc-codereuse-30seconds': () => reuse(30),
  async 'oidcc-ensure-registered-redirect-uri'() {
    for (const redirect_uri of [`${rp.idp.publicUrl}/console/callback/x`, 'https://rp.example/callback']) {
      const page = await new Browser(rp.idp).visit((await rp.request({ redirect_uri })).url)
      expect([page.left, page.response.status]).toEqual([false, 400])
      expect(page.text).toContain('invalid_redirect_uri')
      expect(asksForPassword(page)).toBe(false)
    }
  },
  async 'oidcc-ensure-post-request-succeeds'() {
    const { url, checks } = await rp.request()
    const { origin, pathname, searchParams } = new URL(url)
    const browser = new Browser(rp.idp)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const page = await browser.visit(origin + pathname, { method: 'POST', headers, body: searchParams.toString() })
    const back = await rp.typeIn(browser, page)
    const tokens = await client.authorizationCodeGrant(rp.config, new URL(back.url), checks)
    expect(tokens.claims()?.sub).toBe(rp.idp.userId)
  },
  async 'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported'() {
    const object = unsigned({ scope: 'openid', state: 'other' })
    const page = await new Browser(rp.idp).visit((await rp.request({ request: object })).url)
    expect(errorOf(page)).toBe('request_not_supported')
    expect((await rp.discovered()).request_parameter_supported).toBe(false)
  },
  async 'oidcc-ensure-request-object-with-redirect-uri'() {
    const object = unsigned({ redirect_uri: 'https://rp.example/callback' })
    const page = await new Browser(rp.idp).visit((await rp.request({ request: object })).url)
    expect(errorOf(page)).toBe('request_not_supported')
    expect(page.url).toStartWith(`${rp.idp.publicUrl}/app/callback?`)
    const alone = await rp.request({ request: object, redirect_uri: undefined })
    expect((await new Browser(rp.idp).visit(alone.url)).left).toBe(false)
  },
  async 'oidcc-refresh-token'() {
    const { tokens } = await rp.signedIn({ scope: 'openid profile' })
    const given = tokens.refresh_token ?? ''
    // Bound to the client that it was given to.
    const stolen = { grant_type: 'refresh_token', refresh_token: given }
    expect((await post(rp.idp, { ...stolen, client_id: 'svc-api' })).status).toBe(400)
    const next = await client.refreshTokenGrant(rp.config, given)
    const [was, is] = [claimsOf(tokens.id_token ?? ''), claimsOf(next.id_token ?? '')]
    for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid']) expect(is[name]).toEqual(was[name])
    expect(Number(is.iat)).toBeGreaterThanOrEqual(Number(was.iat))
    expect(next.access_token).not.toBe(tokens.access_token)
    expect((await rp.userinfo(next.access_token)).status).toBe(200)
  },
  async 'oidcc-ensure-request-with-valid-pkce-succeeds'() {
    const { back, checks } = await rp.signedIn()
    expect((await rp.codeAgain(back, checks.pkceCodeVerifier)).body.error).toBe('invalid_grant')
    const other = await rp.request()
    const browser = new Browser(rp.idp)
    const page = await rp.typeIn(browser, await browser.visit(other.url))
    expect((await rp.codeAgain(page, 'w'.repeat(43))).body.error).toBe('invalid_grant')
  },
}

async function reuse(after: number): Promise<void> {
  const { tokens, back, checks } = await rp.signedIn()
  expect((await rp.userinfo(tokens.access_token)).status).toBe(200)
  later(after)
  const again = await rp.codeAgain(back, checks.pkceCodeVerifier)
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
  expect((await rp.userinfo(tokens.access_token)).status).toBe(401)
  const refreshed = client.refreshTokenGrant(rp.config, tokens.refresh_token ?? '')
  expect(refreshed).rejects.toMatchObject({ error: 'invalid_grant' })
}

test.each(Object.entries(MODULES))('%s', (_, run) => run())
for (const [name, [reason, told]] of Object.entries(NOT_RUN)) test(`${name}: not run, as ${reason}`, told)
test('the plan has 39 modules', () => expect(Object.keys({ ...MODULES, ...NOT_RUN })).toHaveLength(39))
