// Charges from the meters to the tenant: a building is read row by row, shared, seen by its tenant, and taken back.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

const DAY = { first: '2026-10-01', last: '2026-10-31' }

inBrowser((world) => {
  test('meters are read row by row, shared by a price, seen with their photo by the tenant, and taken back', async () => {
    const { server, base } = world
    const token = await server.token('OWNER')
    const list = async (path: string): Promise<Record<string, unknown>[]> => {
      const answer = await fetch(`${base}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })
      expect(answer.status).toBe(200)
      return answer.json()
    }
    const [property] = await list('properties?q=Bonamoussadi')
    const path = `/console/properties/${property?.id}/charges`
    for (const { id: unitId, label } of await list(`properties/${property?.id}/units`)) {
      const meter = await server.call(token, 'POST /api/v1/meters', { unitId, kind: 'WATER', number: `E-${label}` })
      const reading = { meterId: meter.body.id, readOn: DAY.first, value: 1200.5 }
      expect((await server.call(token, 'POST /api/v1/meter-readings', reading)).status).toBe(201)
    }
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'OWNER', `${path}/readings`)
    await page.locator('input[type=date]').fill(DAY.last)
    await page.getByText('0 sur 4').waitFor()
    const rows = page.locator('main li')
    const field = (n: number) => rows.nth(n).locator('input[data-next]').first()
    await field(0).fill('12e1')
    await field(0).press('Enter')
    await rows.nth(0).getByText('Doit être un nombre.').waitFor()
    await field(0).fill('1 221,75')
    await field(0).press('Enter')
    // a meter that went back is refused beside its field, until one says that it was replaced
    await page.keyboard.type('1000')
    await page.keyboard.press('Enter')
    await rows.nth(1).getByText('Il indiquait').waitFor()
    await rows.nth(1).locator('input[type=checkbox]').check()
    // what is no number is never taken for nothing given
    await rows.nth(1).locator('input[data-next]').nth(1).fill('mille')
    await page.keyboard.press('Tab')
    await rows.nth(1).getByText('Doit être un nombre.').waitFor()
    await rows.nth(1).locator('input[data-next]').nth(1).fill('1 230')
    await page.keyboard.press('Enter')
    await page.keyboard.type('1244')
    await page.keyboard.press('Enter')
    await page.keyboard.type('1200,5')
    await page.keyboard.press('Enter')
    await page.getByText('4 sur 4').waitFor()
    const photo = { name: 'm.png', mimeType: 'image/png', buffer: await page.screenshot() }
    await rows.nth(0).locator('input[type=file]').setInputFiles(photo)
    await rows.nth(0).getByText('Photo jointe').waitFor({ state: 'attached' })
    await rows.nth(0).locator('.text-good').waitFor()
    const readings = await list(`meter-readings?propertyId=${property?.id}&from=${DAY.last}`)
    expect(readings.map(({ value, finalValue }) => [value, finalValue]).sort()).toEqual([
      [1000, 1230],
      [1200.5, undefined],
      [1221.75, undefined],
      [1244, undefined],
    ])

    await page.goto(`${base + path}/new`)
    await page.getByLabel('Prix d’une unité').fill('364,5')
    await page.getByLabel('Ce que cela a coûté').fill('50000')
    await page.getByLabel('Dont TVA du fournisseur').fill('8072')
    expect(await world.look(page, 'console-charges-tva-360-fr')).toEqual([])
    await page.locator('main button[type=submit]').click()
    await page.getByText(/^2.factures, 18.499.FCFA/).waitFor()
    await page.getByText('dont TVA').waitFor()
    expect(await world.look(page, 'console-charges-figures-360-fr')).toEqual([])
    expect(await list(`regularisations?propertyId=${property?.id}`)).toEqual([])
    await page.getByRole('button', { name: 'Émettre les 2 factures' }).click()
    await page.waitForURL(/\/charges\/[\da-f-]{36}$/)

    const tenant = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(tenant.page, 'TENANT', '/portal')
    await tenant.page.getByText('Voir le calcul').click()
    await tenant.page.getByText(/21,25.m³ × 364,5 FCFA/).waitFor()
    await tenant.page.locator('article img').waitFor()
    expect(await world.look(tenant.page, 'portal-charges-photo-360-fr')).toEqual([])

    await page.getByRole('button', { name: 'Annuler la régularisation' }).click()
    await page.locator('dialog input').fill(String(property?.name))
    await page.locator('dialog button[type=submit]').click()
    await page.getByText('Régularisation annulée').waitFor()
    const kept = await list(`regularisations?propertyId=${property?.id}`)
    expect(kept.map(({ status }) => status)).toEqual(['CANCELLED'])
    expect([...faults, ...tenant.faults]).toEqual([])
  }, 90_000)
})
