// The state of a place at both ends of a lease, from the phone in the hand to what is kept of the deposit.
import { expect, test } from 'bun:test'
import { PHONES } from './browser.ts'
import { inPortal } from './portal.ts'

type Body = Record<string, unknown>
type Room = { items: { state: string }[] }

inPortal((world, api) => {
  async function call(token: string, line: string, body?: unknown): Promise<Body> {
    const answer = await world.server.call(token, line, body)
    if (answer.status >= 300) throw new Error(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const asGood = (rooms: Room[]): Room[] =>
    rooms.map((room) => ({ ...room, items: room.items.map((item) => ({ ...item, state: 'GOOD' })) }))
  async function signed(id: string, people: readonly (readonly [token: string, phone: string])[]): Promise<void> {
    for (const [token, phone] of people) {
      await api.until(async () => {
        const { documentId } = await call(token, `GET /api/v1/inspections/${id}`)
        return (await call(token, `GET /api/v1/documents/${documentId}`)).status === 'READY'
      })
      const { challengeId } = await call(token, `POST /api/v1/inspections/${id}/signatures/otp`, {})
      const body = { challengeId, code: await api.code(phone), fullName: 'Nom Prénom' }
      await call(token, `POST /api/v1/inspections/${id}/signatures`, body)
    }
  }

  test('the end of a lease: what got worse stands beside what is kept for it, once, and the settlement follows', async () => {
    const phone = await api.register('Fanny', 'Sortante')
    const tenant = await api.tokenOf(phone)
    const { id: bookingId } = await api.lease(phone, { activate: true, name: 'Villa Comparée' })
    const { owner } = api
    const paidOn = new Date().toISOString().slice(0, 10)
    await call(owner, `POST /api/v1/bookings/${bookingId}/deposit`, { type: 'RECEIVED', amount: 100_000, paidOn })
    const entry = await call(owner, 'POST /api/v1/inspections', { bookingId, kind: 'ENTRY' })
    await call(owner, `PATCH /api/v1/inspections/${entry.id}`, { rooms: asGood(entry.rooms as Room[]), keyCount: 3 })
    await call(owner, `POST /api/v1/inspections/${entry.id}/propose`)
    await signed(String(entry.id), [
      [owner, PHONES.OWNER],
      [tenant, phone],
    ])
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', `/console/bookings/${bookingId}/terminate`)
    const card = page.locator('section[aria-labelledby=compared]')
    await card.getByText('There is no move-out inspection yet').waitFor()
    await card.getByRole('button').click()
    await page.waitForURL(/\/console\/inspections\//)
    // One room is open at a time; what is broken asks for its words.
    const first = page.locator('main section[id]').first()
    await first.getByRole('button', { name: /^All in good state/ }).click()
    await first.locator('select').first().selectOption({ label: 'Damaged' })
    await first.getByPlaceholder('Remark').fill('Forcée.')
    await first.getByPlaceholder(/^Proposed deduction/).fill('15 000')
    await page.getByLabel('Number of keys').fill('2')
    await first.getByRole('button', { name: /^Next room/ }).click()
    expect(await page.locator('main section[id] [aria-expanded=true]').count()).toBe(1)
    expect(await first.locator('select').count()).toBe(0)
    expect(await world.look(page, 'console-inspection-thumb-360-en')).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The inspection is saved.').waitFor()
    await page.goto(`${world.base}/console/bookings/${bookingId}/terminate`)
    await card.locator('li', { hasText: 'Forcée.' }).waitFor()
    const row = card.locator('li', { hasText: 'Forcée.' })
    expect((await row.textContent())?.replace(/\s+/g, ' ')).toMatch(/Beginning ?Good.*End ?Damaged.*Forcée\..*15,000/)
    expect((await card.textContent())?.replace(/\s+/g, ' ')).toContain('3 → 2')
    expect(await world.look(page, 'console-compared-360-en')).toEqual([])
    const wide = await world.newPage({ locale: 'fr', size: 1280, dark: true })
    await world.signIn(wide.page, 'OWNER', `/console/bookings/${bookingId}/terminate`)
    await wide.page.locator('section[aria-labelledby=compared] li', { hasText: 'Forcée.' }).waitFor()
    expect(await world.look(wide.page, 'console-compared-1280-fr-dark')).toEqual([])
    await wide.page.context().close()
    await row.getByRole('button').click()
    await page.locator('dialog button[type=submit]').click()
    await row.getByText('Kept', { exact: true }).waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    const taken = page.locator('section[aria-labelledby=settles] dl > div', { hasText: 'Repairs and other deductions' })
    await taken.getByText('15,000').waitFor()
    const kept = (await api.list(owner, `bookings/${bookingId}/deposit`)).filter(({ type }) => type === 'DEDUCTED')
    expect(kept.map(({ amount }) => amount)).toEqual([15_000])
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)
})
