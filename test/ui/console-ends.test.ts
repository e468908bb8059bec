// Both ends: a landlord without anything is told what to do first; one with ten thousand units works as others do.
import { expect, test } from 'bun:test'
import { foundedBy, inBrowser, settled } from './browser.ts'

const OWNER = { phone: '+237677300009', password: 'correct horse battery' }
/** Where a landlord looks first, and what the page offers to begin with. */
const EMPTY = [
  ['/', 'Add a property'],
  ['/', 'Import a table'],
  ['/', 'New lease'],
  ['/properties', 'Add a property'],
  ['/tenants', 'Add a tenant'],
  ['/bookings', 'New lease'],
  ['/bookings/new', 'Add a property'],
  ['/charges', 'Add a property'],
  ['/invoices', undefined],
  ['/payments', undefined],
  ['/documents', undefined],
  ['/reminders', undefined],
] as const
const UNITS = 10_000

const founded = () => foundedBy(OWNER, 'OWNER', 'Vide')

inBrowser((world) => {
  test('a landlord without anything: each page says so in words, and what to do first', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, OWNER, '/console')
    for (const [path, first] of EMPTY) {
      await page.goto(`${world.base}/console${path === '/' ? '' : path}`)
      await settled(page)
      const main = page.locator('main')
      const begins = first === undefined ? 0 : await main.getByRole('link', { name: first }).count()
      const words = ((await main.textContent()) ?? '').replace(/\s+/g, ' ').trim()
      expect([path, words.length > 20 ? true : words, begins > 0, await main.locator('[role=alert]').count()]).toEqual([
        path,
        true,
        first !== undefined,
        0,
      ])
    }
    await page.goto(`${world.base}/console`)
    await page.getByRole('heading', { name: 'Three steps to begin' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.emulateMedia({ colorScheme: 'dark' })
    const wrong = await world.look(page, 'console-first-1280-en-dark')
    expect([...wrong, ...faults]).toEqual([])
    await page.context().close()
  }, 90_000)

  test('ten thousand units: the list comes by pages, and the last of them is let', async () => {
    const token = String(
      (await world.server.call('', 'POST /api/v1/sandbox/token', { username: OWNER.phone, password: OWNER.password }))
        .body.access_token,
    )
    const home = { name: 'Cité des Palmiers', addressLine: 'Ici', city: 'Douala' }
    const { id } = (await world.server.call(token, 'POST /api/v1/properties', home)).body
    for (let from = 1; from <= UNITS; from += 200) {
      const labels = Array.from({ length: 200 }, (_, i) => `U${String(from + i).padStart(5, '0')}`)
      const made = await world.server.call(token, `POST /api/v1/properties/${id}/units`, { labels, rentAmount: 50_000 })
      expect(made.status).toBe(201)
    }
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, OWNER, `/console/properties/${id}`)
    const rows = page.locator('[data-row]')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(99).waitFor()
    expect(await rows.count()).toBe(100)
    await page.goto(`${world.base}/console/bookings/new`)
    const units = page.getByRole('radio')
    await units.nth(1).waitFor()
    await page.getByRole('searchbox', { name: 'Unit' }).fill('U10000')
    await units.nth(1).waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: 'U10000' }).check()
    expect(await units.count()).toBe(1)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Who moves in?' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)
}, founded)
