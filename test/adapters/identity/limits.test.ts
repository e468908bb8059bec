import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { waitAfter } from '../../../src/adapters/identity/embedded/pages/sign-in.ts'
import { createStore } from '../../../src/adapters/identity/embedded/rows/store.ts'
import { hashPassword, verifyPassword } from '../../../src/adapters/identity/password.ts'
import {
  addUser,
  authorizeUrl,
  Browser,
  claimsOf,
  codeOf,
  createTestIdentity,
  exchange,
  PASSWORD,
  PHONE,
  refresh,
  signIn,
  signInForTokens,
  type TestIdentity,
} from '../../support/oidc.ts'

// The library reads Date.now(): moving bun's clock moves it and ours alike. It stands still between the moves.
beforeEach(() => void setSystemTime(Date.now()))
afterEach(() => void setSystemTime())
const UNKNOWN = '+237699999999'
const advance = (seconds: number) => setSystemTime(Date.now() + seconds * 1000)
const attempt = (idp: TestIdentity, username: string, password: string) =>
  idp.passwordTokens(username, password, '203.0.113.9').then(
    () => 'tokens',
    (error: { code: string }) => error.code,
  )

describe('brute force', () => {
  test.each([
    [1, 0],
    [4, 0],
    [5, 60],
    [6, 120],
    [7, 240],
    [8, 480],
    [9, 900],
    [10, 900],
    [1000, 900],
  ])('after %p failures in a row: %p seconds', (failures, seconds) => expect(waitAfter(failures)).toBe(seconds))

  test('five wrong, then the right one is refused during the wait, with the same answer', async () => {
    const idp = await createTestIdentity()
    for (let i = 0; i < 5; i++) expect(await attempt(idp, PHONE, 'mangue')).toBe('invalid_credentials')
    expect(await attempt(idp, PHONE, PASSWORD)).toBe('invalid_credentials')
    advance(58)
    expect(await attempt(idp, PHONE, PASSWORD)).toBe('invalid_credentials')
    advance(3)
    expect(await attempt(idp, PHONE, PASSWORD)).toBe('tokens')
    // The success forgives: four more mistakes cost nothing.
    for (let i = 0; i < 4; i++) await attempt(idp, PHONE, 'mangue')
    expect(await attempt(idp, PHONE, PASSWORD)).toBe('tokens')
  })

  test('the wait doubles to 900 s and never becomes for ever; tries during it do not prolong it', async () => {
    const idp = await createTestIdentity()
    for (let i = 0; i < 4; i++) await attempt(idp, PHONE, 'mangue')
    for (const wait of [60, 120, 240, 480, 900, 900]) {
      await attempt(idp, PHONE, 'mangue')
      for (let i = 0; i < 3; i++) await attempt(idp, PHONE, 'mangue')
      advance(wait - 2)
      expect([wait, await attempt(idp, PHONE, PASSWORD)]).toEqual([wait, 'invalid_credentials'])
      advance(3)
    }
    expect(await attempt(idp, PHONE, PASSWORD)).toBe('tokens')
  })

  test('thirty guesses at once: no more than five are compared', async () => {
    const idp = await createTestIdentity()
    const guesses = Array.from({ length: 30 }, (_, i) => attempt(idp, PHONE, i === 29 ? PASSWORD : `mangue ${i}`))
    const told = await Promise.all(guesses)
    expect(told.filter((code) => code === 'invalid_credentials')).toHaveLength(5)
    expect(told.filter((code) => code === 'overloaded')).toHaveLength(25)
    expect(await attempt(idp, PHONE, PASSWORD)).toBe('invalid_credentials')
  })

  test('an unknown number gets the same page, status and headers, before and during a wait', async () => {
    const idp = await createTestIdentity()
    const shown: string[][] = []
    for (const username of [PHONE, UNKNOWN]) {
      const pages: string[] = []
      for (let i = 0; i < 7; i++) {
        const browser = new Browser(idp)
        const page = await browser.submit(await browser.visit(authorizeUrl(idp)), { username, password: 'mangue' })
        const headers = [...page.response.headers].filter(
          ([name]) => name !== 'content-length' && name !== 'set-cookie',
        )
        const own = page.text.replace(/csrf" value="[^"]+"|authenticate\/[\w-]+/g, '').replaceAll(username, 'NUMBER')
        pages.push(JSON.stringify([page.response.status, headers, own]))
      }
      shown.push(pages)
    }
    expect(shown[1]).toEqual(shown[0] ?? [])
    expect(new Set(shown.flat()).size).toBe(1)
  })

  test('an unknown number costs a hash too', async () => {
    const idp = await createTestIdentity()
    // Processor time: on a busy machine that of the clock says nothing.
    const time = async (username: string) => {
      const start = process.cpuUsage()
      await attempt(idp, username, 'mangue')
      return process.cpuUsage(start).user
    }
    await time(UNKNOWN)
    const known = Math.min(...[await time(PHONE), await time(PHONE), await time(PHONE)])
    const unknown = Math.min(...[await time(UNKNOWN), await time(UNKNOWN), await time('not a number')])
    expect(unknown).toBeGreaterThan(known / 3)
  })

  test('one address that fails often waits, others do not; its successes do not count', async () => {
    const idp = await createTestIdentity({ addressLimit: 3 })
    const from = (address: string, password: string) =>
      idp.passwordTokens(UNKNOWN, password, address).catch((error: { code: string }) => error.code)
    for (let i = 0; i < 5; i++) expect(await attempt(idp, PHONE, PASSWORD)).toBe('tokens')
    for (let i = 0; i < 3; i++) expect(await from('2001:db8:1:2::1', 'mangue')).toBe('invalid_credentials')
    expect(await from('2001:db8:1:2:ffff::9', 'mangue')).toBe('too_many_requests')
    expect(await from('2001:db8:1:3::1', 'mangue')).toBe('invalid_credentials')
    advance(61)
    expect(await from('2001:db8:1:2::1', 'mangue')).toBe('invalid_credentials')
  })

  test('at most 34 hashes are held, the rest is told to come back', async () => {
    const hash = await hashPassword('x')
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => verifyPassword(hash, 'x')))
    const refused = results.filter((r) => r.status === 'rejected')
    expect(refused).toHaveLength(26)
    for (const r of refused) expect(r.reason).toMatchObject({ code: 'overloaded', details: { retryAfter: 2 } })
    expect(await verifyPassword(hash, 'x')).toBe(true)
  })

  test('passwords are compared in NFKC, whole, as argon2id', async () => {
    const hash = await hashPassword('ﬁgue e\u0301té')
    expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(await verifyPassword(hash, 'figue été')).toBe(true)
    const long = 'a'.repeat(100)
    expect(await verifyPassword(await hashPassword(`${long}b`), `${long}c`)).toBe(false)
    expect(await verifyPassword(undefined, 'x')).toBe(false)
  })
})

describe('accounts', () => {
  test('a disabled user can neither sign in nor refresh, and can again once enabled', async () => {
    const idp = await createTestIdentity()
    const browser = new Browser(idp)
    const tokens = await signInForTokens(idp, browser)
    await idp.identity.disable(idp.userId)
    expect(await attempt(idp, PHONE, PASSWORD)).toBe('invalid_credentials')
    expect((await refresh(idp, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await browser.visit(authorizeUrl(idp))).text).toContain('name="password"')
    expect(idp.issueTokens(idp.userId)).rejects.toMatchObject({ code: 'not_found' })
    advance(1)
    await idp.identity.disable(idp.userId, { enable: true })
    expect(await attempt(idp, PHONE, PASSWORD)).toBe('tokens')
    expect((await refresh(idp, tokens.refresh_token)).status).toBe(400)
  })

  test.each([
    ['a password reset', (idp: TestIdentity) => idp.identity.setPassword(idp.userId, 'quatre mangues')],
    ['a phone change', (idp: TestIdentity) => idp.identity.setPhone(idp.userId, '+237677000000')],
    ['endSessions', (idp: TestIdentity) => idp.identity.endSessions(idp.userId)],
  ])('%s ends sessions, refresh tokens and codes of the account, and of no other', async (_, act) => {
    const idp = await createTestIdentity()
    const other = await idp.issueTokens(await addUser(idp, '+237699000001'))
    const browser = new Browser(idp)
    const tokens = await signInForTokens(idp, browser)
    const code = codeOf(await signIn(idp))
    advance(2)
    await act(idp)
    expect((await refresh(idp, tokens.refresh_token)).status).toBe(400)
    expect((await exchange(idp, code)).status).toBe(400)
    expect((await browser.visit(authorizeUrl(idp))).text).toContain('name="password"')
    expect(idp.sessions(idp.userId)).toEqual([])
    const left = idp.store.client.prepare('select count(*) from oidc_payload where account_id = ?')
    expect(left.pluck().get(idp.userId)).toBe(0)
    const info = new Request(`${idp.issuer}/protocol/openid-connect/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect((await idp.fetch(info, '::1')).status).toBe(401)
    expect((await refresh(idp, other.refresh_token)).status).toBe(200)
  })

  test.each([["status = 'DISABLED'"], ['not_before = ? + 5']])(
    'after update app_user set %s a browser’s session signs nobody in',
    async (change) => {
      const idp = await createTestIdentity()
      const browser = new Browser(idp)
      const tokens = await signInForTokens(idp, browser)
      const now = change.includes('?') ? [Math.floor(Date.now() / 1000)] : []
      idp.store.client.prepare(`update app_user set ${change}`).run(...now)
      expect((await browser.visit(authorizeUrl(idp))).text).toContain('name="password"')
      expect((await refresh(idp, tokens.refresh_token)).status).toBe(400)
    },
  )

  test('a session that was ended is not written back by a request that began before', async () => {
    const idp = await createTestIdentity()
    const { db, write } = idp.store
    const store = createStore({ db, write, wall: () => Date.now() })
    const sessions = store.adapter('Session')
    const exp = Math.floor(Date.now() / 1000) + 600
    const payload = { accountId: idp.userId, uid: 'uid', exp, authorizations: { 'svc-mobile': { grantId: 'g' } } }
    await sessions.upsert('cookie', payload, 600)
    expect(await sessions.find('cookie')).toMatchObject({ jti: 'cookie', uid: 'uid' })
    await write(null, (tx) => store.endSessions(tx, idp.userId))
    // By another process or machine either, which shares nothing but the rows.
    const other = createStore({ db, write, wall: () => Date.now() }).adapter('Session')
    for (const written of [sessions, other]) {
      await written.upsert('new cookie', payload, 600)
      expect([await sessions.find('new cookie'), await sessions.findByUid('uid')]).toEqual([undefined, undefined])
    }
    await other.upsert('another', { ...payload, uid: 'next' }, 600)
    expect(await sessions.find('another')).toMatchObject({ uid: 'next' })
  })

  test('a change by oneself keeps the session it was made in', async () => {
    const idp = await createTestIdentity()
    const [mine, theirs] = [await signInForTokens(idp), await signInForTokens(idp)]
    const keepSession = String(claimsOf(mine.access_token).sid)
    await idp.identity.setPassword(idp.userId, 'quatre mangues', { keepSession })
    expect((await refresh(idp, mine.refresh_token)).status).toBe(200)
    expect((await refresh(idp, theirs.refresh_token)).status).toBe(400)
    expect(idp.sessions(idp.userId).map((s) => s.id)).toEqual([keepSession])
    expect(await attempt(idp, PHONE, PASSWORD)).toBe('invalid_credentials')
    expect(await attempt(idp, PHONE, 'quatre mangues')).toBe('tokens')
  })

  test('one session can be ended by its owner only', async () => {
    const idp = await createTestIdentity()
    const stranger = await addUser(idp, '+237699000001')
    const [first, second] = [await idp.issueTokens(idp.userId), await idp.issueTokens(idp.userId)]
    const sid = String(claimsOf(first.access_token).sid)
    expect(await idp.endSession(stranger, sid)).toBe(false)
    expect((await refresh(idp, first.refresh_token)).status).toBe(200)
    expect(await idp.endSession(idp.userId, sid)).toBe(true)
    expect((await refresh(idp, first.refresh_token)).status).toBe(400)
    expect((await refresh(idp, second.refresh_token)).status).toBe(200)
  })

  test('a sign-in that was begun with the old password ends at the form, not in the app', async () => {
    const idp = await createTestIdentity()
    const browser = new Browser(idp)
    const page = await browser.visit(authorizeUrl(idp))
    // The post answers with a redirect to go on; the thief waits with following it.
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const posted = await browser.send(new URL(action, page.url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrf, username: PHONE, password: PASSWORD }).toString(),
    })
    expect(posted.status).toBe(303)
    advance(2)
    await idp.identity.setPassword(idp.userId, 'quatre mangues', { keepSession: 'some other' })
    const resumed = await browser.visit(posted.headers.get('location') ?? '')
    expect(resumed.left).toBe(false)
    expect(resumed.text).toContain('name="password"')
  })

  test('new roles are in the next token; a number has one account', async () => {
    const idp = await createTestIdentity()
    const { refresh_token } = await idp.issueTokens(idp.userId)
    await idp.identity.setRoles(idp.userId, ['TENANT', 'MANAGER'])
    const next = (await refresh(idp, refresh_token)).body.access_token
    expect(claimsOf(next).realm_access).toEqual({ roles: ['TENANT', 'MANAGER'] })
    expect(addUser(idp, PHONE)).rejects.toMatchObject({ code: 'duplicate' })
    const other = await addUser(idp, '+237699000001')
    expect(idp.identity.setPhone(other, PHONE)).rejects.toMatchObject({ code: 'duplicate' })
    expect(idp.identity.setRoles(crypto.randomUUID(), [])).rejects.toMatchObject({ code: 'not_found' })
    expect(await idp.identity.findByPhone(UNKNOWN)).toBeUndefined()
    expect(await idp.identity.findByPhone(PHONE)).toMatchObject({ userId: idp.userId, enabled: true })
  })

  test('two registrations of one number at the same moment: one account', async () => {
    const idp = await createTestIdentity()
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => addUser(idp, '+237699000007')))
    expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1)
    for (const r of results) if (r.status === 'rejected') expect(r.reason).toMatchObject({ code: 'duplicate' })
  })
})
