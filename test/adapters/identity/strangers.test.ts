// Wrong passwords of strangers: whom they hold back, and whom not.
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { readBrowser } from '../../../src/adapters/identity/embedded/pages/browsers.ts'
import { PASSWORDS } from '../../../src/core/budgets.ts'
import {
  addUser,
  Browser,
  codeOf,
  createTestIdentity,
  PASSWORD,
  PHONE,
  signIn,
  type TestIdentity,
} from '../../support/oidc.ts'

// The library reads Date.now(): moving bun's clock moves it and ours alike. It stands still between the moves.
beforeEach(() => void setSystemTime(Date.now()))
afterEach(() => void setSystemTime())
const advance = (seconds: number) => setSystemTime(Date.now() + seconds * 1000)

describe('strangers’ wrong passwords', () => {
  const tryFrom = (idp: TestIdentity, address: string, password: string) =>
    idp.passwordTokens(PHONE, password, address).then(
      () => 'tokens',
      (error: { code: string }) => error.code,
    )
  /** A day of it, from everywhere, without a pause longer than a minute. @returns how many were compared */
  async function flood(idp: TestIdentity, hours = 24): Promise<number> {
    for (let i = 0; i < hours * 60; i++) {
      await tryFrom(idp, `${60 + (i % 100)}.${i % 250}.1.1`, 'mangue')
      advance(60)
    }
    return Number(
      idp.store.client
        .prepare("select coalesce(sum(spent), 0) from budget_day where budget like 'password%'")
        .pluck()
        .get(),
    )
  }

  test('hold back neither a known network nor a known browser, nor who is signed in', async () => {
    const idp = await createTestIdentity()
    expect(await tryFrom(idp, '102.244.1.7', PASSWORD)).toBe('tokens')
    const browser = new Browser(idp)
    await signIn(idp, browser)
    idp.store.client.exec('delete from oidc_payload')
    // The browser is known at any network: what its network was known by is forgotten here.
    idp.store.client
      .prepare(
        'delete from known_place where rowid = (select rowid from known_place order by rowid desc limit 1 offset 1)',
      )
      .run()
    await flood(idp, 2)
    expect(await tryFrom(idp, '9.9.9.9', PASSWORD)).toBe('invalid_credentials')
    expect(await tryFrom(idp, '102.244.1.7', PASSWORD)).toBe('tokens')
    expect(await idp.checkPassword(PHONE, PASSWORD, '9.9.9.9')).toBe(true)
    expect(codeOf(await signIn(idp, browser))).not.toBe('')
  })

  test('are fifty a day at most, and end with a new password', async () => {
    setSystemTime(new Date('2027-03-01T00:00:10.000Z'))
    const idp = await createTestIdentity()
    expect(await flood(idp, 23)).toBe(50)
    expect(await tryFrom(idp, '9.9.9.9', PASSWORD)).toBe('invalid_credentials')
    await idp.identity.setPassword(idp.userId, 'quatre mangues')
    expect(await tryFrom(idp, '9.9.9.9', 'quatre mangues')).toBe('tokens')
  }, 240_000)

  test('a known place has waits of its own, and a hundred a day are all that anybody gets compared', async () => {
    const idp = await createTestIdentity()
    const home = '102.244.1.7'
    expect(await tryFrom(idp, home, PASSWORD)).toBe('tokens')
    for (let i = 0; i < 5; i++) await tryFrom(idp, home, 'mangue')
    expect(await tryFrom(idp, home, PASSWORD)).toBe('invalid_credentials')
    expect(await tryFrom(idp, '9.9.9.9', PASSWORD)).toBe('tokens')
    advance(61)
    expect(await tryFrom(idp, home, PASSWORD)).toBe('tokens')
    expect(Object.values(PASSWORDS.aDay).reduce<number>((sum, n) => sum + n, 0)).toBe(100)
  })

  test('who is signed in is told to wait, and nobody else waits for it', async () => {
    const idp = await createTestIdentity()
    for (let i = 0; i < 5; i++) expect(await idp.checkPassword(PHONE, 'mangue', '9.9.9.9')).toBe(false)
    const told = await idp.checkPassword(PHONE, PASSWORD, '9.9.9.9').catch((e: unknown) => e)
    expect(told).toMatchObject({ code: 'too_many_requests', details: { retryAfter: 60 } })
    expect(await tryFrom(idp, '9.9.9.9', PASSWORD)).toBe('tokens')
  })

  test('a cookie that was made up, or made for another account, is none', async () => {
    const idp = await createTestIdentity()
    const other = await addUser(idp, '+237699000001')
    const browser = readBrowser(idp.masterKey, undefined)
    const place = browser.remember(other)
    expect(readBrowser(idp.masterKey, browser.value()).placeFor(other)).toBe(place)
    expect(readBrowser(idp.masterKey, browser.value()).placeFor(idp.userId)).toBeUndefined()
    expect(readBrowser(new Uint8Array(32), browser.value()).placeFor(other)).toBeUndefined()
    expect(readBrowser(idp.masterKey, `${'a'.repeat(38)}.${browser.value()}.${'x'.repeat(9999)}`).placeFor(other)).toBe(
      place,
    )
    for (let i = 0; i < 9; i++) browser.remember(crypto.randomUUID())
    expect(browser.value().split('.')).toHaveLength(4)
  })

  test('behind a proxy that is not trusted nobody’s network becomes known', async () => {
    const idp = await createTestIdentity()
    const places = () => idp.store.client.prepare('select count(*) from known_place').pluck().get()
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect([address, await tryFrom(idp, address, PASSWORD)]).toEqual([address, 'tokens'])
      expect([address, places()]).toEqual([address, 0])
    }
    expect(await tryFrom(idp, '9.9.9.9', PASSWORD)).toBe('tokens')
    expect(places()).toBe(2)
  })

  test('of many places the latest are kept', async () => {
    const idp = await createTestIdentity()
    for (let i = 0; i < 40; i++) {
      await tryFrom(idp, `60.${i}.1.1`, PASSWORD)
      advance(1)
    }
    expect(idp.store.client.prepare("select count(*) from known_place where user_id <> 'anybody'").pluck().get()).toBe(
      PASSWORDS.places,
    )
  })
})
