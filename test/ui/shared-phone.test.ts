// One phone, several people: who leaves takes what was seen along, and nobody goes on in another's page.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Api, inPortal, PASSWORD } from './portal.ts'

inPortal((world, api) => {
  const phone = () => world.newPage({ locale: 'en', size: 360 })

  /** What a browser keeps of people: names of what is in its storages, its caches and the portal's own. */
  const left = (page: Page) =>
    page.evaluate(async () => {
      const open = Promise.withResolvers<IDBDatabase>()
      const asked = indexedDB.open('loyer-portal')
      asked.onsuccess = () => open.resolve(asked.result)
      const db = await open.promise
      const all = Promise.withResolvers<[string, unknown][]>()
      if (!db.objectStoreNames.contains('kept')) all.resolve([])
      else {
        const store = db.transaction('kept').objectStore('kept')
        const [keys, values] = [store.getAllKeys(), store.getAll()]
        values.onsuccess = () => all.resolve(keys.result.map((key, i) => [String(key), values.result[i]]))
      }
      const kept = await all.promise
      db.close()
      return {
        kept: kept.filter(([key]) => key !== 'waiting').map(([key]) => key.split(' ')[0]),
        waiting: (kept.find(([key]) => key === 'waiting')?.[1] ?? []) as { userId: string }[],
        stored: [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort(),
        seen: (await caches.match('/portal/seen')) !== undefined,
      }
    })

  /** Somebody who rents and lets, with both entries open on this phone and something typed in each. */
  async function both() {
    const number = await api.register('Rose', 'Deux')
    await api.lease(number, { activate: true })
    await api.makeOwner(number)
    const watched = await phone()
    const { page } = watched
    await world.signIn(page, { phone: number, password: PASSWORD }, '/portal')
    await page.locator('#owed').waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.waitForFunction(() => caches.match('/portal/seen').then(Boolean))
    await page.goto(`${world.base}/console/properties/new`)
    await page.getByLabel('Name', { exact: true }).fill('Villa secrète')
    await page.waitForFunction(() => JSON.stringify({ ...sessionStorage }).includes('secrète'))
    const { kept, stored, seen } = await left(page)
    expect([kept.includes('overview'), stored.includes('loyer.user'), seen]).toEqual([true, true, true])
    return { ...watched, number, user: await userOf(api, number) }
  }
  const userOf = async (of: Api, number: string) => String((await of.get(await of.tokenOf(number), 'me')).id)
  const outside = (page: Page) =>
    page.waitForURL((url) => !url.pathname.startsWith('/console') && !url.pathname.startsWith('/portal'))
  /** A declaration of this person and one of somebody else, which both wait for network. */
  const queue = (page: Page, user: string) =>
    page.evaluate(async (user) => {
      const done = Promise.withResolvers<void>()
      const asked = indexedDB.open('loyer-portal')
      asked.onsuccess = () => {
        const store = asked.result.transaction('kept', 'readwrite').objectStore('kept')
        store.put(
          [user, 'somebody else'].map((userId) => ({ key: userId, userId, refused: 'no' })),
          'waiting',
        ).onsuccess = () => {
          asked.result.close()
          done.resolve()
        }
      }
      await done.promise
    }, user)

  test.each([
    [
      'signs out in the console',
      async (page: Page) => {
        await page.goto(`${world.base}/console/more`)
        await page.getByRole('button', { name: 'Sign out' }).click()
      },
    ],
    [
      'signs out in the portal',
      async (page: Page) => {
        await page.goto(`${world.base}/portal/me`)
        await page.getByRole('button', { name: 'Sign out' }).click()
      },
    ],
  ])(
    'who %s leaves nothing of what was seen or typed, but what somebody else said and their own language',
    async (_, signOut) => {
      const { page, faults, user } = await both()
      await page.evaluate(() => localStorage.setItem('loyer.locale', 'en'))
      await queue(page, user)
      await signOut(page)
      await outside(page)
      expect(await left(page)).toEqual({
        kept: [],
        waiting: [{ key: 'somebody else', userId: 'somebody else', refused: 'no' }],
        stored: ['loyer.locale'],
        seen: false,
      } as never)
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  test.each([
    [429, 'asked too often'],
    [503, 'a server that starts'],
  ])(
    'sign-out that is answered %d (%s) has not happened, and says so',
    async (status) => {
      const { page } = await both()
      await page.goto(`${world.base}/console/more`)
      await page.route('**/api/v1/account/sessions/*', (route) => route.fulfill({ status, body: '{}' }))
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('No answer. Check your connection.').waitFor()
      expect(new URL(page.url()).pathname).toBe('/console/more')
      const { kept, stored } = await left(page)
      expect([kept.includes('overview'), stored.some((key) => key.startsWith('loyer.draft:'))]).toEqual([true, true])
      await page.context().close()
    },
    60_000,
  )

  test('somebody else signs in in another tab: the open form is not sent as theirs, nor shown to them', async () => {
    const { page } = await both()
    const other = await page.context().newPage()
    const next = await api.register('Alain', 'Suivant')
    await api.makeOwner(next)
    await page.context().clearCookies()
    await world.signIn(other, { phone: next, password: PASSWORD }, '/console')
    await page.getByLabel('Address or landmark').fill('Ici')
    await page.getByLabel('Town').fill('Kribi')
    // the token of before has run out
    await page.evaluate(() =>
      (globalThis as unknown as { loyer: { session: { forget(): void } } }).loyer.session.forget(),
    )
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    const loaded = page.waitForEvent('load')
    await page.locator('main button[type=submit]').click()
    await loaded
    await page.getByLabel('Name', { exact: true }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
    expect(sent.filter((path) => path.startsWith('/api/v1/properties'))).toEqual([])
    expect((await left(page)).stored.filter((key) => key.startsWith('loyer.draft:'))).toEqual([])
    await page.context().close()
  }, 60_000)

  test('a phone that learns that it was signed out erases what it showed; what waits and what was typed is there for them', async () => {
    const { page, user, faults } = await both()
    await queue(page, user)
    await page.context().clearCookies()
    await page.goto(`${world.base}/portal`).catch(() => undefined)
    await page.locator('input[name=username]').waitFor()
    const { kept, waiting, stored, seen } = await left(page)
    expect([kept, waiting.map(({ userId }) => userId), seen]).toEqual([[], [user, 'somebody else'], false])
    expect(stored).not.toContain('loyer.user')
    expect(stored.some((key) => key.startsWith('loyer.draft:'))).toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('the same person signs in again after the session ended: the draft is there', async () => {
    const { page, number } = await both()
    await page.context().clearCookies()
    await world.signIn(page, { phone: number, password: PASSWORD }, '/console/properties/new')
    await page.getByLabel('Name', { exact: true }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Villa secrète')
    await page.context().close()
  }, 60_000)

  test.each([
    [403, 'what was seen before is not theirs any more'],
    [404, 'it is gone'],
  ])(
    'a home that is refused with %d is said so, and not shown as it was: %s',
    async (status) => {
      const { page } = await both()
      await page.route('**/api/v1/overview*', (route) =>
        route.fulfill({
          status,
          contentType: 'application/problem+json',
          body: JSON.stringify({ status, detail: 'No.' }),
        }),
      )
      await page.goto(`${world.base}/portal`)
      await page.locator('#app:not([inert]) [role=alert]').filter({ hasText: 'No.' }).waitFor()
      expect(await page.locator('#owed').count()).toBe(0)
      expect((await left(page)).kept).not.toContain('overview')
      await page.context().close()
    },
    60_000,
  )

  test('an old home says of when it is until there is an answer, and a new one of when that is', async () => {
    const { page } = await both()
    const age = page.locator('main').getByText(/^As of /)
    await page.clock.install({ time: Date.now() + 3 * 86_400_000 })
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/v1/overview*', async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.goto(`${world.base}/portal`)
    await page.locator('#app:not([inert]) #owed').waitFor()
    const before = await age.textContent()
    answer.resolve()
    await age.filter({ hasNotText: String(before) }).waitFor()
    const days = [before, await age.textContent()].map((text) => Date.parse(String(text).replace(/As of|,.*/g, '')))
    expect((Number(days[1]) - Number(days[0])) / 86_400_000).toBe(3)
    await page.context().close()
  }, 60_000)
})
