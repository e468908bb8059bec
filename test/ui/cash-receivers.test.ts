// Cash waits for its receiver; where they are gone, an administrator finds the button.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'
import { apiOf } from './portal.ts'

type Row = { id: string; status: string; phoneNumber?: string; propertyId?: string; amount?: number }

inBrowser((world) => {
  test.each([
    ['was disabled', 1_234, { status: 'DISABLED' }, true],
    ['looks after another house', 1_235, { propertyIds: [] as string[] }, true],
    ['was disabled, as cash is confirmed no more', 1_236, { status: 'DISABLED' }, false],
  ])(
    'cash of a manager who %s is confirmed by an administrator in the console',
    async (_, amount, gone, confirmCash) => {
      const { server, base } = world
      const [admin, owner] = [await server.token('ADMIN'), await server.token('OWNER')]
      const read = async (token: string, path: string): Promise<Row[]> =>
        (await (
          await fetch(`${base}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
        ).json()) as Row[]
      const done = async (token: string, line: string, body: object): Promise<void> => {
        const { status, body: said } = await server.call(token, line, body)
        if (status > 201) throw new Error(`${line} ${JSON.stringify(said)}`)
      }
      const phone = await apiOf(world).register('Basile', 'Etoa')
      const id = (await read(admin, '/admin/users?limit=100')).find((user) => user.phoneNumber === phone)?.id
      await done(admin, `PATCH /api/v1/admin/users/${id}`, { roles: ['MANAGER'] })
      await done(admin, 'PATCH /api/v1/admin/organization', { confirmCash: true })
      const [invoice] = await read(owner, '/invoices?status=OVERDUE')
      const took = { amount, method: 'CASH', receivedBy: id }
      const { today } = (await server.call(owner, 'GET /api/v1/organization')).body as { today: string }
      await done(owner, `POST /api/v1/invoices/${invoice?.id}/payments`, { ...took, paidOn: today })

      const { page } = await world.newPage({ locale: 'en', size: 1280 })
      page.setDefaultTimeout(90_000)
      await world.signIn(page, 'ADMIN', '/console/payments')
      const card = page.locator('li[data-row]').filter({ hasText: amount.toLocaleString('en') })
      const button = card.getByRole('button', { name: 'Confirm' }).first()
      await card.getByText('Waits for Basile Etoa').first().waitFor()
      expect(await button.count()).toBe(0)
      const other = (await read(owner, '/properties')).find((house) => house.id !== invoice?.propertyId)
      const change = 'propertyIds' in gone ? { propertyIds: [other?.id] } : gone
      await done(admin, `PATCH /api/v1/admin/users/${id}`, change)
      await done(admin, 'PATCH /api/v1/admin/organization', { confirmCash })
      await page.reload()
      await button.click()
      await card.waitFor({ state: 'detached' })
      const of = await read(owner, `/payments?invoiceId=${invoice?.id}`)
      expect(of.find((payment) => payment.amount === amount)?.status).toBe('CONFIRMED')
      await page.context().close()
    },
    300_000,
  )
})
