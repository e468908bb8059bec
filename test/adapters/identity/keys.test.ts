import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import {
  Browser,
  createTestIdentity,
  openTestStore,
  post,
  refresh,
  signInForTokens,
  type TestIdentity,
} from '../../support/oidc.ts'

afterEach(() => void setSystemTime())
const advance = (seconds: number) => setSystemTime(Date.now() + seconds * 1000)
const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? ''
const kids = (idp: TestIdentity): string[] => idp.jwks().keys.map((key) => key.kid ?? '')
const verifies = (idp: TestIdentity, token: string): Promise<boolean> =>
  jwtVerify(token, createLocalJWKSet(idp.jwks()), { issuer: idp.issuer, currentDate: new Date() }).then(
    () => true,
    () => false,
  )
const userinfo = async (idp: TestIdentity, token: string): Promise<number> => {
  const url = `${idp.issuer}/protocol/openid-connect/userinfo`
  return (await idp.fetch(new Request(url, { headers: { authorization: `Bearer ${token}` } }), '::1')).status
}

test('rotation: published ten minutes before it signs; tokens of the old key verify as long as they live', async () => {
  const idp = await createTestIdentity()
  let changes = 0
  idp.onKeysChanged(() => changes++)
  const [first = ''] = kids(idp)
  await idp.rotateKeys()
  await idp.rotateKeys()
  const [, next = ''] = kids(idp)
  expect(kids(idp)).toEqual([first, next])
  expect(changes).toBeGreaterThan(0)

  advance(598)
  const old = await idp.issueTokens(idp.userId)
  expect(kidOf(old.access_token)).toBe(first)
  advance(4)
  changes = 0
  const fresh = (await refresh(idp, old.refresh_token)).body
  expect(changes).toBe(1)
  expect(kidOf(fresh.access_token)).toBe(next)
  expect(kidOf(fresh.id_token)).toBe(next)
  for (const token of [old.access_token, fresh.access_token]) {
    expect(await verifies(idp, token)).toBe(true)
    expect(await userinfo(idp, token)).toBe(200)
  }
  advance(290)
  expect(kids(idp)).toEqual([first, next])
  advance(120)
  expect(kids(idp)).toEqual([next])
})

test('a sign-out hint of the old key is understood a week after its rotation', async () => {
  const idp = await createTestIdentity()
  const browser = new Browser(idp)
  const { id_token } = await signInForTokens(idp, browser)
  await idp.rotateKeys()
  advance(7 * 86_400)
  const url = new URL(`${idp.issuer}/protocol/openid-connect/logout`)
  url.search = new URLSearchParams({
    id_token_hint: id_token,
    post_logout_redirect_uri: `${idp.publicUrl}/`,
  }).toString()
  const page = await browser.visit(url.href)
  expect([page.response.status, page.text.includes('name="logout"')]).toEqual([200, true])
  // Past keys are forgotten in the end, the signing one never.
  await idp.rotateKeys()
  advance(40 * 86_400)
  await idp.issueTokens(idp.userId)
  await idp.purgeExpired()
  expect(idp.store.client.prepare('select count(*) from signing_key').pluck().get()).toBe(1)
  expect(await verifies(idp, (await idp.issueTokens(idp.userId)).access_token)).toBe(true)
})

test('another algorithm: a key of it signs at once, the old tokens verify on', async () => {
  const rs = await createTestIdentity({ alg: 'RS256' })
  const old = await rs.issueTokens(rs.userId)
  await rs.rotateKeys()
  advance(1)
  const es = await createTestIdentity({ alg: 'ES256', store: rs.store, masterKey: rs.masterKey })
  const fresh = (await refresh(es, old.refresh_token)).body
  expect(decodeProtectedHeader(fresh.access_token).alg).toBe('ES256')
  expect(decodeProtectedHeader(fresh.id_token).alg).toBe('ES256')
  expect([await verifies(es, old.access_token), await verifies(es, fresh.access_token)]).toEqual([true, true])
  advance(700)
  expect(es.jwks().keys.map((key) => key.alg)).toEqual(['ES256'])
})

describe.each([
  ['RS256', 'ES256'],
  ['ES256', 'RS256'],
] as const)('from %s to %s, with a client registered for RS256', (from, to) => {
  const keptBy = (idp: TestIdentity) => ({ store: idp.store, masterKey: idp.masterKey, idTokenAlg: 'RS256' as const })
  const algs = (idp: TestIdentity) => new Set(idp.jwks().keys.map((key) => key.alg))
  const announced = async (idp: TestIdentity): Promise<string[]> => {
    const document = await idp.fetch(new Request(`${idp.issuer}/.well-known/openid-configuration`), '::1')
    return (await document.json()).id_token_signing_alg_values_supported
  }

  test('old tokens live out their time, certs list both, ID tokens stay as they were, the browser stays signed in', async () => {
    const before = await createTestIdentity({ alg: from, idTokenAlg: 'RS256' })
    const browser = new Browser(before)
    const old = await signInForTokens(before, browser)
    expect(decodeProtectedHeader(old.access_token).alg).toBe(from)
    await before.rotateKeys()
    const after = await createTestIdentity({ alg: to, ...keptBy(before) })
    expect(algs(after)).toEqual(new Set(['RS256', 'ES256']))
    const fresh = (await refresh(after, old.refresh_token)).body
    expect(decodeProtectedHeader(fresh.access_token).alg).toBe(to)
    for (const token of [old, fresh]) {
      expect(decodeProtectedHeader(token.id_token).alg).toBe('RS256')
      expect([await verifies(after, token.access_token), await verifies(after, token.id_token)]).toEqual([true, true])
      expect(await userinfo(after, token.access_token)).toBe(200)
    }
    expect([await announced(before), await announced(after)]).toEqual([['RS256'], ['RS256']])
    const returning = new Browser(after)
    for (const [name, cookie] of browser.cookies) returning.cookies.set(name, cookie)
    const hinted = `${after.issuer}/protocol/openid-connect/logout?id_token_hint=${old.id_token}`
    expect((await returning.visit(hinted)).text).toContain('name="logout"')
    // A key of what is not signed with any more goes once its last token is dead; nothing waits to take over.
    advance(700)
    expect(algs(after)).toEqual(new Set(['RS256', to]))
    expect(decodeProtectedHeader((await after.issueTokens(after.userId)).access_token).alg).toBe(to)
  })

  test('there and back within a second, and started twice: one set of keys signs', async () => {
    const first = await createTestIdentity({ alg: from, idTokenAlg: 'RS256' })
    const second = await createTestIdentity({ alg: to, ...keptBy(first) })
    const third = await createTestIdentity({ alg: from, ...keptBy(first) })
    const fourth = await createTestIdentity({ alg: from, ...keptBy(first) })
    for (const [idp, alg] of [
      [second, to],
      [third, from],
      [fourth, from],
    ] as const)
      expect(decodeProtectedHeader((await idp.issueTokens(idp.userId)).access_token).alg).toBe(alg)
    expect(fourth.jwks()).toEqual(third.jwks())
    const token = (await first.issueTokens(first.userId)).access_token
    expect([await verifies(fourth, token), await userinfo(fourth, token)]).toEqual([true, 200])
  })

  test('both keys are renewed together', async () => {
    const idp = await createTestIdentity({ alg: 'ES256', idTokenAlg: 'RS256' })
    const old = kids(idp)
    await idp.rotateKeys()
    advance(602)
    const { access_token, id_token = '' } = await idp.issueTokens(idp.userId)
    for (const token of [access_token, id_token]) {
      expect(old).not.toContain(kidOf(token))
      expect(await verifies(idp, token)).toBe(true)
    }
    advance(700)
    expect(kids(idp)).toHaveLength(2)
  })
})

describe('private keys in the database', () => {
  test('cannot be read, nor moved to another row, without the master key', async () => {
    const idp = await createTestIdentity()
    const rows = () => JSON.stringify(idp.store.client.prepare('select * from signing_key').all())
    expect(rows()).not.toMatch(/"d"|\\"d\\"|PRIVATE/)
    const open = (masterKey: Uint8Array) => createTestIdentity({ store: idp.store, masterKey, user: false })
    expect(open(new Uint8Array(32))).rejects.toThrow()
    expect((await open(idp.masterKey)).jwks()).toEqual(idp.jwks())
    idp.store.client.exec("update signing_key set kid = 'x' || kid")
    expect(open(idp.masterKey)).rejects.toThrow()
  })
})

test('expired rows go on a timer, what is alive stays', async () => {
  const idp = await createTestIdentity({ store: openTestStore() })
  const count = () => idp.store.client.prepare('select count(*) from oidc_payload').pluck().get()
  const browser = new Browser(idp)
  const tokens = await signInForTokens(idp, browser)
  for (let i = 0; i < 5; i++)
    await new Browser(idp).visit(`${idp.issuer}/protocol/openid-connect/auth?client_id=svc-mobile`)
  await idp.purgeExpired()
  expect((await refresh(idp, tokens.refresh_token)).status).toBe(200)
  advance(31 * 86_400)
  await idp.purgeExpired()
  expect(count()).toBe(0)
})

test('a store that cannot save answers 503, not a sign-in', async () => {
  const idp = await createTestIdentity()
  const { refresh_token } = await idp.issueTokens(idp.userId)
  idp.store.client.pragma('query_only = ON')
  const answer = await refresh(idp, refresh_token)
  expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable'])
  expect(answer.headers.get('retry-after')).toBe('30')
  const password = await post(idp, {
    grant_type: 'password',
    client_id: 'svc-mobile',
    username: '677123456',
    password: 'x',
  })
  expect(password.status).toBe(503)
  idp.store.client.pragma('query_only = OFF')
  expect((await refresh(idp, refresh_token)).status).toBe(200)
})
