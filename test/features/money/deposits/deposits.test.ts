// The ledger of a deposit: what came, what was kept and why, what went back; never more than was held.
import { expect, test } from 'bun:test'
import { type Json, letting, scenario, stage } from '../../../support/scenario.ts'

const lease = { given: letting({ startDate: '2026-03-10' }) }
const path = 'POST /bookings/{lease}/deposit'
const entry = (type: string, amount: number, more: Json = {}): Json => ({ type, amount, paidOn: '2026-03-10', ...more })
const audited = (type: string) => ({ audit: `deposit.${type}` })

scenario('received, partly kept, the rest given back', lease, [
  [
    'ana',
    path,
    entry('RECEIVED', 120_000),
    201,
    {
      type: 'RECEIVED',
      amount: 120_000,
      currency: 'XAF',
      heldAmount: 120_000,
      paidOn: '2026-03-10',
      recordedBy: '{ana}',
      bookingId: '{lease}',
    },
    { ...audited('received'), lacks: ['reason', 'version'] },
  ],
  [
    'mia',
    path,
    entry('DEDUCTED', 30_000, { reason: 'Vitre cassée' }),
    201,
    { heldAmount: 90_000 },
    audited('deducted'),
  ],
  ['ana', path, entry('RETURNED', 90_001), 422, { code: 'deposit_exceeded' }],
  ['ana', path, entry('RETURNED', 90_000), 201, { heldAmount: 0 }, audited('returned')],
  ['ana', path, entry('RETURNED', 1), 422, { code: 'deposit_exceeded' }],
  [
    'tom',
    'GET /bookings/{lease}/deposit?order=asc',
    undefined,
    200,
    [{ heldAmount: 120_000 }, { heldAmount: 90_000, reason: 'Vitre cassée' }, { heldAmount: 0 }],
  ],
])

scenario('no date before the money came, nor long before the lease', lease, [
  ['ana', path, entry('RECEIVED', 50_000, { paidOn: '2025-03-09' }), 422, { errors: [{ path: '/paidOn' }] }],
  ['ana', path, entry('RECEIVED', 50_000, { paidOn: '2026-02-01' }), 201, { heldAmount: 50_000 }, audited('received')],
  ['ana', path, entry('RECEIVED', 30_000), 201, { heldAmount: 80_000 }, audited('received')],
  ['ana', path, entry('RETURNED', 1, { paidOn: '2026-01-31' }), 422, { errors: [{ path: '/paidOn' }] }],
  ['ana', path, entry('RETURNED', 50_001, { paidOn: '2026-02-01' }), 422, { errors: [{ path: '/paidOn' }] }],
  ['ana', path, entry('RETURNED', 50_000, { paidOn: '2026-02-02' }), 201, { heldAmount: 30_000 }, audited('returned')],
  // On the second of February nothing was left.
  [
    'ana',
    path,
    entry('DEDUCTED', 1, { paidOn: '2026-02-01', reason: 'Vitre' }),
    422,
    { errors: [{ path: '/paidOn' }] },
  ],
  ['ana', path, entry('DEDUCTED', 30_000, { reason: 'Vitre' }), 201, { heldAmount: 0 }, audited('deducted')],
])

scenario('refused, and nothing is entered', lease, [
  ['ana', path, entry('DEDUCTED', 1, { reason: 'Vitre' }), 422, { code: 'deposit_exceeded' }],
  ['ana', path, entry('RECEIVED', 1_000, { paidOn: '2026-03-11' }), 422, { errors: [{ path: '/paidOn' }] }],
  ['ana', path, entry('DEDUCTED', 1_000), 422, { errors: [{ path: '/reason' }] }],
  ['ana', path, entry('RECEIVED', 0), 422, { errors: [{ path: '/amount' }] }],
  ['ana', path, entry('RECEIVED', 1_000, { currency: 'EUR' }), 422, { errors: [{ path: '/currency' }] }],
  ['ana', path, entry('LOST', 1_000), 422, { errors: [{ path: '/type' }] }],
  ['eve', path, entry('RECEIVED', 1_000), 404],
  ['zoe', path, entry('RECEIVED', 1_000), 404],
  ['tom', path, entry('RECEIVED', 1_000), 403],
  ['tia', 'GET /bookings/{lease}/deposit', undefined, 404],
  ['ana', 'GET /bookings/{lease}/deposit', undefined, 200, []],
])

test('what is kept and given back after the end stands on a new statement, in the place of the old one', async () => {
  const s = await stage({ given: letting({ startDate: '2026-02-10', billFrom: '2026-02-10', depositAmount: 120_000 }) })
  await s.make('ana', path, entry('RECEIVED', 120_000))
  await s.make('ana', 'POST /bookings/{lease}/terminate', {})
  await s.make('ana', path, entry('DEDUCTED', 20_000, { reason: 'Vitre cassée' }))
  await s.make('ana', path, entry('RETURNED', 100_000))
  expect((await s.ask('ana', path, entry('RETURNED', 1))).status).toBe(422)
  const { body } = await s.ask('ana', 'GET /documents?kind=STATEMENT&order=asc')
  const papers = body as unknown as { id: string; number: string; voidReason?: string }[]
  expect(papers.map(({ number, voidReason }) => `${number} ${voidReason ?? 'stands'}`)).toEqual([
    'S-2026-000001 REPLACED',
    'S-2026-000002 REPLACED',
    'S-2026-000003 stands',
  ])
  const [{ data } = {}] = s.t.rows('select data from document where id = ?', papers[2]?.id)
  expect(JSON.parse(String(data))).toMatchObject({
    depositAmount: 120_000,
    deposits: [
      { type: 'RECEIVED', amount: 120_000 },
      { type: 'DEDUCTED', amount: 20_000, reason: 'Vitre cassée' },
      { type: 'RETURNED', amount: 100_000 },
    ],
    heldAmount: 0,
  })
})

test('never below zero, however many ask at once', async () => {
  const s = await stage(lease)
  await s.make('ana', path, entry('RECEIVED', 120_000))
  const answers = await Promise.all(Array.from({ length: 50 }, () => s.ask('ana', path, entry('RETURNED', 25_000))))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
  expect(answers.filter(({ body }) => body.code === 'deposit_exceeded')).toHaveLength(46)
})
