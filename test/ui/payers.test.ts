// Who else pays for a lease: shown on its page, marked as a kiosk, removed; and money that may be a declaration is asked about.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  test('a payer is learnt, marked as a kiosk and removed, on a phone and on a wide screen', async () => {
    const [owner, tenant] = [await world.server.token('OWNER'), await world.server.token('TENANT')]
    const read = async (path: string, token = owner) =>
      (await fetch(`${world.base}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
    const [rent] = (await read('invoices?limit=100', tenant)).filter(
      ({ balanceAmount }: { balanceAmount: number }) => balanceAmount > 2_000,
    )
    const { today } = await read('organization')
    await world.server.call(owner, `POST /api/v1/invoices/${rent.id}/payments`, {
      ...{ amount: 1_000, method: 'MTN_MOMO', paidOn: today, reference: '9911223344' },
      ...{ payer: 'Société Kamga SARL', payerNumber: '+237699111222' },
    })
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', `/console/bookings/${rent.bookingId}`)
    const card = page.locator('section', { hasText: 'Who else pays' })
    await card.getByText('Société Kamga SARL').first().waitFor()
    await card.getByText('from a recorded payment').waitFor()
    await card.scrollIntoViewIfNeeded()
    expect(await world.look(page, 'payers-360')).toEqual([])
    await page.setViewportSize({ width: 1280, height: 860 })
    await card.scrollIntoViewIfNeeded()
    expect(await world.look(page, 'payers-1280')).toEqual([])
    await card.getByRole('button', { name: 'It is a kiosk' }).click()
    await card.getByText('Kiosk: nothing is recorded by itself').waitFor()
    expect((await read(`bookings/${rent.bookingId}/payers`)).payers).toMatchObject([{ kiosk: true, source: 'PAYMENT' }])
    await card.getByRole('button', { name: 'Remove' }).click()
    await card.waitFor({ state: 'detached' })
    expect((await read(`bookings/${rent.bookingId}/payers`)).payers).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('a payment by hand that may be what the tenant declared asks, and confirms it', async () => {
    const [owner, tenant] = [await world.server.token('OWNER'), await world.server.token('TENANT')]
    const read = async (path: string, token = owner) =>
      (await fetch(`${world.base}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
    const [rent] = (await read('invoices?limit=100', tenant)).filter(
      ({ balanceAmount }: { balanceAmount: number }) => balanceAmount > 3_000,
    )
    const { today } = await read('organization')
    const { body: declared } = await world.server.call(tenant, `POST /api/v1/invoices/${rent.id}/payments`, {
      ...{ amount: 2_222, method: 'MTN_MOMO', paidOn: today },
    })
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', `/console/invoices/${rent.id}?pay=${rent.id}`)
    await page.getByLabel('Amount received').fill('2222')
    await page.locator('dialog button[type=submit]').click()
    const same = page.getByRole('button', { name: /declared payment/ })
    await same.waitFor()
    expect((await read(`payments/${declared.id}`)).status).toBe('PENDING')
    expect(await world.look(page, 'pay-known-360')).toEqual([])
    await same.click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect((await read(`payments/${declared.id}`)).status).toBe('CONFIRMED')
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
