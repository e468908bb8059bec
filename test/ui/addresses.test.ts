// Addresses that were cut or mistyped, and pages whose files do not come: the person is told so, and can go on.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  test.each([
    ['OWNER', '/console', '/console/invoices/%zz'],
    ['OWNER', '/console', '/console/bookings/%E0%A4%A'],
    ['TENANT', '/portal', '/portal/lease/%zz'],
  ] as const)(
    '%s at %s: %s is a page that does not exist',
    async (who, home, path) => {
      const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
      await world.signIn(page, who, home)
      await page.goto(world.base + path)
      await page.getByText('There is no such page').waitFor()
      await page.getByRole('link', { name: 'Go to the home page' }).click()
      await page.waitForURL(world.base + home)
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  test.each([
    ['OWNER', '/console', '/console/tenants', 'Tenants'],
    ['TENANT', '/portal', '/portal/papers', 'Documents'],
  ] as const)(
    '%s at %s without network: %s says that nothing answers, and comes with the network',
    async (who, home, path, title) => {
      const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
      // as on a phone that has not installed the portal yet
      await page.addInitScript(() =>
        Object.defineProperty(Navigator.prototype, 'serviceWorker', {
          value: { register: () => new Promise(() => {}) },
        }),
      )
      await world.signIn(page, who, home)
      await page.locator('h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      const before = await page.locator('h1').first().textContent()
      await page.context().setOffline(true)
      await page.locator(`nav a[href="${path}"]:visible`).click()
      const alert = page.getByRole('alert').filter({ hasText: 'No answer. Check your connection.' })
      await alert.waitFor()
      expect([new URL(page.url()).pathname, await page.getByText(before ?? '', { exact: true }).count()]).toEqual([
        path,
        0,
      ])
      // pressing changes nothing yet, and takes nothing away
      await alert.getByRole('button', { name: 'Try again' }).click()
      await alert.waitFor()
      await page.context().setOffline(false)
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      await alert.waitFor({ state: 'detached' })
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )
})
