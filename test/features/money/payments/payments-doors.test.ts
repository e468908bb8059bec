// The same money through two doors: told by the tenant, by an operator's message, by hand or as a transfer, it counts once.
import { expect, test } from 'bun:test'
import { cash, type Json, letting, type Stage, scenario, stage } from '../../../support/scenario.ts'

const ID = '7712345678'
const momo = { method: 'MTN_MOMO', reference: ID }
const bare = { method: 'MTN_MOMO' }
const text = `You have received 60000 XAF from ETAME PAUL (237699111222) on your mobile money account at 2026-03-09 16:30:51. Your new balance: 1,000,000 XAF. Financial Transaction Id: ${ID}.`
const given = letting()
const asTransfer = (body: Json): Json => ({
  ...body,
  parts: [{ bookingId: '{lease}', kind: 'ADVANCE', amount: Number(body.amount) }],
})
/** The doors of somebody on the landlord's side who records money by hand. */
const HAND = [
  ['an invoice', 'POST /invoices/{i1}/payments', (body: Json) => body],
  ['a lease', 'POST /bookings/{lease}/payments', (body: Json) => body],
  ['a transfer', 'POST /transfers', asTransfer],
] as const
const declare = (s: Pick<Stage, 'make'>, amount: number, more: Json) =>
  s.make('tom', 'POST /invoices/{i1}/payments', cash(amount, more), 'told')
const counted = (s: Stage) => s.rows("select status, amount, method, reference from payment where status <> 'REJECTED'")

for (const [door, line, bodyOf] of HAND) {
  test(`${door}: the id of a declaration confirms it; another sum is refused with both`, async () => {
    const s = await stage({ given })
    await declare(s, 60_000, momo)
    const before = s.dump()
    const other = await s.ask('ana', line, bodyOf(cash(50_000, momo)))
    expect([other.status, other.body.code, other.body.paymentId]).toEqual([409, 'duplicate', s.fill('{told}')])
    expect(String(other.body.detail)).toContain('60,000')
    expect(String(other.body.detail)).toContain('50,000')
    expect(s.dump()).toBe(before)
    const same = await s.ask('ana', line, bodyOf(cash(60_000, { ...momo, reference: `Ref: ${ID}` })))
    expect(same.status).toBe(201)
    expect(counted(s)).toEqual([{ status: 'CONFIRMED', amount: 60_000, method: 'MTN_MOMO', reference: ID }])
    expect(s.ledger()).toEqual(['2026-03-01..03-31 PAID 60000/60000'])
    // Once more it is known.
    expect((await s.ask('ana', line, bodyOf(cash(60_000, momo)))).status).toBe(409)
  })

  test(`${door}: what may be a declaration without an id is asked, and is what the caller says`, async () => {
    for (const said of ['same', 'distinct'] as const) {
      const s = await stage({ given })
      await declare(s, 30_000, bare)
      const body = bodyOf(cash(30_000, { ...momo, payer: 'ETAME PAUL' }))
      const before = s.dump()
      const asked = await s.ask('ana', line, body)
      expect([asked.status, asked.body.code, asked.body.paymentId]).toEqual([409, 'maybe_known', s.fill('{told}')])
      expect(s.dump()).toBe(before)
      const answer = said === 'same' ? { same: '{told}' } : { distinct: true }
      expect((await s.ask('ana', line, { ...body, ...answer })).status).toBe(201)
      expect(counted(s)).toMatchObject(
        said === 'same'
          ? [{ status: 'CONFIRMED', amount: 30_000, reference: ID }]
          : [{ status: 'PENDING' }, { status: 'CONFIRMED', reference: ID }],
      )
      const [{ told } = {}] = s.rows('select told from transfer order by row limit 1')
      expect(JSON.parse(String(told))).toHaveLength(said === 'same' ? 2 : 1)
    }
  })
}

test.each([
  ['another sum', cash(20_000, bare), bare],
  ['four days apart', cash(30_000, { ...bare, paidOn: '2026-03-06' }), bare],
  ['another id', cash(30_000, { method: 'MTN_MOMO', reference: '8812345678' }), momo],
  ['by the bank', cash(30_000, { method: 'BANK_TRANSFER' }), bare],
] as const)('nothing is asked of what is other money: %s', async (_name, body, declared) => {
  const s = await stage({ given })
  await declare(s, 30_000, declared)
  expect((await s.ask('ana', 'POST /invoices/{i1}/payments', body)).status).toBe(201)
  expect(counted(s)).toHaveLength(2)
})

scenario('what is said of a declaration has to be true', { given }, [
  ['tom', 'POST /invoices/{i1}/payments', cash(30_000, momo), 201, {}, { audit: 'payment.declare', as: 'told' }],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(30_000, { same: '{told}', distinct: true }),
    422,
    { errors: [{ path: '/distinct' }] },
  ],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(30_000, { method: 'MTN_MOMO', reference: '8812345678', same: '{told}' }),
    422,
    { errors: [{ path: '/same' }] },
  ],
  ['ana', 'POST /bookings/{lease}/payments', cash(30_000, { same: '{nobody}' }), 404],
  [
    'ana',
    'POST /transfers',
    cash(30_000, { same: '{told}', parts: [{ bookingId: '{lease}', kind: 'DEPOSIT', amount: 30_000 }] }),
    422,
    { errors: [{ path: '/same' }] },
  ],
  [
    'ana',
    'POST /invoices/{i1}/payments',
    cash(30_000, { same: '{told}' }),
    201,
    { status: 'CONFIRMED', method: 'MTN_MOMO', reference: ID },
    { audit: 'invoice.balance, payment.confirm', jobs: 'payment.confirmed' },
  ],
  ['ana', 'POST /invoices/{i1}/payments', cash(30_000, { same: '{told}' }), 409, { code: 'invalid_state' }],
])

type Door = readonly [who: 'ana' | 'mia' | 'tom', line: string, body: Json]
const DOORS: Record<string, Door> = {
  declared: ['tom', 'POST /invoices/{i1}/payments', cash(60_000, momo)],
  message: ['mia', 'POST /payments/from-message', { text, bookingId: '{lease}' }],
  hand: ['ana', 'POST /invoices/{i1}/payments', cash(60_000, momo)],
  transfer: ['mia', 'POST /transfers', asTransfer(cash(60_000, momo))],
  confirmed: ['ana', 'POST /payments/{told}/confirm', {}],
}
const pairs = Object.keys(DOORS).flatMap((a, i, all) => all.slice(i + 1).map((b) => [a, b] as const))
test.each(pairs)('fifty at once, by both doors: %s and %s are one booking', async (a, b) => {
  const s = await stage({ given })
  if (b === 'confirmed') await declare(s, 60_000, momo)
  const asked = Array.from({ length: 50 }, (_, i) => s.ask(...(DOORS[i % 2 ? a : b] as Door)))
  const answers = await Promise.all(asked)
  // Whatever was declared first is confirmed by the other door.
  if (a === 'declared' && b !== 'confirmed') await s.ask(...(DOORS[b] as Door))
  expect(counted(s)).toEqual([{ status: 'CONFIRMED', amount: 60_000, method: 'MTN_MOMO', reference: ID }])
  expect(s.rows("select count(*) n from transfer where state = 'POSTED'")).toEqual([{ n: 1 }])
  expect(s.ledger()[0]).toBe('2026-03-01..03-31 PAID 60000/60000')
  expect(answers.filter(({ status }) => status >= 500 || status === 403)).toEqual([])
})
