// What the kit promises, tried as people try it: nothing typed is lost, nothing is done twice, nobody is overwritten.
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { jpegOf } from '../support/files.ts'
import { inBrowser } from './browser.ts'

type Body = Record<string, unknown>
inBrowser((world) => {
  let owner: string
  let tenant: string
  beforeAll(async () => {
    owner = await world.server.token('OWNER')
    tenant = await world.server.token('TENANT')
  }, 60_000)

  const phone = (locale: 'fr' | 'en' = 'en') => world.newPage({ locale, size: 360 })
  const list = async (path: string, token = owner): Promise<Body[]> => {
    const answer = await fetch(`${world.base}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })
    return (await answer.json()) as Body[]
  }
  const late = async (): Promise<Body> => (await list('invoices?status=OVERDUE&limit=1'))[0] ?? {}
  const close = (page: Page) => page.context().close()

  test.each([
    ['OWNER', '/console', '/console'],
    ['TENANT', '/console', '/portal'],
    ['OWNER', '/console/invoices?status=PAID', '/console/invoices?status=PAID'],
  ] as const)('%s who opens %s signs in and is at %s', async (role, from, to) => {
    const { page, faults } = await phone()
    await world.signIn(page, role, from)
    await page.locator('h1').waitFor()
    await page.waitForURL(world.base + to)
    // a reload shows no sign-in page
    const seen: string[] = []
    page.on('framenavigated', (frame) => seen.push(new URL(frame.url()).pathname))
    await page.reload()
    await page.locator('h1').waitFor()
    expect(seen.filter((path) => path.startsWith('/realms/'))).toEqual([])
    expect(faults).toEqual([])
    await close(page)
  })

  test('a payment takes two presses, counts once however often it is pressed, and is taken back by "Undo"', async () => {
    const { page, faults } = await phone()
    const invoice = await late()
    const known = (await list(`invoices/${invoice.id}/payments`)).map(({ id }) => id)
    const of = async () => (await list(`invoices/${invoice.id}/payments`)).filter(({ id }) => !known.includes(id))
    await world.signIn(page, 'OWNER', `/console/invoices/${invoice.id}`)
    await page.getByRole('link', { name: 'Record payment' }).click()
    const save = page.locator('dialog button[type=submit]')
    await save.dblclick()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect((await of()).map(({ amount, status }) => [amount, status])).toEqual([[invoice.balanceAmount, 'CONFIRMED']])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Reversed').waitFor()
    expect((await of()).map(({ status }) => status)).toEqual(['REVERSED'])
    expect(faults).toEqual([])
    await close(page)
  }, 60_000)

  test('an answer that is lost on its way shuts the form; sent again it counts once', async () => {
    const { page } = await phone()
    const invoice = await late()
    const before = (await list(`invoices/${invoice.id}/payments`)).length
    await world.signIn(page, 'OWNER', `/console/invoices/${invoice.id}?pay=${invoice.id}`)
    await page.locator('dialog input').first().fill('1 000')
    let lost = false
    await page.route('**/payments', async (route) => {
      if (route.request().method() !== 'POST' || lost) return route.continue()
      lost = true
      await route.fetch()
      return route.abort()
    })
    await page.locator('dialog button[type=submit]').click()
    const again = page.getByRole('button', { name: 'Send again' })
    await again.waitFor()
    expect(await page.locator('dialog input').first().isDisabled()).toBe(true)
    await again.click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    const payments = await list(`invoices/${invoice.id}/payments`)
    expect(payments.length).toBe(before + 1)
    await close(page)
  }, 60_000)

  test('a token that ends inside a form is renewed under the same key, without a page', async () => {
    const { page } = await phone()
    await world.signIn(page, 'OWNER', '/console/properties/new')
    await page.getByLabel('Name', { exact: true }).fill('Villa Makepe')
    await page.getByLabel('Address or landmark').fill('Rue des palmiers')
    await page.getByLabel('Town').fill('Douala')
    const keys: (string | undefined)[] = []
    await page.route('**/api/v1/properties', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      return keys.length === 1 ? route.fulfill({ status: 401, json: {} }) : route.continue()
    })
    await page.locator('main button[type=submit]').click()
    await page.getByRole('heading', { name: 'Villa Makepe' }).waitFor()
    expect([keys.length, keys[0] === keys[1]]).toEqual([2, true])
    await close(page)
  }, 60_000)

  test('what was typed survives a reload, and is gone when it is sent', async () => {
    const { page } = await phone()
    await world.signIn(page, 'OWNER', '/console/properties/new')
    await page.getByLabel('Name', { exact: true }).fill('Immeuble Deido')
    await page.reload()
    await page.getByText('This is what you had typed.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Immeuble Deido')
    await page.getByLabel('Address or landmark').fill('Carrefour')
    await page.getByLabel('Town').fill('Douala')
    await page.locator('main button[type=submit]').click()
    await page.getByRole('heading', { name: 'Immeuble Deido' }).waitFor()
    await page.goto(`${world.base}/console/properties/new`)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
    await close(page)
  }, 60_000)

  test('two people change one property: both versions are shown, and the person chooses', async () => {
    const { page } = await phone()
    const made = { name: 'Villa à deux', addressLine: 'Ici', city: 'Douala' }
    const { id } = (await world.server.call(owner, 'POST /api/v1/properties', made)).body
    await world.signIn(page, 'OWNER', `/console/properties/${id}/edit`)
    await page.getByLabel('Town').fill('Kribi')
    await world.server.call(owner, `PATCH /api/v1/properties/${id}`, { city: 'Limbe' }, { 'if-match': '*' })
    await page.locator('main button[type=submit]').click()
    const row = page.locator('[role=alert] tbody')
    await row.first().waitFor()
    expect((await row.allInnerTexts()).map((text) => text.trim().split(/\s*[\t\n]\s*/))).toEqual([
      ['Town', 'Kribi', 'Limbe'],
    ])
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith('/edit'))
    await page.getByRole('heading', { name: 'Villa à deux' }).waitFor()
    expect((await world.server.call(owner, `GET /api/v1/properties/${id}`)).body.city).toBe('Kribi')
    await close(page)
  }, 60_000)

  test('a tenant declares without network, with a photo; it is sent once when the network is back', async () => {
    const { page, faults } = await phone('fr')
    await world.signIn(page, 'TENANT', '/portal')
    await page.locator('section a').first().waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.reload()
    await page.locator('section a').first().waitFor()
    const pending = async () => (await list('payments?status=PENDING', tenant)).length
    const before = await pending()
    await page.context().setOffline(true)
    await page.reload()
    await page.getByText('Hors connexion').waitFor()
    await page.locator('section a').first().click()
    await page.locator('input[inputmode=numeric]').fill('12000')
    const picture = { name: 'preuve.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await jpegOf(2400, 1800)) }
    await page.locator('input[type=file]').setInputFiles(picture)
    await page.locator('main img').waitFor()
    await page.locator('main button[type=submit]').click()
    await page.getByText('sera envoyé dès le retour du réseau').waitFor()
    expect(await pending()).toBe(before)
    await page.context().setOffline(false)
    await page.getByText('sera envoyé dès le retour du réseau').waitFor({ state: 'detached' })
    const sent = (await list('payments?status=PENDING', tenant)).filter(({ amount }) => amount === 12_000)
    expect([sent.length, await pending(), typeof sent[0]?.proofMediaId]).toEqual([1, before + 1, 'string'])
    expect(faults).toEqual([])
    await close(page)
  }, 90_000)
})
