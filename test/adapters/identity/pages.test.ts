import { beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { formTarget } from '../../../src/adapters/identity/embedded/pages/login.ts'
import {
  authorizeUrl,
  Browser,
  createTestIdentity,
  PASSWORD,
  PHONE,
  signInForTokens,
  type TestIdentity,
} from '../../support/oidc.ts'

let production: TestIdentity
let sandbox: TestIdentity
const fields = { username: PHONE, password: PASSWORD }
beforeAll(async () => {
  production = await createTestIdentity({ sandbox: false })
  sandbox = await createTestIdentity()
})

describe('the sign-in form takes a post of its own page only', () => {
  test.each([
    ['no token', { ...fields, csrf: '' }, {}],
    ['a made-up token', { ...fields, csrf: 'x'.repeat(43) }, {}],
    ['the right token from another site', fields, { 'sec-fetch-site': 'cross-site' }],
    ['the right token from a sister domain', fields, { 'sec-fetch-site': 'same-site' }],
  ])('%s: 403, and the right password signs nobody in', async (_, form, headers) => {
    const browser = new Browser(sandbox)
    const page = await browser.submit(await browser.visit(authorizeUrl(sandbox)), form, headers)
    expect([page.left, page.response.status]).toEqual([false, 403])
    expect(page.text).toContain('This page was open for too long')
    expect(page.text).not.toContain(PASSWORD)
  })

  test('the token of another sign-in: 403; another browser’s page: expired', async () => {
    const mine = new Browser(sandbox)
    const page = await mine.visit(authorizeUrl(sandbox))
    const theirs = new Browser(sandbox)
    const csrf = /name="csrf" value="([^"]+)"/.exec((await theirs.visit(authorizeUrl(sandbox))).text)?.[1] ?? ''
    expect((await mine.submit(page, { ...fields, csrf })).response.status).toBe(403)
    const stolen = await theirs.submit(page, fields)
    expect(stolen.response.status).toBe(400)
    expect(stolen.text).toContain('This page is no longer valid')
  })

  test('the cookie of one sign-in does not open the page of another', async () => {
    const browser = new Browser(sandbox)
    const first = await browser.visit(authorizeUrl(sandbox))
    const other = await new Browser(sandbox).visit(authorizeUrl(sandbox))
    for (const [name, cookie] of browser.cookies) browser.cookies.set(name, { ...cookie, path: '/' })
    expect((await browser.visit(first.url)).response.status).toBe(200)
    expect((await browser.visit(other.url)).response.status).toBe(400)
  })

  test('a body of another type signs nobody in', async () => {
    const browser = new Browser(sandbox)
    const page = await browser.visit(authorizeUrl(sandbox))
    const answer = await browser.submit(page, fields, { 'content-type': 'text/plain' })
    expect(answer.left).toBe(false)
  })

  test('what was typed comes back escaped, the password never', async () => {
    const browser = new Browser(sandbox)
    const page = await browser.visit(authorizeUrl(sandbox, { login_hint: '"><img src=x>' }))
    expect(page.text).not.toContain('<img src=x>')
    const again = await browser.submit(page, { username: '"><b>', password: 'geheim"><b>' })
    expect(again.text).toContain('value="&quot;&gt;&lt;b&gt;"')
    expect(again.text).not.toContain('geheim')
  })
})

describe('every page', () => {
  test('has the security headers and cookies that https needs', async () => {
    const browser = new Browser(production)
    const redirect_uri = 'https://rent.example.cm/console/callback'
    const page = await browser.visit(authorizeUrl(production, { redirect_uri }))
    const header = (name: string) => page.response.headers.get(name)
    expect(header('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https://rent.example.cm https://rent.example.cm; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(header('x-content-type-options')).toBe('nosniff')
    expect(header('referrer-policy')).toBe('no-referrer')
    expect(header('cache-control')).toBe('no-store')
    expect(header('cross-origin-opener-policy')).toBe('same-origin')
    expect(header('strict-transport-security')).toContain('max-age=31536000')
    await browser.submit(page, { username: PHONE, password: PASSWORD })
    const cookies = [...browser.cookies].map(([name, c]) => ({ name: name.split('|')[0] ?? '', ...c }))
    const names = cookies.map((c) => c.name).sort()
    expect(names).toContain('__Host-loyer_session')
    expect(names).toContain('__Host-loyer_session.sig')
    for (const { name, path, attributes } of cookies) {
      expect(attributes).toMatch(/; secure; httponly/i)
      expect(attributes).toMatch(/samesite=lax/i)
      expect(attributes).not.toMatch(/domain=/i)
      if (name.startsWith('__Host-')) expect(path).toBe('/')
    }
  })

  test('a cookie whose signature was changed is as good as none', async () => {
    const browser = new Browser(sandbox)
    await signInForTokens(sandbox, browser)
    for (const [name, cookie] of browser.cookies) {
      const changed = (cookie.value.startsWith('x') ? 'y' : 'x') + cookie.value.slice(1)
      if (name.includes('.sig')) browser.cookies.set(name, { ...cookie, value: changed })
    }
    expect((await browser.visit(authorizeUrl(sandbox))).text).toContain('name="password"')
  })

  test.each([
    ['fr-CM,fr;q=0.9,en;q=0.8', undefined, 'fr'],
    ['en-GB,en;q=0.9,fr;q=0.8', undefined, 'en'],
    ['de', undefined, 'fr'],
    ['', undefined, 'fr'],
    ['en', 'fr en', 'fr'],
    ['fr', 'de en', 'en'],
    ['fr;q=0.2,en;q=0.7', undefined, 'en'],
  ])('Accept-Language %j, ui_locales %j → %s', async (accept, ui_locales, lang) => {
    const browser = new Browser(sandbox)
    browser.headers['accept-language'] = accept
    const page = await browser.visit(authorizeUrl(sandbox, { ui_locales }))
    expect(page.text).toContain(`<html lang="${lang}">`)
    const link = /<a href="([^"]+)" hreflang/.exec(page.text)?.[1] ?? ''
    const other = await browser.visit(new URL(link, page.url).href)
    const otherLang = lang === 'fr' ? 'en' : 'fr'
    expect(other.text).toContain(`<html lang="${otherLang}">`)
    // The choice outlives a mistake.
    const wrong = await browser.submit(other, { username: '699', password: 'no' })
    expect(wrong.text).toContain(`<html lang="${otherLang}">`)
  })

  test.each([
    ['https://app.example.cm/cb?x=1', 'https://app.example.cm'],
    ['http://localhost:8081/cb', 'http://localhost:8081'],
    ['http://[::1]:8081/cb', 'http:'],
    ['com.svc.app:/callback', 'com.svc.app:'],
    ['not a uri', ''],
    [undefined, ''],
  ])('form-action for %s: %s (Chrome holds redirects against it)', (uri, source) => {
    expect(formTarget(uri)).toBe(source)
  })

  test('an address that fails too often gets a page that says so', async () => {
    const idp = await createTestIdentity({ addressLimit: 1 })
    const browser = new Browser(idp)
    const wrong = { username: '699 00 00 00', password: 'mangue' }
    const first = await browser.submit(await browser.visit(authorizeUrl(idp)), wrong)
    expect(first.response.status).toBe(200)
    const second = await browser.submit(first, wrong)
    expect(second.response.status).toBe(429)
    expect(Number(second.response.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(second.text).toContain('There were too many tries from your internet connection')
    expect(second.text).toContain('value="699 00 00 00"')
  })

  test('after half an hour the form has expired, in words for people', async () => {
    const browser = new Browser(sandbox)
    const page = await browser.visit(authorizeUrl(sandbox))
    try {
      setSystemTime(Date.now() + 1830_000)
      const late = await browser.submit(page, fields)
      expect(late.response.status).toBe(400)
      expect(late.text).toContain('This page is no longer valid')
      expect(late.text).toContain('Cette page n’est plus valable')
    } finally {
      setSystemTime()
    }
  })

  test('a body over 64 KiB is refused before it is read to the end', async () => {
    const body = new URLSearchParams({ grant_type: 'password', password: 'x'.repeat(70_000) }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = `${sandbox.issuer}/protocol/openid-connect/token`
    expect((await sandbox.fetch(new Request(url, { method: 'POST', headers, body }), '::1')).status).toBe(413)
  })

  test('links to registration and to a new password where there are such pages', async () => {
    const idp = await createTestIdentity({ links: { register: '/portal/register', reset: '/portal/reset' } })
    const { text } = await new Browser(idp).visit(authorizeUrl(idp))
    // Each tells the page which sign-in to go on with.
    const uid = /login-actions\/authenticate\/([\w-]+)"/.exec(text)?.[1]
    expect(text).toContain(`<a href="/portal/reset?back=${uid}&amp;lang=en">Forgot your password?</a>`)
    expect(text).toContain(`<a href="/portal/register?back=${uid}&amp;lang=en">Create an account</a>`)
    expect(text).not.toContain('This server does not send codes yet')
    const without = (await new Browser(sandbox).visit(authorizeUrl(sandbox))).text
    expect(without).not.toContain('class="links"')
    expect(without).toContain('This server does not send codes yet')
  })
})
