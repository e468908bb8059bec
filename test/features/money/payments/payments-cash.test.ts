// Cash that another person took: written down at once, counted on their word where the organization wants that.
import { expect, test } from 'bun:test'
import { cash, letting, scenario, stage } from '../../../support/scenario.ts'

const confirming = { given: letting({ startDate: '2026-03-10' }), settings: { confirmCash: true } }
const took = (by: string, more: object = {}) => cash(20_000, { receivedBy: `{${by}}`, ...more })
const waiting = { audit: 'payment.record' } as const
const mine = { status: 'CONFIRMED', receivedBy: '{ana}', recordedBy: '{mia}', decidedBy: '{ana}' }

scenario(
  'where nobody asks for it, cash that another took counts at once, and says who took it',
  {
    given: letting({ startDate: '2026-03-10' }),
  },
  [
    [
      'mia',
      'POST /invoices/{i1}/payments',
      took('ana'),
      201,
      { status: 'CONFIRMED', receivedBy: '{ana}', recordedBy: '{mia}' },
      { audit: 'invoice.balance, payment.record', jobs: 'payment.confirmed' },
    ],
    [
      'mia',
      'POST /invoices/{i1}/payments',
      took('mia'),
      201,
      {},
      {
        audit: 'invoice.balance, payment.record',
        jobs: 'payment.confirmed',
        lacks: ['receivedBy'],
      },
    ],
    ['ana', 'GET /organization', undefined, 200, {}, { lacks: ['team'] }],
  ],
)

scenario('cash that waits counts for nothing until its receiver confirms it', confirming, [
  [
    'mia',
    'POST /invoices/{i1}/payments',
    took('ana'),
    201,
    { status: 'PENDING', receivedBy: '{ana}' },
    { ...waiting, lacks: ['documentId', 'confirmedAt'] },
  ],
  ['invoices', ['2026-03-10..04-09 ISSUED 0/60000']],
  ['mia', 'GET /bookings/{lease}/advance?months=1', undefined, 200, {}],
  ['mia', 'POST /payments/{p1}/confirm', {}, 403, { code: 'forbidden' }],
  ['ada', 'POST /payments/{p1}/confirm', {}, 403, { code: 'forbidden' }],
  ['ada', 'POST /payments/{p1}/reject', { reason: 'Non' }, 403, { code: 'forbidden' }],
  ['eve', 'POST /payments/{p1}/confirm', {}, 404],
  ['zoe', 'POST /payments/{p1}/confirm', {}, 404],
  ['tom', 'POST /payments/{p1}/confirm', {}, 403],
  ['mia', 'POST /payments/{p1}/reverse', { reason: 'Non' }, 409],
  [
    'ana',
    'POST /payments/{p1}/confirm',
    {},
    200,
    mine,
    { audit: 'invoice.balance, payment.confirm', jobs: 'payment.confirmed' },
  ],
  ['invoices', ['2026-03-10..04-09 ISSUED 20000/60000']],
  ['ana', 'POST /payments/{p1}/confirm', {}, 200, mine],
])

scenario(
  'cash that its receiver never saw is refused by them, with a reason, or taken back by who recorded it',
  confirming,
  [
    ['mia', 'POST /invoices/{i1}/payments', took('ana'), 201, { status: 'PENDING' }, waiting],
    ['ana', 'POST /payments/{p1}/reject', {}, 422, { errors: [{ path: '/reason' }] }],
    ['ana', 'POST /payments/{p1}/reject', { reason: ' ' }, 422, { errors: [{ path: '/reason' }] }],
    [
      'ana',
      'POST /payments/{p1}/reject',
      { reason: 'Rien reçu' },
      200,
      { status: 'REJECTED', note: 'Rien reçu' },
      { audit: 'payment.reject' },
    ],
    ['ana', 'POST /payments/{p1}/confirm', {}, 409],
    // The other way round: the owner records what the manager took.
    ['ana', 'POST /invoices/{i1}/payments', took('mia'), 201, { status: 'PENDING', receivedBy: '{mia}' }, waiting],
    ['ana', 'POST /payments/{p2}/confirm', {}, 403],
    ['ana', 'POST /payments/{p2}/reject', {}, 200, { status: 'REJECTED' }, { audit: 'payment.reject' }],
    ['invoices', ['2026-03-10..04-09 ISSUED 0/60000']],
  ],
)

const refused = (body: object) =>
  ['mia', 'POST /invoices/{i1}/payments', body as never, 422, { errors: [{ path: '/receivedBy' }] }] as const
scenario('nobody else receives cash, and nothing but cash is received', confirming, [
  refused(took('eve')),
  refused(took('tom')),
  refused(took('zoe')),
  refused(took('nobody')),
  refused(took('ana', { method: 'MTN_MOMO', reference: 'X1' })),
  ['tom', 'POST /invoices/{i1}/payments', took('ana'), 422, { errors: [{ path: '/receivedBy' }] }],
  ['tom', 'POST /invoices/{i1}/payments', took('tom'), 422, { errors: [{ path: '/receivedBy' }] }],
  ['ana', 'GET /organization', undefined, 200, { team: [{ userId: '{mia}' }, { userId: '{ada}' }] }],
  ['tom', 'GET /organization', undefined, 200, {}, { lacks: ['team'] }],
  ['mia', 'PATCH /admin/organization', { confirmCash: false }, 403],
])

scenario('an advance says who took the cash', { given: letting() }, [
  [
    'mia',
    'POST /bookings/{lease}/payments',
    took('ana'),
    201,
    { payment: { status: 'CONFIRMED', receivedBy: '{ana}', recordedBy: '{mia}' } },
    { audit: 'payment.record, invoice.balance', jobs: 'payment.confirmed' },
  ],
  ['mia', 'POST /bookings/{lease}/payments', took('tom'), 422, { errors: [{ path: '/receivedBy' }] }],
  [
    'mia',
    'POST /bookings/{lease}/payments',
    took('ana', { method: 'CHEQUE' }),
    422,
    { errors: [{ path: '/receivedBy' }] },
  ],
  [
    'mia',
    'POST /bookings/{lease}/payments',
    took('ana', { type: 'REFUND' }),
    422,
    { errors: [{ path: '/receivedBy' }] },
  ],
  [
    'mia',
    'POST /bookings/{lease}/payments',
    cash(20_000, { type: 'REFUND', method: 'WITHHOLDING' }),
    422,
    { errors: [{ path: '/method' }] },
  ],
])

const advance = (by: string) =>
  ['mia', 'POST /bookings/{lease}/payments', cash(140_000, { receivedBy: `{${by}}` })] as const
scenario(
  'an advance that waits pays neither what is open nor coming months until its receiver confirms it',
  confirming,
  [
    [
      ...advance('ana'),
      201,
      { payment: { status: 'PENDING', receivedBy: '{ana}', invoiceIds: [] }, invoiceIds: [], creditAmount: 0 },
      { audit: 'payment.record' },
    ],
    ['mia', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 0 }],
    ['invoices', ['2026-03-10..04-09 ISSUED 0/60000']],
    ['days', 0, { sent: 'payment_declared' }],
    ['mia', 'POST /payments/{p1}/confirm', {}, 403, { code: 'forbidden' }],
    ['eve', 'POST /payments/{p1}/confirm', {}, 404],
    ['ana', 'POST /payments/{p1}/reject', {}, 422, { errors: [{ path: '/reason' }] }],
    [
      'ana',
      'POST /payments/{p1}/confirm',
      {},
      200,
      { status: 'CONFIRMED', receivedBy: '{ana}', recordedBy: '{mia}', unallocatedAmount: 20_000 },
      {
        audit: 'payment.confirm, invoice.paid, invoice.issue, invoice.paid',
        jobs: 'invoice.issued, payment.confirmed',
      },
    ],
    ['days', 0, { sent: 'payment_confirmed' }],
    ['invoices', ['2026-03-10..04-09 PAID 60000/60000', '2026-04-10..05-09 PAID 60000/60000']],
    ['mia', 'GET /payments/{p1}', undefined, 200, { invoiceIds: ['{i1}', '{i2}'], unallocatedAmount: 20_000 }],
    ['ana', 'POST /payments/{p1}/confirm', {}, 200, { status: 'CONFIRMED' }],
  ],
)

scenario('an advance that its receiver never saw pays nothing, ever', confirming, [
  [...advance('ana'), 201, { payment: { status: 'PENDING' } }, { audit: 'payment.record' }],
  [
    'ana',
    'POST /payments/{p1}/reject',
    { reason: 'Rien reçu' },
    200,
    { status: 'REJECTED' },
    { audit: 'payment.reject' },
  ],
  ['ana', 'POST /payments/{p1}/confirm', {}, 409],
  ['days', 0, { sent: 'payment_declared' }],
  ['invoices', ['2026-03-10..04-09 ISSUED 0/60000']],
])

test('many months of an advance are paid once it is confirmed, and the tenant is told once', async () => {
  const s = await stage(confirming)
  await s.t.work()
  s.t.sent.length = 0
  await s.make('mia', 'POST /bookings/{lease}/payments', cash(60_000 * 15, { receivedBy: '{ana}' }))
  await s.make('ana', 'POST /payments/{p1}/confirm')
  await s.t.work()
  expect(s.rows("select count(*) n from invoice where status = 'PAID'")).toEqual([{ n: 15 }])
  const told = s.t.sent.filter(({ purpose }) => purpose === 'payment_confirmed')
  expect(told.map(({ text }) => text)).toEqual([expect.stringMatching(/900.000.*2027/)])
})

test('the receiver alone is told, the recorder of a refusal, and the tenant of neither', async () => {
  const s = await stage(confirming)
  await s.t.work()
  s.t.sent.length = 0
  await s.make('mia', 'POST /invoices/{i1}/payments', took('ana'))
  await s.t.work()
  const texts = () => s.t.sent.map(({ purpose, text }) => `${purpose}: ${text}`)
  expect(texts()).toEqual([expect.stringMatching(/^payment_declared: .*20.000.*(espèces|cash)/)])
  s.t.sent.length = 0
  await s.make('ana', 'POST /payments/{p1}/reject', { reason: 'Rien reçu' })
  await s.t.work()
  expect(texts()).toEqual([expect.stringMatching(/^payment_declared: .*Rien reçu/)])
})
