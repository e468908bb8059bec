// The second step of a sign-in: authenticator apps, passkeys, recovery codes, and the ways round them.
import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { advance, begin, codesOn, PASS, secretOn, step, tokensOf, totp, withApp } from '../../support/factors.ts'
import {
  addUser,
  authorizeUrl,
  Browser,
  claimsOf,
  createTestIdentity,
  ORG,
  PASSWORD,
  type Page,
  refresh,
  type TestIdentity,
} from '../../support/oidc.ts'

afterEach(() => void setSystemTime())

const staff = (idp: TestIdentity) => {
  idp.store.client.prepare("update organization set second_factor = 'STAFF' where id = ?").run(ORG)
}
const role = (idp: TestIdentity, userId: string, name: string) => idp.identity.setRoles(userId, [name as 'MANAGER'])

describe('who is asked', () => {
  test('nobody by default: password alone is acr 1, in ID and access tokens, and refreshing keeps it', async () => {
    const idp = await createTestIdentity()
    const tokens = await tokensOf(idp, await begin(idp, new Browser(idp)))
    for (const token of [
      tokens.id_token,
      tokens.access_token,
      (await refresh(idp, tokens.refresh_token)).body.access_token,
    ])
      expect(claimsOf(token)).toMatchObject({ acr: '1', amr: ['pwd'], auth_time: expect.any(Number) })
  })

  test('an ADMIN or MANAGER of an organization that asks sets one up there; an OWNER signs in as before', async () => {
    const idp = await createTestIdentity()
    staff(idp)
    expect((await begin(idp, new Browser(idp))).left).toBe(true)
    await role(idp, idp.userId, 'MANAGER')
    const browser = new Browser(idp)
    const setup = await begin(idp, browser)
    expect(setup.text).toContain('Protect your account')
    expect(setup.text).toContain('<svg')
    expect((await step(browser, setup, 'app', { code: '000000' })).text).toContain('This code is not right')
    const shown = await step(browser, setup, 'app', { code: totp(secretOn(setup)) })
    expect(codesOn(shown)).toHaveLength(10)
    const tokens = await tokensOf(idp, await step(browser, shown, 'continue'))
    expect(claimsOf(tokens.access_token)).toMatchObject({ acr: '2', amr: ['pwd', 'otp', 'mfa'] })
    expect(claimsOf(tokens.id_token)).toMatchObject({ acr: '2' })
    expect(claimsOf((await refresh(idp, tokens.refresh_token)).body.access_token)).toMatchObject({ acr: '2' })
  })

  test('what is kept: a sealed secret, codes that nobody reads back', async () => {
    const idp = await createTestIdentity()
    const { secret, codes } = await withApp(idp)
    const rows = JSON.stringify(
      ['second_factor', 'second_factor_code', 'oidc_payload'].map((t) =>
        idp.store.client.prepare(`select * from ${t}`).all(),
      ),
    )
    for (const word of [secret, ...codes, ...codes.map((c) => c.replace('-', ''))]) expect(rows).not.toContain(word)
    expect(idp.logged.join()).not.toContain(secret)
  })

  test('sessions from before: their refresh tokens end, and single sign-on asks for the second step', async () => {
    const idp = await createTestIdentity()
    await role(idp, idp.userId, 'ADMIN')
    const browser = new Browser(idp)
    const tokens = await tokensOf(idp, await begin(idp, browser))
    expect((await browser.visit(authorizeUrl(idp))).left).toBe(true)
    staff(idp)
    expect((await refresh(idp, tokens.refresh_token)).body.error).toBe('invalid_grant')
    const asked = await browser.visit(authorizeUrl(idp))
    expect([asked.left, asked.text.includes('name="password"')]).toEqual([false, true])
    const silent = new URL((await browser.visit(authorizeUrl(idp, { prompt: 'none' }))).url)
    expect(silent.searchParams.get('error')).toBe('unmet_authentication_requirements')
  })

  test('a role given later is asked at the next refresh', async () => {
    const idp = await createTestIdentity()
    staff(idp)
    const tokens = await tokensOf(idp, await begin(idp, new Browser(idp)))
    await role(idp, idp.userId, 'MANAGER')
    expect((await refresh(idp, tokens.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('acr_values, max_age and prompt are honoured; discovery names the values', async () => {
    const idp = await createTestIdentity()
    const { secret, browser } = await withApp(idp)
    // Who is content with a password and has no factor is led to none.
    const plain = await createTestIdentity()
    expect((await begin(plain, new Browser(plain), { acr_values: '2 1' })).left).toBe(true)
    const again = await browser.visit(authorizeUrl(idp, { acr_values: '2' }))
    expect(again.left).toBe(true)
    advance(901)
    const stale = await browser.visit(authorizeUrl(idp, { acr_values: '2', max_age: '900' }))
    expect(stale.text).toContain('name="password"')
    const ask = await browser.submit(stale, PASS)
    expect(ask.text).toContain('Confirm that it is you')
    const tokens = await tokensOf(idp, await step(browser, ask, 'code', { code: totp(secret) }))
    expect(claimsOf(tokens.access_token).auth_time).toBe(Math.floor(Date.now() / 1000))
    expect((await browser.visit(authorizeUrl(idp, { prompt: 'login' }))).text).toContain('name="password"')
    const discovery = await idp.fetch(new Request(`${idp.issuer}/.well-known/openid-configuration`), '203.0.113.9')
    expect((await discovery.json()) as object).toMatchObject({ acr_values_supported: ['1', '2'] })
  })
})

describe('ways round it', () => {
  test('going on with the authorization after the password alone begins the sign-in anew', async () => {
    const idp = await createTestIdentity()
    await withApp(idp)
    const browser = new Browser(idp)
    const ask = await begin(idp, browser)
    expect(ask.text).toContain('Confirm that it is you')
    const uid = ask.url.split('/').at(-1)
    const resumed = await browser.visit(`${idp.issuer}/protocol/openid-connect/auth/${uid}`)
    expect(resumed.left).toBe(false)
    expect(resumed.text).toContain('name="password"')
  })

  test('the answer to the second step without the password is none', async () => {
    const idp = await createTestIdentity()
    const { secret } = await withApp(idp)
    const browser = new Browser(idp)
    const login = await browser.visit(authorizeUrl(idp))
    for (const name of ['code', 'continue', 'app', 'passkey', 'new-passkey']) {
      const answer = await step(browser, login, name, { code: totp(secret) })
      expect(`${name} ${answer.left}`).toBe(`${name} false`)
    }
  })

  test('a code is taken once, and none from before it', async () => {
    const idp = await createTestIdentity()
    const { secret } = await withApp(idp)
    const [now, earlier] = [totp(secret), totp(secret, -1)]
    const browser = new Browser(idp)
    expect((await step(browser, await begin(idp, browser), 'code', { code: now })).left).toBe(true)
    const other = new Browser(idp)
    const ask = await begin(idp, other)
    for (const code of [now, earlier, totp(secret, 2), totp(secret, -2), '', '12345'])
      expect((await step(other, ask, 'code', { code })).left).toBe(false)
    advance(61)
    expect((await step(other, ask, 'code', { code: totp(secret, 1) })).left).toBe(true)
  })

  test('two browsers with one code at the same moment: one gets in', async () => {
    const idp = await createTestIdentity()
    const { secret } = await withApp(idp)
    const browsers = [new Browser(idp), new Browser(idp)]
    const pages = await Promise.all(browsers.map((b) => begin(idp, b)))
    const code = totp(secret)
    const answers = await Promise.all(browsers.map((b, i) => step(b, pages[i] as Page, 'code', { code })))
    expect(answers.filter((a) => a.left)).toHaveLength(1)
  })

  test('a recovery code is taken once; another person’s is not', async () => {
    const idp = await createTestIdentity()
    const { codes } = await withApp(idp)
    const phone = '+237677123457'
    await addUser(idp, phone)
    const theirs = await withApp(idp, new Browser(idp), { username: phone, password: PASSWORD })
    const browser = new Browser(idp)
    const ask = await begin(idp, browser)
    for (const code of [theirs.codes[0] ?? '', totp(theirs.secret)])
      expect((await step(browser, ask, 'code', { code })).left).toBe(false)
    const code = codes[3] ?? ''
    expect((await step(browser, ask, 'code', { code })).left).toBe(true)
    const other = new Browser(idp)
    expect((await step(other, await begin(idp, other), 'code', { code })).left).toBe(false)
  })

  test('guessing ends after five with a wait, which a right code does not shorten and nobody without the password begins', async () => {
    const idp = await createTestIdentity()
    const { secret } = await withApp(idp)
    const browser = new Browser(idp)
    const ask = await begin(idp, browser)
    for (let i = 0; i < 5; i++)
      expect((await step(browser, ask, 'code', { code: `00000${i}` })).response.status).toBe(200)
    const waiting = await step(browser, ask, 'code', { code: totp(secret) })
    expect([waiting.left, waiting.response.status]).toEqual([false, 429])
    expect(waiting.text).toContain('Too many wrong codes')
    advance(62)
    expect((await step(browser, ask, 'code', { code: totp(secret) })).left).toBe(true)
  })

  const another = (idp: TestIdentity) => idp.identity.setPassword(idp.userId, 'une autre phrase')
  test.each([
    { what: 'disabled', later: 2000, change: (idp: TestIdentity) => idp.identity.disable(idp.userId) },
    { what: 'with another password', later: 2000, change: another },
    { what: 'with another password of the same second', later: 300, change: another },
  ])('an account $what between the steps does not get in', async ({ later, change }) => {
    const idp = await createTestIdentity()
    const { secret } = await withApp(idp)
    const browser = new Browser(idp)
    const second = Math.ceil(Date.now() / 1000) * 1000
    setSystemTime(second + 100)
    const ask = await begin(idp, browser)
    setSystemTime(second + 100 + later)
    await change(idp)
    const answer = await step(browser, ask, 'code', { code: totp(secret) })
    expect([answer.left, answer.text.includes('name="password"')]).toEqual([false, true])
  })

  test.each([0, 300, 2000])(
    'a password changed %d ms after it was entered, before the sign-in is done, opens nothing',
    async (later) => {
      const idp = await createTestIdentity()
      let changed = false
      const between = async (request: Request, address: string) => {
        if (!changed && /\/openid-connect\/auth\/[\w-]+$/.test(new URL(request.url).pathname)) {
          changed = true
          setSystemTime(second + 100 + later)
          await another(idp)
        }
        return idp.fetch(request, address)
      }
      const second = Math.ceil(Date.now() / 1000) * 1000
      setSystemTime(second + 100)
      const page = await begin(idp, new Browser({ ...idp, fetch: between }))
      expect([changed, page.left, page.text.includes('name="password"')]).toEqual([true, false, true])
    },
  )

  test('who knows the password cannot set up another factor beside the one that is there', async () => {
    const idp = await createTestIdentity()
    const { browser } = await withApp(idp)
    const thief = new Browser(idp)
    const ask = await begin(idp, thief, { acr_values: '2' })
    expect(secretOn(ask)).toBe('')
    for (const name of ['app', 'new-passkey', 'continue'])
      expect((await step(thief, ask, name, { code: '123456' })).left).toBe(false)
    const page = await thief.visit(`${idp.issuer}/account/security`)
    expect(page.text).not.toContain('Unused recovery codes')
    expect((await browser.visit(`${idp.issuer}/account/security`)).text).toContain('Unused recovery codes: 10')
  })

  test('a token of another site, or none, changes nothing', async () => {
    const idp = await createTestIdentity()
    const { browser } = await withApp(idp)
    const page = await browser.visit(`${idp.issuer}/account/security`)
    expect((await step(browser, page, 'renew', { csrf: 'x'.repeat(43) })).response.status).toBe(403)
    expect((await browser.visit(`${idp.issuer}/account/security`)).text).toContain('Unused recovery codes: 10')
  })
})

describe('the page of one’s own', () => {
  const security = (idp: TestIdentity) => `${idp.issuer}/account/security`

  test('asks for a sign-in, sets up, renews and removes; other sessions end', async () => {
    const idp = await createTestIdentity()
    const elsewhere = await tokensOf(idp, await begin(idp, new Browser(idp)))
    const browser = new Browser(idp)
    const login = await browser.visit(security(idp))
    expect(login.text).toContain('name="password"')
    const page = await browser.submit(login, PASS)
    expect(page.text).toContain('Nothing yet')
    const shown = await step(browser, page, 'app', { code: totp(secretOn(page)) })
    const first = codesOn(shown)
    expect(first).toHaveLength(10)
    expect((await refresh(idp, elsewhere.refresh_token)).body.error).toBe('invalid_grant')
    const after = await step(browser, shown, 'continue')
    expect(after.text).toContain('Unused recovery codes: 10')
    const renewed = codesOn(await step(browser, after, 'renew'))
    expect(renewed.filter((code) => first.includes(code))).toEqual([])
    const factor = /name="factor" value="([^"]+)"/.exec(after.text)?.[1] ?? ''
    expect((await step(browser, after, 'remove', { factor })).text).toContain('Nothing yet')
    expect(idp.store.client.prepare('select count(*) n from second_factor_code').get()).toEqual({ n: 0 })
    expect((await begin(idp, new Browser(idp))).left).toBe(true)
  })

  test('a sign-in of more than fifteen minutes ago is none', async () => {
    const idp = await createTestIdentity()
    const { browser } = await withApp(idp)
    const page = await browser.visit(security(idp))
    advance(901)
    expect((await step(browser, page, 'renew')).text).toContain('name="password"')
  })

  test('another’s factor is not removed', async () => {
    const idp = await createTestIdentity()
    const { browser } = await withApp(idp)
    const phone = '+237677123457'
    const id = await addUser(idp, phone)
    await withApp(idp, new Browser(idp), { username: phone, password: PASSWORD })
    const row = idp.store.client.prepare('select id from second_factor where user_id = ?').get(id) as { id: string }
    await step(browser, await browser.visit(security(idp)), 'remove', { factor: row.id })
    expect(idp.hasSecondFactor(id)).toBe(true)
  })
})
