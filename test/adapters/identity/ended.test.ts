import { describe, expect, setSystemTime, test } from 'bun:test'
import {
  authorizeUrl,
  Browser,
  claimsOf,
  codeOf,
  exchange,
  PASSWORD,
  PHONE,
  post,
  refresh,
  signIn,
  type Tokens,
} from '../../support/oidc.ts'
import { createRealm } from '../../support/people.ts'

/** Access tokens are JWTs: what ends them before their time is told by the API alone. */
const { app, realm } = await createRealm()
const later = (seconds: number) => setSystemTime(Date.now() + seconds * 1000)

const api = async (token: string): Promise<number> => (await app.call('GET /api/v1/me', undefined, { token })).status
const userinfo = async (token: string): Promise<number> =>
  (await app.call('GET /realms/svc/protocol/openid-connect/userinfo', undefined, { token })).status
/** Seen by the API before, so that it stands in the cache of verified tokens. */
async function known(tokens: Tokens): Promise<Tokens> {
  expect([await api(tokens.access_token), await userinfo(tokens.access_token)]).toEqual([200, 200])
  return tokens
}
async function dead(...tokens: Tokens[]): Promise<void> {
  for (const { access_token, refresh_token } of tokens) {
    expect([await api(access_token), await userinfo(access_token)]).toEqual([401, 401])
    expect((await refresh(realm, refresh_token)).body.error).toBe('invalid_grant')
  }
}

describe('an authorization code given twice ends what it gave', () => {
  test.each([0, 30, 59])('%i s later', async (after) => {
    const browser = new Browser(realm)
    const code = codeOf(await signIn(realm, browser))
    const tokens = await known((await exchange(realm, code)).body)
    const others = await known((await exchange(realm, codeOf(await signIn(realm, new Browser(realm))))).body)
    later(after)
    const again = await exchange(realm, code)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    await dead(tokens)
    // Another sign-in of the same person goes on, and so does the browser's session: the thief has had no part in it.
    expect(await api(others.access_token)).toBe(200)
    later(after + 1)
    const silent = await browser.visit(authorizeUrl(realm))
    expect(silent.left).toBe(true)
    const fresh = (await exchange(realm, codeOf(new URL(silent.url)))).body
    expect(claimsOf(fresh.access_token).sid).toBe(claimsOf(tokens.access_token).sid)
    expect([await api(fresh.access_token), (await refresh(realm, fresh.refresh_token)).status]).toEqual([200, 200])
    await dead(tokens)
  })

  test('what was refreshed meanwhile too', async () => {
    const code = codeOf(await signIn(realm))
    const first = await known((await exchange(realm, code)).body)
    const second = await known((await refresh(realm, first.refresh_token)).body)
    await exchange(realm, code)
    await dead(first, second)
  })

  test('ten at the same moment: no token of theirs is good for anything', async () => {
    const code = codeOf(await signIn(realm))
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(realm, code)))
    const given = answers.filter(({ status }) => status === 200)
    expect(given.length).toBeLessThan(2)
    for (const { body } of given) await dead(body)
    expect((await exchange(realm, code)).status).toBe(400)
  })

  test('with another redirect address, verifier or client it ends nothing: a stranger must not sign people out', async () => {
    const code = codeOf(await signIn(realm))
    const tokens = await known((await exchange(realm, code)).body)
    for (const change of [
      { redirect_uri: 'http://localhost/x' },
      { code_verifier: 'w'.repeat(43) },
      { client_id: 'svc-api' },
    ])
      expect((await exchange(realm, code, change as Record<string, string>)).status).toBe(400)
    expect(await api(tokens.access_token)).toBe(200)
  })
})

test('a refresh token given again after its grace ends the family with its access tokens', async () => {
  const first = await known((await exchange(realm, codeOf(await signIn(realm)))).body)
  const second = await known((await refresh(realm, first.refresh_token)).body)
  later(12)
  expect((await refresh(realm, first.refresh_token)).body.error).toBe('invalid_grant')
  await dead(first, second)
})

test('a revoked refresh token takes its access tokens along (RFC 7009 section 2.1)', async () => {
  const tokens = await known((await exchange(realm, codeOf(await signIn(realm)))).body)
  expect((await post(realm, { client_id: 'svc-mobile', token: tokens.refresh_token }, 'revoke')).status).toBe(200)
  await dead(tokens)
})

test('also when nothing else is left of the sign-in: its code is forgotten, or there was none', async () => {
  const tokens = await known((await exchange(realm, codeOf(await signIn(realm)))).body)
  app.deps.store.client.exec("delete from oidc_payload where model = 'AuthorizationCode'")
  await post(realm, { client_id: 'svc-mobile', token: tokens.refresh_token }, 'revoke')
  await dead(tokens)
  const form = { grant_type: 'password', client_id: 'svc-mobile', username: PHONE, password: PASSWORD, scope: 'openid' }
  const direct = await known((await post(realm, form)).body)
  await post(realm, { client_id: 'svc-mobile', token: direct.refresh_token }, 'revoke')
  await dead(direct)
})

test('signing out takes the access tokens along', async () => {
  const browser = new Browser(realm)
  const tokens = await known((await exchange(realm, codeOf(await signIn(realm, browser)))).body)
  const page = await browser.visit(`${realm.issuer}/protocol/openid-connect/logout`)
  await browser.submit(page, { logout: 'yes' })
  await dead(tokens)
})

test('a session ended from the list, or by a new password elsewhere, takes its access tokens along at once', async () => {
  const [one, two, three] = [
    await known((await exchange(realm, codeOf(await signIn(realm)))).body),
    await known((await exchange(realm, codeOf(await signIn(realm)))).body),
    await known((await exchange(realm, codeOf(await signIn(realm)))).body),
  ]
  const path = `/api/v1/account/sessions/${claimsOf(one.access_token).sid}`
  expect((await app.call(`DELETE ${path}`, undefined, { token: two.access_token })).status).toBe(204)
  await dead(one)
  const other = `${PASSWORD} et une papaye`
  const change = async (currentPassword: string, newPassword: string) =>
    app.call('POST /api/v1/account/password', { currentPassword, newPassword }, { token: two.access_token })
  expect((await change(PASSWORD, other)).status).toBe(204)
  await dead(three)
  expect(await api(two.access_token)).toBe(200)
  // The other tests sign in by it.
  expect((await change(other, PASSWORD)).status).toBe(204)
})
