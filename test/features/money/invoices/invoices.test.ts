// Charges, cancellation and lists of invoices; decisions sections 2 to 6.
import { letting, scenario } from '../../../support/scenario.ts'

const issued = { audit: 'invoice.issue', jobs: 'invoice.issued', sent: 'invoice_issued' } as const
const overdue = { audit: 'invoice.overdue' } as const

scenario('a charge is added while ISSUED and nothing is paid', { given: letting({ startDate: '2026-03-10' }) }, [
  [
    'ana',
    'POST /invoices/{i1}/charges',
    { label: 'Eau', amount: 4_500, currency: 'XAF' },
    200,
    { netAmount: 64_500, grossAmount: 64_500, balanceAmount: 64_500 },
    { audit: 'invoice.charge' },
  ],
  ['ana', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 0 }, 422],
  ['ana', 'POST /invoices/{i1}/charges', { label: '', amount: 1 }, 422],
  ['ana', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 1, currency: 'EUR' }, 422],
  ['tom', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 1 }, 403],
  ['eve', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 1 }, 404],
  ['days', 6, overdue],
  [
    'ana',
    'POST /invoices/{i1}/charges',
    { label: 'Eau', amount: 1 },
    409,
    { currentStatus: 'OVERDUE', allowed: ['cancel', 'payments'] },
  ],
])

scenario(
  'an invoice on which nothing is paid is cancelled; its number and its period stay used',
  { given: letting({ startDate: '2026-03-10' }) },
  [
    ['tom', 'POST /invoices/{i1}/cancel', {}, 403],
    ['eve', 'POST /invoices/{i1}/cancel', {}, 404],
    [
      'ana',
      'POST /invoices/{i1}/cancel',
      {},
      200,
      { status: 'CANCELLED', balanceAmount: 0, cancelledAt: '2026-03-10T08:00:00.000Z' },
      { audit: 'invoice.cancel' },
    ],
    ['ana', 'POST /invoices/{i1}/cancel', {}, 200, { status: 'CANCELLED' }],
    [
      'ana',
      'POST /invoices/{i1}/charges',
      { label: 'Eau', amount: 1 },
      409,
      { currentStatus: 'CANCELLED', allowed: [] },
    ],
    [
      'ana',
      'POST /invoices/{i1}/payments',
      { amount: 1, method: 'CASH', paidOn: '2026-03-10' },
      409,
      { currentStatus: 'CANCELLED' },
    ],
    ['days', 31, issued],
    ['invoices', ['2026-03-10..04-09 CANCELLED 0/60000', '2026-04-10..05-09 ISSUED 0/60000']],
    ['ana', 'GET /invoices/{i2}', undefined, 200, { number: '2026-000002' }],
  ],
)

scenario(
  'lists by status, lease, property, tenant and due date; who sees which',
  { given: letting({ startDate: '2026-01-10', billFrom: '2026-01-10' }) },
  [
    ['ana', 'GET /invoices?order=asc', undefined, 200, [{ id: '{i1}' }, { id: '{i2}' }, { id: '{i3}' }]],
    ['ana', 'GET /invoices?status=ISSUED', undefined, 200, [{ id: '{i3}', balanceAmount: 60_000 }]],
    [
      'mia',
      'GET /invoices?bookingId={lease}&propertyId={villa}&tenantUserId={tom}&status=OVERDUE',
      undefined,
      200,
      [{ id: '{i2}' }, { id: '{i1}' }],
    ],
    ['mia', 'GET /invoices?dueFrom=2026-02-15&dueTo=2026-03-14', undefined, 200, [{ id: '{i2}' }]],
    ['tom', 'GET /invoices?order=asc&limit=1', undefined, 200, [{ id: '{i1}' }]],
    ['tia', 'GET /invoices', undefined, 200, []],
    ['tia', 'GET /invoices/{i1}', undefined, 404],
    ['eve', 'GET /invoices', undefined, 200, []],
    ['eve', 'GET /invoices/{i1}', undefined, 404],
    ['zoe', 'GET /invoices?bookingId={lease}', undefined, 200, []],
    ['ana', 'GET /invoices?dueFrom=2026-02-30', undefined, 422],
  ],
)
