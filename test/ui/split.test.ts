// One transfer of 330,000 for two flats, a deposit and half a month: proposed in order, changed by hand, recorded once.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  test('one transfer is split over two leases, a deposit and months ahead, and undone as one', async () => {
    const owner = await world.server.token('OWNER')
    const headers = { authorization: `Bearer ${owner}` }
    const read = async (path: string) => (await fetch(`${world.base}/api/v1/${path}`, { headers })).json()
    const make = async (line: string, body: object) =>
      (await world.server.call(owner, line, body)).body as { id: string }
    const house = await make('POST /api/v1/properties', { name: 'Villa Ngodi', addressLine: 'Rue 1', city: 'Douala' })
    const tenant = await make('POST /api/v1/tenants', { fullName: 'Ewane Paul', phoneNumber: '+237677112233' })
    const { today } = await read('organization')
    const leases: string[] = []
    for (const [label, depositAmount] of [
      ['N1', 120_000],
      ['N2', null],
    ] as const) {
      const unit = await make(`POST /api/v1/properties/${house.id}/units`, { label, rentAmount: 60_000 })
      const terms = { unitId: unit.id, tenantId: tenant.id, startDate: today, rentAmount: 60_000, depositAmount }
      const lease = await make('POST /api/v1/bookings', terms)
      await make(`POST /api/v1/bookings/${lease.id}/submit`, { blanks: true })
      await make(`POST /api/v1/bookings/${lease.id}/activate`, {})
      leases.push(lease.id)
    }
    const state = async () =>
      Promise.all(
        leases.map(async (id) => {
          const [{ heldAmount = 0 } = {}] = await read(`bookings/${id}/deposit`)
          const paid = (await read(`payments?bookingId=${id}&status=CONFIRMED`)) as { amount: number }[]
          return [heldAmount, paid.map(({ amount }) => amount)]
        }),
      )
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', `/console/payments/split?tenants=${tenant.id}`)
    await page.getByLabel('Amount received').fill('270000')
    await page.getByText('All of it is split.').waitFor()
    const parts = () =>
      page.locator('fieldset fieldset input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
    // The deposit first, then what is due; what is left is rent ahead of the first lease.
    expect(await parts()).toEqual(['120,000', '60,000', '60,000', '30,000', ''])
    const ahead = page.getByLabel(/^Rent ahead/).first()
    await ahead.fill('10 000')
    await ahead.blur()
    await page.getByText('FCFA 20,000 still to be split').waitFor()
    await page.locator('button[type=submit]').click()
    await page
      .getByText(/20,000/)
      .first()
      .waitFor()
    expect(await state()).toEqual([
      [0, []],
      [0, []],
    ])
    await page.getByRole('button', { name: 'Split again' }).click()
    await page.getByText('All of it is split.').waitFor()
    expect(await world.look(page, 'split-360')).toEqual([])
    await page.setViewportSize({ width: 1280, height: 860 })
    expect(await world.look(page, 'split-1280')).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    await page.locator('button[type=submit]').dblclick()
    await page.getByText('recorded and split').waitFor()
    expect(await state()).toEqual([
      [120_000, [90_000]],
      [0, [60_000]],
    ])
    await page.getByRole('button', { name: 'Undo' }).click()
    const undone = [
      [0, []],
      [0, []],
    ]
    for (let n = 0; n < 50 && JSON.stringify(await state()) !== JSON.stringify(undone); n++)
      await page.waitForTimeout(100)
    expect(await state()).toEqual(undone as never)
    expect(faults).toEqual([])
    await page.context().close()
  }, 90_000)
})
