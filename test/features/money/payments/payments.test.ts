// Money that came, or is said to have come: decisions sections 3, 5 and 6. Rent is 60,000 a month, due on 15 March.
import { cash, letting, premises, scenario } from '../../../support/scenario.ts'

const open = { given: letting({ startDate: '2026-03-10' }) }
const recorded = (invoice: 'paid' | 'balance') => ({
  audit: `invoice.${invoice}, payment.record`,
  jobs: 'payment.confirmed',
})
const declared = { audit: 'payment.declare' } as const
const momo = (reference: string, more: object = {}) => cash(1_000, { method: 'MTN_MOMO', reference, ...more })

scenario('landlords record what they received; in parts, up to the balance', open, [
  [
    'ana',
    'POST /invoices/{i1}/payments',
    cash(20_000, { reference: 'R1', currency: 'XAF' }),
    201,
    {
      type: 'PAYMENT',
      status: 'CONFIRMED',
      amount: 20_000,
      currency: 'XAF',
      method: 'CASH',
      paidOn: '2026-03-10',
      reference: 'R1',
      recordedBy: '{ana}',
      bookingId: '{lease}',
      invoiceIds: ['{i1}'],
      confirmedAt: '2026-03-10T08:00:00.000Z',
    },
    { ...recorded('balance'), lacks: ['unallocatedAmount', 'decidedBy', 'tenantUserId'] },
  ],
  [
    'ana',
    'GET /invoices/{i1}',
    undefined,
    200,
    { status: 'ISSUED', amountPaid: 20_000, balanceAmount: 40_000 },
    { lacks: ['paidAt'] },
  ],
  [
    'ana',
    'POST /invoices/{i1}/payments',
    cash(40_001),
    422,
    {
      code: 'overpayment',
      detail:
        'The amount is more than what is left to pay on this invoice, FCFA\u00a040,000. Record the rest as an advance on the lease; it pays the coming months.',
    },
  ],
  [
    'mia',
    'POST /invoices/{i1}/payments',
    cash(40_000, { method: 'WITHHOLDING', paidOn: '2026-01-31' }),
    201,
    { recordedBy: '{mia}' },
    recorded('paid'),
  ],
  [
    'ana',
    'GET /invoices/{i1}',
    undefined,
    200,
    { status: 'PAID', balanceAmount: 0, paidAt: '2026-03-10T08:00:00.000Z' },
  ],
  ['ana', 'POST /invoices/{i1}/payments', cash(1), 409, { currentStatus: 'PAID' }],
  ['ana', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 1 }, 409, { currentStatus: 'PAID' }],
  ['ana', 'POST /invoices/{i1}/cancel', {}, 409, { currentStatus: 'PAID' }],
  ['days', 0, { sent: 'payment_confirmed ×2' }],
  ['days', 10],
])

scenario('what is no payment', open, [
  ['ana', 'POST /invoices/{i1}/payments', cash(0), 422, { errors: [{ path: '/amount' }] }],
  ['ana', 'POST /invoices/{i1}/payments', cash(1.5), 422],
  ['ana', 'POST /invoices/{i1}/payments', { ...cash(1), amount: '1' }, 422],
  ['ana', 'POST /invoices/{i1}/payments', cash(1e12 + 1), 422],
  ['ana', 'POST /invoices/{i1}/payments', cash(1, { currency: 'EUR' }), 422],
  ['ana', 'POST /invoices/{i1}/payments', cash(1, { method: 'CREDIT' }), 422],
  ['ana', 'POST /invoices/{i1}/payments', cash(1, { paidOn: '2026-03-11' }), 422, { errors: [{ path: '/paidOn' }] }],
  ['ana', 'POST /invoices/{i1}/payments', cash(1, { paidOn: '2026-02-29' }), 422],
  ['ana', 'POST /invoices/{i1}/payments', { amount: 1, method: 'CASH' }, 422, { errors: [{ path: '/paidOn' }] }],
  ['ana', 'POST /invoices/{i1}/payments', cash(1, { proofMediaId: '{nobody}' }), 404],
  ['ana', 'POST /invoices/{nobody}/payments', cash(1), 404],
  ['eve', 'POST /invoices/{i1}/payments', cash(1), 404],
  ['tia', 'POST /invoices/{i1}/payments', cash(1), 404],
  ['zoe', 'POST /invoices/{i1}/payments', cash(1), 404],
])

scenario('a tenant declares; it does not count until it is confirmed', open, [
  [
    'tom',
    'POST /invoices/{i1}/payments',
    cash(60_000),
    201,
    { status: 'PENDING', recordedBy: '{tom}', invoiceIds: ['{i1}'] },
    { ...declared, lacks: ['confirmedAt'] },
  ],
  ['ana', 'GET /invoices/{i1}', undefined, 200, { status: 'ISSUED', amountPaid: 0, balanceAmount: 60_000 }],
  ['tom', 'POST /payments/{p1}/confirm', {}, 403],
  ['eve', 'POST /payments/{p1}/confirm', {}, 404],
  [
    'ana',
    'POST /payments/{p1}/reverse',
    {},
    409,
    { currentStatus: 'PENDING', allowed: ['confirm', 'reject', 'withdraw'] },
  ],
  [
    'ana',
    'POST /payments/{p1}/confirm',
    { reason: 'Vu' },
    200,
    { status: 'CONFIRMED', decidedBy: '{ana}', note: 'Vu', invoiceIds: ['{i1}'] },
    { audit: 'invoice.paid, payment.confirm', jobs: 'payment.confirmed' },
  ],
  ['ana', 'POST /payments/{p1}/confirm', {}, 200, { note: 'Vu' }],
  ['tom', 'GET /invoices/{i1}', undefined, 200, { status: 'PAID' }],
  ['ana', 'POST /payments/{p1}/reject', {}, 409, { currentStatus: 'CONFIRMED', allowed: ['reverse'] }],
  ['tom', 'POST /payments/{p1}/withdraw', {}, 409, { currentStatus: 'CONFIRMED' }],
  ['days', 0, { sent: 'payment_confirmed' }],
])

scenario('a declaration is rejected, or withdrawn by who made it', open, [
  ['tom', 'POST /invoices/{i1}/payments', cash(1_000), 201, {}, declared],
  ['tom', 'POST /invoices/{i1}/payments', cash(2_000), 201, {}, declared],
  ['tia', 'POST /payments/{p1}/withdraw', {}, 404],
  ['ana', 'POST /payments/{p1}/withdraw', {}, 403],
  [
    'tom',
    'POST /payments/{p1}/withdraw',
    {},
    200,
    { status: 'REJECTED', decidedBy: '{tom}', closedAt: '2026-03-10T08:00:00.000Z' },
    { audit: 'payment.withdraw' },
  ],
  ['tom', 'POST /payments/{p1}/withdraw', {}, 200, { status: 'REJECTED' }],
  [
    'ana',
    'POST /payments/{p2}/reject',
    { reason: 'Rien reçu' },
    200,
    { status: 'REJECTED', note: 'Rien reçu' },
    { audit: 'payment.reject' },
  ],
  ['ana', 'POST /payments/{p2}/reject', {}, 200, { note: 'Rien reçu' }],
  ['ana', 'POST /payments/{p2}/confirm', {}, 409, { currentStatus: 'REJECTED', allowed: [] }],
  ['ana', 'GET /invoices/{i1}', undefined, 200, { amountPaid: 0 }],
])

scenario('confirming above the balance is refused, and stays PENDING', open, [
  ['tom', 'POST /invoices/{i1}/payments', cash(60_000), 201, {}, declared],
  ['tom', 'POST /invoices/{i1}/payments', cash(60_000), 201, {}, declared],
  [
    'ana',
    'POST /payments/{p1}/confirm',
    {},
    200,
    {},
    { audit: 'invoice.paid, payment.confirm', jobs: 'payment.confirmed' },
  ],
  ['ana', 'POST /payments/{p2}/confirm', {}, 422, { code: 'overpayment' }],
  ['ana', 'POST /payments/{p1}/reverse', {}, 200, {}, { audit: 'invoice.balance, payment.reverse' }],
  ['ana', 'POST /invoices/{i1}/payments', cash(1), 201, {}, recorded('balance')],
  ['ana', 'POST /payments/{p2}/confirm', {}, 422, { code: 'overpayment' }],
  ['ana', 'GET /payments/{p2}', undefined, 200, { status: 'PENDING' }],
  ['ana', 'POST /payments/{p2}/reject', {}, 200, {}, { audit: 'payment.reject' }],
])

scenario('a reversed payment is owed again, and the date says how late', open, [
  ['ana', 'POST /invoices/{i1}/payments', cash(60_000), 201, {}, recorded('paid')],
  ['days', 5, { sent: 'payment_confirmed' }],
  [
    'ana',
    'POST /payments/{p1}/reverse',
    { reason: 'Chèque sans provision' },
    200,
    { status: 'REVERSED', note: 'Chèque sans provision', closedAt: '2026-03-15T08:00:00.000Z', invoiceIds: ['{i1}'] },
    { audit: 'invoice.balance, payment.reverse' },
  ],
  ['ana', 'GET /invoices/{i1}', undefined, 200, { status: 'ISSUED', amountPaid: 0 }, { lacks: ['paidAt'] }],
  ['ana', 'POST /payments/{p1}/reverse', {}, 200, { status: 'REVERSED' }],
  ['ana', 'POST /invoices/{i1}/payments', cash(60_000), 201, {}, recorded('paid')],
  ['days', 1, { sent: 'payment_reversed, payment_confirmed' }],
  ['ana', 'POST /payments/{p2}/reverse', {}, 200, {}, { audit: 'invoice.balance, payment.reverse' }],
  ['ana', 'GET /invoices/{i1}', undefined, 200, { status: 'OVERDUE', balanceAmount: 60_000 }],
  ['ana', 'POST /invoices/{i1}/cancel', {}, 200, { status: 'CANCELLED' }, { audit: 'invoice.cancel' }],
])

scenario('a reference is used once among what is PENDING or CONFIRMED, by each way of paying', open, [
  ['tom', 'POST /invoices/{i1}/payments', momo('77'), 201, {}, declared],
  ['tom', 'POST /invoices/{i1}/payments', momo('77'), 409, { code: 'duplicate' }],
  ['ana', 'POST /invoices/{i1}/payments', momo('77', { amount: 2 }), 409, { code: 'duplicate' }],
  ['ana', 'POST /bookings/{lease}/payments', momo('77', { amount: 2 }), 409, { code: 'duplicate' }],
  ['ana', 'POST /invoices/{i1}/payments', momo('77', { method: 'ORANGE_MONEY' }), 201, {}, recorded('balance')],
  ['ana', 'POST /payments/{p1}/reject', {}, 200, {}, { audit: 'payment.reject' }],
  ['ana', 'POST /invoices/{i1}/payments', momo('77'), 201, {}, recorded('balance')],
  ['ana', 'POST /invoices/{i1}/payments', cash(1), 201, {}, recorded('balance')],
  ['ana', 'POST /invoices/{i1}/payments', cash(1), 201, {}, recorded('balance')],
  ['ana', 'POST /payments/{p3}/reverse', {}, 200, {}, { audit: 'invoice.balance, payment.reverse' }],
  ['ana', 'POST /invoices/{i1}/payments', momo('77'), 201, {}, recorded('balance')],
])

scenario('lists by status, invoice, lease and day; who sees which', open, [
  ['tom', 'POST /invoices/{i1}/payments', cash(1, { paidOn: '2026-03-01' }), 201, {}, declared],
  ['ana', 'POST /invoices/{i1}/payments', cash(2), 201, {}, recorded('balance')],
  ['ana', 'GET /payments?order=asc', undefined, 200, [{ id: '{p1}' }, { id: '{p2}' }]],
  ['ana', 'GET /payments?status=PENDING', undefined, 200, [{ id: '{p1}' }]],
  ['ana', 'GET /payments?invoiceId={i1}&from=2026-03-02&to=2026-03-31', undefined, 200, [{ id: '{p2}' }]],
  ['ana', 'GET /payments?bookingId={lease}&to=2026-03-01', undefined, 200, [{ id: '{p1}' }]],
  ['ana', 'GET /invoices/{i1}/payments', undefined, 200, [{ id: '{p2}' }, { id: '{p1}' }]],
  ['tom', 'GET /payments', undefined, 200, [{ id: '{p2}' }, { id: '{p1}' }]],
  ['tom', 'GET /payments/{p2}', undefined, 200, {}],
  ['tia', 'GET /payments', undefined, 200, []],
  ['tia', 'GET /payments/{p1}', undefined, 404],
  ['tia', 'GET /invoices/{i1}/payments', undefined, 404],
  ['eve', 'GET /payments?bookingId={lease}', undefined, 200, []],
  ['eve', 'GET /payments/{p1}', undefined, 404],
  ['zoe', 'GET /payments?invoiceId={i1}', undefined, 200, []],
])

scenario(
  'an owner who rents from another declares as a tenant does',
  {
    given: async (s) => {
      await premises()(s)
      await s.make('mia', 'POST /bookings', { unitId: '{a1}', tenantUserId: '{eve}', startDate: '2026-03-10' }, 'lease')
      await s.make('mia', 'POST /bookings/{lease}/submit')
      await s.make('mia', 'POST /bookings/{lease}/activate')
    },
  },
  [
    ['eve', 'POST /invoices/{i1}/payments', cash(60_000), 201, { status: 'PENDING', recordedBy: '{eve}' }, declared],
    ['eve', 'POST /payments/{p1}/confirm', undefined, 404],
    ['eve', 'GET /overview?as=TENANT', undefined, 200, { checkingAmount: 60_000, checking: [{ id: '{p1}' }] }],
    ['tom', 'POST /invoices/{i1}/payments', cash(1), 404],
    [
      'ana',
      'POST /payments/{p1}/confirm',
      undefined,
      200,
      { status: 'CONFIRMED' },
      { audit: 'invoice.paid, payment.confirm', jobs: 'payment.confirmed' },
    ],
  ],
)

scenario(
  'a manager who rents declares as a tenant where they say so, and records elsewhere',
  {
    given: async (s) => {
      await premises()(s)
      await s.make('mia', 'POST /bookings', { unitId: '{a1}', tenantUserId: '{mia}', startDate: '2026-03-10' }, 'lease')
      await s.make('ana', 'POST /bookings/{lease}/submit')
      await s.make('ana', 'POST /bookings/{lease}/activate')
      await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tom}', startDate: '2026-03-10' }, 'other')
      await s.make('ana', 'POST /bookings/{other}/submit')
      await s.make('ana', 'POST /bookings/{other}/activate')
    },
  },
  [
    ['mia', 'POST /invoices/{i1}/payments', cash(1, { as: 'OWNER' }), 422, { errors: [{ path: '/as' }] }],
    ['mia', 'POST /invoices/{i1}/payments', cash(20_000, { as: 'TENANT' }), 201, { status: 'PENDING' }, declared],
    ['mia', 'POST /invoices/{i2}/payments', cash(1, { as: 'TENANT' }), 404],
    ['ana', 'POST /invoices/{i1}/payments', cash(1, { as: 'TENANT' }), 404],
    ['tom', 'POST /invoices/{i2}/payments', cash(2, { as: 'TENANT' }), 201, { status: 'PENDING' }, declared],
    ['mia', 'GET /invoices/{i1}', undefined, 200, { amountPaid: 0, balanceAmount: 60_000 }],
    ['mia', 'POST /invoices/{i1}/payments', cash(5_000), 201, { status: 'CONFIRMED' }, recorded('balance')],
  ],
)
