// A renewal takes credit and deposit of its lease along, also where it is drawn up or sent out late.
import { cash, type Json, letting, scenario } from '../../../support/scenario.ts'

const entry = (type: string, amount: number, more: Json = {}): Json => ({ type, amount, paidOn: '2026-03-10', ...more })
const path = 'POST /bookings/{lease}/deposit'
const received = { audit: 'deposit.received' }

const short = { startDate: '2026-02-10', endDate: '2026-03-09', autoRenew: false, depositAmount: 60_000 }
const settled = { now: '2026-03-05T08:00:00Z', given: letting(short) }
const made = (as: string) => ({ audit: 'booking.create', as })
scenario('a renewal in force takes credit and deposit over at the end of its lease', settled, [
  ['ana', path, entry('RECEIVED', 60_000, { paidOn: '2026-03-05' }), 201, {}, received],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(75_000, { paidOn: '2026-03-05' }),
    201,
    { creditAmount: 15_000 },
    { audit: 'payment.record, invoice.paid', jobs: 'payment.confirmed' },
  ],
  ['ana', 'POST /bookings/{lease}/renew', {}, 201, { startDate: '2026-03-10' }, made('next')],
  ['ana', 'POST /bookings/{next}/submit', {}, 200, {}, { audit: 'booking.submit' }],
  [
    'ana',
    'POST /bookings/{next}/activate',
    {},
    200,
    { creditAmount: 0 },
    { audit: 'booking.activate', jobs: 'booking.activated' },
  ],
  [
    'days',
    5,
    {
      audit: 'invoice.issue, booking.end, deposit.returned, deposit.received, invoice.balance',
      jobs: 'invoice.issued, booking.terminated',
      sent: 'payment_confirmed, invoice_issued, lease_ended',
    },
  ],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { status: 'TERMINATED', creditAmount: 0 }],
  ['ana', 'GET /bookings/{next}', undefined, 200, { status: 'ACTIVE', creditAmount: 0 }],
  ['invoices', ['2026-02-10..03-09 PAID 60000/60000', '2026-03-10..04-09 ISSUED 15000/60000']],
  [
    'ana',
    'GET /bookings/{next}/deposit',
    undefined,
    200,
    [{ type: 'RECEIVED', heldAmount: 60_000, movedBookingId: '{lease}' }],
  ],
  [
    'ana',
    'GET /bookings/{lease}/deposit?limit=1',
    undefined,
    200,
    [{ type: 'RETURNED', heldAmount: 0, movedBookingId: '{next}' }],
  ],
  [
    'ana',
    'GET /reports/owner-statement?from=2026-01-01&to=2026-12-31',
    undefined,
    200,
    {
      totals: {
        depositReceivedAmount: 60_000,
        depositReturnedAmount: 0,
        depositMovedAmount: 0,
        depositHeldAmount: 60_000,
        ownerAmount: 75_000,
      },
      rows: [
        { bookingId: '{lease}', depositReceivedAmount: 60_000, depositMovedAmount: -60_000, depositHeldAmount: 0 },
        { bookingId: '{next}', depositReceivedAmount: 0, depositMovedAmount: 60_000, depositHeldAmount: 60_000 },
      ],
    },
  ],
  // The money of the first lease can be taken back still: then the second one owes.
  ['ana', 'POST /payments/{p1}/reverse', {}, 200, {}, { audit: 'invoice.balance ×2, payment.reverse' }],
  ['invoices', ['2026-02-10..03-09 OVERDUE 0/60000', '2026-03-10..04-09 ISSUED 0/60000']],
])

scenario('a renewal drawn up some days after the end still follows on, and takes over what is there', settled, [
  ['ana', path, entry('RECEIVED', 60_000, { paidOn: '2026-03-05' }), 201, {}, received],
  [
    'days',
    10,
    {
      audit: 'booking.end',
      jobs: 'booking.terminated',
      sent: 'lease_ended',
    },
  ],
  [
    'ana',
    'POST /bookings/{lease}/renew',
    {},
    201,
    { startDate: '2026-03-10', renewsBookingId: '{lease}' },
    made('next'),
  ],
  ['ana', 'POST /bookings/{next}/submit', {}, 200, { startDate: '2026-03-10' }, { audit: 'booking.submit' }],
  [
    'ana',
    'POST /bookings/{next}/activate',
    {},
    200,
    { startDate: '2026-03-10' },
    { audit: 'booking.activate, deposit.returned, deposit.received', jobs: 'booking.activated' },
  ],
  ['ana', 'GET /bookings/{next}/deposit', undefined, 200, [{ heldAmount: 60_000 }]],
  // The debt of the first lease is paid out of the deposit that the second one has.
  [
    'ana',
    'POST /bookings/{next}/deposit',
    entry('DEDUCTED', 60_000, { invoiceIds: ['{i1}'], paidOn: '2026-03-15' }),
    201,
    { heldAmount: 0 },
    { audit: 'invoice.paid, payment.record, deposit.deducted', jobs: 'payment.confirmed' },
  ],
])

scenario(
  'a renewal sent out when its lease has gone on by itself follows on from there',
  { now: '2026-03-05T08:00:00Z', given: letting({ ...short, autoRenew: true }) },
  [
    ['ana', 'POST /bookings/{lease}/renew', {}, 201, { startDate: '2026-03-10' }, made('next')],
    ['days', 10, { audit: 'invoice.issue, booking.extend', jobs: 'invoice.issued' }],
    ['ana', 'GET /bookings/{lease}', undefined, 200, { endDate: '2026-04-09' }],
    [
      'ana',
      'POST /bookings/{next}/submit',
      {},
      200,
      { status: 'PENDING', startDate: '2026-04-10', billFrom: '2026-04-10' },
      { audit: 'booking.submit' },
    ],
  ],
)

scenario('a lease that was ended early, or long ago, is not renewed', settled, [
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    {},
    { audit: 'invoice.cancel, invoice.issue, booking.terminate', jobs: 'invoice.issued, booking.terminated' },
  ],
  ['ana', 'POST /bookings/{lease}/renew', {}, 409, { currentStatus: 'TERMINATED' }],
])
