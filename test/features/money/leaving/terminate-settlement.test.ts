// The end of a lease settles its invoices in one step: decisions section 4, `terminate`. Rent is 60,000 for a month.
import { cash, letting, scenario } from '../../../support/scenario.ts'

const since = (startDate: string, more: object = {}) => ({
  given: letting({ startDate, billFrom: startDate, ...more }),
})
const done = 'invoice.issued, booking.terminated'
const paid = (...changed: string[]) => ({ audit: [...changed, 'payment.record'].join(', '), jobs: 'payment.confirmed' })
const advance = (changed: string, jobs: string) => ({ audit: `payment.record, ${changed}`, jobs })

scenario('today: the current period becomes its days, and debts stay', since('2026-02-01'), [
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    { reason: 'Départ' },
    200,
    {
      status: 'TERMINATED',
      endDate: '2026-03-10',
      terminationReason: 'Départ',
      terminatedAt: '2026-03-10T08:00:00.000Z',
      creditAmount: 0,
    },
    { audit: 'invoice.cancel, invoice.issue, booking.terminate', jobs: done },
  ],
  // 10 of 31 days.
  [
    'invoices',
    ['2026-02-01..02-28 OVERDUE 0/60000', '2026-03-01..03-31 CANCELLED 0/60000', '2026-03-01..03-10 ISSUED 0/19355'],
  ],
  [
    'ana',
    'GET /invoices/{i3}',
    undefined,
    200,
    {
      number: '2026-000003',
      dueDate: '2026-03-06',
      lines: [{ kind: 'RENT', label: 'Loyer du 1er au 10 mars 2026', amount: 19_355 }],
    },
  ],
  ['ana', 'GET /units/{a1}', undefined, 200, { status: 'AVAILABLE' }],
  ['ana', 'POST /invoices/{i1}/payments', cash(60_000), 201, {}, paid('invoice.paid')],
  ['days', 0, { audit: 'invoice.overdue', sent: 'lease_ended, payment_confirmed' }],
  ['days', 62],
])

scenario('who may, and when', since('2026-02-01'), [
  ['tom', 'POST /bookings/{lease}/terminate', {}, 403],
  ['eve', 'POST /bookings/{lease}/terminate', {}, 404],
  ['zoe', 'POST /bookings/{lease}/terminate', {}, 404],
  ['ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-11' }, 422, { errors: [{ path: '/endDate' }] }],
  ['ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-01-31' }, 422, { errors: [{ path: '/endDate' }] }],
  ['ana', 'POST /bookings/{lease}/terminate', { on: '2026-03-01' }, 422],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    { endDate: null, reason: null },
    200,
    { endDate: '2026-03-10' },
    { audit: 'invoice.cancel, invoice.issue, booking.terminate', jobs: done },
  ],
])

scenario('at the end of a period nothing is cut', since('2026-02-01'), [
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    { endDate: '2026-02-28' },
    200,
    {},
    { audit: 'invoice.cancel, booking.terminate', jobs: 'booking.terminated' },
  ],
  ['invoices', ['2026-02-01..02-28 OVERDUE 0/60000', '2026-03-01..03-31 CANCELLED 0/60000']],
])

scenario('in the past, across several periods', since('2025-12-01'), [
  ['ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-01-10' }, 422, { errors: [{ path: '/confirm' }] }],
  ['ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-01-10', confirm: false }, 422],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    { endDate: '2026-01-10', confirm: true },
    200,
    { endDate: '2026-01-10' },
    {
      audit: 'invoice.cancel, invoice.issue, invoice.cancel ×2, booking.terminate',
      jobs: done,
    },
  ],
  [
    'invoices',
    [
      '2025-12-01..12-31 OVERDUE 0/60000',
      '2026-01-01..01-31 CANCELLED 0/60000',
      '2026-02-01..02-28 CANCELLED 0/60000',
      '2026-03-01..03-31 CANCELLED 0/60000',
      '2026-01-01..01-10 ISSUED 0/19355',
    ],
  ],
])

scenario('on its first day: one day is owed', since('2026-03-10'), [
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    { endDate: '2026-03-10' },
    { audit: 'invoice.cancel, invoice.issue, booking.terminate', jobs: done },
  ],
  ['invoices', ['2026-03-10..04-09 CANCELLED 0/60000', '2026-03-10..03-10 ISSUED 0/1935']],
])

scenario(
  'a lease that has not begun ends at its start and bills nothing',
  { settings: { issueDaysBefore: 30 }, given: letting({ startDate: '2026-04-01', openingBalance: 5 }) },
  [
    ['ana', 'POST /bookings/{lease}/payments', cash(60_005), 201, {}, advance('invoice.paid ×2', 'payment.confirmed')],
    ['ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-10' }, 422],
    [
      'ana',
      'POST /bookings/{lease}/terminate',
      {},
      200,
      { endDate: '2026-04-01', creditAmount: 60_000 },
      { audit: 'invoice.credit, booking.terminate', jobs: 'booking.terminated' },
    ],
    // The opening balance was no rent: it stays paid.
    ['invoices', ['2026-03-31..03-31 PAID 5/5', '2026-04-01..04-30 PAID 60000/60000 credited 60000']],
    ['days', 40, { sent: 'payment_confirmed, lease_ended' }],
  ],
)

scenario('a future lease, not yet invoiced', { given: letting({ startDate: '2026-04-01' }) }, [
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    { endDate: '2026-04-01' },
    { audit: 'booking.terminate', jobs: 'booking.terminated' },
  ],
  ['invoices', []],
  ['days', 40, { sent: 'lease_ended' }],
])

scenario('partly paid: what was paid counts towards the days that were lived', since('2026-03-01'), [
  ['ana', 'POST /invoices/{i1}/payments', cash(15_000), 201, {}, paid('invoice.balance')],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    { creditAmount: 0 },
    { audit: 'invoice.cancel, invoice.issue, invoice.balance, booking.terminate', jobs: done },
  ],
  ['invoices', ['2026-03-01..03-31 CANCELLED 0/60000', '2026-03-01..03-10 OVERDUE 15000/19355']],
  ['ana', 'GET /payments/{p1}', undefined, 200, { invoiceIds: ['{i1}', '{i2}'] }, { lacks: ['unallocatedAmount'] }],
  ['tom', 'GET /invoices/{i2}/payments', undefined, 200, [{ id: '{p1}' }]],
])
scenario('partly paid, and more than those days: the rest is credit', since('2026-03-01'), [
  ['ana', 'POST /invoices/{i1}/payments', cash(20_000), 201, {}, paid('invoice.balance')],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    { creditAmount: 645 },
    { audit: 'invoice.cancel, invoice.issue, invoice.paid, booking.terminate', jobs: done },
  ],
  ['invoices', ['2026-03-01..03-31 CANCELLED 0/60000', '2026-03-01..03-10 PAID 19355/19355']],
  ['ana', 'POST /bookings/{lease}/payments', cash(646, { type: 'REFUND' }), 422, { code: 'refund_exceeds_credit' }],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(645, { type: 'REFUND' }),
    201,
    { creditAmount: 0, invoiceIds: [], payment: { type: 'REFUND', status: 'CONFIRMED' } },
    { audit: 'payment.refund' },
  ],
  ['ana', 'POST /bookings/{lease}/payments', cash(1, { type: 'REFUND' }), 422, { code: 'refund_exceeds_credit' }],
  // Money that came is always written down.
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(1),
    201,
    { creditAmount: 1, invoiceIds: [] },
    { audit: 'payment.record', jobs: 'payment.confirmed' },
  ],
])
