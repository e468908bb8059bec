// What was paid for time after the end of a lease, and what moves along: decisions section 4, `terminate`.
import { cash, letting, scenario } from '../../../support/scenario.ts'

const since = (startDate: string, more: object = {}) => ({
  given: letting({ startDate, billFrom: startDate, ...more }),
})
const done = 'invoice.issued, booking.terminated'
const paid = (...changed: string[]) => ({ audit: [...changed, 'payment.record'].join(', '), jobs: 'payment.confirmed' })
const advance = (changed: string, jobs: string) => ({ audit: `payment.record, ${changed}`, jobs })

scenario('a PAID period that the end cuts stays PAID; its excess is credit', since('2026-03-01'), [
  ['ana', 'POST /invoices/{i1}/payments', cash(60_000), 201, {}, paid('invoice.paid')],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    { creditAmount: 40_645 },
    { audit: 'invoice.credit, booking.terminate', jobs: 'booking.terminated' },
  ],
  ['invoices', ['2026-03-01..03-31 PAID 60000/60000 credited 40645']],
  // The payment bounced: the days that were lived are owed, and there is no credit any more.
  [
    'ana',
    'POST /payments/{p1}/reverse',
    {},
    200,
    { status: 'REVERSED' },
    { audit: 'invoice.balance, payment.reverse' },
  ],
  ['invoices', ['2026-03-01..03-31 OVERDUE 40645/60000 credited 40645']],
  ['ana', 'GET /invoices/{i1}', undefined, 200, { balanceAmount: 19_355 }, { lacks: ['paidAt'] }],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 0 }],
  ['ana', 'POST /invoices/{i1}/payments', cash(19_355), 201, {}, paid('invoice.paid')],
])

scenario('months paid in advance come back as credit, and first pay the days that were lived', since('2026-03-01'), [
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(200_000),
    201,
    { creditAmount: 20_000, coveredUntil: '2026-05-31' },
    advance(
      'invoice.paid, invoice.issue, invoice.paid, invoice.issue, invoice.paid',
      'invoice.issued ×2, payment.confirmed',
    ),
  ],
  ['ana', 'POST /invoices/{i2}/cancel', {}, 409, { currentStatus: 'PAID' }],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    { creditAmount: 180_645 },
    { audit: 'invoice.credit ×3, booking.terminate', jobs: 'booking.terminated' },
  ],
  [
    'invoices',
    [
      '2026-03-01..03-31 PAID 60000/60000 credited 40645',
      '2026-04-01..04-30 PAID 60000/60000 credited 60000',
      '2026-05-01..05-31 PAID 60000/60000 credited 60000',
    ],
  ],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(180_645, { type: 'REFUND' }),
    201,
    { creditAmount: 0 },
    { audit: 'payment.refund' },
  ],
  ['ana', 'POST /payments/{p1}/reverse', {}, 409, { currentStatus: 'CONFIRMED', allowed: [] }],
  ['ana', 'POST /payments/{p2}/reverse', {}, 200, { status: 'REVERSED' }, { audit: 'payment.reverse' }],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 180_645 }],
  [
    'ana',
    'POST /payments/{p1}/reverse',
    {},
    200,
    { status: 'REVERSED' },
    { audit: 'invoice.balance, payment.reverse' },
  ],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 0 }],
])

scenario('what a coming period had taken pays the current one', since('2026-03-01'), [
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(120_000),
    201,
    { coveredUntil: '2026-04-30' },
    advance('invoice.paid, invoice.issue, invoice.paid', 'invoice.issued, payment.confirmed'),
  ],
  ['ana', 'POST /payments/{p1}/reverse', {}, 200, {}, { audit: 'invoice.balance ×2, payment.reverse' }],
  ['ana', 'POST /invoices/{i2}/payments', cash(30_000), 201, {}, paid('invoice.balance')],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    { creditAmount: 10_645 },
    {
      audit: 'invoice.cancel, invoice.issue, invoice.cancel, invoice.paid, booking.terminate',
      jobs: done,
    },
  ],
  [
    'invoices',
    [
      '2026-03-01..03-31 CANCELLED 0/60000',
      '2026-04-01..04-30 CANCELLED 0/60000',
      '2026-03-01..03-10 PAID 19355/19355',
    ],
  ],
])

scenario(
  'charges are used up: they move along whole, with TVA on both',
  { given: letting({ startDate: '2026-03-10', rentAmount: 310_000, tvaBasisPoints: 1925 }) },
  [
    ['ana', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 4_000 }, 200, {}, { audit: 'invoice.charge' }],
    ['days', 9, { audit: 'invoice.overdue' }],
    [
      'ana',
      'POST /bookings/{lease}/terminate',
      {},
      200,
      { endDate: '2026-03-19' },
      { audit: 'invoice.cancel, invoice.issue, booking.terminate', jobs: done },
    ],
    [
      'ana',
      'GET /invoices/{i2}',
      undefined,
      200,
      {
        netAmount: 104_000,
        tvaAmount: 20_020,
        grossAmount: 124_020,
        lines: [{ amount: 100_000 }, { kind: 'CHARGE', amount: 4_000 }],
      },
    ],
  ],
)

scenario(
  'consumption stays owed: of a coming month only the rent is cancelled',
  { settings: { issueDaysBefore: 30 }, given: letting({ startDate: '2026-03-01', tvaBasisPoints: 1925 }) },
  [
    ['ana', 'POST /invoices/{i2}/charges', { label: 'Eau', amount: 4_500 }, 200, {}, { audit: 'invoice.charge' }],
    [
      'ana',
      'POST /bookings/{lease}/terminate',
      { endDate: '2026-03-10' },
      200,
      { creditAmount: 0 },
      {
        audit: 'invoice.cancel, invoice.issue, invoice.cancel, invoice.issue, booking.terminate',
        jobs: 'invoice.issued ×2, booking.terminated',
      },
    ],
    [
      'invoices',
      [
        '2026-03-01..03-31 CANCELLED 0/71550',
        '2026-04-01..04-30 CANCELLED 0/76916',
        '2026-03-01..03-10 ISSUED 0/23081',
        '2026-04-01..04-30 ISSUED 0/5366',
      ],
    ],
    ['ana', 'GET /invoices/{i4}', undefined, 200, { lines: [{ kind: 'CHARGE', label: 'Eau', amount: 4_500 }] }],
  ],
)

scenario(
  'consumption that was paid is not given back with the month on whose invoice it stands',
  { settings: { issueDaysBefore: 30 }, given: letting({ startDate: '2026-03-01' }) },
  [
    ['ana', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 7_000 }, 409],
    ['ana', 'POST /invoices/{i2}/charges', { label: 'Eau', amount: 4_500 }, 200, {}, { audit: 'invoice.charge' }],
    ['ana', 'POST /invoices/{i1}/payments', cash(60_000), 201, {}, paid('invoice.paid')],
    ['ana', 'POST /invoices/{i2}/payments', cash(64_500), 201, {}, paid('invoice.paid')],
    [
      'ana',
      'POST /bookings/{lease}/terminate',
      {},
      200,
      { creditAmount: 40_645 + 60_000 },
      { audit: 'invoice.credit ×2, booking.terminate', jobs: 'booking.terminated' },
    ],
    [
      'invoices',
      ['2026-03-01..03-31 PAID 60000/60000 credited 40645', '2026-04-01..04-30 PAID 64500/64500 credited 60000'],
    ],
  ],
)

scenario(
  'nor of a lease that never began; and paid in part, it takes what it needs',
  { settings: { issueDaysBefore: 30 }, given: letting({ startDate: '2026-04-01' }) },
  [
    ['ana', 'POST /invoices/{i1}/charges', { label: 'Frais', amount: 10_000 }, 200, {}, { audit: 'invoice.charge' }],
    ['ana', 'POST /invoices/{i1}/payments', cash(15_000), 201, {}, paid('invoice.balance')],
    [
      'ana',
      'POST /bookings/{lease}/terminate',
      {},
      200,
      { creditAmount: 5_000 },
      { audit: 'invoice.cancel, invoice.issue, invoice.paid, booking.terminate', jobs: done },
    ],
    ['invoices', ['2026-04-01..04-30 CANCELLED 0/70000', '2026-04-01..04-30 PAID 10000/10000']],
  ],
)

scenario('a declaration on the invoice that was replaced is confirmed on the one in its place', since('2026-03-01'), [
  ['tom', 'POST /invoices/{i1}/payments', cash(19_355), 201, { status: 'PENDING' }, { audit: 'payment.declare' }],
  ['tom', 'POST /invoices/{i1}/payments', cash(60_000), 201, { status: 'PENDING' }, { audit: 'payment.declare' }],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    {},
    { audit: 'invoice.cancel, invoice.issue, booking.terminate', jobs: done },
  ],
  [
    'ana',
    'POST /payments/{p1}/confirm',
    {},
    200,
    { status: 'CONFIRMED', invoiceIds: ['{i1}', '{i2}'] },
    { audit: 'invoice.paid, payment.confirm', jobs: 'payment.confirmed' },
  ],
  ['invoices', ['2026-03-01..03-31 CANCELLED 0/60000', '2026-03-01..03-10 PAID 19355/19355']],
  // After the end money that came is always written down: what is more than is owed is credit.
  [
    'ana',
    'POST /payments/{p2}/confirm',
    {},
    200,
    { status: 'CONFIRMED', unallocatedAmount: 60_000 },
    { audit: 'payment.confirm', jobs: 'payment.confirmed' },
  ],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 60_000 }],
])

scenario(
  'in a lease that renewed itself in mid-period, each invoice is measured by its own grid',
  {
    now: '2026-01-31T08:00:00Z',
    given: letting({ startDate: '2026-01-31', endDate: '2026-03-10', rentAmount: 31_000 }),
  },
  [
    [
      'days',
      40,
      {
        audit: 'invoice.issue ×2, booking.extend, invoice.overdue ×2',
        jobs: 'invoice.issued ×2',
        sent: 'invoice_issued',
      },
    ],
    [
      'invoices',
      ['2026-01-31..02-27 OVERDUE 0/31000', '2026-02-28..03-10 OVERDUE 0/11000', '2026-03-11..04-10 ISSUED 0/31000'],
    ],
    // 3 days of the 31 from 28 February to 30 March: not of the 28 that a month from the 28th would have.
    [
      'ana',
      'POST /bookings/{lease}/terminate',
      { endDate: '2026-03-02' },
      200,
      {},
      { audit: 'invoice.cancel, invoice.issue, invoice.cancel, booking.terminate', jobs: done },
    ],
    [
      'invoices',
      [
        '2026-01-31..02-27 OVERDUE 0/31000',
        '2026-02-28..03-10 CANCELLED 0/11000',
        '2026-03-11..04-10 CANCELLED 0/31000',
        '2026-02-28..03-02 ISSUED 0/3000',
      ],
    ],
  ],
)
