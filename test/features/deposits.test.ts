// The ledger of a deposit: what came, what was kept and why, what went back; never more than was held.
import { type Json, letting, scenario } from './scenario.ts'

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
