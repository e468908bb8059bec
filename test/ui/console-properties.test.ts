// A building on a phone: its units are edited, it is published, archived, and put back by "Undo"; its tenant is called.
import { beforeAll, expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

type Body = Record<string, unknown>

inBrowser((world) => {
  let owner: string
  beforeAll(async () => {
    owner = await world.server.token('OWNER')
  }, 60_000)
  const get = async (path: string): Promise<Body> => (await world.server.call(owner, `GET /api/v1/${path}`)).body

  test('units are named before they are made, one is edited, the building published, archived and restored', async () => {
    const made = { name: 'Résidence Deïdo', addressLine: 'Carrefour', city: 'Douala' }
    const { id } = (await world.server.call(owner, 'POST /api/v1/properties', made)).body
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', `/console/properties/${id}`)
    await page.getByRole('button', { name: 'Add units' }).first().click()
    const dialog = page.locator('dialog')
    await dialog.getByLabel('Numbers of the units').fill('B01-B03, Magasin')
    await dialog.getByText('4 units:').waitFor()
    const names = await dialog.locator('[role=status] span').allTextContents()
    expect(names).toEqual(['B01', 'B02', 'B03', 'Magasin'])
    await dialog.locator('button[type=submit]').dblclick()
    await page.getByRole('link', { name: 'Magasin' }).click()
    await dialog.getByLabel('Monthly rent').fill('250 000')
    await dialog.getByLabel('Area in m²').fill('42,5')
    await dialog.locator('label', { hasText: 'Being repaired' }).click()
    await dialog.locator('button[type=submit]').click()
    await dialog.waitFor({ state: 'detached' })
    const headers = { authorization: `Bearer ${owner}` }
    const units = (await (await fetch(`${world.base}/api/v1/properties/${id}/units`, { headers })).json()) as Body[]
    const shop = units.find(({ label }) => label === 'Magasin')
    expect([units.length, shop?.rentAmount, shop?.areaSqm, shop?.status]).toEqual([4, 250_000, 42.5, 'MAINTENANCE'])

    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The property is published').waitFor()
    expect((await get(`properties/${id}`)).status).toBe('PUBLISHED')
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByText('Résidence Deïdo is archived.').waitFor()
    expect((await get(`properties/${id}`)).status).toBe('ARCHIVED')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('is in use again.').waitFor()
    expect((await get(`properties/${id}`)).status).toBe('DRAFT')
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('the type of a property is shown and changed', async () => {
    const made = { name: 'Villa Bali', addressLine: 'Carrefour', city: 'Douala' }
    const { id } = (await world.server.call(owner, 'POST /api/v1/properties', made)).body
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', `/console/properties/${id}`)
    await page.getByText('Apartment building', { exact: true }).waitFor()
    await page.goto(`${world.base}/console/properties/${id}/edit`)
    await page.locator('label', { hasText: 'Villa' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('dl').getByText('Villa', { exact: true }).waitFor()
    expect([(await get(`properties/${id}`)).type, faults]).toEqual(['VILLA', []])
    await page.context().close()
  }, 60_000)

  test('a tenant is one press from a call, a chat and the payment of what is owed', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', '/console/tenants?q=Nkeng')
    await page.locator('[data-row] a').first().click()
    await page.getByRole('heading', { name: 'Paul Nkeng' }).waitFor()
    const at = (name: string | RegExp) => page.getByRole('link', { name }).first().getAttribute('href')
    expect([await at('Call'), await at(/^WhatsApp/)]).toEqual(['tel:+237677000005', 'https://wa.me/237677000005'])
    await page.getByRole('link', { name: 'Record payment', exact: true }).click()
    await page.locator('dialog input').first().waitFor()
    const filled = (await page.locator('dialog input').first().inputValue()).replace(/\D/g, '')
    expect(Number(filled)).toBeGreaterThan(0)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
