// What several months cost at once, told before they are paid: the payment of that amount covers what was told, to the
// day and the franc. Rent is 60,000 for a month.
import { describe, expect, test } from 'bun:test'
import { cash, type Json, letting, scenario, stage } from '../../../support/scenario.ts'

type Case = {
  readonly name: string
  readonly terms: Json
  readonly before?: readonly (readonly [request: string, body: Json])[]
  readonly months: number
  readonly told: Json
  /** Invoices that the payment pays. */
  readonly paid: number
}
const CASES: readonly Case[] = [
  {
    name: 'the open month and two more',
    terms: { startDate: '2026-03-01', billFrom: '2026-03-01' },
    months: 2,
    told: { months: 2, openAmount: 60_000, creditAmount: 0, amount: 180_000, coveredUntil: '2026-05-31' },
    paid: 3,
  },
  {
    name: 'only what is owed: two months and water',
    terms: { startDate: '2026-02-01', billFrom: '2026-02-01' },
    before: [['POST /invoices/{i1}/payments', cash(10_000)]],
    months: 0,
    told: { months: 0, openAmount: 110_000, amount: 110_000, coveredUntil: '2026-03-31' },
    paid: 2,
  },
  {
    name: 'credit is used up first',
    terms: { startDate: '2026-03-01', billFrom: '2026-03-01' },
    before: [['POST /bookings/{lease}/payments', cash(75_000)]],
    months: 1,
    told: { months: 1, openAmount: 0, creditAmount: 15_000, amount: 45_000, coveredUntil: '2026-04-30' },
    paid: 1,
  },
  {
    name: 'never past the end of the lease, whose last month is a part of one',
    terms: { startDate: '2026-03-01', billFrom: '2026-03-01', endDate: '2026-05-15', autoRenew: false },
    months: 6,
    told: { months: 2, openAmount: 60_000, amount: 149_032, coveredUntil: '2026-05-15' },
    paid: 3,
  },
  {
    name: 'with TVA, from the tenth',
    terms: { startDate: '2026-03-10', rentAmount: 100_000, tvaBasisPoints: 1925 },
    months: 1,
    told: { months: 1, openAmount: 119_250, amount: 238_500, coveredUntil: '2026-05-09' },
    paid: 2,
  },
]

describe('what is told is what the payment covers', () => {
  test.each(CASES)('$name', async ({ terms, before = [], months, told, paid }) => {
    const s = await stage({ given: letting(terms) })
    for (const [request, body] of before) await s.make('ana', request, body)
    const all = () => s.dump() + s.t.dump(['document', 'job'])
    const untouched = all()
    const quote = await s.ask('ana', `GET /bookings/{lease}/advance?months=${months}`)
    expect(quote.body).toMatchObject({ ...told, currency: 'XAF' })
    expect(all()).toBe(untouched)
    const done = await s.make('ana', 'POST /bookings/{lease}/payments', cash(Number(quote.body.amount)))
    expect([done.creditAmount, done.coveredUntil]).toEqual([0, told.coveredUntil])
    expect((done.invoiceIds as string[]).length).toBe(paid)
    const open = (await s.ask('ana', 'GET /invoices?limit=200')).body as unknown as Json[]
    expect(open.filter(({ balanceAmount }) => balanceAmount !== 0)).toEqual([])
  })
})

scenario('who may ask, and of what', { given: letting({ startDate: '2026-02-01', billFrom: '2026-02-01' }) }, [
  ['tom', 'GET /bookings/{lease}/advance', undefined, 403],
  ['eve', 'GET /bookings/{lease}/advance', undefined, 404],
  ['zoe', 'GET /bookings/{lease}/advance', undefined, 404],
  ['ana', 'GET /bookings/{nobody}/advance', undefined, 404],
  ['mia', 'GET /bookings/{lease}/advance', undefined, 200, { months: 1, amount: 180_000, coveredUntil: '2026-04-30' }],
  ['ana', 'GET /bookings/{lease}/advance?months=37', undefined, 422],
  ['ana', 'GET /bookings/{lease}/advance?months=-1', undefined, 422],
  ['ana', 'GET /bookings/{lease}/advance?months=x', undefined, 422],
])
scenario('only a lease that runs', { given: letting({}, 'DRAFT') }, [
  ['ana', 'GET /bookings/{lease}/advance', undefined, 409, { code: 'invalid_state', currentStatus: 'DRAFT' }],
])
