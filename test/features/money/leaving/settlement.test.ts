// What the end of a lease would settle, told before it happens: to the franc what `terminate` then does, and nothing of it
// is written. Rent is 60,000 for a month.
import { describe, expect, test } from 'bun:test'
import { formatMoney } from '../../../../src/core/money.ts'
import { cash, type Json, letting, phoneOf, type Stage, scenario, stage } from '../../../support/scenario.ts'

type Figures = { readonly needsConfirm?: boolean; readonly cancelled: number; readonly issued: number } & {
  readonly [K in 'credited' | 'owed' | 'credit' | 'deposit' | 'balance']: number
}
type Case = {
  readonly name: string
  readonly terms: Json
  readonly settings?: Json
  readonly before?: readonly (readonly [request: string, body: Json])[]
  /** Days that pass before the end. */
  readonly days?: number
  readonly endDate?: string
  readonly figures: Figures
  readonly invoices: readonly string[]
}
const none = { cancelled: 0, issued: 0, credited: 0, owed: 0, credit: 0, deposit: 0, balance: 0 }
const deposit = (type: string, amount: number): readonly [string, Json] => [
  'POST /bookings/{lease}/deposit',
  { type, amount, paidOn: '2026-03-10', ...(type === 'DEDUCTED' && { reason: 'Vitre' }) },
]
const pay = (invoice: string, amount: number): readonly [string, Json] => [
  `POST /invoices/{${invoice}}/payments`,
  cash(amount),
]
const CASES: readonly Case[] = [
  {
    name: 'today, nothing paid, a debt from before',
    terms: { startDate: '2026-02-01', billFrom: '2026-02-01' },
    figures: { ...none, cancelled: 60_000, issued: 19_355, owed: 79_355, balance: -79_355 },
    invoices: [
      'OWED 2026-000001 2026-02-01..2026-02-28 60000 0 60000',
      'CANCELLED 2026-000002 2026-03-01..2026-03-31 60000 0 0',
      'ISSUED  2026-03-01..2026-03-10 19355 0 19355',
    ],
  },
  {
    name: 'at the end of a period',
    terms: { startDate: '2026-02-01', billFrom: '2026-02-01' },
    endDate: '2026-02-28',
    figures: { ...none, cancelled: 60_000, owed: 60_000, balance: -60_000 },
    invoices: [
      'OWED 2026-000001 2026-02-01..2026-02-28 60000 0 60000',
      'CANCELLED 2026-000002 2026-03-01..2026-03-31 60000 0 0',
    ],
  },
  {
    name: 'months paid in advance, and a deposit of which a part was kept',
    terms: { startDate: '2026-03-01', billFrom: '2026-03-01' },
    before: [
      ['POST /bookings/{lease}/payments', cash(200_000)],
      deposit('RECEIVED', 120_000),
      deposit('DEDUCTED', 20_000),
    ],
    figures: { ...none, credited: 160_645, credit: 180_645, deposit: 100_000, balance: 280_645 },
    invoices: [
      'CREDITED 2026-000001 2026-03-01..2026-03-31 60000 60000 0 40645',
      'CREDITED 2026-000002 2026-04-01..2026-04-30 60000 60000 0 60000',
      'CREDITED 2026-000003 2026-05-01..2026-05-31 60000 60000 0 60000',
    ],
  },
  {
    name: 'paid in part: the money moves to the days that were lived',
    terms: { startDate: '2026-03-01', billFrom: '2026-03-01' },
    before: [pay('i1', 15_000)],
    figures: { ...none, cancelled: 60_000, issued: 19_355, owed: 4_355, balance: -4_355 },
    invoices: [
      'CANCELLED 2026-000001 2026-03-01..2026-03-31 60000 0 0',
      'ISSUED  2026-03-01..2026-03-10 19355 15000 4355',
    ],
  },
  {
    name: 'charges stay owed, with TVA; a coming month is issued already',
    terms: { startDate: '2026-03-01', billFrom: '2026-03-01', tvaBasisPoints: 1925 },
    settings: { issueDaysBefore: 30 },
    before: [['POST /invoices/{i2}/charges', { label: 'Eau', amount: 4_500 }]],
    figures: { ...none, cancelled: 148_466, issued: 28_447, owed: 28_447, balance: -28_447 },
    invoices: [
      'CANCELLED 2026-000001 2026-03-01..2026-03-31 71550 0 0',
      'ISSUED  2026-03-01..2026-03-10 23081 0 23081',
      'CANCELLED 2026-000002 2026-04-01..2026-04-30 76916 0 0',
      'ISSUED  2026-04-01..2026-04-30 5366 0 5366',
    ],
  },
  {
    name: 'more than a month back',
    terms: { startDate: '2025-12-01', billFrom: '2025-12-01' },
    endDate: '2026-01-10',
    figures: { ...none, needsConfirm: true, cancelled: 180_000, issued: 19_355, owed: 79_355, balance: -79_355 },
    invoices: [
      'OWED 2026-000001 2025-12-01..2025-12-31 60000 0 60000',
      'CANCELLED 2026-000002 2026-01-01..2026-01-31 60000 0 0',
      'ISSUED  2026-01-01..2026-01-10 19355 0 19355',
      'CANCELLED 2026-000003 2026-02-01..2026-02-28 60000 0 0',
      'CANCELLED 2026-000004 2026-03-01..2026-03-31 60000 0 0',
    ],
  },
  {
    name: 'a lease that has not begun',
    terms: { startDate: '2026-04-01' },
    settings: { issueDaysBefore: 30 },
    figures: { ...none, cancelled: 60_000 },
    invoices: ['CANCELLED 2026-000001 2026-04-01..2026-04-30 60000 0 0'],
  },
]

const lineOf = (named: boolean) => (one: Json) =>
  `${one.outcome} ${named ? (one.number ?? '') : ''} ${one.periodStart}..${one.periodEnd} ${one.grossAmount} ${one.amountPaid} ${one.balanceAmount}${one.creditedAmount ? ` ${one.creditedAmount}` : ''}`
const rowsOf = (settlement: Json): Json[] => settlement.invoices as Json[]
const preview = (s: Stage, query = '') => s.ask('ana', `GET /bookings/{lease}/settlement${query}`)

describe('a preview is what the end then does, and writes nothing', () => {
  test.each(CASES)('$name', async ({ terms, settings, before = [], endDate, figures, invoices }) => {
    const s = await stage({ ...(settings && { settings }), given: letting(terms) })
    for (const [request, body] of before) await s.make('ana', request, body)
    const all = () => s.dump() + s.t.dump(['document', 'job', 'organization'])
    const untouched = all()
    const told = await preview(s, endDate ? `?endDate=${endDate}` : '')
    expect(`${told.status} ${told.text}`.slice(0, 3)).toBe('200')
    expect(all()).toBe(untouched)
    expect(rowsOf(told.body).map(lineOf(true))).toEqual([...invoices])
    const { cancelledAmount, issuedAmount, creditedAmount, owedAmount, creditAmount, depositHeldAmount } = told.body
    expect({
      cancelled: cancelledAmount,
      issued: issuedAmount,
      credited: creditedAmount,
      owed: owedAmount,
      credit: creditAmount,
      deposit: depositHeldAmount,
      balance: told.body.balanceAmount,
    } as Json).toEqual({ ...figures, needsConfirm: undefined } as Json)
    expect(told.body.needsConfirm).toBe(figures.needsConfirm ?? false)

    const ended = await s.make('ana', 'POST /bookings/{lease}/terminate', {
      ...(endDate && { endDate }),
      confirm: true,
    })
    expect([ended.endDate, ended.creditAmount]).toEqual([told.body.endDate, told.body.creditAmount])
    const standing = (await s.ask('ana', 'GET /invoices?limit=200')).body as unknown as Json[]
    expect(standing.reduce((sum, one) => sum + Number(one.balanceAmount), 0)).toBe(Number(owedAmount))
    const after = await preview(s)
    expect(rowsOf(after.body).map(lineOf(false))).toEqual(rowsOf(told.body).map(lineOf(false)))
    expect({ ...after.body, invoices: [], needsConfirm: false }).toEqual({
      ...told.body,
      invoices: [],
      needsConfirm: false,
    })
    // The tenant is told the same balance, and where to read it; not of an end before the lease was entered.
    await s.t.work()
    const sum = formatMoney(Math.abs(figures.balance), 'fr')
    const left = `${sum} ${figures.balance > 0 ? 'à vous rendre' : 'à payer'}`
    const said = [
      `Solde, dépôt compris\u00a0: ${figures.balance === 0 ? 'rien à payer ni à rendre' : left}. Décompte final\u00a0: http`,
      `/portal/lease/${ended.id} (`,
    ]
    const ends = s.t.sent.filter(({ purpose }) => purpose === 'lease_ended')
    expect(ends.map(({ to }) => to)).toEqual(String(ended.endDate) < '2026-03-10' ? [] : [phoneOf('tom')])
    for (const { text } of ends) for (const words of said) expect(text).toContain(words)
    expect(
      rowsOf(after.body).every((one) => standing.some(({ id, number }) => id === one.id && number === one.number)),
    ).toBe(true)
  })
})

test('what is not billed yet is billed in the preview, and undone with it; other writes of the same moment stand', async () => {
  const s = await stage({ given: letting({ startDate: '2026-03-01', billFrom: '2026-03-01' }) })
  s.t.advance(31)
  const bills = () => s.t.dump(['invoice', 'booking', 'document', 'job'])
  const untouched = bills()
  const [told, named] = await Promise.all([
    preview(s),
    s.ask('ana', 'POST /properties', { name: 'Villa', addressLine: 'Ici', city: 'Kribi' }),
  ])
  expect([told.status, named.status]).toEqual([200, 201])
  expect(rowsOf(told.body).map(lineOf(true))).toEqual([
    'OWED 2026-000001 2026-03-01..2026-03-31 60000 0 60000',
    'CANCELLED  2026-04-01..2026-04-30 60000 0 0',
    'ISSUED  2026-04-01..2026-04-10 20000 0 20000',
  ])
  expect(bills()).toBe(untouched)
  expect((await s.ask('ana', `GET /properties/${named.body.id}`)).status).toBe(200)
})

scenario('who may ask, and of what', { given: letting({ startDate: '2026-02-01', billFrom: '2026-02-01' }) }, [
  ['tom', 'GET /bookings/{lease}/settlement', undefined, 403],
  ['eve', 'GET /bookings/{lease}/settlement', undefined, 404],
  ['zoe', 'GET /bookings/{lease}/settlement', undefined, 404],
  ['mia', 'GET /bookings/{lease}/settlement', undefined, 200, { endDate: '2026-03-10', currency: 'XAF' }],
  ['ada', 'GET /bookings/{lease}/settlement', undefined, 200],
  ['ana', 'GET /bookings/{nobody}/settlement', undefined, 404],
  ['ana', 'GET /bookings/{lease}/settlement?endDate=2026-03-11', undefined, 422, { errors: [{ path: '/endDate' }] }],
  ['ana', 'GET /bookings/{lease}/settlement?endDate=2026-01-31', undefined, 422, { errors: [{ path: '/endDate' }] }],
  ['ana', 'GET /bookings/{lease}/settlement?endDate=hier', undefined, 422],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    {},
    { audit: 'invoice.cancel, invoice.issue, booking.terminate', jobs: 'invoice.issued, booking.terminated' },
  ],
  // Once it has ended its tenant reads what it came to; another tenant learns nothing.
  ['tom', 'GET /bookings/{lease}/settlement', undefined, 200, { endDate: '2026-03-10', owedAmount: 79_355 }],
  ['tia', 'GET /bookings/{lease}/settlement', undefined, 404],
  ['eve', 'GET /bookings/{lease}/settlement', undefined, 404],
])

scenario('only a lease that runs or ran', { given: letting({}, 'PENDING') }, [
  ['ana', 'GET /bookings/{lease}/settlement', undefined, 409, { code: 'invalid_state', currentStatus: 'PENDING' }],
  ['ana', 'POST /bookings/{lease}/cancel', {}, 200, {}, { audit: 'booking.cancel' }],
  ['ana', 'GET /bookings/{lease}/settlement', undefined, 409, { code: 'invalid_state', currentStatus: 'CANCELLED' }],
])

const kept = (more: Json) => ({
  type: 'DEDUCTED',
  amount: 45_000,
  reason: 'Parquet brûlé',
  paidOn: '2026-03-10',
  ...more,
})
const KEPT: [what: string, ended: boolean, entry: Json, told: string | undefined][] = [
  [
    'damage after the end',
    true,
    kept({}),
    '45 000 FCFA sont retenus sur votre dépôt de garantie pour « A1 », « Villa ». Solde, dépôt compris : 4 355 FCFA à payer. Motif et décompte : http',
  ],
  ['damage on a running lease', false, kept({}), undefined],
  ['invoices, of which a receipt tells', true, kept({ amount: 19_355, invoiceIds: ['{i2}'] }), undefined],
  ['money given back', true, { type: 'RETURNED', amount: 40_645, paidOn: '2026-03-10' }, undefined],
]
test.each(KEPT)(
  'a tenant is told what is kept of the deposit once the lease has ended: %s',
  async (_what, ended, entry, told) => {
    const s = await stage({ given: letting({ depositAmount: 60_000 }) })
    await s.make('ana', 'POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 60_000, paidOn: '2026-03-01' })
    await s.t.work()
    if (ended) await s.make('ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-10' })
    await s.t.work()
    s.t.sent.length = 0
    await s.make('ana', 'POST /bookings/{lease}/deposit', entry)
    await s.t.work()
    const news = s.t.sent.filter(({ purpose }) => purpose === 'deposit_deducted')
    expect(news.map(({ to }) => to)).toEqual(told ? [phoneOf('tom')] : [])
    if (told) expect(news[0]?.text.replaceAll('\u00a0', ' ')).toStartWith(told)
  },
)
