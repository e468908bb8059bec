// Rent paid in advance, credit and refunds: decisions section 5. Rent is 60,000 a month.
import { cash, letting, scenario } from '../../../support/scenario.ts'

const lease = (more: object = {}) => ({ given: letting({ startDate: '2026-03-10', ...more }) })
const one = 'invoice.issue, invoice.paid'

scenario('an advance pays what is open, then the coming whole periods in order; the rest is credit', lease(), [
  ['tom', 'POST /bookings/{lease}/payments', cash(1), 403],
  ['eve', 'POST /bookings/{lease}/payments', cash(1), 404],
  [
    'ana',
    'POST /invoices/{i1}/payments',
    cash(10_000),
    201,
    {},
    { audit: 'invoice.balance, payment.record', jobs: 'payment.confirmed' },
  ],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(180_000),
    201,
    {
      payment: {
        status: 'CONFIRMED',
        amount: 180_000,
        unallocatedAmount: 10_000,
        invoiceIds: ['{i1}', '{i2}', '{i3}'],
      },
      invoiceIds: ['{i1}', '{i2}', '{i3}'],
      creditAmount: 10_000,
      coveredUntil: '2026-06-09',
    },
    { audit: `payment.record, invoice.paid, ${one}, ${one}`, jobs: 'invoice.issued ×2, payment.confirmed' },
  ],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 10_000 }],
  // One receipt, and no bill for what is paid.
  ['days', 0, { sent: 'payment_confirmed ×2' }],
  ['days', 91],
  // The next invoice takes the credit.
  ['days', 1, { audit: 'invoice.issue, invoice.balance', jobs: 'invoice.issued', sent: 'invoice_issued' }],
  [
    'invoices',
    [
      '2026-03-10..04-09 PAID 60000/60000',
      '2026-04-10..05-09 PAID 60000/60000',
      '2026-05-10..06-09 PAID 60000/60000',
      '2026-06-10..07-09 ISSUED 10000/60000',
    ],
  ],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 0 }],
])

scenario('an advance below one month pays a part of what is open and opens nothing', lease(), [
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(59_999),
    201,
    { invoiceIds: ['{i1}'], creditAmount: 0 },
    { audit: 'payment.record, invoice.balance', jobs: 'payment.confirmed', lacks: ['coveredUntil'] },
  ],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(1),
    201,
    { invoiceIds: ['{i1}'], coveredUntil: '2026-04-09' },
    { audit: 'payment.record, invoice.paid', jobs: 'payment.confirmed' },
  ],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(59_999),
    201,
    { invoiceIds: [], creditAmount: 59_999, coveredUntil: '2026-04-09' },
    { audit: 'payment.record', jobs: 'payment.confirmed' },
  ],
  // What was left over counts with what comes.
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(1),
    201,
    { invoiceIds: ['{i2}'], creditAmount: 0, coveredUntil: '2026-05-09' },
    {
      audit: `payment.record, ${'invoice.issue, invoice.paid'}`,
      jobs: 'invoice.issued, payment.confirmed',
    },
  ],
])

scenario(
  'never past the end; the short last period at its own price',
  lease({ endDate: '2026-04-19', autoRenew: false }),
  [
    [
      'ana',
      'POST /bookings/{lease}/payments',
      cash(100_000),
      201,
      { invoiceIds: ['{i1}', '{i2}'], creditAmount: 20_000, coveredUntil: '2026-04-19' },
      { audit: `payment.record, invoice.paid, ${one}`, jobs: 'invoice.issued, payment.confirmed' },
    ],
    ['invoices', ['2026-03-10..04-09 PAID 60000/60000', '2026-04-10..04-19 PAID 20000/20000']],
    ['days', 41, { audit: 'booking.end', jobs: 'booking.terminated', sent: 'payment_confirmed, lease_ended' }],
    [
      'ana',
      'POST /bookings/{lease}/payments',
      cash(20_000, { type: 'REFUND', reference: 'V1' }),
      201,
      { creditAmount: 0, coveredUntil: '2026-04-19', payment: { type: 'REFUND', reference: 'V1', invoiceIds: [] } },
      { audit: 'payment.refund' },
    ],
    ['ana', 'GET /payments', undefined, 200, [{ id: '{p2}', type: 'REFUND' }, { id: '{p1}' }]],
  ],
)

scenario('a lease that renews itself takes its credit into the month that follows', lease({ endDate: '2026-04-09' }), [
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(130_000),
    201,
    { creditAmount: 70_000, coveredUntil: '2026-04-09' },
    { audit: 'payment.record, invoice.paid', jobs: 'payment.confirmed' },
  ],
  [
    'days',
    31,
    { audit: 'invoice.issue, invoice.paid, booking.extend', jobs: 'invoice.issued', sent: 'payment_confirmed' },
  ],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 10_000, endDate: '2026-05-09' }],
])

scenario('a bounced advance: its invoices are owed again, each by its own date', lease(), [
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(130_000),
    201,
    {},
    { audit: `payment.record, invoice.paid, ${one}`, jobs: 'invoice.issued, payment.confirmed' },
  ],
  ['days', 6, { sent: 'payment_confirmed' }],
  [
    'ana',
    'POST /payments/{p1}/reverse',
    {},
    200,
    { status: 'REVERSED' },
    { audit: 'invoice.balance ×2, payment.reverse', lacks: ['unallocatedAmount'] },
  ],
  ['invoices', ['2026-03-10..04-09 OVERDUE 0/60000', '2026-04-10..05-09 ISSUED 0/60000']],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 0 }],
  // The coming period is not issued again.
  ['days', 25, { sent: 'payment_reversed' }],
  ['days', 30, { audit: 'invoice.issue, invoice.overdue', jobs: 'invoice.issued', sent: 'invoice_issued' }],
])

scenario(
  'with TVA a month costs its gross amount',
  {
    settings: { tvaRegistered: true },
    given: letting({ startDate: '2026-03-10', rentAmount: 250_000 }, 'ACTIVE', 'OFFICE'),
  },
  [
    [
      'ana',
      'POST /bookings/{lease}/payments',
      cash(3 * 298_125),
      201,
      { creditAmount: 0, coveredUntil: '2026-06-09' },
      { audit: `payment.record, invoice.paid, ${one}, ${one}`, jobs: 'invoice.issued ×2, payment.confirmed' },
    ],
  ],
)

scenario('no rent takes no advance: all of it is credit, to be given back', lease({ rentAmount: 0 }), [
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(5),
    201,
    { creditAmount: 5, invoiceIds: [] },
    { audit: 'payment.record', jobs: 'payment.confirmed' },
  ],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(5, { type: 'REFUND', paidOn: '2026-03-11' }),
    422,
    { errors: [{ path: '/paidOn' }] },
  ],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(5, { type: 'REFUND' }),
    201,
    { creditAmount: 0 },
    { audit: 'payment.refund' },
  ],
  ['ana', 'POST /payments/{p1}/reverse', {}, 409, { code: 'invalid_state' }],
  ['ana', 'POST /payments/{p2}/reverse', {}, 200, {}, { audit: 'payment.reverse' }],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 5 }],
])

scenario('before a lease runs there is nothing to pay in advance', { given: letting({}, 'PENDING') }, [
  ['ana', 'POST /bookings/{lease}/payments', cash(60_000), 409, { currentStatus: 'PENDING' }],
  ['ana', 'POST /bookings/{lease}/payments', cash(60_000, { type: 'REFUND' }), 422, { code: 'refund_exceeds_credit' }],
])
