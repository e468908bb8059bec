// Run by scripts/keycloak.ts, with the folder of a Keycloak distribution in KEYCLOAK_HOME.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createKeycloakIdentity } from '../../src/adapters/identity/keycloak/keycloak.ts'
import { keycloakRealm } from '../../src/adapters/identity/keycloak/realm.ts'
import { silentLog } from '../../src/log.ts'
import { cleaner } from '../support/folder.ts'
import { CONTRACT } from '../support/identity-contract.ts'
import { type App, account, FIRST, newNumber, rowsOf } from '../support/identity-people.ts'
import { prepareKeycloak } from '../support/keycloak.ts'
import { SECRET, story } from '../support/keycloak-story.ts'
import { CALLBACK, claimsOf, openTestStore } from '../support/oidc.ts'

const PUBLIC_URL = 'https://rent.example.cm'
setDefaultTimeout(500_000)
const clean = cleaner()
const home = process.env.KEYCLOAK_HOME
if (!home) throw new Error('KEYCLOAK_HOME is not set: npm run test:keycloak sets it')
const keycloak = await prepareKeycloak(
  home,
  keycloakRealm({
    publicUrl: PUBLIC_URL,
    sandbox: false,
    redirectUris: [CALLBACK],
    corsOrigins: [],
    locale: 'fr',
    authAdminClientSecret: SECRET,
  }),
)
const store = openTestStore()
const { db, write } = store
const identity = createKeycloakIdentity({
  authUrl: keycloak.url,
  secret: SECRET,
  fetch: (url, init) => fetch(url, init),
  db,
  write,
  wall: Date.now,
  now: Date.now,
  log: silentLog,
  // A virtual machine that shares two cores is slower than what people run.
  timeout: 30_000,
  patience: 60_000,
})
beforeAll(() => keycloak.start())
afterAll(async () => {
  await keycloak.stop()
  clean()
})

describe('the realm as shipped', () => {
  const realm = `${keycloak.url}/realms/svc`
  const endpoint = `${realm}/protocol/openid-connect`
  const post = async (url: string, form: Record<string, string>): Promise<{ status: number; error?: string }> => {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
    return { status: answer.status, error: ((await answer.json()) as { error?: string }).error ?? '' }
  }
  const opened = async () => {
    const made = account()
    const { userId } = await identity.createAccount(made)
    const signedIn = await keycloak.signIn(made.phoneNumber, FIRST)
    if (!signedIn) throw new Error('not let in')
    return { ...made, userId, ...signedIn }
  }

  test('an access token lives 300 s, and names the API as its audience', async () => {
    const { iat, exp, aud, azp, typ } = claimsOf((await opened()).accessToken)
    expect(Number(exp) - Number(iat)).toBe(300)
    expect([typ, azp, [aud].flat().includes('svc-api')]).toEqual(['Bearer', 'svc-mobile', true])
  })

  test('a refresh token is taken once more after a lost answer; after that its session is over', async () => {
    const { refreshToken } = await opened()
    const first = await keycloak.refresh(refreshToken)
    expect(first).toBeDefined()
    expect(await keycloak.refresh(refreshToken)).toBeDefined()
    expect(await keycloak.refresh(refreshToken)).toBeUndefined()
    expect(await keycloak.refresh(first?.refreshToken ?? '')).toBeUndefined()
  })

  test('a second factor is asked for on request; `acr` and `auth_time` say how and when somebody signed in', async () => {
    const made = await opened()
    const app: App = {}
    expect(claimsOf(made.accessToken).acr).toBe('1')
    // Set up at the first request, asked for at the next.
    for (const _ of [1, 2]) {
      const begun = Math.floor(Date.now() / 1000)
      const stepped = await keycloak.signIn(made.phoneNumber, FIRST, app)
      const { acr, auth_time } = claimsOf(stepped?.accessToken ?? '')
      expect([acr, Number(auth_time) >= begun - 1]).toEqual(['2', true])
      expect(claimsOf((await keycloak.refresh(stepped?.refreshToken ?? ''))?.accessToken ?? '').acr).toBe('2')
    }
    expect(claimsOf((await keycloak.signIn(made.phoneNumber, FIRST))?.accessToken ?? '').acr).toBe('1')
    await expect(keycloak.signIn(made.phoneNumber, FIRST, { secret: 'A'.repeat(32) })).rejects.toThrow('neither in')
  })

  test('no password grant, no tokens for svc-api, no other secret', async () => {
    const { phoneNumber } = await opened()
    const password = { grant_type: 'password', username: phoneNumber, password: FIRST, scope: 'openid' }
    for (const client_id of ['svc-mobile', 'svc-api'])
      expect((await post(`${endpoint}/token`, { ...password, client_id })).status).not.toBe(200)
    for (const [client_id, client_secret] of [
      ['svc-admin', 'guess'],
      ['svc-admin', ''],
      ['svc-api', ''],
      ['svc-mobile', ''],
    ] as const) {
      const { status } = await post(`${endpoint}/token`, { grant_type: 'client_credentials', client_id, client_secret })
      expect([client_id, status === 200]).toEqual([client_id, false])
    }
  })

  test.each([
    ['another redirect', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect that begins alike', { redirect_uri: `${PUBLIC_URL}/console/callback.evil.example` }],
    ['a loopback redirect, outside the sandbox', { redirect_uri: 'http://localhost:3000/callback' }],
    ['no code challenge', { code_challenge: '' }],
    ['the plain challenge', { code_challenge_method: 'plain' }],
    ['the implicit flow', { response_type: 'token' }],
    ['offline access', { scope: 'openid offline_access' }],
    ['another client', { client_id: 'svc-admin' }],
  ])('no sign-in with %s', async (_, changes) => {
    const query = new URLSearchParams({
      client_id: 'svc-mobile',
      redirect_uri: `${PUBLIC_URL}/console/callback`,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    const asked = async () => {
      const answer = await fetch(`${endpoint}/auth?${query}`, { redirect: 'manual' })
      return /id="kc-form-login"/.test(await answer.text())
    }
    expect(await asked()).toBe(true)
    for (const [name, value] of Object.entries(changes)) query.set(name, value)
    expect(await asked()).toBe(false)
  })

  test('nobody changes their own number or organization, or signs in with an e-mail address', async () => {
    const made = await opened()
    const headers = {
      authorization: `Bearer ${made.accessToken}`,
      accept: 'application/json',
      'content-type': 'application/json',
    }
    const self = (await (await fetch(`${realm}/account/`, { headers })).json()) as { username: string }
    expect(self.username).toBe(made.phoneNumber)
    for (const changes of [
      { username: newNumber() },
      { attributes: { org_id: [crypto.randomUUID()] } },
      { attributes: { phoneNumber: [newNumber()], phoneVerified: ['true'] } },
      { email: 'me@example.cm' },
    ])
      await fetch(`${realm}/account/`, { method: 'POST', headers, body: JSON.stringify({ ...self, ...changes }) })
    expect(claimsOf((await keycloak.refresh(made.refreshToken))?.accessToken ?? '')).toMatchObject({
      preferred_username: made.phoneNumber,
      phone_number: made.phoneNumber,
      org_id: made.orgId,
    })
    expect(await keycloak.signIn('me@example.cm', FIRST)).toBeUndefined()
  })

  test('svc-admin administers users, and neither clients nor the realm', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'svc-admin', client_secret: SECRET }
    const answer = await fetch(`${endpoint}/token`, { method: 'POST', body: new URLSearchParams(form) })
    const token = ((await answer.json()) as { access_token: string }).access_token
    expect([claimsOf(token).aud].flat()).not.toContain('svc-api')
    const headers = { authorization: `Bearer ${token}` }
    const ask = async (path: string, init: RequestInit = {}) =>
      (await fetch(`${keycloak.url}/admin/realms/${path}`, { ...init, headers })).status
    expect(await ask('svc/users?max=1')).toBe(200)
    expect(await ask('svc/clients/svc-mobile', { method: 'DELETE' })).not.toBe(204)
    expect(await ask('svc', { method: 'DELETE' })).toBe(403)
    expect(await ask('svc/client-scopes')).toBe(403)
    expect(await ask('master/users')).toBeGreaterThan(400)
  })
})

describe('the port over a real Keycloak', () => {
  for (const [name, run] of CONTRACT) test(name, () => run({ ...keycloak, ...rowsOf(store), identity }))
})
describe('Loyer before a real Keycloak', () => {
  for (const [name, run] of story(() => ({ ...keycloak, identity }))) test(name, run)
})
