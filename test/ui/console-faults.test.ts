// What goes wrong while people work: other people, other tabs, other releases, roles that go, names that are long or bad.
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inBrowser } from './browser.ts'

type Body = Record<string, unknown>
const LONG = `Nkoulou ${'Mballa '.repeat(60)}`.slice(0, 200).trim()
const MARKUP = '<img src=x onerror="document.title=`broken`"><script>document.title="broken"</script> & "Fils"'

inBrowser((world) => {
  let owner: string
  let admin: string
  beforeAll(async () => {
    owner = await world.server.token('OWNER')
    admin = await world.server.token('ADMIN')
  }, 60_000)

  const phone = (size: 360 | 1280 = 360) => world.newPage({ locale: 'en', size })
  const call = async (
    line: string,
    body?: unknown,
    token = owner,
    headers: Record<string, string> = {},
  ): Promise<Body> => {
    const answer = await world.server.call(token, line, body, headers)
    if (answer.status >= 300) throw new Error(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const list = async (path: string, token = owner): Promise<Body[]> => {
    const headers = { authorization: `Bearer ${token}` }
    return (await (await fetch(`${world.base}/api/v1/${path}`, { headers })).json()) as Body[]
  }
  /** A lease that is drawn up and binds nobody yet. */
  async function draft(fullName: string): Promise<string> {
    const home = await call('POST /api/v1/properties', {
      name: `Villa ${fullName}`.slice(0, 100),
      addressLine: 'Ici',
      city: 'Douala',
    })
    const unit = await call(`POST /api/v1/properties/${home.id}/units`, { label: 'V1', rentAmount: 100_000 })
    const tenant = await call('POST /api/v1/tenants', { fullName })
    const lease = await call('POST /api/v1/bookings', { unitId: unit.id, tenantId: tenant.id, startDate: '2026-12-01' })
    return String(lease.id)
  }
  const close = (page: Page) => page.context().close()
  const late = async (): Promise<Body> => (await list('invoices?status=OVERDUE&limit=1'))[0] ?? {}

  test.each(['/users', '/users/new', '/settings'])(
    'an OWNER at the address %s of an ADMIN is told so, with a way home',
    async (path) => {
      const { page, faults } = await phone()
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await world.signIn(page, 'OWNER', `/console${path}`)
      await page.getByRole('heading', { name: 'This page is not for your role' }).waitFor()
      expect(asked.filter((one) => one.startsWith('/api/v1/admin'))).toEqual([])
      await page.getByRole('link', { name: 'Go to the home page' }).click()
      await page.waitForURL(`${world.base}/console`)
      expect(faults).toEqual([])
      await close(page)
    },
    60_000,
  )

  test('two browsers change one lease: the later one sees both versions and chooses', async () => {
    const id = await draft('Deux Navigateurs')
    const [mine, theirs] = [await phone(), await phone(1280)]
    await world.signIn(mine.page, 'OWNER', `/console/bookings/${id}/edit`)
    await world.signIn(theirs.page, 'MANAGER', `/console/bookings/${id}/edit`)
    await mine.page.getByLabel('Monthly rent').fill('110 000')
    await theirs.page.getByLabel('Monthly rent').fill('120 000')
    await theirs.page.getByLabel('Deposit').fill('240 000')
    await theirs.page.locator('main button[type=submit]').click()
    await theirs.page.getByText('The terms are saved.').waitFor()
    await mine.page.locator('main button[type=submit]').click()
    const rows = mine.page.locator('[role=alert] tbody')
    await rows.first().waitFor()
    // above the long form, and yet in sight of who pressed the button below it
    expect(await rows.first().evaluate((row) => row.getBoundingClientRect().top)).toBeWithin(0, 740)
    expect((await rows.allInnerTexts()).map((text) => text.trim().split(/\s*[\t\n]\s*/))).toEqual([
      ['Monthly rent', 'FCFA\u00a0110,000', 'FCFA\u00a0120,000'],
      ['Deposit', 'empty', 'FCFA\u00a0240,000'],
    ])
    expect((await call(`GET /api/v1/bookings/${id}`)).rentAmount).toBe(120_000)
    await mine.page.getByRole('button', { name: 'Take the other' }).click()
    await mine.page.locator('main button[type=submit]').click()
    await mine.page.getByText('The terms are saved.').waitFor()
    const { rentAmount, depositAmount } = await call(`GET /api/v1/bookings/${id}`)
    expect([rentAmount, depositAmount]).toEqual([120_000, 240_000])
    expect([mine.faults, theirs.faults]).toEqual([[], []])
    await close(mine.page)
    await close(theirs.page)
  }, 90_000)

  test('roles taken away while the page is open: what is asked next is refused in words, nothing is lost or shown', async () => {
    const { page, faults } = await phone()
    await world.signIn(page, 'MANAGER', '/console/tenants/new')
    await page.getByLabel('Full name').fill('Entré Trop Tard')
    const manager = (await list('admin/users?role=MANAGER', admin)).find((one) => one.firstName === 'Martin') ?? {}
    const path = `/api/v1/admin/users/${manager.id}`
    const roles = manager.roles
    await call(`PATCH ${path}`, { roles: ['TENANT'] }, admin, { 'if-match': '*' })
    await page.locator('main button[type=submit]').click()
    await page.locator('main [role=alert]').first().waitFor()
    expect(await page.getByLabel('Full name').inputValue()).toBe('Entré Trop Tard')
    expect((await list('tenants?q=Trop', owner)).length + (await list('tenants?q=Trop', admin)).length).toBe(0)
    await call(`PATCH ${path}`, { roles }, admin, { 'if-match': '*' })
    expect(faults).toEqual([])
    await close(page)
  }, 60_000)

  test('"Back" after a payment leads to what was before, and pays nothing again', async () => {
    const { page, faults } = await phone()
    const invoice = await late()
    await world.signIn(page, 'OWNER', '/console/invoices?status=OVERDUE')
    await page.locator('[data-row]').first().waitFor()
    await page.goto(`${world.base}/console/invoices/${invoice.id}`)
    await page.getByRole('link', { name: 'Record payment' }).first().click()
    await page.locator('dialog input').first().fill('1 000')
    await page.locator('dialog button[type=submit]').click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    const count = async () => (await list(`invoices/${invoice.id}/payments`)).length
    const after = await count()
    await page.goBack()
    await page.locator('h1').waitFor()
    await page.goForward()
    await page.locator('h1').waitFor()
    expect(await page.locator('dialog').count()).toBe(0)
    expect(await count()).toBe(after)
    expect(faults).toEqual([])
    await close(page)
  }, 60_000)

  test('two tabs of one person: both are signed in, one pays, the other shows it when it is looked at', async () => {
    const { page, faults } = await phone()
    const invoice = await late()
    const path = `/console/invoices/${invoice.id}`
    await world.signIn(page, 'OWNER', path)
    await page.getByRole('link', { name: 'Record payment' }).first().waitFor()
    const other = await page.context().newPage()
    await other.goto(world.base + path)
    await other.getByRole('link', { name: 'Record payment' }).first().click()
    await other.locator('dialog button[type=submit]').click()
    await other.getByRole('button', { name: 'Undo' }).waitFor()
    // a window that comes back asks again, and the same payment a second time is refused in words
    await page.goto(`${world.base}${path}?pay=${invoice.id}`)
    await page.locator('dialog').waitFor()
    await page.locator('dialog input').first().fill(String(invoice.balanceAmount))
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog [role=alert], dialog [aria-invalid=true]').first().waitFor()
    const payments = (await list(`invoices/${invoice.id}/payments`)).filter(({ status }) => status === 'CONFIRMED')
    expect(payments.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(Number(invoice.grossAmount))
    expect(faults).toEqual([])
    await close(page)
  }, 60_000)

  test.each([
    ['script and markup', MARKUP],
    ['a very long name', LONG],
    ['a very long word', 'Nkoulou'.repeat(28)],
  ])(
    '%s in every name is text, and nothing is wider than the phone',
    async (_what, name) => {
      const id = await draft(name)
      const { page, faults } = await phone()
      await world.signIn(page, 'OWNER', `/console/bookings/${id}`)
      const { tenantId } = await call(`GET /api/v1/bookings/${id}`)
      for (const path of [
        `/bookings/${id}`,
        `/bookings/${id}/edit`,
        '/bookings',
        `/tenants/${tenantId}`,
        '/tenants',
        '/properties',
        '/documents',
      ]) {
        await page.goto(`${world.base}/console${path}`)
        await page.locator('h1').waitFor()
        await page.waitForLoadState('networkidle')
        const shown = await page.evaluate(() => ({
          wide: [...document.querySelectorAll('main *')]
            .filter(
              (one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.overflow-x-auto, .sr-only'),
            )
            .map((one) => one.outerHTML.slice(0, 120)),
          injected: document.querySelectorAll('main img[src="x"], main script').length,
          title: document.title,
        }))
        expect([path, shown.wide, shown.injected, shown.title === 'broken']).toEqual([path, [], 0, false])
      }
      await page.goto(`${world.base}/console/bookings/${id}`)
      await page.locator('h1').waitFor()
      expect((await page.locator('h1').textContent())?.trim()).toBe(name)
      expect(faults).toEqual([])
      await close(page)
    },
    90_000,
  )

  test('storage that is full loses no more than the draft: the form is filled in, sent and done', async () => {
    const { page, faults } = await phone()
    await world.signIn(page, 'OWNER', '/console')
    await page.locator('h1').waitFor()
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await page.goto(`${world.base}/console/properties/new`)
    await page.getByLabel('Name', { exact: true }).fill('Villa Sans Place')
    await page.getByLabel('Address or landmark').fill('Ici')
    await page.getByLabel('Town').fill('Kribi')
    await page.locator('main button[type=submit]').click()
    await page.getByRole('heading', { name: 'Villa Sans Place' }).waitFor()
    expect((await list('properties?q=Sans')).map(({ name }) => name)).toEqual(['Villa Sans Place'])
    expect(faults).toEqual([])
    await close(page)
  }, 60_000)

  test('a release that is gone: the page asks the new one for its files and goes on', async () => {
    const { page } = await phone()
    await world.signIn(page, 'OWNER', '/console')
    await page.locator('h1').waitFor()
    let gone = true
    // the files of the old release: their names lead nowhere any more
    await page.route('**/ui/assets/*', async (route) => {
      if (gone && route.request().url().endsWith('.js')) {
        gone = false
        return route.fulfill({ status: 404, body: '' })
      }
      return route.continue()
    })
    const loaded = page.waitForEvent('load')
    await page.evaluate(() => document.querySelector<HTMLAnchorElement>('nav a[href="/console/tenants"]')?.click())
    await loaded
    await page.locator('[data-row]').first().waitFor()
    expect([new URL(page.url()).pathname, gone]).toEqual(['/console/tenants', false])
    await close(page)
  }, 60_000)

  test('a clock that is days off: the form stands on the day of the organization; a later one is refused beside its field', async () => {
    const { page } = await phone()
    await page.clock.install({ time: new Date(Date.now() + 2 * 86_400_000) })
    const invoice = await late()
    const { today } = await call('GET /api/v1/organization')
    await world.signIn(page, 'OWNER', `/console/invoices/${invoice.id}?pay=${invoice.id}`)
    const day = page.locator('dialog input[type=date]')
    expect(await day.inputValue()).toBe(String(today))
    await page.locator('dialog input').first().fill('2 000')
    await day.fill(new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10))
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog [aria-invalid=true]').first().waitFor()
    expect(await page.locator('dialog input').first().inputValue()).toMatch(/^2.000$/)
    await close(page)
  }, 60_000)

  test('the server restarts while a form is open: it is sent again, and counts once', async () => {
    const { page } = await phone()
    const invoice = await late()
    const before = (await list(`invoices/${invoice.id}/payments`)).length
    await world.signIn(page, 'OWNER', `/console/invoices/${invoice.id}?pay=${invoice.id}`)
    await page.locator('dialog input').first().fill('3 000')
    await world.restart(async () => {
      await page.locator('dialog button[type=submit]').click()
      await page.getByRole('button', { name: 'Send again' }).waitFor()
    })
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    owner = await world.server.token('OWNER')
    expect((await list(`invoices/${invoice.id}/payments`)).length).toBe(before + 1)
    await close(page)
  }, 90_000)
})
