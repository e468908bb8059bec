// The whole walk, from an empty organization to the end of a lease, through the pages as a landlord and a tenant see them.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { jpegOf } from '../support/files.ts'
import { foundedBy, inBrowser, type Person } from './browser.ts'

type Body = Record<string, unknown>
const OWNER = { phone: '+237677300001', password: 'correct horse battery', name: 'Odile Owona' }
const WALKS = [
  { size: 360, building: 'Résidence Makepe', tenant: 'Thérèse Nkoulou', local: '677 30 01 01', phone: '+237677300101' },
  { size: 1280, building: 'Immeuble Akwa', tenant: 'Ebénézer Ngo’o', local: '677 30 01 02', phone: '+237677300102' },
] as const

const founded = () => foundedBy(OWNER, 'OWNER,ADMIN', 'Owona')

inBrowser((world) => {
  async function call(line: string, body?: unknown, token = ''): Promise<Body> {
    const answer = await world.server.call(token, line, body)
    if (answer.status >= 300) throw new Error(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const tokenOf = async ({ phone, password }: Person): Promise<string> =>
    String((await call('POST /api/v1/sandbox/token', { username: phone, password })).access_token)
  async function list(path: string): Promise<Body[]> {
    const headers = { authorization: `Bearer ${await tokenOf(OWNER)}` }
    return (await (await fetch(`${world.base}/api/v1/${path}`, { headers })).json()) as Body[]
  }
  /** The last code that was sent to a number. */
  async function codeTo(phone: string): Promise<string> {
    const answer = await fetch(`${world.base}/api/v1/sandbox/messages?to=${encodeURIComponent(phone)}`)
    return ((await answer.json()) as { code?: string }[]).find(({ code }) => code !== undefined)?.code ?? ''
  }
  /** The account that the invited number opens. */
  async function register(phone: string, name: string): Promise<Person> {
    const { challengeId } = await call('POST /api/v1/registration/otp', { phoneNumber: phone })
    const given = { challengeId, code: await codeTo(phone) }
    const { ticket } = await call('POST /api/v1/registration/otp/verify', given)
    const { termsVersion, privacyVersion } = await call('GET /api/v1/legal/versions')
    const [firstName, lastName] = name.split(' ')
    const accepted = { acceptedTermsVersion: termsVersion, acceptedPrivacyVersion: privacyVersion }
    await call('POST /api/v1/registration/complete', {
      ticket,
      firstName,
      lastName,
      password: 'la pluie tombe',
      ...accepted,
    })
    return { phone, password: 'la pluie tombe' }
  }
  const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

  test.each(WALKS)(
    'at $size px: building, 12 units, tenant, lease, signatures, rent, declaration, receipt, end',
    async ({ size, building, tenant, local, phone }) => {
      const { page, faults } = await world.newPage({ locale: 'en', size })
      await world.signIn(page, OWNER, '/console/properties')
      // a building with twelve units
      await page.locator('main').getByRole('link', { name: 'Add a property' }).first().click()
      await page.getByLabel('Name', { exact: true }).fill(building)
      await page.getByLabel('Address or landmark').fill('Derrière la pharmacie')
      await page.getByLabel('Town').fill('Douala')
      await page.locator('main button[type=submit]').click()
      await page.getByRole('heading', { name: building }).waitFor()
      await page.getByLabel('Numbers of the units').fill('A1-A12')
      await page.getByLabel('Monthly rent').fill('60 000')
      await page.getByRole('button', { name: 'Create 12 units' }).click()
      await said(page, '12 units added.')
      await page.locator('[data-row]').nth(11).waitFor()

      // a tenant, and a lease in four steps
      await page.goto(`${world.base}/console/tenants/new`)
      await page.getByLabel('Full name').fill(tenant)
      await page.getByLabel('Phone').fill(local)
      await page.locator('main button[type=submit]').click()
      await page.getByRole('heading', { name: tenant }).waitFor()
      await page.getByRole('link', { name: 'Draw up a lease' }).click()
      const next = () => page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('radio', { name: building }).first().check()
      await next()
      await said(page, `${tenant} is one of your tenants already.`)
      await next()
      await page.getByLabel('Deposit').fill('120 000')
      await next()
      await page.getByRole('button', { name: 'Send for signing' }).click()
      await said(page, 'The lease is sent for signing.')
      await page.waitForURL(/\/bookings\/[0-9a-f-]{36}$/)
      const lease = new URL(page.url()).pathname
      const bookingId = lease.split('/').at(-1) ?? ''

      // both sign by code
      await page.getByRole('button', { name: 'Sign by code' }).click()
      await page.getByRole('button', { name: 'Send me the code' }).click()
      await page.getByLabel('Code received').waitFor()
      await page.getByLabel('Code received').fill(await codeTo(OWNER.phone))
      await page.getByLabel('Your full name').fill(OWNER.name)
      await page.getByRole('button', { name: 'Sign', exact: true }).click()
      await said(page, 'Your signature is recorded.')
      const person = await register(phone, tenant)
      const other = await world.newPage({ locale: 'en', size })
      await world.signIn(other.page, person, `/portal/lease/${bookingId}`)
      const read = other.page.waitForEvent('popup')
      await other.page.getByRole('button', { name: 'Open the lease' }).first().click()
      await read
      await other.page.bringToFront()
      await other.page.getByRole('button', { name: 'Get the code' }).click()
      await other.page.getByLabel('6-digit code').waitFor()
      await other.page.getByLabel('6-digit code').fill(await codeTo(phone))
      await other.page.getByLabel('Your full name').fill(tenant)
      await other.page.getByRole('button', { name: 'Sign the lease' }).click()
      await other.page.getByText('This lease is active.').first().waitFor()
      await page.reload()
      await said(page, 'The lease is active. Rent is invoiced every month.')

      // the deposit is received, the rent is due, and late
      await page.getByRole('button', { name: /^Record deposit/ }).click()
      await page.locator('dialog button[type=submit]').click()
      await said(page, 'The deposit is entered.')
      const rent = async () => (await list(`invoices?bookingId=${bookingId}`))[0] ?? {}
      while ((await rent()).grossAmount === undefined) await Bun.sleep(200)
      await call('POST /api/v1/sandbox/clock', { advanceDays: 6 })
      while ((await rent()).status !== 'OVERDUE') await Bun.sleep(200)

      // the tenant says so with a photo
      await other.page.goto(`${world.base}/portal`)
      await other.page.locator('section a').first().click()
      const picture = { name: 'preuve.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await jpegOf(1200, 900)) }
      await other.page.locator('input[type=file]').setInputFiles(picture)
      await other.page.locator('main img').waitFor()
      await other.page.locator('main button[type=submit]').click()
      await other.page.waitForURL(`${world.base}/portal`)

      // the landlord sees the photo beside the decision, and confirms
      while ((await list(`payments?bookingId=${bookingId}`)).length === 0) await Bun.sleep(200)
      await page.goto(`${world.base}/console/payments`)
      await said(page, tenant)
      await page.locator('figure img').first().waitFor()
      await page
        .getByRole('button', { name: /^Confirm FCFA/ })
        .and(page.locator(':visible'))
        .click()
      await said(page, 'Nothing to confirm')
      expect([(await rent()).status, (await rent()).balanceAmount]).toEqual(['PAID', 0])

      // the receipt opens
      const receipt = async () => (await list(`documents?bookingId=${bookingId}&kind=RECEIPT`))[0]
      while ((await receipt())?.status !== 'READY') await Bun.sleep(200)
      await page.goto(world.base + lease)
      const paper = page
        .context()
        .waitForEvent('response', (answer) => answer.headers()['content-type'] === 'application/pdf')
      await page.getByRole('button', { name: /^Open Receipt/ }).click()
      expect((await paper).status()).toBe(200)

      // the end, with every figure before it happens
      await page.bringToFront()
      await page.getByRole('link', { name: 'End the lease' }).click()
      const told = page.locator('section', { hasText: 'What will be settled' })
      await told.getByText('Deposit received').waitFor()
      await told.getByText('To give back to the tenant').waitFor()
      const figures = async () => ((await page.locator('dl.facts').first().textContent()) ?? '').replace(/\s+/g, ' ')
      const promised = await figures()
      expect(promised).toContain('120,000')
      await page.getByLabel(/^To confirm, type/).fill('somebody else')
      await page.getByRole('button', { name: 'End the lease' }).click()
      await said(page, 'This is not the tenant’s name.')
      expect((await call(`GET /api/v1/bookings/${bookingId}`, undefined, await tokenOf(OWNER))).status).toBe('ACTIVE')
      await page.getByLabel(/^To confirm, type/).fill(tenant)
      await page.getByRole('button', { name: 'End the lease' }).click()
      await said(page, 'The lease has ended.')
      await said(page, 'What was settled')
      await page.getByText('To give back to the tenant').waitFor()
      expect(await figures()).toBe(promised)
      const ended = await call(`GET /api/v1/bookings/${bookingId}`, undefined, await tokenOf(OWNER))
      expect(ended.status).toBe('TERMINATED')

      expect([faults, other.faults]).toEqual([[], []])
      await page.context().close()
      await other.page.context().close()
    },
    180_000,
  )
}, founded)
