// Whoever signs in again and again fills no database: the sessions used longest ago end, and nobody else's.
import { expect, test } from 'bun:test'
import { createStore } from '../../../src/adapters/identity/embedded/rows/store.ts'
import { SESSIONS } from '../../../src/core/budgets.ts'
import { createTestIdentity } from '../../support/oidc.ts'

async function start() {
  const idp = await createTestIdentity()
  const { db, write } = idp.store
  let now = Date.now()
  const store = createStore({ db, write, wall: () => now })
  const told: string[] = []
  store.onTokensEnded((accountId) => told.push(accountId))
  const [sessions, grants, refreshes] = ['Session', 'Grant', 'RefreshToken'].map(store.adapter) as [
    ReturnType<typeof store.adapter>,
    ReturnType<typeof store.adapter>,
    ReturnType<typeof store.adapter>,
  ]
  /** A sign-in: a grant, a session, a refresh token. */
  async function signIn(accountId: string, name: string) {
    now += 1000
    const [grantId, uid] = [`grant of ${name}`, `uid of ${name}`]
    const exp = Math.floor(now / 1000) + 3600
    await grants.upsert(grantId, { accountId, exp }, 3600)
    await sessions.upsert(name, { accountId, uid, exp, authorizations: { 'svc-mobile': { grantId } } }, 3600)
    await refreshes.upsert(`refresh of ${name}`, { accountId, grantId, sessionUid: uid, exp }, 3600)
  }
  const counted = (accountId: string) =>
    Object.fromEntries(
      (
        idp.store.client
          .prepare('select model, count(*) n from oidc_payload where account_id = ? group by model')
          .all(accountId) as { model: string; n: number }[]
      ).map(({ model, n }) => [model, n]),
    )
  return { store, sessions, refreshes, signIn, counted, told }
}

test('of too many sessions the one used longest ago ends, with its grant, and its tokens at once', async () => {
  const { store, sessions, refreshes, signIn, counted, told } = await start()
  await signIn('eve', 'of another')
  for (let n = 0; n < SESSIONS.stored; n++) await signIn('tom', `s${n}`)
  const all = { Session: SESSIONS.stored, Grant: SESSIONS.stored, RefreshToken: SESSIONS.stored }
  expect([counted('tom'), told]).toEqual([all, []])
  // The first is used again: now the second is the one used longest ago.
  const far = Math.floor(Date.now() / 1000) + 90_000
  await refreshes.upsert(
    'new of s0',
    { accountId: 'tom', grantId: 'grant of s0', sessionUid: 'uid of s0', exp: far },
    1,
  )
  await signIn('tom', 'one more')
  expect(counted('tom')).toEqual({ ...all, RefreshToken: SESSIONS.stored + 1 })
  expect(told).toEqual(['tom'])
  expect([await sessions.find('s1'), await refreshes.find('refresh of s1')]).toEqual([undefined, undefined])
  expect(store.tokensEnded('uid of s1', 0)).toBe(true)
  for (const name of ['s0', 's2', 'one more', 'of another']) expect(await sessions.find(name)).toBeDefined()
  expect(store.tokensEnded('uid of s0', 0)).toBe(false)
  expect(counted('eve')).toEqual({ Session: 1, Grant: 1, RefreshToken: 1 })
  // Writing a session again is no new one.
  await sessions.upsert('s2', { accountId: 'tom', uid: 'uid of s2', exp: far }, 3600)
  expect(counted('tom').Session).toBe(SESSIONS.stored)
}, 60_000)

test('of refresh tokens used one after another the oldest are forgotten, the last one never', async () => {
  const { refreshes, signIn, counted } = await start()
  await signIn('tom', 'phone')
  await signIn('tom', 'browser')
  const token = { accountId: 'tom', grantId: 'grant of phone', sessionUid: 'uid of phone' }
  const exp = Math.floor(Date.now() / 1000) + 90_000
  for (let n = 0; n < SESSIONS.rotations + 50; n++) {
    await refreshes.upsert(`r${n}`, { ...token, exp: exp + n }, 1)
    await refreshes.consume(`r${n - 1}`)
  }
  expect(counted('tom').RefreshToken).toBe(SESSIONS.rotations + 1)
  expect(await refreshes.find('r0')).toBeUndefined()
  expect(await refreshes.find(`r${SESSIONS.rotations + 49}`)).toBeDefined()
  expect(await refreshes.find('refresh of browser')).toBeDefined()
}, 60_000)
