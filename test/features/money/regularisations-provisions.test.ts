// Provisions that a regularisation sets off, once each, and the credit that moves with them.
import { expect, test } from 'bun:test'
import { imbalances } from '../../support/ledger.ts'
import { cash, type Json } from '../../support/scenario.ts'
import { guard, house, path, period, provided, type Share } from '../../support/shared-charges.ts'

test('credit of another lease that paid a share goes back there with it', async () => {
  const s = await house()
  // Tom has moved out of A3 long ago, with money left over.
  await s.make('ana', 'POST /bookings/{toms}/payments', cash(240_000, { paidOn: '2026-04-10' }))
  const terms = { unitId: '{a3}', tenantUserId: '{tom}', startDate: '2026-04-01', rentAmount: 30_000 }
  await s.make('ana', 'POST /bookings', terms, 'gone')
  await s.make('ana', 'POST /bookings/{gone}/submit', { blanks: true })
  await s.make('ana', 'POST /bookings/{gone}/activate')
  await s.t.work()
  await s.make('ana', 'POST /bookings/{gone}/terminate')
  await s.make('ana', 'POST /bookings/{gone}/payments', cash(60_000, { paidOn: '2026-04-10' }))
  const credits = () => s.t.rows('select credit_amount n from booking order by id').map(({ n }) => n)
  const before = credits()
  expect(before.at(-1)).toBe(50_000)
  await s.make('ana', path(), { ...period, items: [guard] }, 'one')
  expect(credits().at(-1)).toBe(50_000 - 30_001)
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect(credits()).toEqual(before)
  expect(imbalances(s.t)).toEqual([])
})

test('provisions are set off once, also on an invoice that stands for another, and those asked for later too', async () => {
  const s = await house({ dueDay: 28 })
  const asked = { periodStart: '2026-01-01', periodEnd: '2026-04-10', items: [guard] }
  const set = async () => ((await s.ask('ana', path('/preview'), asked)).body.shares as Share[])[0]?.provisionAmount
  const april = s.t.rows("select id from invoice where period_start = '2026-04-01' and status = 'ISSUED'")[0]?.id
  const charge = (amount: number) =>
    s.make('ana', `POST /invoices/${april}/charges`, { label: 'Provision', amount, provision: true })
  await charge(8_000)
  const own = { lines: [{ label: 'Provision', amount: 5_000, provision: true }] }
  const extra = await s.make('ana', 'POST /bookings/{toms}/invoices', own)
  // Of April, which is not over, nothing is set off yet.
  expect(await set()).toBe(5_000)
  await s.make('ana', path(), asked, 'one')
  const refused = await s.ask('ana', `POST /invoices/${extra.id}/cancel`)
  expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state'])
  await s.make('ana', `POST /invoices/${extra.id}/charges`, { label: 'Provision', amount: 700, provision: true })
  expect(await set()).toBe(700)
  // The lease ends in April: another invoice stands in the place of that of the month.
  s.t.advance(20)
  await s.t.work()
  const whole = { ...asked, periodEnd: '2026-04-30' }
  await s.make('ana', path(), whole, 'two')
  const shares = s.t.rows('select provision_amount n from regularisation_share order by id').map(({ n }) => n)
  expect(shares).toEqual([5_000, 0, 8_700, 0])
  await s.make('ana', 'POST /bookings/{toms}/terminate', { endDate: '2026-04-20' })
  expect((await s.ask('ana', path('/preview'), whole)).body.provisionAmount).toBe(0)
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect((await s.ask('ana', path('/preview'), whole)).body.provisionAmount).toBe(5_000)
})

test('what is given back of a lease whose credit went over to its renewal pays what is owed on that one', async () => {
  const s = await house({ endDate: '2026-04-12', autoRenew: false })
  await provided(s)
  const all = (await s.ask('ana', 'GET /invoices?bookingId={toms}&limit=50')).body as unknown as Json[]
  const owed = all.reduce((sum, { balanceAmount }) => sum + Number(balanceAmount), 0)
  await s.make('ana', 'POST /bookings/{toms}/payments', cash(owed + 5_000, { paidOn: '2026-04-10' }))
  await s.make('ana', 'POST /bookings/{toms}/renew', { rentAmount: 60_000 }, 'next')
  await s.make('ana', 'POST /bookings/{next}/submit', { blanks: true })
  await s.make('ana', 'POST /bookings/{next}/activate')
  s.t.advance(3)
  await s.t.work()
  const renewal = async () => {
    const [invoice] = (await s.ask('ana', 'GET /invoices?bookingId={next}')).body as unknown as Json[]
    return [invoice?.balanceAmount, (await s.ask('ana', 'GET /bookings/{next}')).body.creditAmount]
  }
  expect(await renewal()).toEqual([55_000, 0])
  await s.make('ana', path(), { periodStart: '2026-01-01', periodEnd: '2026-04-10', items: [guard] }, 'one')
  const [tom] = (await s.ask('ana', 'GET /regularisations/{one}')).body.shares as Share[]
  expect(tom?.creditAmount).toBe(29_999)
  // Never credit beside a debt.
  expect([await renewal(), imbalances(s.t)]).toEqual([[25_001, 0], []])
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect([await renewal(), imbalances(s.t)]).toEqual([[55_000, 0], []])
  // Refunded there, it stands in the way of undoing.
  await s.make('ana', path(), { periodStart: '2026-01-01', periodEnd: '2026-04-10', items: [guard] }, 'two')
  await s.make('ana', 'POST /bookings/{next}/payments', cash(30_000, { paidOn: '2026-04-13' }))
  await s.make('ana', 'POST /bookings/{next}/payments', cash(1_000, { type: 'REFUND', paidOn: '2026-04-13' }))
  const dump = s.dump()
  expect((await s.ask('ana', 'POST /regularisations/{two}/cancel')).status).toBe(409)
  expect(s.dump()).toBe(dump)
})

test('one whose invoice got a provision that another set off is not undone before that other', async () => {
  const s = await house()
  await s.make('ana', path(), { ...period, items: [guard] }, 'one')
  const [tom] = (await s.ask('ana', 'GET /regularisations/{one}')).body.shares as Share[]
  const charge = { label: 'Avance', amount: 7_000, provision: true }
  await s.make('ana', `POST /invoices/${tom?.invoiceId}/charges`, charge)
  await s.make('ana', path(), { periodStart: '2026-04-01', periodEnd: '2026-04-10', items: [guard] }, 'two')
  const [later] = (await s.ask('ana', 'GET /regularisations/{two}')).body.shares as Share[]
  expect(later?.provisionAmount).toBe(7_000)
  const dump = s.dump()
  expect((await s.ask('ana', 'POST /regularisations/{one}/cancel')).status).toBe(409)
  expect(s.dump()).toBe(dump)
  await s.make('ana', 'POST /regularisations/{two}/cancel')
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect(imbalances(s.t)).toEqual([])
})
