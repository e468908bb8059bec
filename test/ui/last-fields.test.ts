// What was long the API's alone: each is set through a page, and stands in the API's answer.
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { PHONES } from './browser.ts'
import { inPortal, PASSWORD } from './portal.ts'

type Body = Record<string, unknown>
const DAY = 86_400_000
const day = (from: number): string => new Date(Date.now() + from * DAY).toISOString().slice(0, 10)

inPortal((world, api) => {
  let owner = ''
  beforeAll(async () => {
    owner = await world.server.token('OWNER')
  }, 60_000)
  async function call(line: string, body?: unknown, token = owner): Promise<Body> {
    const answer = await world.server.call(token, line, body)
    if (answer.status >= 300) throw new Error(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  async function open(path: string, who: 'OWNER' | { phone: string; password: string } = 'OWNER') {
    const watched = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(watched.page, who, path)
    await watched.page.locator('h1').first().waitFor()
    return watched
  }
  /** Looks at a page as a phone shows it, and as a desk does. */
  async function looked(page: Page, name: string): Promise<void> {
    expect(await world.look(page, `${name}-360-en`)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 860 })
    expect(await world.look(page, `${name}-1280-en`)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
  }
  const save = (page: Page) => page.locator('main button[type=submit]').click()
  async function house(name: string): Promise<{ propertyId: string; unitId: string }> {
    const { id } = await call('POST /api/v1/properties', { name, addressLine: 'Carrefour', city: 'Douala' })
    const unit = await call(`POST /api/v1/properties/${id}/units`, { label: 'A1', rentAmount: 100_000 })
    return { propertyId: String(id), unitId: String(unit.id) }
  }
  async function draft(name: string, terms: Body = {}): Promise<string> {
    const { unitId } = await house(`Villa ${name}`)
    const { id: tenantId } = await call('POST /api/v1/tenants', { fullName: name })
    return String((await call('POST /api/v1/bookings', { unitId, tenantId, startDate: day(0), ...terms })).id)
  }
  async function running(name: string, terms: Body = {}): Promise<{ id: string; invoice: Body }> {
    const id = await draft(name, terms)
    await call(`POST /api/v1/bookings/${id}/submit`)
    await call(`POST /api/v1/bookings/${id}/activate`)
    await api.until(async () => (await api.list(owner, `invoices?bookingId=${id}`)).length > 0)
    const [invoice = {}] = await api.list(owner, `invoices?bookingId=${id}`)
    return { id, invoice }
  }

  test('the bathrooms of a unit', async () => {
    const { propertyId, unitId } = await house('Résidence Bains')
    const { page, faults } = await open(`/console/properties/${propertyId}?unit=${unitId}`)
    const dialog = page.locator('dialog')
    await dialog.getByLabel('Bedrooms').fill('3')
    await dialog.getByLabel('Bathrooms').fill('2')
    await looked(page, 'console-unit-bathrooms')
    await dialog.locator('button[type=submit]').click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('3 bedrooms · 2 bathrooms').first().waitFor()
    expect(await call(`GET /api/v1/units/${unitId}`)).toMatchObject({ bedrooms: 3, bathrooms: 2 })
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('where a property stands: typed, taken from the phone, refused by it; what is no number is refused', async () => {
    const { propertyId } = await house('Résidence Carte')
    const place = async () => {
      const { latitude, longitude } = await call(`GET /api/v1/properties/${propertyId}`)
      return [latitude, longitude]
    }
    const { page, faults } = await open(`/console/properties/${propertyId}/edit`)
    await page.getByLabel('Latitude').fill('quatre')
    await page.getByLabel('Longitude').fill('9,76791')
    await save(page)
    await page.getByText('Must be a number').first().waitFor()
    await page.getByLabel('Latitude').fill('-4,05112')
    await save(page)
    await page.waitForURL((url) => !url.pathname.endsWith('/edit'))
    expect(await place()).toEqual([-4.05112, 9.76791])

    await page.goto(`${world.base}/console/properties/${propertyId}/edit`)
    const here = page.getByRole('button', { name: 'Use this phone’s position' })
    await here.click()
    await page.getByText('This phone does not give its position.').waitFor()
    await page.context().grantPermissions(['geolocation'], { origin: world.base })
    await page.context().setGeolocation({ latitude: 4.0511234, longitude: 9.7678765 })
    await here.click()
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === '9.76788'))
    await looked(page, 'console-property-place')
    await save(page)
    await page.locator('a[href^="geo:4.05112,9.76788"]').waitFor()
    expect(await place()).toEqual([4.05112, 9.76788])
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test('the terms of a lease that runs already: rate, first day of billing, debt; what stays is not sent', async () => {
    const id = await draft('Bail Ancien', { startDate: day(-300) })
    const before = await call(`GET /api/v1/bookings/${id}`)
    const { page, faults } = await open(`/console/bookings/${id}/edit`)
    await page.getByLabel('Debt when taken over').fill('45 000')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await save(page)
    expect((await sent).postDataJSON()).not.toContainAnyKeys(['billFrom', 'tvaBasisPoints'])
    await page.waitForURL((url) => !url.pathname.endsWith('/edit'))
    expect(await call(`GET /api/v1/bookings/${id}`)).toMatchObject({
      openingBalance: 45_000,
      billFrom: before.billFrom,
      tvaBasisPoints: before.tvaBasisPoints,
    })
    await page.goto(`${world.base}/console/bookings/${id}/edit`)
    await page.getByLabel('VAT in %').fill('19,25')
    await page.getByLabel('Invoice from').fill(day(-60))
    await looked(page, 'console-lease-terms')
    await save(page)
    await page.waitForURL((url) => !url.pathname.endsWith('/edit'))
    await page.locator('#facts').waitFor()
    expect(await page.locator('[aria-labelledby=facts]').textContent()).toMatch(/VAT in %\s*19\.25[\s\S]+45,000/)
    expect(await call(`GET /api/v1/bookings/${id}`)).toMatchObject({
      openingBalance: 45_000,
      billFrom: day(-60),
      tvaBasisPoints: 1925,
    })
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test('a new lease takes them too', async () => {
    await house('Villa Reprise')
    const { page, faults } = await open('/console/bookings/new')
    await page.locator('input[type=search]').fill('Reprise')
    await page.locator('label', { hasText: 'Villa Reprise' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Tenant’s number').fill('+237 677 55 44 33')
    await page.getByLabel('Full name').fill('Nadège Reprise')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Start').fill(day(-200))
    await page.getByLabel('VAT in %').fill('10')
    await page.getByLabel('Invoice from').fill(day(-20))
    await page.getByLabel('Debt when taken over').fill('30000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Debt when taken over').waitFor()
    await save(page)
    await page.waitForURL(/\/console\/bookings\/[0-9a-f-]{36}$/)
    const id = new URL(page.url()).pathname.split('/').at(-1)
    expect(await call(`GET /api/v1/bookings/${id}`)).toMatchObject({
      tvaBasisPoints: 1000,
      billFrom: day(-20),
      openingBalance: 30_000,
    })
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test('one more line on an invoice that is not paid yet; its credit note once it is cancelled', async () => {
    const { invoice } = await running('Facture Complétée')
    const { page, faults } = await open(`/console/invoices/${invoice.id}`)
    await page.getByRole('button', { name: 'Add a line' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByLabel('Description').fill('Eau de mars')
    await dialog.getByLabel('Amount').fill('7 500')
    await dialog.locator('button[type=submit]').click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Eau de mars').waitFor()
    expect((await call(`GET /api/v1/invoices/${invoice.id}`)).grossAmount).toBe(Number(invoice.grossAmount) + 7_500)
    await looked(page, 'console-invoice-line')
    await call(`POST /api/v1/invoices/${invoice.id}/cancel`)
    await page.reload()
    const [note] = await api.list(owner, `invoices/${invoice.id}/credit-notes`)
    await page.locator('dt', { hasText: `Credit note ${note?.number}` }).waitFor()
    // what is cancelled takes no more lines
    expect(await page.getByRole('button', { name: 'Add a line' }).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test('the letter of a formal notice is read, and the link in its message cut', async () => {
    const formal = async (): Promise<Body> => {
      for (const { bookingId } of await api.list(owner, 'invoices?status=OVERDUE&limit=100')) {
        const sent = await api.list(owner, `bookings/${bookingId}/messages`)
        const found = sent.find(({ step }) => step === 'FORMAL_NOTICE')
        if (found) return found
      }
      throw new Error('the demo has no formal notice')
    }
    const notice = await formal()
    const { page, faults } = await open(`/console/invoices/${notice.invoiceId}`)
    const entry = page.locator('section[aria-labelledby=story] li', { hasText: 'Formal notice sent' }).first()
    await looked(page, 'console-invoice-notice')
    const [letter] = await Promise.all([
      page.context().waitForEvent('page'),
      entry.getByRole('button', { name: 'Read the letter' }).click(),
    ])
    await letter.waitForURL(/\/media-files\//)
    await letter.close()
    await entry.getByRole('button', { name: /^Cut the link/ }).click()
    await entry.getByText('link cut').waitFor()
    expect((await formal()).linkRevokedAt).toBeDefined()
    expect(await entry.getByRole('button', { name: /^Cut the link/ }).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test('the file of a lease for a bailiff comes as a ZIP', async () => {
    const { id } = await running('Dossier Complet')
    const { page, faults } = await open(`/console/bookings/${id}`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Complete file (ZIP)' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`lease-file-${day(0)}.zip`)
    const path = await download.path()
    expect(new Uint8Array(await Bun.file(path).slice(0, 2).arrayBuffer())).toEqual(new Uint8Array([0x50, 0x4b]))
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('a reading entered by mistake is cancelled in its row', async () => {
    const { propertyId, unitId } = await house('Résidence Compteur')
    const { id: meterId } = await call('POST /api/v1/meters', { unitId, kind: 'WATER' })
    const { page, faults } = await open(`/console/properties/${propertyId}/charges/readings`)
    const row = page.locator('main li').first()
    await row.locator('input[data-next]').fill('125,5')
    await row.locator('input[data-next]').press('Enter')
    await row.getByText('Saved').waitFor()
    await looked(page, 'console-reading-saved')
    await row.getByRole('button', { name: /^Cancel this reading/ }).click()
    await page.getByText('The reading is cancelled: it no longer counts.').waitFor()
    await page.getByText('0 of 1').waitFor()
    expect(await row.locator('input[data-next]').inputValue()).toBe('')
    const readings = await api.list(owner, `meter-readings?propertyId=${propertyId}&status=CANCELLED`)
    expect(readings.map((one) => [one.meterId, one.value, one.status])).toEqual([[meterId, 125.5, 'CANCELLED']])
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('a photo of an inspection that shows the wrong thing is removed', async () => {
    const { id } = await running('Photo Ratée')
    const inspection = await call('POST /api/v1/inspections', { bookingId: id, kind: 'ENTRY' })
    const { page, faults } = await open(`/console/inspections/${inspection.id}`)
    const first = page.locator('main section[id]').first()
    await first
      .getByRole('button', { name: /^Remark, photo/ })
      .first()
      .click()
    const photo = { name: 'm.png', mimeType: 'image/png', buffer: await page.screenshot() }
    await first.locator('input[type=file]').first().setInputFiles(photo)
    const remove = page.getByRole('button', { name: /^Remove the photo/ })
    await remove.waitFor()
    const photos = () => api.list(owner, `inspections/${inspection.id}/photos`)
    expect((await photos()).length).toBe(1)
    await looked(page, 'console-inspection-photo')
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    expect(await photos()).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test('a tenant takes back what they declared by mistake, and the landlord is asked no more', async () => {
    const phone = await api.register('Trop', 'Vite')
    await api.lease(phone, { activate: true })
    const token = await api.tokenOf(phone)
    await api.until(async () => (await api.list(token, 'invoices')).length > 0)
    const [invoice = {}] = await api.list(token, 'invoices')
    const paid = { amount: 20_000, method: 'CASH', paidOn: day(0) }
    const { id } = await call(`POST /api/v1/invoices/${invoice.id}/payments`, paid, token)
    const { page, faults } = await open('/portal', { phone, password: PASSWORD })
    await page.getByText('Did you make a mistake?').click()
    await looked(page, 'portal-rent-mistake')
    await page.getByRole('button', { name: /^Take back/ }).click()
    await page.getByText('Did you make a mistake?').waitFor({ state: 'detached' })
    expect((await call(`GET /api/v1/payments/${id}`)).status).toBe('REJECTED')
    // it is nobody's refusal
    expect(await page.getByText('did not accept').count()).toBe(0)
    await page.getByRole('heading', { name: 'You owe', exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test('a number that nobody proved is verified by a code', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await page.route('**/api/v1/me', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), phoneVerified: false } })
    })
    await world.signIn(page, 'OWNER', '/console/me')
    await page.getByRole('button', { name: 'Verify my number' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByRole('button', { name: 'Send me the code' }).click()
    await dialog.getByLabel('Code received').fill('000000')
    await dialog.locator('button[type=submit]').click()
    await dialog.locator('[aria-invalid=true]').waitFor()
    await looked(page, 'console-verify-number')
    await page.unroute('**/api/v1/me')
    await dialog.getByLabel('Code received').fill(await api.code(PHONES.OWNER))
    await dialog.locator('button[type=submit]').click()
    await page.getByText('Your number is verified.').waitFor()
    await page.getByRole('button', { name: 'Verify my number' }).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)
})
