// From the link in a message to "I have paid": whoever opens it, whatever the phone's clock says, and only once.
import { expect, test } from 'bun:test'
import { inPortal, PASSWORD } from './portal.ts'

const DAY_MS = 86_400_000

inPortal((world, api) => {
  /** A tenant who owes a rent, and the link that they were sent. */
  async function asked() {
    const phone = await api.register('Lise', 'Mbida')
    const { id } = await api.lease(phone, { activate: true })
    const token = await api.tokenOf(phone)
    const invoices = () => api.list(token, `invoices?bookingId=${id}`)
    await api.until(async () => (await invoices()).length > 0)
    const [invoice] = await invoices()
    await world.server.call(api.owner, `POST /api/v1/invoices/${invoice?.id}/remind`, {})
    let link = ''
    await api.until(async () => {
      const texts = JSON.stringify(await api.list('', `sandbox/messages?to=${encodeURIComponent(phone)}`))
      link = /\/i\/[\w-]+/.exec(texts)?.[0] ?? ''
      return link !== ''
    })
    const declared = async () => (await api.list(token, 'payments')).map(({ amount, paidOn }) => [amount, paidOn])
    return { phone, link, declared }
  }

  test('the link leads by the sign-in to the form of this rent; "Back" declares nothing again', async () => {
    const { phone, link, declared } = await asked()
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await page.goto(world.base + link)
    await page.getByRole('link', { name: 'J’ai payé' }).click()
    await page.locator('#username').fill(phone)
    await page.locator('#password').fill(PASSWORD)
    await page.locator('button[type=submit]').first().click()
    const send = page.getByRole('button', { name: 'Dire à mon bailleur' })
    await send.click()
    await page.getByText('ne l’a pas encore confirmé').first().waitFor()
    expect((await declared()).map(([amount]) => amount)).toEqual([50_000])
    await page.goBack()
    await page.getByText('pour ce mois, et votre bailleur vérifie').waitFor()
    await page.goForward()
    await page.getByText('ne l’a pas encore confirmé').first().waitFor()
    expect((await declared()).length).toBe(1)
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)

  test.each([
    ['ahead', 1],
    ['behind', -1],
  ])(
    'a phone whose clock is a day %s: the form stands on the day of the organization',
    async (_, days) => {
      const { phone, link, declared } = await asked()
      const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
      await page.clock.install({ time: new Date(Date.now() + days * DAY_MS) })
      await page.goto(world.base + link)
      await page.getByRole('link', { name: 'J’ai payé' }).click()
      await page.locator('#username').fill(phone)
      await page.locator('#password').fill(PASSWORD)
      await page.locator('button[type=submit]').first().click()
      const { today } = (await world.server.call(api.owner, 'GET /api/v1/organization')).body
      const send = page.getByRole('button', { name: 'Dire à mon bailleur' })
      await send.waitFor()
      expect(await page.locator('input[type=date]').inputValue()).toBe(String(today))
      await send.click()
      await page.getByText('ne l’a pas encore confirmé').first().waitFor()
      expect(await declared()).toEqual([[50_000, today]])
      expect(faults).toEqual([])
      await page.context().close()
    },
    120_000,
  )
})
