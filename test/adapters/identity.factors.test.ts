// The second step of a sign-in: authenticator apps, passkeys, recovery codes, and the ways round them.
import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import {
  addUser,
  authorizeUrl,
  Browser,
  claimsOf,
  codeOf,
  createTestIdentity,
  exchange,
  ORG,
  PASSWORD,
  type Page,
  PHONE,
  refresh,
  type TestIdentity,
  type Tokens,
} from '../support/oidc.ts'
import { softwareKey } from '../support/passkey.ts'

afterEach(() => void setSystemTime())
const advance = (seconds: number) => setSystemTime(Date.now() + seconds * 1000)

/** RFC 6238 by hand, so that the library is held against something else. */
function totp(secret: string, steps = 0): string {
  const bits = [...secret]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const mac = createHmac('sha1', key).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
const secretOn = (page: Page): string => /class="key">([A-Z2-7 ]+)</.exec(page.text)?.[1]?.replaceAll(' ', '') ?? ''
const codesOn = (page: Page): string[] =>
  [...page.text.matchAll(/<li><code>(\d{5}-\d{5})<\/code>/g)].map((m) => m[1] ?? '')
const optionsOn = (page: Page): string =>
  (/data-passkey="([^"]+)"/.exec(page.text)?.[1] ?? '').replaceAll('&quot;', '"')
const PASS = { username: PHONE, password: PASSWORD }

/** Posts the form of one step of the page. */
function step(browser: Browser, page: Page, name: string, fields: Record<string, string> = {}): Promise<Page> {
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1] ?? ''
  return browser.visit(new URL(action, page.url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrf, step: name, lang: 'en', ...fields }).toString(),
  })
}
const begin = async (idp: TestIdentity, browser: Browser, change: Record<string, string> = {}, who = PASS) =>
  browser.submit(await browser.visit(authorizeUrl(idp, change)), who)
async function tokensOf(idp: TestIdentity, page: Page): Promise<Tokens> {
  if (!page.left) throw new Error(`not signed in: ${page.response.status} ${page.text.slice(0, 1500)}`)
  return (await exchange(idp, codeOf(new URL(page.url)))).body
}
/** Sets an app up in the course of a sign-in that asks for it. */
async function withApp(idp: TestIdentity, browser = new Browser(idp), who = PASS) {
  const setup = await begin(idp, browser, { acr_values: '2' }, who)
  const secret = secretOn(setup)
  const shown = await step(browser, setup, 'app', { code: totp(secret) })
  const done = await step(browser, shown, 'continue')
  advance(31)
  return { secret, codes: codesOn(shown), tokens: await tokensOf(idp, done), browser }
}
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

  test('an account disabled, or with another password, between the steps does not get in', async () => {
    for (const change of [
      (idp: TestIdentity) => idp.identity.disable(idp.userId),
      (idp: TestIdentity) => idp.identity.setPassword(idp.userId, 'une autre phrase'),
    ]) {
      const idp = await createTestIdentity()
      const { secret } = await withApp(idp)
      const browser = new Browser(idp)
      const ask = await begin(idp, browser)
      advance(2)
      await change(idp)
      const answer = await step(browser, ask, 'code', { code: totp(secret) })
      expect([answer.left, answer.text.includes('name="password"')]).toEqual([false, true])
    }
  })

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

describe('passkeys', () => {
  const ORIGIN = 'https://rent.example.cm'
  async function withPasskey(idp: TestIdentity) {
    const browser = new Browser(idp)
    const setup = await begin(idp, browser, { acr_values: '2' })
    const key = softwareKey(ORIGIN)
    const shown = await step(browser, setup, 'new-passkey', { answer: key.create(optionsOn(setup)) })
    expect(codesOn(shown)).toHaveLength(10)
    const tokens = await tokensOf(idp, await step(browser, shown, 'continue'))
    return { key, tokens, browser }
  }

  test('one is made and signs in; the page names its one script', async () => {
    const idp = await createTestIdentity()
    const { key, tokens } = await withPasskey(idp)
    expect(claimsOf(tokens.access_token)).toMatchObject({ acr: '2', amr: ['pwd', 'pop', 'mfa'] })
    const browser = new Browser(idp)
    const ask = await begin(idp, browser)
    expect(ask.response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; ")
    expect(ask.text.match(/<script[^>]*>/g)).toEqual(['<script src="/realms/svc/resources/passkey.js" defer>'])
    const done = await step(browser, ask, 'passkey', { answer: key.sign(optionsOn(ask)) })
    expect(claimsOf((await tokensOf(idp, done)).access_token)).toMatchObject({ acr: '2', amr: ['pwd', 'pop', 'mfa'] })
  })

  test.each([
    ['of another origin', { origin: 'https://rent.example.cm.evil.cm' }],
    ['for another host', { rpId: 'evil.cm' }],
    ['without the person’s check', { verified: false }],
    ['to another challenge', { challenge: 'AAAA' }],
    ['of another kind', { type: 'webauthn.create' }],
    ['with a counter that went back', { counter: 1 }],
  ])('an answer %s is refused', async (_, lies) => {
    const idp = await createTestIdentity()
    const { key } = await withPasskey(idp)
    const browser = new Browser(idp)
    const ask = await begin(idp, browser)
    const refused = await step(browser, ask, 'passkey', { answer: key.sign(optionsOn(ask), lies) })
    expect(refused.left).toBe(false)
    expect(refused.text).toContain('The passkey was not recognized')
    // The right answer to the challenge that is spent.
    expect((await step(browser, ask, 'passkey', { answer: key.sign(optionsOn(ask)) })).left).toBe(
      false,
    )
  })

  test('nor an answer twice, of another’s passkey, or of rubbish', async () => {
    const idp = await createTestIdentity()
    const { key } = await withPasskey(idp)
    const browser = new Browser(idp)
    const ask = await begin(idp, browser)
    const answer = key.sign(optionsOn(ask))
    expect((await step(browser, ask, 'passkey', { answer })).left).toBe(true)
    const other = new Browser(idp)
    const asked = await begin(idp, other)
    const bad = [
      answer,
      softwareKey(ORIGIN).sign(optionsOn(asked)),
      '',
      '{',
      'null',
      '[]',
      '{"id":"x"}',
      'x'.repeat(15_000),
    ]
    for (const given of bad) expect((await step(other, asked, 'passkey', { answer: given })).left).toBe(false)
  })

  test.each([
    ['of another origin', { origin: 'https://evil.cm' }],
    ['for another host', { rpId: 'evil.cm' }],
    ['without the person’s check', { verified: false }],
  ])('none is made %s', async (_, lies) => {
    const idp = await createTestIdentity()
    const browser = new Browser(idp)
    const setup = await begin(idp, browser, { acr_values: '2' })
    const refused = await step(browser, setup, 'new-passkey', {
      answer: softwareKey(ORIGIN).create(optionsOn(setup), lies),
    })
    expect(refused.text).toContain('could not be added')
  })

  test('none is offered at an address that is no name', async () => {
    const idp = await createTestIdentity({ publicUrl: 'http://127.0.0.1:3000' })
    const browser = new Browser(idp)
    const setup = await begin(idp, browser, { acr_values: '2' })
    expect([optionsOn(setup), secretOn(setup).length, setup.text.includes('<script')]).toEqual(['', 32, false])
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
