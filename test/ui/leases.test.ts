// From a phone number to a running lease, as a landlord does it on a phone.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  test('a tenant is entered, gets a lease in four steps, which is sent for signing and begins', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const owner = await world.server.token('OWNER')
    const made = { name: 'Villa Bastos', addressLine: 'Rue 1', city: 'Yaoundé' }
    const { id } = (await world.server.call(owner, 'POST /api/v1/properties', made)).body
    await world.server.call(owner, `POST /api/v1/properties/${id}/units`, { labels: ['V1'], rentAmount: 120_000 })
    const next = () => page.getByRole('button', { name: 'Continue' }).click()

    await world.signIn(page, 'OWNER', '/console/tenants/new')
    await page.getByLabel('Full name').fill('Essomba Chantal')
    await page.getByLabel('Phone').fill('677 55 66 77')
    await page.locator('main button[type=submit]').click()
    await page.getByRole('heading', { name: 'Essomba Chantal' }).waitFor()
    await page.getByRole('link', { name: 'Draw up a lease' }).click()

    await next()
    await page.getByText('Choose a unit.').waitFor()
    await page.getByRole('searchbox', { name: 'Unit' }).fill('bastos')
    await page.getByRole('radio', { name: 'V1 Villa Bastos' }).check()
    await next()
    await page.getByText('Essomba Chantal is one of your tenants already.').waitFor()
    await next()
    await page.getByLabel('Start').waitFor()
    expect(await page.getByLabel('Monthly rent').inputValue()).toBe('120,000')
    await page.getByLabel('Start').fill('')
    await next()
    await page.getByRole('button', { name: 'Send for signing' }).click()
    // what the server refuses leads back to the step that has the field
    await page.locator('[aria-invalid=true]').first().waitFor()
    await page.getByLabel('Start').fill('2026-12-01')
    await next()
    await page.getByRole('button', { name: 'Send for signing' }).click()
    await page.getByText('The lease is sent for signing.').waitFor()
    await page.getByRole('button', { name: 'Begin without signatures' }).click()
    await page.getByText('The lease is running.').first().waitFor()

    const answer = await fetch(`${world.base}/api/v1/bookings?propertyId=${id}`, {
      headers: { authorization: `Bearer ${owner}` },
    })
    const all = (await answer.json()) as { status: string; tenantName: string }[]
    expect(all.map(({ status, tenantName }) => [status, tenantName])).toEqual([['ACTIVE', 'Essomba Chantal']])
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
