// Provisions that a regularisation sets off, once each, and the credit that moves with them.
import { expect, test } from 'bun:test'
import { imbalances, misstated } from '../../../support/ledger.ts'
import { cash, type Json, type Stage } from '../../../support/scenario.ts'
import { guard, house, path, period, provided, type Share } from '../../../support/shared-charges.ts'

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

/** Who owes and has what, and what stands between leases. */
const held = (s: Stage) => [
  s.t.rows('select id, credit_amount from booking order by id'),
  s.t.rows("select id, status, amount_paid, credited_amount from invoice where status <> 'CANCELLED' order by id"),
  s.t.rows("select id, unallocated_amount from payment where status = 'CONFIRMED' order by id"),
  s.t.rows('select payment_id, target_id, amount from allocation where amount > 0 order by payment_id, target_id'),
]
/** Pays all that is owed on a lease, and so much more. */
async function paidUp(s: Stage, lease: string, more = 0): Promise<void> {
  const all = (await s.ask('ana', `GET /invoices?bookingId={${lease}}&limit=50`)).body as unknown as Json[]
  const owed = all.reduce((sum, { balanceAmount }) => sum + Number(balanceAmount), 0)
  await s.make('ana', `POST /bookings/{${lease}}/payments`, cash(owed + more, { paidOn: '2026-04-10' }))
}

test('what is given back of a lease and pays the share of its renewal is where it was once both are undone', async () => {
  const s = await house({ endDate: '2026-04-12', autoRenew: false })
  await provided(s)
  // The first invoice of the renewal takes 60,000 of what goes over to it, and leaves 1,000.
  await paidUp(s, 'toms', 61_000)
  await s.make('ana', 'POST /bookings/{toms}/renew', { rentAmount: 60_000 }, 'next')
  await s.make('ana', 'POST /bookings/{next}/submit', { blanks: true })
  await s.make('ana', 'POST /bookings/{next}/activate')
  s.t.advance(13)
  await s.t.work()
  const before = held(s)
  await s.make('ana', path(), { periodStart: '2026-01-01', periodEnd: '2026-04-23', items: [guard] }, 'one')
  const shares = (await s.ask('ana', 'GET /regularisations/{one}')).body.shares as Share[]
  expect(shares.map(({ balanceAmount }) => balanceAmount)).toEqual([-32_920, 15_133, 2_920])
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect([held(s), imbalances(s.t)]).toEqual([before, []])
})

test('what one share gives back pays another of the same tenant: nobody paid, so it can be undone', async () => {
  const s = await house({}, { tenantUserId: '{tom}' })
  await s.make('ana', 'POST /bookings/{tias}/invoices', {
    lines: [{ label: 'Provision', amount: 50_000, provision: true }],
  })
  await s.make('ana', 'POST /bookings/{toms}/terminate')
  for (const lease of ['toms', 'tias']) await paidUp(s, lease)
  const before = held(s)
  await s.make('ana', path(), { periodStart: '2026-01-01', periodEnd: '2026-04-10', items: [guard] }, 'one')
  const shares = (await s.ask('ana', 'GET /regularisations/{one}')).body.shares as Share[]
  expect(shares.map(({ balanceAmount }) => balanceAmount)).toEqual([30_001, -33_500])
  const paid = s.t.rows("select amount_paid n from invoice where kind = 'CHARGES' order by id").at(-1)
  expect(paid).toEqual({ n: 30_001 })
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect([held(s), imbalances(s.t)]).toEqual([before, []])
})

for (const [owes, of] of [
  [true, 'older rent of that lease'],
  [false, 'the share of that lease'],
] as const)
  test(`a deposit that was kept for a provision of another lease pays ${of} once it is given back, until that is undone`, async () => {
    const s = await house({}, { tenantUserId: '{tom}' })
    const line = { label: 'Provision', amount: 50_000, provision: true }
    const asked = await s.make('ana', 'POST /bookings/{tias}/invoices', { lines: [line] })
    const paidOn = '2026-04-10'
    await s.make('ana', 'POST /bookings/{toms}/deposit', { type: 'RECEIVED', amount: 10_000, paidOn })
    await s.make('ana', 'POST /bookings/{toms}/deposit', {
      ...{ type: 'DEDUCTED', amount: 10_000, paidOn, reason: 'Charges', invoiceIds: [asked.id] },
    })
    await paidUp(s, 'tias')
    if (!owes) await paidUp(s, 'toms')
    const before = held(s)
    const most = { ...guard, costs: [{ label: 'Gardien', amount: 30_000 }] }
    await s.make('ana', path(), { periodStart: '2026-01-01', periodEnd: '2026-04-10', items: [most] }, 'one')
    // Both leases run: what the deposit paid is credit of the lease that it was of, and meets what is owed there.
    const on = s.t.rows(
      `select i.kind k, a.amount n from allocation a join invoice i on i.id = a.target_id join payment p on p.id = a.payment_id
       where p.method = 'DEPOSIT' and i.booking_id = ? and a.amount > 0`,
      s.fill('{toms}'),
    )
    expect([on, imbalances(s.t)]).toEqual([[{ k: owes ? 'PERIOD' : 'CHARGES', n: 4_500 }], []])
    await s.make('ana', 'POST /regularisations/{one}/cancel')
    expect([held(s), imbalances(s.t)]).toEqual([before, []])
  })

test('the statement of an ended lease says what is given back of the deposit that was kept for another lease', async () => {
  const s = await house({}, { tenantUserId: '{tom}' })
  const line = { label: 'Provision', amount: 50_000, provision: true }
  const asked = await s.make('ana', 'POST /bookings/{tias}/invoices', { lines: [line] })
  const paidOn = '2026-04-10'
  await s.make('ana', 'POST /bookings/{toms}/deposit', { type: 'RECEIVED', amount: 10_000, paidOn })
  await s.make('ana', 'POST /bookings/{toms}/deposit', {
    ...{ type: 'DEDUCTED', amount: 10_000, paidOn, reason: 'Charges', invoiceIds: [asked.id] },
  })
  await paidUp(s, 'tias')
  await s.make('ana', 'POST /bookings/{toms}/terminate', { endDate: '2026-04-01' })
  await paidUp(s, 'toms')
  const least = { ...guard, costs: [{ label: 'Gardien', amount: 3_000 }] }
  await s.make('ana', path(), { periodStart: '2026-04-02', periodEnd: '2026-04-10', items: [least] }, 'one')
  expect((await s.ask('ana', 'GET /bookings/{toms}')).body.creditAmount).toBe(9_000)
  expect([...imbalances(s.t), ...misstated(s.t)]).toEqual([])
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect((await s.ask('ana', 'GET /bookings/{toms}')).body.creditAmount).toBe(0)
  expect([...imbalances(s.t), ...misstated(s.t)]).toEqual([])
})
