// A lease on its way in the console: months paid at once, the deposit, cancelling, renewing, ending and taking that back;
// and the money of messages that nobody knew at first.
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inBrowser } from './browser.ts'

type Body = Record<string, unknown>

inBrowser((world) => {
  let owner: string
  beforeAll(async () => {
    owner = await world.server.token('OWNER')
  }, 60_000)

  const call = async (line: string, body?: unknown): Promise<Body> => {
    const answer = await world.server.call(owner, line, body)
    if (answer.status >= 300) throw new Error(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const list = async (path: string): Promise<Body[]> => {
    const headers = { authorization: `Bearer ${owner}` }
    return (await (await fetch(`${world.base}/api/v1/${path}`, { headers })).json()) as Body[]
  }
  const DAY = 86_400_000
  const day = (from: number): string => new Date(Date.now() + from * DAY).toISOString().slice(0, 10)
  /** A lease of 100,000 a month in a house of its own; `upTo` says how far it has come. */
  async function lease(fullName: string, upTo: 'draft' | 'running', terms: Body = {}): Promise<string> {
    const home = await call('POST /api/v1/properties', {
      name: `Villa ${fullName}`,
      addressLine: 'Ici',
      city: 'Douala',
    })
    const unit = await call(`POST /api/v1/properties/${home.id}/units`, { label: 'V1', rentAmount: 100_000 })
    const tenant = await call('POST /api/v1/tenants', { fullName })
    const { id } = await call('POST /api/v1/bookings', {
      unitId: unit.id,
      tenantId: tenant.id,
      startDate: day(0),
      ...terms,
    })
    if (upTo === 'running') {
      await call(`POST /api/v1/bookings/${id}/submit`)
      await call(`POST /api/v1/bookings/${id}/activate`)
      while ((await list(`invoices?bookingId=${id}`)).length === 0) await Bun.sleep(100)
    }
    return String(id)
  }
  const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
  const open = async (id: string) => {
    const watched = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(watched.page, 'OWNER', `/console/bookings/${id}`)
    await watched.page.locator('h1').waitFor()
    return watched
  }

  test('three months at once: "covered until" before it is paid, one payment, and "Undo" takes it back', async () => {
    const id = await lease('Avance Trois', 'running')
    const { page, faults } = await open(id)
    await page.getByRole('link', { name: 'Several months' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByText('Covered until').waitFor()
    await dialog.getByRole('button', { name: 'One month more' }).click()
    const { coveredUntil, amount } = await call(`GET /api/v1/bookings/${id}/advance?months=2`)
    expect(amount).toBe(300_000)
    const shown = new Intl.DateTimeFormat('en-CM', { dateStyle: 'medium', timeZone: 'UTC' }).format(
      new Date(String(coveredUntil)),
    )
    await dialog.getByText(shown).waitFor()
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('dialog input')?.value === '300,000')
    await page.locator('dialog button[type=submit]').dblclick()
    await said(page, `FCFA 300,000 recorded: covered until ${shown}.`.replace('FCFA ', 'FCFA\u00a0'))
    const payments = () => list(`payments?bookingId=${id}`)
    expect((await payments()).map((one) => [one.amount, one.status])).toEqual([[300_000, 'CONFIRMED']])
    expect((await list(`invoices?bookingId=${id}`)).map(({ status }) => status)).toEqual(['PAID', 'PAID', 'PAID'])
    await page.getByRole('button', { name: 'Undo' }).click()
    while ((await payments())[0]?.status !== 'REVERSED') await Bun.sleep(100)
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('the deposit: received, a part kept with its reason, the rest given back; more than is held is refused', async () => {
    const id = await lease('Caution Complète', 'running', { depositAmount: 200_000 })
    const { page, faults } = await open(id)
    const enter = async (entry: string, amount: string | undefined, reason?: string): Promise<void> => {
      await page.getByRole('button', { name: /^Enter/ }).click()
      await page.locator('dialog label', { hasText: entry }).click()
      if (amount !== undefined) await page.locator('dialog').getByLabel('Amount').fill(amount)
      if (reason !== undefined)
        await page
          .locator('dialog')
          .getByLabel(/^Reason/)
          .fill(reason)
      await page.locator('dialog button[type=submit]').click()
    }
    const done = () => page.locator('dialog').waitFor({ state: 'detached' })
    await enter('Received', undefined)
    await done()
    await enter('Kept', '50 000', 'Vitre cassée')
    await done()
    await enter('Given back', '200 000')
    await page.locator('dialog [role=alert]').waitFor()
    await page.locator('dialog').getByLabel('Amount').fill('150 000')
    await page.locator('dialog button[type=submit]').click()
    await done()
    const ledger = (await list(`bookings/${id}/deposit?order=asc`)).map((one) => [one.type, one.amount, one.heldAmount])
    expect(ledger).toEqual([
      ['RECEIVED', 200_000, 200_000],
      ['DEDUCTED', 50_000, 150_000],
      ['RETURNED', 150_000, 0],
    ])
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test('a draft is cancelled by name and by nothing else', async () => {
    const id = await lease('Jamais Signé', 'draft')
    const { page, faults } = await open(id)
    await page.getByRole('button', { name: 'Cancel this lease' }).click()
    const confirm = page.locator('dialog button[type=submit]')
    await page.locator('dialog input').fill('Jamais')
    expect(await confirm.isDisabled()).toBe(true)
    await page.locator('dialog input').fill('jamais signé')
    await confirm.click()
    await said(page, 'This lease was cancelled: it binds nobody.')
    expect((await call(`GET /api/v1/bookings/${id}`)).status).toBe('CANCELLED')
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('a lease with an end is renewed into a linked draft', async () => {
    const id = await lease('Encore Un An', 'running', { endDate: day(200) })
    const { page, faults } = await open(id)
    await page.getByRole('link', { name: 'Renew' }).click()
    await page.getByLabel('Monthly rent').fill('110 000')
    await page.locator('main button[type=submit]').click()
    await said(page, 'The renewal is drawn up.')
    await said(page, 'This lease binds nobody yet.')
    const drawn = (await list('bookings?status=DRAFT')).find(({ renewsBookingId }) => renewsBookingId === id)
    expect([drawn?.rentAmount, drawn?.startDate]).toEqual([110_000, day(201)])
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('an end is taken back: the lease runs again, and owes what it owed', async () => {
    const id = await lease('Reste Finalement', 'running')
    const before = await list(`invoices?bookingId=${id}`)
    const { page, faults } = await open(id)
    await page.getByRole('link', { name: 'End the lease' }).click()
    await page.getByText('The tenant still owes').waitFor()
    await page.getByLabel(/^To confirm, type/).fill('Reste Finalement')
    await page.getByRole('button', { name: 'End the lease' }).click()
    await said(page, 'What was settled')
    await page.getByRole('button', { name: 'Undo the end of the lease' }).click()
    await said(page, 'The lease is active. Rent is invoiced every month.')
    const open1 = (rows: Body[]) =>
      rows.filter(({ status }) => status !== 'CANCELLED').map((one) => [one.number, one.balanceAmount])
    expect(open1(await list(`invoices?bookingId=${id}`))).toEqual(open1(before))
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('a message of nobody is set aside, then given to a rent; the same message again is known', async () => {
    const id = await lease('Payeur Discret', 'running')
    const text =
      'You have received 100,000 XAF from MBIDA JOSEPH (237699887766) on your mobile money account at 2026-03-05 16:30:51. Your new balance: 112,500 XAF. Financial Transaction Id: 8812345679.'
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', '/console/payments/message')
    const read = async () => {
      await page.locator('main textarea').fill(text)
      await page.getByRole('button', { name: 'Read the message' }).click()
      await page.locator('#read').waitFor()
    }
    await read()
    await said(page, 'No tenant fits')
    await page.getByRole('button', { name: 'Set aside' }).click()
    await said(page, 'Message set aside.')
    expect(await list(`payments?bookingId=${id}`)).toEqual([])
    await page
      .getByRole('button', { name: /^Assign/ })
      .first()
      .click()
    const rent = page.locator('dialog select')
    const option = rent.locator('option', { hasText: 'Payeur Discret' })
    await option.waitFor({ state: 'attached' })
    await rent.selectOption((await option.getAttribute('value')) ?? '')
    await page.locator('dialog button[type=submit]').dblclick()
    await said(page, /recorded\.$/)
    const payments = (await list(`payments?bookingId=${id}`)).map((one) => [one.amount, one.reference, one.status])
    expect(payments).toEqual([[100_000, '8812345679', 'CONFIRMED']])
    await read()
    await said(page, 'This message is already recorded.')
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)

  test.each(['home', 'rents', 'invoice', 'tenant', 'lease'])(
    'a payment takes two presses from the page %s',
    async (from) => {
      const late = (await list('invoices?status=OVERDUE&limit=1'))[0] ?? {}
      const { tenantId } = await call(`GET /api/v1/bookings/${late.bookingId}`)
      const path: Readonly<Record<string, string>> = {
        home: '',
        rents: '/invoices?status=OVERDUE',
        invoice: `/invoices/${late.id}`,
        tenant: `/tenants/${tenantId}`,
        lease: `/bookings/${late.bookingId}`,
      }
      const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
      await world.signIn(page, 'OWNER', `/console${path[from]}`)
      await page.locator('main a[href*="pay="]:visible').first().click()
      await page.locator('dialog button[type=submit]').click()
      await said(page, /recorded, the receipt is being made\.$/)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
      while ((await list('invoices?status=OVERDUE')).length === 0) await Bun.sleep(100)
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )
})
