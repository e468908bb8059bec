// A payment that a tenant declared: the landlord sees it with its proof, confirms it, and takes that back.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { missing, openWorld, type World } from './browser.ts'

describe.skipIf(missing !== undefined)(`in a browser${missing === undefined ? '' : ` (not here: ${missing})`}`, () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  }, 60_000)
  afterAll(() => world?.close(), 30_000)

  test('a declared payment is confirmed once however often it is pressed, and "Undo" reverses it', async () => {
    const owner = await world.server.token('OWNER')
    const headers = { authorization: `Bearer ${owner}` }
    const read = async (path: string) => (await fetch(`${world.base}/api/v1/${path}`, { headers })).json()
    const [declared] = await read('payments?status=PENDING')
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', '/console/payments')
    await page
      .getByRole('button', { name: /^Confirm FCFA/ })
      .and(page.locator(':visible'))
      .dblclick()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await page.getByText('Nothing to confirm').waitFor()
    expect((await read(`payments/${declared.id}`)).status).toBe('CONFIRMED')
    await undo.click()
    await page.getByRole('button', { name: 'Reversed', exact: true }).click()
    await page.getByText('Thérèse Tchoua').first().waitFor()
    await page.getByText('Confirmed by mistake').waitFor()
    const { status, note } = await read(`payments/${declared.id}`)
    expect([status, note, await read('payments?status=PENDING')]).toEqual(['REVERSED', 'Confirmed by mistake', []])
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
