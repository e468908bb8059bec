// What is longer than anybody expects: a name without a space, a report of ten thousand lines.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  test.each([
    ['ADMIN', '/console/users', 360, 'admin/users', 'firstName'],
    ['OWNER', '/console/documents', 1280, 'documents', 'tenantName'],
    ['OWNER', '/console/invoices', 1280, 'invoices', 'tenantName'],
    ['TENANT', '/portal', 360, 'overview', 'name'],
  ] as const)(
    '%s at %s, %d px: a name that is one long word makes no page wider',
    async (who, path, size, asked, member) => {
      const { page, faults } = await world.newPage({ locale: 'en', size })
      const word = 'Nkoulou'.repeat(28)
      await page.route(new RegExp(`/api/v1/${asked}\\?`), async (route) => {
        const answer = await route.fetch()
        const body = (await answer.text()).replaceAll(new RegExp(`"${member}":"[^"]*"`, 'g'), `"${member}":"${word}"`)
        await route.fulfill({ response: answer, body })
      })
      await world.signIn(page, who, path)
      await page.getByText(word).first().waitFor()
      const width = () => page.evaluate(() => document.documentElement.scrollWidth)
      expect(await width()).toBe(size)
      expect(faults).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  test('a report of ten thousand units is drawn a hundred lines at a time', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await page.route(/\/reports\/rent-roll\?/, async (route) => {
      const answer = await route.fetch()
      const {
        rows: [row],
        ...rest
      } = (await answer.json()) as { rows: object[] }
      const rows = Array.from({ length: 10_000 }, (_, i) => ({ ...row, unitLabel: `U${i}` }))
      await route.fulfill({ response: answer, json: { ...rest, rows } })
    })
    await world.signIn(page, 'OWNER', '/console/reports/rent-roll')
    await page.getByText('U0', { exact: true }).waitFor()
    const lines = () => page.locator('main ul > li').count()
    expect(await lines()).toBe(100)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('U199', { exact: true }).first().waitFor()
    expect(await lines()).toBe(200)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
