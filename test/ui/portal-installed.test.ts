// The portal on a phone that has it: what is shown before the network answers, and how a newer release comes.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  /** A portal with its worker, which has kept the page and all of its files. */
  async function installed() {
    const watched = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(watched.page, 'TENANT', '/portal')
    await watched.page.locator('section a').first().waitFor()
    await watched.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await watched.page.reload()
    await watched.page.locator('section a').first().waitFor()
    // what is shown at once comes before the answer that says who is here
    await watched.page.waitForLoadState('networkidle')
    return watched
  }
  const marked = (page: Page) => page.locator('meta[name=release]').count()

  const kept = (page: Page) => page.waitForFunction(() => caches.match('/portal/seen').then(Boolean))
  /** What stood in the page before its script ran, and how often the amount was gone after it had been there. */
  async function opened(page: Page, path = '/portal') {
    await page.addInitScript(() => {
      const seen = { first: '', gaps: 0, was: false }
      Object.assign(window, { seen })
      document.addEventListener('readystatechange', () => {
        if (document.readyState === 'interactive') seen.first = document.querySelector('#app[inert]')?.textContent ?? ''
      })
      new MutationObserver(() => {
        const is = document.getElementById('owed') !== null
        if (seen.was && !is) seen.gaps += 1
        seen.was ||= is
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(world.base + path)
    await page.locator('#app:not([inert]) main h1').first().waitFor()
    return page.evaluate(() => (window as unknown as { seen: { first: string; gaps: number } }).seen)
  }

  test('the home of last time stands there before a script runs, and gives way without a gap', async () => {
    const { page, faults } = await installed()
    await kept(page)
    const seen = await opened(page)
    expect(seen.first).toMatch(/\d{3}.FCFA/)
    expect(seen.gaps).toBe(0)
    // what can be pressed now is the app's own
    await page.locator('section a').first().click()
    await page.waitForURL('**/declare/**')
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test.each([
    ['at another page', async () => '/portal/papers'],
    ['at an address that says more', async () => '/portal?from=link'],
    [
      'in another language than it was kept in',
      async (page: Page) => {
        await page.goto(`${world.base}/portal/me`)
        await page.locator('header button').click()
        return '/portal'
      },
    ],
    [
      'from a release that draws it otherwise',
      async (page: Page) => {
        await page.evaluate(async () => {
          const cache = await caches.open('seen')
          const body = await (await cache.match('/portal/seen'))?.text()
          await cache.put('/portal/seen', new Response(body, { headers: { 'x-style': '/ui/assets/older.css' } }))
        })
        return '/portal'
      },
    ],
    [
      'to the next one who signs in on this phone',
      async (page: Page) => {
        await page.context().clearCookies()
        await page.goto(`${world.base}/portal/papers`)
        await page.locator('#username').waitFor()
        await world.signIn(page, 'OWNER', '/portal/me')
        return '/portal'
      },
    ],
  ])(
    'the home of last time is not shown %s',
    async (_, prepare) => {
      const { page } = await installed()
      await kept(page)
      expect((await opened(page, await prepare(page))).first).toBe('')
      await page.context().close()
    },
    60_000,
  )

  test('an older release opens at once, the newer one comes beside it and is shown the next time', async () => {
    const { page, faults } = await installed()
    // the release of this server, put back to an older one: its page has a mark, and nothing of the new one is kept
    await page.evaluate(async () => {
      const name = (await caches.keys()).find((one) => one.startsWith('portal ')) ?? ''
      const cache = await caches.open(name)
      const shell = await cache.match('/portal')
      const text = ((await shell?.text()) ?? '').replace('<title>', '<meta name="release" content="old"><title>')
      const older = await caches.open('portal "older"')
      for (const request of await cache.keys()) {
        const file = await cache.match(request)
        if (file) await older.put(request, file)
      }
      const headers = new Headers(shell?.headers)
      headers.set('etag', '"older"')
      await older.put('/portal', new Response(text, { headers }))
      await caches.delete(name)
    })
    await page.reload()
    await page.locator('section a').first().waitFor()
    expect(await marked(page)).toBe(1)
    await page.waitForFunction(
      async () => (await caches.keys()).filter((name) => name.startsWith('portal ')).length === 2,
    )
    // both are there: the page that is open may still ask for its own files
    await page.waitForFunction(async () => {
      const name = (await caches.keys()).find((one) => /^portal (?!"older")/.test(one)) ?? ''
      return (await (await caches.open(name)).match('/portal')) !== undefined
    })
    await page.reload()
    await page.locator('section a').first().waitFor()
    expect(await marked(page)).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('nothing is kept of a sign-in that comes back, and a signed-out phone asks for the number', async () => {
    const { page } = await installed()
    await page.context().clearCookies()
    await page.goto(`${world.base}/portal/papers`)
    await page.locator('#username').waitFor()
    const addresses = await page.evaluate(async () => {
      const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      return all.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(addresses).toContain('/portal')
    expect(addresses.filter((path) => /callback|realms|api/.test(path))).toEqual([])
    await page.context().close()
  }, 60_000)

  test.each(['throws', 'is null'])(
    'storage that %s keeps nobody out: sign-in, the rent, and a form that is sent',
    async (how) => {
      const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
      await page.addInitScript((how) => {
        for (const area of ['localStorage', 'sessionStorage'])
          Object.defineProperty(window, area, {
            configurable: true,
            get() {
              if (how === 'is null') return null
              throw new DOMException('refused', 'SecurityError')
            },
          })
        indexedDB.open = () => {
          throw new DOMException('refused', 'SecurityError')
        }
      }, how)
      await world.signIn(page, 'TENANT', '/portal')
      await page.locator('section a').first().click()
      await page.locator('input[inputmode=numeric]').fill('1000')
      await page.locator('main button[type=submit]').click()
      await page.getByText('has not confirmed it yet').first().waitFor()
      await page.context().clearCookies()
      await world.signIn(page, 'OWNER', '/console/properties/new')
      await page.goto(`${world.base}/console/properties/new`)
      await page.getByLabel('Name', { exact: true }).fill(`Villa ${how}`)
      await page.getByLabel('Address or landmark').fill('Ici')
      await page.getByLabel('Town').fill('Kribi')
      await page.locator('main button[type=submit]').click()
      await page.getByRole('heading', { name: `Villa ${how}` }).waitFor()
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )
})
