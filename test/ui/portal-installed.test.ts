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
    return watched
  }
  const marked = (page: Page) => page.locator('meta[name=release]').count()

  test('an older release opens at once, the newer one comes beside it and is shown the next time', async () => {
    const { page, faults } = await installed()
    // the release of this server, put back to an older one: its page has a mark, and nothing of the new one is kept
    await page.evaluate(async () => {
      const [name = ''] = await caches.keys()
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
    await page.waitForFunction(async () => (await caches.keys()).length === 2)
    // both are there: the page that is open may still ask for its own files
    await page.waitForFunction(async () => {
      const name = (await caches.keys()).find((one) => one !== 'portal "older"') ?? ''
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
