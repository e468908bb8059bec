// What the console names in the reader's language, and what it leads to for who may open it.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  test.each([
    ['fr', 'Loyer', 'Période'],
    ['en', 'Rent', 'Period'],
  ] as const)(
    'in %s, the rent of an English lease is named in the language of who reads it, with its period',
    async (locale, rent, period) => {
      const { page, faults } = await world.newPage({ locale, size: 360 })
      await world.signIn(page, 'OWNER', '/console/invoices?status=OVERDUE&q=Nkeng')
      await page.locator('[data-row] a').first().click()
      const terms = page.locator('dl dt')
      await terms.first().waitFor()
      const named = await terms.allTextContents()
      expect(named).toEqual(expect.arrayContaining([rent, period]))
      expect(named.join()).not.toContain('Rent from')
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  test.each([
    ['fr', 'Facture de charges', 'envoyé par Loyer', 'Appel de loyer'],
    ['en', 'Invoice of charges', 'sent by Loyer', 'Rent call'],
  ] as const)(
    'in %s, an invoice of charges is called so, and so is its paper',
    async (locale, name, sent, never) => {
      const { page, faults } = await world.newPage({ locale, size: 360 })
      const headers = { authorization: `Bearer ${await world.server.token('OWNER')}` }
      const all = (await (await fetch(`${world.base}/api/v1/invoices?limit=100&q=Fouda`, { headers })).json()) as {
        id: string
        kind: string
      }[]
      const charges = all.find(({ kind }) => kind === 'CHARGES')
      await world.signIn(page, 'OWNER', `/console/invoices/${charges?.id}`)
      await page.locator('#papers').waitFor()
      const shown = (await page.locator('main').textContent()) ?? ''
      expect(shown.split(name).length).toBeGreaterThan(2)
      expect(shown).toContain(sent)
      expect(shown).not.toContain(never)
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  test('the bar tells where one is, also on what stands on "More"', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', '/console/invoices')
    const here = page.locator('nav:visible [aria-current=page]')
    for (const [path, tab] of [
      ['/console/invoices', 'Rents'],
      ['/console/properties', 'More'],
      ['/console/expenses/new', 'More'],
      ['/console', 'Home'],
    ] as const) {
      await page.goto(world.base + path)
      await page.locator('h1').waitFor()
      expect([path, await here.allInnerTexts()]).toEqual([path, [tab]])
    }
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('the side bar of a wide screen also leads to payments and leases', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    await world.signIn(page, 'OWNER', '/console/bookings/new')
    await page.locator('h1').waitFor()
    const names = ['Home', 'Rents', 'Payments', 'Tenants', 'Properties', 'Leases', 'Documents', 'More']
    const bar = page.getByRole('navigation', { name: 'Sections' })
    expect((await bar.getByRole('link').allTextContents()).map((name) => name.trim())).toEqual(names)
    for (const [path, entry] of [
      ['/console/bookings/new', 'Leases'],
      ['/console/payments/message', 'Payments'],
      ['/console/reminders', 'More'],
    ] as const) {
      await page.goto(world.base + path)
      await page.locator('h1').waitFor()
      expect([path, await bar.locator('[aria-current=page]').allInnerTexts()]).toEqual([path, [entry]])
    }
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('the state of the server is offered to who operates it, and to no other administrator', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'ADMIN', '/console/more')
    const link = page.locator('main').getByRole('link', { name: 'State of the server' })
    await link.waitFor()
    // as an administrator of another organization of the same server is answered
    await page.route('**/api/v1/organization', async (route) => {
      const answer = await route.fetch()
      const { operator: _o, ...profile } = (await answer.json()) as Record<string, unknown>
      await route.fulfill({ response: answer, json: profile })
    })
    await page.reload()
    await page.locator('main').getByRole('link', { name: 'Users' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect([await link.count(), faults]).toEqual([0, []])
    await page.context().close()
  }, 60_000)
})
