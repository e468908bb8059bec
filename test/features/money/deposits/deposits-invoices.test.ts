// What is kept of a deposit pays invoices, credit meets debts, and a renewal takes both along: one balance, counted once.
import { cash, type Json, letting, scenario } from '../../../support/scenario.ts'

const entry = (type: string, amount: number, more: Json = {}): Json => ({ type, amount, paidOn: '2026-03-10', ...more })
const path = 'POST /bookings/{lease}/deposit'
const lease = { given: letting({ startDate: '2026-02-10' }) }
const LEFT = 'The amount is more than what is left to pay on these invoices, FCFA\u00a060,000.'
const received = { audit: 'deposit.received' }
const kept = (...invoices: string[]) => ({
  audit: [...invoices, 'payment.record', 'deposit.deducted'].join(', '),
  jobs: 'payment.confirmed',
})

scenario('a deduction that names invoices pays them, the first due first, with a receipt', lease, [
  ['ana', path, entry('RECEIVED', 100_000), 201, {}, received],
  ['ana', path, entry('RETURNED', 1_000, { invoiceIds: ['{i1}'] }), 422, { errors: [{ path: '/invoiceIds' }] }],
  ['ana', path, entry('DEDUCTED', 1_000, { invoiceIds: ['{villa}'] }), 422, { errors: [{ path: '/invoiceIds' }] }],
  ['tom', path, entry('DEDUCTED', 1_000, { invoiceIds: ['{i1}'] }), 403],
  ['eve', path, entry('DEDUCTED', 1_000, { invoiceIds: ['{i1}'] }), 404],
  ['ana', path, entry('DEDUCTED', 60_001, { invoiceIds: ['{i1}'] }), 422, { code: 'overpayment', detail: LEFT }],
  ['ana', path, entry('DEDUCTED', 100_001, { invoiceIds: ['{i1}', '{i2}'] }), 422, { code: 'deposit_exceeded' }],
  [
    'ana',
    path,
    entry('DEDUCTED', 80_000, { invoiceIds: ['{i2}', '{i1}', '{i1}'] }),
    201,
    { heldAmount: 20_000, paymentId: '{p1}', reason: 'Paiement des factures\u00a0: 2026-000001, 2026-000002' },
    kept('invoice.paid', 'invoice.balance'),
  ],
  ['invoices', ['2026-02-10..03-09 PAID 60000/60000', '2026-03-10..04-09 ISSUED 20000/60000']],
  [
    'tom',
    'GET /payments/{p1}',
    undefined,
    200,
    { method: 'DEPOSIT', status: 'CONFIRMED', amount: 80_000, invoiceIds: ['{i1}', '{i2}'] },
    { lacks: ['unallocatedAmount'] },
  ],
  ['ana', path, entry('DEDUCTED', 1, { invoiceIds: ['{i1}'] }), 422, { errors: [{ path: '/invoiceIds' }] }],
  // Counted once: as kept of the deposit, not as received too.
  [
    'ana',
    'GET /reports/owner-statement?from=2026-01-01&to=2026-12-31',
    undefined,
    200,
    {
      totals: {
        receivedAmount: 0,
        depositReceivedAmount: 100_000,
        depositDeductedAmount: 80_000,
        depositHeldAmount: 20_000,
        creditAddedAmount: 0,
        ownerAmount: 80_000,
      },
    },
  ],
  ['ana', 'GET /reports/collection?from=2026-01-01&to=2026-12-31', undefined, 200, { totals: { paidAmount: 80_000 } }],
  // A mistake is reversed as any payment is: the money is in the deposit again.
  [
    'ana',
    'POST /payments/{p1}/reverse',
    {},
    200,
    { status: 'REVERSED' },
    { audit: 'invoice.balance ×2, deposit.received, payment.reverse' },
  ],
  ['invoices', ['2026-02-10..03-09 OVERDUE 0/60000', '2026-03-10..04-09 ISSUED 0/60000']],
  ['ana', 'GET /bookings/{lease}/deposit?limit=1', undefined, 200, [{ heldAmount: 100_000, paymentId: '{p1}' }]],
  [
    'ana',
    'GET /reports/owner-statement?from=2026-01-01&to=2026-12-31',
    undefined,
    200,
    {
      totals: { depositReceivedAmount: 100_000, depositDeductedAmount: 0, depositHeldAmount: 100_000, ownerAmount: 0 },
    },
  ],
])

scenario('what was kept of a deposit in one month and put back in another is less than nothing there', lease, [
  ['ana', path, entry('RECEIVED', 100_000), 201, {}, received],
  ['ana', path, entry('DEDUCTED', 60_000, { invoiceIds: ['{i1}'] }), 201, {}, kept('invoice.paid')],
  ['days', 30, { audit: 'invoice.overdue', sent: 'payment_confirmed' }],
  ['ana', 'POST /payments/{p1}/reverse', {}, 200, {}, { audit: 'invoice.balance, deposit.received, payment.reverse' }],
  [
    'ana',
    'GET /reports/owner-statement?from=2026-04-01&to=2026-04-30',
    undefined,
    200,
    {
      rows: [{ depositReceivedAmount: 0, depositDeductedAmount: -60_000, ownerAmount: -60_000 }],
      totals: { depositDeductedAmount: -60_000, depositHeldAmount: 100_000, ownerAmount: -60_000 },
    },
  ],
])

scenario('nobody pays from a deposit by hand', lease, [
  ['ana', 'POST /invoices/{i1}/payments', cash(1_000, { method: 'DEPOSIT' }), 422, { errors: [{ path: '/method' }] }],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(1_000, { method: 'DEPOSIT' }),
    422,
    { errors: [{ path: '/method' }] },
  ],
])

scenario('the end sets the credit that it gives off against older debts, and its undoing owes them again', lease, [
  // The later month is paid, the first is not.
  [
    'ana',
    'POST /invoices/{i2}/payments',
    cash(60_000),
    201,
    {},
    { audit: 'invoice.paid, payment.record', jobs: 'payment.confirmed' },
  ],
  [
    'ana',
    'GET /bookings/{lease}/settlement?endDate=2026-03-09',
    undefined,
    200,
    {
      owedAmount: 0,
      creditAmount: 0,
      creditedAmount: 60_000,
      balanceAmount: 0,
      invoices: [
        { outcome: 'SET_OFF', id: '{i1}', balanceAmount: 0, amountPaid: 60_000 },
        { outcome: 'CREDITED', id: '{i2}', creditedAmount: 60_000 },
      ],
    },
  ],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    { endDate: '2026-03-09' },
    200,
    { creditAmount: 0 },
    { audit: 'invoice.credit, invoice.paid, booking.terminate', jobs: 'booking.terminated' },
  ],
  ['invoices', ['2026-02-10..03-09 PAID 60000/60000', '2026-03-10..04-09 PAID 60000/60000 credited 60000']],
  ['ana', 'GET /reports/arrears', undefined, 200, { totals: { balanceAmount: 0 } }],
  [
    'ana',
    'POST /bookings/{lease}/reinstate',
    {},
    200,
    { creditAmount: 0 },
    { audit: 'invoice.revive, invoice.balance, booking.reinstate', jobs: 'booking.reinstated' },
  ],
  ['invoices', ['2026-02-10..03-09 OVERDUE 0/60000', '2026-03-10..04-09 PAID 60000/60000']],
])

scenario('credit never lies beside a debt: what a reversal owes again is paid at once by what is left', lease, [
  [
    'ana',
    'POST /invoices/{i1}/payments',
    cash(60_000),
    201,
    {},
    { audit: 'invoice.paid, payment.record', jobs: 'payment.confirmed' },
  ],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(110_000),
    201,
    { creditAmount: 50_000 },
    { audit: 'payment.record, invoice.paid', jobs: 'payment.confirmed' },
  ],
  ['ana', 'POST /payments/{p1}/reverse', {}, 200, {}, { audit: 'invoice.balance ×2, payment.reverse' }],
  ['invoices', ['2026-02-10..03-09 OVERDUE 50000/60000', '2026-03-10..04-09 PAID 60000/60000']],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { creditAmount: 0 }],
])
