// Sign-ins of one account at the same time: what cannot be compared now is told to come back, never that it is wrong.
import { expect, test } from 'bun:test'
import { hashPassword, verifyPassword } from '../../../src/adapters/identity/password.ts'
import { authorizeUrl, Browser, createTestIdentity, PASSWORD, PHONE, type TestIdentity } from '../../support/oidc.ts'

const UNKNOWN = '+237699999999'
const attempt = (idp: TestIdentity, username: string, password: string) =>
  idp.passwordTokens(username, password, '203.0.113.9').then(
    () => 'tokens',
    (error: { code: string }) => error.code,
  )

test('six right ones at once: five are in, the sixth is told to come back, and nothing is counted', async () => {
  const idp = await createTestIdentity()
  for (let i = 0; i < 4; i++) await attempt(idp, PHONE, 'mangue')
  const told = await Promise.allSettled(
    Array.from({ length: 6 }, () => idp.passwordTokens(PHONE, PASSWORD, '203.0.113.9')),
  )
  expect(told.slice(0, 5).map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'))
  expect(told[5]).toMatchObject({ reason: { code: 'overloaded', details: { retryAfter: 2 } } })
  for (let i = 0; i < 4; i++) expect(await attempt(idp, PHONE, 'mangue')).toBe('invalid_credentials')
  expect(await attempt(idp, PHONE, PASSWORD)).toBe('tokens')
  const mine = await Promise.allSettled(
    Array.from({ length: 6 }, () => idp.checkPassword(PHONE, PASSWORD, '203.0.113.9')),
  )
  expect(mine.map((r) => (r.status === 'fulfilled' ? r.value : r.reason.code))).toEqual([
    ...Array(5).fill(true),
    'overloaded',
  ])
})

test('six at once on the page: 503 with Retry-After and a word of its own, for a number without an account too', async () => {
  const idp = await createTestIdentity()
  for (const username of [PHONE, UNKNOWN]) {
    const pages = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const browser = new Browser(idp)
        return { browser, page: await browser.visit(authorizeUrl(idp)) }
      }),
    )
    const answers = await Promise.all(
      pages.map(({ browser, page }) => browser.submit(page, { username, password: 'mangue' })),
    )
    const busy = answers.filter(({ response }) => response.status === 503)
    expect(busy.map(({ response }) => response.headers.get('retry-after'))).toEqual(['2'])
    expect(busy[0]?.text).not.toContain('mot de passe est incorrect')
  }
})

test('a right password that found no room for its hash is not counted as a wrong one', async () => {
  const idp = await createTestIdentity()
  const hash = await hashPassword('x')
  let full = true
  // Each that is done or refused comes again, so that there is no room however long an attempt takes.
  const crowd = Array.from({ length: 40 }, async () => {
    while (full) await verifyPassword(hash, 'x').catch(() => new Promise((again) => setImmediate(again)))
  })
  try {
    for (let i = 0; i < 6; i++) expect(await attempt(idp, PHONE, PASSWORD)).toBe('overloaded')
  } finally {
    full = false
    await Promise.all(crowd)
  }
  expect(await attempt(idp, PHONE, PASSWORD)).toBe('tokens')
})
