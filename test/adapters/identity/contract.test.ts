import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createKeycloakIdentity } from '../../../src/adapters/identity/keycloak/keycloak.ts'
import { CONTRACT } from '../../support/identity-contract.ts'
import { account, FIRST, newNumber, outcome, type Provider, rowsOf, SECOND } from '../../support/identity-people.ts'
import { type Fault, type StandIn, startStandIn } from '../../support/keycloak-stand-in.ts'
import { claimsOf, createTestIdentity, openTestStore, refresh } from '../../support/oidc.ts'

// Slow answers are waited for, and the machine may be busy.
setDefaultTimeout(30_000)

describe('embedded', () => {
  let provider: Provider
  beforeAll(async () => {
    const idp = await createTestIdentity()
    const signedIn = ({ access_token, refresh_token }: { access_token: string; refresh_token: string }) => ({
      refreshToken: refresh_token,
      accessToken: access_token,
    })
    provider = {
      identity: idp.identity,
      ...rowsOf(idp.store),
      signIn: (phone, password) => idp.passwordTokens(phone, password, '203.0.113.9').then(signedIn, () => undefined),
      async refresh(token) {
        const { status, body } = await refresh(idp, token)
        return status === 200 ? signedIn(body) : undefined
      },
    }
  })
  for (const [name, run] of CONTRACT) test(name, () => run(provider))
})

const SECRET = 'a secret of the operator'
let standIn: StandIn
beforeAll(async () => {
  standIn = await startStandIn(SECRET)
})
afterAll(() => standIn.close())

/** The adapter over the stand-in, with what it logged. */
function connect(options: { secret?: string; patience?: number; timeout?: number } = {}, store = openTestStore()) {
  const logged: string[] = []
  const line = (...parts: unknown[]) =>
    void logged.push(JSON.stringify(parts, (_, v) => (v instanceof Error ? String(v.stack) : v)))
  const identity = createKeycloakIdentity({
    authUrl: standIn.url,
    secret: SECRET,
    fetch: (url, init) => fetch(url, init),
    db: store.db,
    write: store.write,
    wall: Date.now,
    now: Date.now,
    log: { info: line, warn: line, error: line },
    pause: 2,
    ...options,
  })
  return { identity, store, logged, ...rowsOf(store), signIn: standIn.signIn, refresh: standIn.refresh }
}

describe('stand-in for Keycloak', () => {
  for (const [name, run] of CONTRACT) test(name, () => run(connect()))
})

/** Runs `work` while the request of that index meets the fault; false when it did not come to that request. */
async function faulty(fault: Fault, at: number, work: () => Promise<unknown>): Promise<[met: boolean, code: string]> {
  const from = standIn.state.seen.length
  let met = false
  standIn.state.fault = (_, index) => {
    // A fault that lasts: the second try meets it too.
    if (index < from + at || (fault === 'expired' && index > from + at)) return undefined
    met = true
    return fault
  }
  const code = await outcome(work())
  standIn.state.fault = () => undefined
  return [met, code]
}

/** The same adapter, which gives up soon: for what is met by a fault. */
const hasty = ({ store }: { store: ReturnType<typeof openTestStore> }) => connect({ timeout: 400 }, store)

const LASTING: Fault[] = ['down', 'slow', '500', '403', 'html', 'lost']

describe('whatever request Keycloak fails at', () => {
  test.each(LASTING)('%s: no account is half made, and the same number registers afterwards', async (fault) => {
    const p = connect()
    for (let at = 0; ; at++) {
      const made = account({ email: 'ama@example.cm', roles: ['OWNER'] })
      const [met, code] = await faulty(fault, at, () => hasty(p).identity.createAccount(made))
      if (!met) {
        expect([code, at > 4]).toEqual(['done', true])
        return
      }
      expect([at, code]).toEqual([at, 'identity_unavailable'])
      const finished = await p.signIn(made.phoneNumber, FIRST)
      // Only the very last answer may be lost of an account that is whole; then it is one.
      if (finished) expect(await p.identity.findByPhone(made.phoneNumber)).toMatchObject({ roles: ['OWNER'] })
      else {
        expect(await p.identity.findByPhone(made.phoneNumber)).toBeUndefined()
        const { userId } = await p.identity.createAccount({ ...made, password: SECOND })
        const signedIn = await p.signIn(made.phoneNumber, SECOND)
        expect(claimsOf(signedIn?.accessToken ?? '')).toMatchObject({ sub: userId, email: made.email })
        expect(p.row(userId)).toMatchObject({ phone_number: made.phoneNumber })
      }
      expect([...standIn.users.values()].filter((user) => user.username === made.phoneNumber)).toHaveLength(1)
    }
  })

  const next = newNumber()
  const operations: [
    name: string,
    run: (p: Provider, userId: string) => Promise<unknown>,
    after: object | undefined,
  ][] = [
    ['setPassword', (p, id) => p.identity.setPassword(id, SECOND), { password: SECOND }],
    ['setPhone', (p, id) => p.identity.setPhone(id, next), { username: next }],
    ['setRoles', (p, id) => p.identity.setRoles(id, ['ADMIN']), { roles: new Set(['ADMIN', 'offline_access']) }],
    ['disable', (p, id) => p.identity.disable(id), { enabled: false }],
    ['endSessions', (p, id) => p.identity.endSessions(id), { enabled: true }],
    ['deleteAccount', (p, id) => p.identity.deleteAccount(id), undefined],
    ['endSessions but one', (p, id) => p.identity.endSessions(id, { keepSession: 'x' }), { enabled: true }],
  ]
  const table = operations.flatMap(([name, run, after]) => LASTING.map((fault) => ({ name, fault, run, after })))
  test.each(table)('$name, $fault: said again it completes', async ({ name, fault, run, after }) => {
    const p = connect()
    for (let at = 0; ; at++) {
      const made = account()
      const { userId } = await p.identity.createAccount(made)
      const before = await p.signIn(made.phoneNumber, FIRST)
      const wasChanged = p.row(userId)
      const [met, code] = await faulty(fault, at, () => run(hasty(p), userId))
      if (met) {
        // A request that is lost and sent again may find its work done.
        expect(['identity_unavailable', ...(fault === 'lost' ? ['done'] : [])]).toContain(code)
        if (code !== 'done') expect(p.row(userId)).toEqual(wasChanged)
        expect(await outcome(run(p, userId))).toBe('done')
      }
      if (after) expect(standIn.users.get(userId)).toMatchObject(after)
      else expect(standIn.users.has(userId)).toBe(false)
      if (name !== 'setRoles') expect(await p.refresh(before?.refreshToken ?? '')).toBeUndefined()
      if (after) await p.identity.setPhone(userId, newNumber())
      if (!met) return
    }
  })

  test('asking for a number: 503 for known and unknown alike', async () => {
    const p = connect()
    const made = account()
    await p.identity.createAccount(made)
    for (const fault of LASTING)
      for (const at of [0, 1])
        for (const phone of [made.phoneNumber, newNumber()])
          expect(await faulty(fault, at, () => hasty(p).identity.findByPhone(phone))).toEqual([
            true,
            'identity_unavailable',
          ])
  })

  test('one that recovers at once is not noticed: what may be sent twice is', async () => {
    const p = connect()
    const made = account()
    const { userId } = await p.identity.createAccount(made)
    const impatient = connect({ timeout: 400 }, p.store)
    for (const fault of ['down', '500', 'slow'] as const) {
      let hits = 0
      standIn.state.fault = () => (++hits === 1 ? fault : undefined)
      expect(await outcome(impatient.identity.setPassword(userId, SECOND))).toBe('done')
      expect(hits).toBeGreaterThan(4)
    }
    standIn.state.fault = () => undefined
  })
})

describe('the service account', () => {
  test('one token for twenty operations at once, until shortly before it expires', async () => {
    const p = connect()
    const tokens = () => standIn.state.seen.filter((line) => line.endsWith('/token')).length
    const before = tokens()
    await Promise.all(Array.from({ length: 20 }, () => p.identity.findByPhone(newNumber())))
    await p.identity.findByPhone(newNumber())
    expect(tokens()).toBe(before + 1)
    standIn.state.expiresIn = 0
    const other = connect()
    await other.identity.findByPhone(newNumber())
    standIn.state.expiresIn = 300
    expect(tokens()).toBe(before + 3)
  })

  test('a token that Keycloak forgot is replaced, at whatever request, and nothing is done twice', async () => {
    const p = connect()
    for (let at = 0; ; at++) {
      const made = account()
      const [met, code] = await faulty('expired', at, () => p.identity.createAccount(made))
      expect([at, code]).toEqual([at, 'done'])
      expect([...standIn.users.values()].filter((user) => user.username === made.phoneNumber)).toHaveLength(1)
      if (!met) return
    }
  })

  test('a wrong secret: 503, told in the log, and tried once', async () => {
    const p = connect({ secret: 'another secret altogether' })
    const before = standIn.state.seen.length
    expect(await outcome(p.identity.createAccount(account()))).toBe('identity_unavailable')
    expect(standIn.state.seen.slice(before).every((line) => line.endsWith('/token'))).toBe(true)
    expect(p.logged.join('\n')).toContain('unauthorized_client')
  })

  test('an operation gives up after its time, however many requests it has', async () => {
    const before = standIn.state.seen.length
    standIn.state.fault = (line) => (line.endsWith('/token') ? undefined : 'slow')
    expect(await outcome(connect({ patience: 50 }).identity.setPassword(crypto.randomUUID(), SECOND))).toBe(
      'identity_unavailable',
    )
    standIn.state.fault = () => undefined
    expect(standIn.state.seen.length - before).toBeLessThan(4)
  })

  test('logs name neither numbers, passwords, tokens nor the secret', async () => {
    const p = connect()
    const made = account()
    for (const at of [0, 1, 3, 6])
      for (const fault of LASTING) await faulty(fault, at, () => hasty(p).identity.createAccount(made))
    for (const fault of LASTING) await faulty(fault, 0, () => p.identity.findByPhone(made.phoneNumber))
    const text = p.logged.join('\n')
    expect(text).toContain('identity_admin_failed')
    for (const secret of [made.phoneNumber, made.phoneNumber.slice(1), FIRST, SECRET, 'Bearer'])
      expect(text).not.toContain(secret)
  })
})

test('a realm that forbids new user names: 503, and the old number stays in every place', async () => {
  const p = connect()
  const made = account()
  const { userId } = await p.identity.createAccount(made)
  standIn.state.editUsername = false
  expect(await outcome(p.identity.setPhone(userId, newNumber()))).toBe('identity_unavailable')
  standIn.state.editUsername = true
  expect(standIn.users.get(userId)).toMatchObject({
    username: made.phoneNumber,
    attributes: { phoneNumber: [made.phoneNumber] },
  })
  expect(p.row(userId)).toMatchObject({ phone_number: made.phoneNumber })
})

test("a realm with stricter passwords than ours: 422, and the account's old one goes on", async () => {
  const p = connect()
  expect(await outcome(p.identity.createAccount(account({ password: 'court' })))).toBe('weak_password')
  const made = account()
  const { userId } = await p.identity.createAccount(made)
  expect(await outcome(p.identity.setPassword(userId, 'court'))).toBe('weak_password')
  expect(await p.signIn(made.phoneNumber, FIRST)).toBeDefined()
})

test('an account made in the console, without organization or row, is administered all the same', async () => {
  const p = connect()
  const made = account()
  const { userId } = await p.identity.createAccount(made)
  const user = standIn.users.get(userId)
  if (user) user.attributes = {}
  expect(await p.identity.findByPhone(made.phoneNumber)).toMatchObject({ userId, orgId: undefined })
  await p.identity.disable(userId)
  expect(await p.signIn(made.phoneNumber, FIRST)).toBeUndefined()
  expect(p.row(userId)).toMatchObject({ status: 'ACTIVE' })
})

test.each(['http://id.example.cm', 'ftp://127.0.0.1', 'https://admin:secret@id.example.cm'])(
  'no secret goes to %s',
  (authUrl) => {
    const store = openTestStore()
    const deps = { db: store.db, write: store.write, wall: Date.now, now: Date.now }
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    expect(() => createKeycloakIdentity({ ...deps, authUrl, secret: SECRET, fetch, log })).toThrow(TypeError)
  },
)
