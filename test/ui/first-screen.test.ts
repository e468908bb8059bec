// What a phone on a slow network waits for: the page, a token, the first data, one after the other; scripts come beside.
import { expect, test } from 'bun:test'
import { inBrowser, type PHONES } from './browser.ts'

const RENEWAL = '/realms/svc/protocol/openid-connect/renewal'

inBrowser((world) => {
  /** A browser that is signed in and has kept nothing else; with the addresses that it asks for. */
  async function arriving(who: keyof typeof PHONES, path: string) {
    const before = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(before.page, who, path)
    const cookies = await before.page.context().cookies()
    await before.page.context().close()
    const watched = await world.newPage({ locale: 'fr', size: 360 })
    await watched.page.context().addCookies(cookies)
    const asked: string[] = []
    watched.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (!/^\/(?:ui|portal\/manifest)|^\/api\/v1\/events/.test(pathname)) asked.push(pathname + search)
    })
    return { ...watched, asked }
  }

  test.each([
    ['TENANT', '/portal', '/api/v1/overview?as=TENANT', '#owed, #owed ~ p'],
    ['OWNER', '/console', '/api/v1/overview', 'main section'],
    ['OWNER', '/console/invoices', '/api/v1/invoices?limit=25&count=true', 'main li'],
  ] as const)(
    '%s at %s: the first data are there before any file of the page',
    async (who, path, data, shown) => {
      const { page, asked, faults } = await arriving(who, path)
      const scripts = Promise.withResolvers<void>()
      await page.route('**/ui/assets/*.js', async (route) => {
        await scripts.promise
        await route.continue()
      })
      const answered = page.waitForResponse(world.base + data)
      await page.goto(world.base + path, { waitUntil: 'commit' })
      expect((await answered).status()).toBe(200)
      await (await answered).finished()
      // each of them waits for the one before, and there is no fourth
      expect(asked).toEqual([path, RENEWAL, data])
      scripts.resolve()
      await page
        .locator(shown)
        .filter({ hasText: /\d{3}.FCFA/ })
        .first()
        .waitFor()
      // the page took that answer, and did not ask for it again
      expect(asked.filter((one) => one === data || one === RENEWAL)).toEqual([RENEWAL, data])
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  test('who could not see a list and comes back to it is not shown the answer of before', async () => {
    const { page, asked } = await arriving('OWNER', '/console/invoices')
    const data = '/api/v1/invoices?limit=25&count=true'
    await page.route('**/ui/assets/lists-*.js', (route) => route.abort())
    await page.goto(`${world.base}/console/invoices`)
    // its file did not come, also when the page was loaded once more
    await page.locator('main [role=alert]').waitFor()
    const before = asked.filter((one) => one === data).length
    await page.locator('nav a[href="/console/more"]').click()
    await page.locator('h1').first().waitFor()
    await page.unroute('**/ui/assets/lists-*.js')
    await page.goBack()
    await page.locator('main [role=alert] button').or(page.locator('main li')).first().waitFor()
    if (await page.locator('main [role=alert]').isVisible()) await page.locator('main [role=alert] button').click()
    await page.locator('main li').filter({ hasText: /FCFA/ }).first().waitFor()
    expect(asked.filter((one) => one === data)).toHaveLength(before + 1)
    await page.context().close()
  }, 60_000)
})
