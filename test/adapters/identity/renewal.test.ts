// How Loyer's own pages get a token by the session of their browser: one answer, for them alone.
import { expect, test } from 'bun:test'
import { Browser, claimsOf, createTestIdentity, signIn, type TestIdentity } from '../../support/oidc.ts'

const ORIGIN = 'https://rent.example.cm'
const idp = await createTestIdentity({ publicUrl: ORIGIN, sandbox: false, redirectUris: [] })
const page = { redirect_uri: `${ORIGIN}/portal/callback` }
const PATH = '/protocol/openid-connect/renewal'

async function signedIn(at: TestIdentity = idp): Promise<Browser> {
  const browser = new Browser(at)
  await signIn(at, browser, page)
  return browser
}
const renew = (browser: Browser, headers: Record<string, string> = { origin: ORIGIN }, at: TestIdentity = idp) =>
  browser.send(at.issuer + PATH, { method: 'POST', headers })

test('who is signed in gets a token of that session, and nothing that lasts longer', async () => {
  const browser = await signedIn()
  const answers = [await renew(browser), await renew(browser)]
  const [first, second] = (await Promise.all(answers.map((one) => one.json()))) as Record<string, unknown>[]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(Object.keys(first ?? {}).sort()).toEqual(['access_token', 'expires_in', 'token_type'])
  const [a, b] = [claimsOf(String(first?.access_token)), claimsOf(String(second?.access_token))]
  expect([a.sub, a.azp, a.sid === b.sid, a.jti === b.jti]).toEqual([idp.userId, 'svc-mobile', true, false])
  expect(answers[0]?.headers.get('cache-control')).toBe('no-store')
  expect(answers[0]?.headers.has('access-control-allow-origin')).toBe(false)
})

test.each([
  ['another site', 'https://evil.example'],
  ['another port of the same name', `${ORIGIN}:8443`],
  ['the same name without TLS', 'http://rent.example.cm'],
  ['a page without an origin', 'null'],
  ['no page at all', undefined],
])('%s gets none, though the session is there', async (_who, origin) => {
  const browser = await signedIn()
  const answer = await renew(browser, origin === undefined ? {} : { origin })
  expect([answer.status, await answer.json()]).toEqual([403, { error: 'access_denied' }])
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('nobody signed in, a forged cookie, an ended session and a closed account ask for a person', async () => {
  const forged = await signedIn()
  for (const [name, cookie] of forged.cookies) forged.cookies.set(name, { ...cookie, value: `${cookie.value}x` })
  const ended = await signedIn()
  const sid = String(claimsOf(((await (await renew(ended)).json()) as { access_token: string }).access_token).sid)
  expect(await idp.endSession(idp.userId, sid)).toBe(true)
  const other = await createTestIdentity({ publicUrl: ORIGIN, sandbox: false })
  const closed = await signedIn(other)
  await other.identity.disable(other.userId)
  const answers = [
    await renew(new Browser(idp)),
    await renew(forged),
    await renew(ended),
    await renew(closed, { origin: ORIGIN }, other),
  ]
  for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([204, ''])
})

test('a link, an image or another method get no token', async () => {
  const browser = await signedIn()
  await expect(idp.fetch(new Request(idp.issuer + PATH), '203.0.113.9').then(({ status }) => status)).resolves.toBe(405)
  const put = await browser.send(idp.issuer + PATH, { method: 'PUT', headers: { origin: ORIGIN } })
  expect(put.status).toBe(405)
})

test('a renewal leaves the browser signed in as it was: a silent sign-in goes on beside it', async () => {
  const browser = await signedIn()
  await renew(browser)
  const before = [...browser.cookies.keys()].sort()
  await renew(browser)
  expect([...browser.cookies.keys()].sort()).toEqual(before)
  const silent = await browser.visit(
    `${idp.issuer}/protocol/openid-connect/auth?${new URLSearchParams({ client_id: 'svc-mobile', response_type: 'code', scope: 'openid', prompt: 'none', code_challenge: 'c'.repeat(43), code_challenge_method: 'S256', ...page })}`,
  )
  expect(new URL(silent.url).searchParams.has('code')).toBe(true)
})
