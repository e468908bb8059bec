// A thief has the password of an account with a second factor, and guesses codes for days: what the owner can still do.
import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { FACTORS } from '../../../src/core/budgets.ts'
import { advance, begin, step, totp, withApp } from '../../support/factors.ts'
import { Browser, createTestIdentity, type Page } from '../../support/oidc.ts'

afterEach(() => void setSystemTime())
const THIEF = '198.51.100.7'
const DAY = 86_400

/** Guesses until the day's are spent, waiting where it is said. @returns how many were compared */
async function guesses(browser: Browser, page: () => Promise<Page>, code: (i: number) => string): Promise<number> {
  let compared = 0
  for (let locked = 0, ask = await page(); locked < 2; ) {
    const answer = await step(browser, ask, 'code', { code: code(compared) })
    expect(answer.left).toBe(false)
    if (answer.response.status === 429) {
      locked += 1
      advance(901)
      ask = await page()
    } else {
      locked = 0
      compared += 1
    }
  }
  return compared
}
const wrong = (i: number): string => String(i).padStart(6, '0')

test('the day’s guesses end, and the owner signs in from where they did before, or by a recovery code', async () => {
  setSystemTime(new Date('2026-03-02T00:00:10Z'))
  const idp = await createTestIdentity()
  const { secret, codes, browser } = await withApp(idp)
  const thief = new Browser(idp, THIEF)
  expect(await guesses(thief, () => begin(idp, thief), wrong)).toBe(FACTORS.strangers)
  // Not even a right code passes for strangers on that day.
  advance(901)
  const late = await step(thief, await begin(idp, thief), 'code', { code: totp(secret) })
  expect([late.left, late.response.status]).toEqual([false, 429])
  // The browser that passed before, wherever it is; another browser at the same network.
  advance(31)
  const roaming = new Browser(idp, '192.0.2.44')
  for (const [name, cookie] of browser.cookies) roaming.cookies.set(name, cookie)
  expect(
    (await step(roaming, await begin(idp, roaming, { prompt: 'login' }), 'code', { code: totp(secret) })).left,
  ).toBe(true)
  advance(31)
  const home = new Browser(idp)
  expect((await step(home, await begin(idp, home), 'code', { code: totp(secret) })).left).toBe(true)
  // A new telephone in another town.
  const abroad = new Browser(idp, '192.0.2.200')
  expect((await step(abroad, await begin(idp, abroad), 'code', { code: codes[0] ?? '' })).left).toBe(true)
  // Nobody is locked out for good.
  advance(DAY)
  const next = new Browser(idp, '198.51.100.200')
  expect((await step(next, await begin(idp, next), 'code', { code: totp(secret) })).left).toBe(true)
})

test('recovery codes guessed in one network are taken in another', async () => {
  setSystemTime(new Date('2026-03-02T00:00:10Z'))
  const idp = await createTestIdentity()
  const { secret, codes } = await withApp(idp)
  const thief = new Browser(idp, THIEF)
  const long = (i: number): string => String(i).padStart(10, '0')
  expect(await guesses(thief, () => begin(idp, thief), long)).toBe(FACTORS.recovery)
  const stolen = await step(thief, await begin(idp, thief), 'code', { code: codes[1] ?? '' })
  expect([stolen.left, stolen.response.status]).toEqual([false, 429])
  // They cost the codes of the app nothing.
  const owner = new Browser(idp, '192.0.2.200')
  expect((await step(owner, await begin(idp, owner), 'code', { code: codes[1] ?? '' })).left).toBe(true)
  const other = new Browser(idp, '192.0.2.99')
  expect((await step(other, await begin(idp, other), 'code', { code: totp(secret) })).left).toBe(true)
})
