import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import {
  addUser,
  authorizeUrl,
  Browser,
  CALLBACK,
  claimsOf,
  codeOf,
  createTestIdentity,
  exchange,
  ORG,
  PASSWORD,
  PHONE,
  post,
  refresh,
  signIn,
  signInForTokens,
  type TestIdentity,
} from '../../support/oidc.ts'

describe('a real OpenID client over a live server', () => {
  let idp: TestIdentity
  let server: ReturnType<typeof Bun.serve>
  let config: client.Configuration
  beforeAll(async () => {
    server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (r) => idp.fetch(r, '127.0.0.1') })
    const publicUrl = `http://127.0.0.1:${server.port}`
    const redirectUris = [`${publicUrl}/app/callback`]
    idp = await createTestIdentity({ publicUrl, redirectUris, alg: 'RS256', sandbox: false })
    config = await client.discovery(new URL(idp.issuer), 'svc-mobile', undefined, client.None(), {
      execute: [client.allowInsecureRequests],
    })
  })
  afterAll(() => server.stop(true))

  test('signs in, reads userinfo, refreshes, revokes', async () => {
    const redirect_uri = `${idp.publicUrl}/app/callback`
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const expectedNonce = client.randomNonce()
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid profile email phone',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    })
    const browser = new Browser(idp)
    const page = await browser.visit(start.href)
    expect(page.text).toContain('<label for="username">Phone number</label>')
    const back = await browser.submit(page, { username: '677 12 34 56', password: PASSWORD })
    expect(back.url).toStartWith(`${redirect_uri}?code=`)
    const tokens = await client.authorizationCodeGrant(config, new URL(back.url), {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
    })
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 300, scope: 'openid profile email phone' })

    const { payload, protectedHeader } = await jwtVerify(tokens.access_token, createLocalJWKSet(idp.jwks()), {
      issuer: idp.issuer,
      audience: 'svc-api',
      algorithms: ['RS256'],
    })
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'JWT' })
    expect(payload).toMatchObject({
      aud: 'svc-api',
      sub: idp.userId,
      azp: 'svc-mobile',
      typ: 'Bearer',
      org_id: ORG,
      realm_access: { roles: ['OWNER'] },
      preferred_username: PHONE,
      phone_number: PHONE,
      phone_number_verified: true,
      email: 'ama@example.cm',
      name: 'Ama Ngo Bell',
      given_name: 'Ama',
      family_name: 'Ngo Bell',
      scope: 'openid profile email phone',
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300)
    expect(payload.sid).toBe(tokens.claims()?.sid)
    expect(payload.jti).toBeString()
    expect(payload).not.toHaveProperty('client_id')

    const info = await client.fetchUserInfo(config, tokens.access_token, idp.userId)
    expect(info).toMatchObject({ name: 'Ama Ngo Bell', phone_number: PHONE, email: 'ama@example.cm' })
    const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(again.refresh_token).not.toBe(tokens.refresh_token)
    await client.tokenRevocation(config, again.refresh_token ?? '')
    expect(client.refreshTokenGrant(config, again.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('signs out on a page without script, to a registered address only', async () => {
    const browser = new Browser(idp)
    const redirect_uri = `${idp.publicUrl}/app/callback`
    const code = codeOf(await signIn(idp, browser, { redirect_uri }))
    const { body } = await exchange(idp, code, { redirect_uri })
    const out = client.buildEndSessionUrl(config, {
      id_token_hint: body.id_token,
      post_logout_redirect_uri: `${idp.publicUrl}/console/`,
      state: 'bye',
    })
    const page = await browser.visit(out.href)
    expect(page.text).toContain('<button type="submit" name="logout" value="yes">Sign out</button>')
    expect(page.text).not.toContain('<script')
    const back = await browser.submit(page, { logout: 'yes' })
    expect(back.url).toBe(`${idp.publicUrl}/console/?state=bye`)
    expect((await refresh(idp, body.refresh_token)).body.error).toBe('invalid_grant')
    // Signed out already: straight on, without a page that would need a script to go on.
    expect((await browser.visit(out.href)).url).toBe(`${idp.publicUrl}/console/?state=bye`)
    expect((await browser.visit(authorizeUrl(idp, { redirect_uri }))).text).toContain('name="password"')
    const refused = await browser.visit(out.href.replace(encodeURIComponent('/console/'), '%2Fevil%2F'))
    expect(refused).toMatchObject({ left: false })
    expect(refused.response.status).toBe(400)
  })
})

test('discovery names the issuer’s own endpoints; production offers no password grant', async () => {
  for (const [sandbox, grants] of [
    [true, ['authorization_code', 'refresh_token', 'client_credentials', 'password']],
    [false, ['authorization_code', 'refresh_token', 'client_credentials']],
  ] as const) {
    const idp = await createTestIdentity({ sandbox, user: false })
    const response = await idp.fetch(new Request(`${idp.issuer}/.well-known/openid-configuration`), '::1')
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    const at = `${idp.issuer}/protocol/openid-connect`
    const document = await response.json()
    expect(document).toMatchObject({
      issuer: 'https://rent.example.cm/realms/svc',
      authorization_endpoint: `${at}/auth`,
      token_endpoint: `${at}/token`,
      jwks_uri: `${at}/certs`,
      userinfo_endpoint: `${at}/userinfo`,
      end_session_endpoint: `${at}/logout`,
      revocation_endpoint: `${at}/revoke`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      id_token_signing_alg_values_supported: ['ES256'],
      grant_types_supported: [...grants],
    })
    expect(Object.keys(document).filter((k) => /registration|introspection|pushed|device|dpop/.test(k))).toEqual([])
    const certs = await idp.fetch(new Request(`${at}/certs`), '::1')
    expect(await certs.json()).toEqual(idp.jwks())
    expect(JSON.stringify(idp.jwks())).not.toContain('"d"')
    const unknown = await idp.fetch(new Request(`${idp.issuer}/account`), '::1')
    expect([unknown.status, (await unknown.json()).code]).toEqual([404, 'not_found'])
  }
})

describe('refresh tokens', () => {
  test.each([
    { after: 0, status: 200, family: 'the family lives' },
    { after: 10, status: 200, family: 'the family lives' },
    { after: 12, status: 400, family: 'the family is dead' },
    { after: 3600, status: 400, family: 'the family is dead' },
  ])('the old one sent again $after s after its rotation: $status, $family', async ({ after, status }) => {
    const idp = await createTestIdentity()
    const first = await idp.issueTokens(idp.userId)
    const second = (await refresh(idp, first.refresh_token)).body
    try {
      setSystemTime(Date.now() + after * 1000)
      expect((await refresh(idp, first.refresh_token)).status).toBe(status)
      expect((await refresh(idp, second.refresh_token)).status).toBe(status)
    } finally {
      setSystemTime()
    }
  })

  test('idle 14 days, at most 30 days since the password, however often they are used', async () => {
    const idp = await createTestIdentity()
    const days = (n: number) => setSystemTime(start + n * 86_400_000 + 1000)
    const start = Date.now()
    try {
      const idle = (await idp.issueTokens(idp.userId)).refresh_token
      let busy = (await signInForTokens(idp)).refresh_token
      for (const day of [13, 26, 29]) {
        days(day)
        await idp.purgeExpired()
        const { status, body } = await refresh(idp, busy)
        expect([day, status]).toEqual([day, 200])
        busy = body.refresh_token
        if (day > 13) expect((await refresh(idp, idle)).status).toBe(400)
      }
      days(30)
      expect((await refresh(idp, busy)).body.error).toBe('invalid_grant')
    } finally {
      setSystemTime()
    }
  })

  test('a browser signs in by itself for 30 days of use, not longer', async () => {
    const idp = await createTestIdentity()
    const browser = new Browser(idp)
    const start = Date.now()
    try {
      await signInForTokens(idp, browser)
      for (const [day, silent] of [
        [13, true],
        [26, true],
        [29.9, true],
        [30.1, false],
      ] as const) {
        setSystemTime(start + day * 86_400_000)
        expect([day, (await browser.visit(authorizeUrl(idp))).left]).toEqual([day, silent])
      }
    } finally {
      setSystemTime()
    }
  })

  test('twenty at the same moment with one token: all answered, one family', async () => {
    const idp = await createTestIdentity()
    const { refresh_token } = await idp.issueTokens(idp.userId)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(idp, refresh_token)))
    expect(answers.map((a) => a.status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(idp.sessions(idp.userId)).toHaveLength(1)
  })
})

test('a second sign-in from the same browser needs no password, another account does', async () => {
  const idp = await createTestIdentity()
  const other = await addUser(idp, '+237699000001')
  const browser = new Browser(idp)
  const first = await signInForTokens(idp, browser)
  const silent = await browser.visit(authorizeUrl(idp))
  expect(silent.left).toBe(true)
  const second = (await exchange(idp, codeOf(new URL(silent.url)))).body
  expect(claimsOf(second.access_token).sid).toBe(claimsOf(first.access_token).sid)
  // Asked for the password again, somebody else signs in: the first one's session is over, and no script was needed.
  const page = await browser.visit(authorizeUrl(idp, { prompt: 'login' }))
  const done = await browser.submit(page, { username: '+237699000001', password: PASSWORD })
  const third = (await exchange(idp, codeOf(new URL(done.url)))).body
  expect(claimsOf(third.access_token).sub).toBe(other)
  expect((await refresh(idp, second.refresh_token)).body.error).toBe('invalid_grant')
  expect(idp.sessions(idp.userId)).toEqual([])
})

test('a custom scheme with prompt=consent signs in without a loop', async () => {
  const idp = await createTestIdentity()
  const url = await signIn(idp, new Browser(idp), { prompt: 'login consent', scope: 'openid offline_access' })
  expect(url.href).toStartWith(`${CALLBACK}?code=`)
})

test('a restart keeps browser sessions, refresh tokens and keys', async () => {
  const before = await createTestIdentity()
  const browser = new Browser(before)
  const tokens = await signInForTokens(before, browser)
  const after = await createTestIdentity({ store: before.store, masterKey: before.masterKey })
  expect(after.jwks()).toEqual(before.jwks())
  expect((await refresh(after, tokens.refresh_token)).status).toBe(200)
  const returning = new Browser(after)
  for (const [name, cookie] of browser.cookies) returning.cookies.set(name, cookie)
  expect((await returning.visit(authorizeUrl(after))).left).toBe(true)
})

test('svc-admin gets tokens that are no user’s; svc-api may use no grant', async () => {
  const idp = await createTestIdentity({ adminSecret: 'a secret of the operator' })
  const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })
  const admin = await post(
    idp,
    { grant_type: 'client_credentials' },
    'token',
    basic('svc-admin', encodeURIComponent('a secret of the operator')),
  )
  expect(admin.status).toBe(200)
  expect(claimsOf(admin.body.access_token)).toMatchObject({ aud: 'svc-admin', azp: 'svc-admin', sub: 'svc-admin' })
  expect(claimsOf(admin.body.access_token)).not.toHaveProperty('org_id')
  expect((await post(idp, { grant_type: 'client_credentials' }, 'token', basic('svc-admin', 'guess'))).status).toBe(401)
  for (const grant_type of ['password', 'client_credentials', 'authorization_code', 'refresh_token'])
    expect((await post(idp, { grant_type, client_id: 'svc-api', username: PHONE, password: PASSWORD })).status).toBe(
      400,
    )
})

test('neither the database nor the log holds a password, code, token or cookie', async () => {
  const idp = await createTestIdentity()
  const browser = new Browser(idp)
  const code = codeOf(await signIn(idp, browser))
  const tokens = (await exchange(idp, code)).body
  await refresh(idp, tokens.refresh_token)
  // Left open half-way: such a sign-in knows of the session it began in.
  await browser.visit(authorizeUrl(idp, { prompt: 'login' }))
  const session = [...browser.cookies].find(([name]) => name.includes('session|'))?.[1].value ?? ''
  const dump = idp.store.client.serialize().toString('latin1') + idp.logged.join('\n')
  for (const secret of [code, tokens.refresh_token, tokens.access_token, session, PASSWORD]) {
    expect(secret.length).toBeGreaterThan(10)
    expect(dump.includes(secret)).toBe(false)
  }
  expect(idp.logged.join('\n')).not.toContain(PHONE)
})
