// Rent becomes invoices: decisions section 5. The clock of these tables begins on 2026-03-10 at 09:00 in Douala.
import { letting, premises, scenario } from './scenario.ts'

const issued = { audit: 'invoice.issue', jobs: 'invoice.issued', sent: 'invoice_issued' } as const
const overdue = { audit: 'invoice.overdue' } as const

scenario(
  'an invoice a month, from the booking’s day of month, due five days later',
  { given: letting({ startDate: '2026-03-10' }) },
  [
    ['invoices', ['2026-03-10..04-09 ISSUED 0/60000']],
    [
      'ana',
      'GET /invoices/{i1}',
      undefined,
      200,
      {
        number: '2026-000001',
        bookingId: '{lease}',
        tenantUserId: '{tom}',
        tenantName: 'tom Test',
        unitLabel: 'A1',
        propertyName: 'Villa',
        dueDate: '2026-03-15',
        currency: 'XAF',
        netAmount: 60_000,
        tvaAmount: 0,
        grossAmount: 60_000,
        tvaBasisPoints: 0,
        amountPaid: 0,
        balanceAmount: 60_000,
        lines: [{ kind: 'RENT', label: 'Loyer du 10 mars 2026 au 9 avril 2026', amount: 60_000 }],
      },
      { lacks: ['paidAt', 'cancelledAt', 'creditedAmount', 'replacedById', 'ownerUserId'] },
    ],
    ['days', 5],
    ['days', 1, overdue],
    ['days', 24],
    ['days', 1, issued],
    ['days', 0],
    ['invoices', ['2026-03-10..04-09 OVERDUE 0/60000', '2026-04-10..05-09 ISSUED 0/60000']],
  ],
)

scenario(
  'a server that was off for three months catches up, in order, and announces only what is new',
  { given: letting({ startDate: '2026-03-10', locale: 'en' }) },
  [
    ['days', 93, { audit: 'invoice.issue ×3, invoice.overdue ×3', jobs: 'invoice.issued ×3', sent: 'invoice_issued' }],
    [
      'invoices',
      [
        '2026-03-10..04-09 OVERDUE 0/60000',
        '2026-04-10..05-09 OVERDUE 0/60000',
        '2026-05-10..06-09 OVERDUE 0/60000',
        '2026-06-10..07-09 ISSUED 0/60000',
      ],
    ],
    [
      'ana',
      'GET /invoices?order=asc',
      undefined,
      200,
      [
        { number: '2026-000001' },
        { number: '2026-000002' },
        { number: '2026-000003' },
        { number: '2026-000004', lines: [{ label: 'Rent from 10 June 2026 to 9 July 2026' }] },
      ],
    ],
    ['days', 0],
  ],
)

scenario(
  'an invoice found more than three days late is not announced',
  { given: letting({ startDate: '2026-04-01' }) },
  [['days', 26, { audit: 'invoice.issue', jobs: 'invoice.issued' }]],
)
scenario('up to three days late it is', { given: letting({ startDate: '2026-04-01' }) }, [['days', 25, issued]])

scenario(
  'days 29 to 31 clamp to the month’s end without drift',
  { now: '2026-01-31T08:00:00Z', given: letting({ startDate: '2026-01-31' }) },
  [
    ['days', 120, { audit: 'invoice.issue ×4, invoice.overdue ×4', jobs: 'invoice.issued ×4', sent: 'invoice_issued' }],
    [
      'invoices',
      [
        '2026-01-31..02-27 OVERDUE 0/60000',
        '2026-02-28..03-30 OVERDUE 0/60000',
        '2026-03-31..04-29 OVERDUE 0/60000',
        '2026-04-30..05-30 OVERDUE 0/60000',
        '2026-05-31..06-29 ISSUED 0/60000',
      ],
    ],
  ],
)

scenario(
  'the last period is its days of the whole one, half up',
  { given: letting({ startDate: '2026-03-10', endDate: '2026-04-19', autoRenew: false, rentAmount: 60_001 }) },
  [
    // 10 of 30 days of 60,001: 20,000.33; and 31 + 10 days in all.
    ['days', 31, { ...issued, audit: 'invoice.issue, invoice.overdue' }],
    ['invoices', ['2026-03-10..04-09 OVERDUE 0/60001', '2026-04-10..04-19 ISSUED 0/20000']],
    ['days', 10, { audit: 'booking.end, invoice.overdue', jobs: 'booking.terminated', sent: 'lease_ended' }],
  ],
)

scenario(
  'TVA is worked out once, on the net amount',
  {
    settings: { tvaRegistered: true },
    given: letting({ startDate: '2026-03-10', rentAmount: 133_333 }, 'ACTIVE', 'OFFICE'),
  },
  [
    [
      'ana',
      'GET /invoices/{i1}',
      undefined,
      200,
      { netAmount: 133_333, tvaBasisPoints: 1925, tvaAmount: 25_667, grossAmount: 159_000 },
    ],
    [
      'ana',
      'POST /invoices/{i1}/charges',
      { label: 'Gardien', amount: 1_000 },
      200,
      {
        netAmount: 134_333,
        tvaAmount: 25_859,
        grossAmount: 160_192,
        lines: [{ kind: 'RENT' }, { kind: 'CHARGE', label: 'Gardien', amount: 1_000 }],
      },
      { audit: 'invoice.charge' },
    ],
  ],
)

scenario(
  'the largest rent has an exact TVA; above it there is none',
  { given: letting({ startDate: '2026-03-10', rentAmount: 1e12, tvaBasisPoints: 10_000 }) },
  [
    ['ana', 'GET /invoices/{i1}', undefined, 200, { netAmount: 1e12, tvaAmount: 1e12, grossAmount: 2e12 }],
    ['ana', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 1 }, 422, { errors: [{ path: '/amount' }] }],
  ],
)

scenario(
  'no rent, no debt: the invoice is PAID as it is issued',
  { given: letting({ startDate: '2026-03-10', rentAmount: 0 }) },
  [
    ['invoices', ['2026-03-10..04-09 PAID 0/0']],
    ['days', 31, { audit: 'invoice.issue', jobs: 'invoice.issued' }],
    [
      'ana',
      'GET /invoices/{i2}',
      undefined,
      200,
      { status: 'PAID', paidAt: '2026-04-10T08:00:00.000Z', balanceAmount: 0 },
    ],
  ],
)

scenario(
  'a due day is the first one on or after the period’s start',
  { settings: { dueDay: 5 }, given: letting({ startDate: '2026-03-10' }) },
  [['ana', 'GET /invoices/{i1}', undefined, 200, { dueDate: '2026-04-05' }]],
)

scenario(
  'an old lease is billed from the period that began within 31 days, unless it says otherwise',
  { given: letting({ startDate: '2024-05-20' }) },
  [
    ['invoices', ['2026-02-20..03-19 OVERDUE 0/60000']],
    ['ana', 'GET /bookings/{lease}', undefined, 200, { billFrom: '2026-02-07' }],
  ],
)
scenario(
  'billFrom and an opening balance bring an old lease in',
  {
    given: letting(
      { startDate: '2024-05-20', billFrom: '2026-01-01', openingBalance: 75_000, dueDay: 28, tvaBasisPoints: 1925 },
      'PENDING',
    ),
  },
  [
    [
      'ana',
      'POST /bookings/{lease}/activate',
      {},
      200,
      { billFrom: '2026-01-01' },
      { audit: 'booking.activate, invoice.issue', jobs: 'invoice.issued, booking.activated' },
    ],
    ['days', 0, { audit: 'invoice.issue ×2, invoice.overdue ×2', jobs: 'invoice.issued ×2' }],
    [
      'invoices',
      ['2024-05-20..01-19 ISSUED 0/75000', '2026-01-20..02-19 OVERDUE 0/71550', '2026-02-20..03-19 OVERDUE 0/71550'],
    ],
    [
      'tom',
      'GET /invoices/{i1}',
      undefined,
      200,
      {
        number: '2026-000001',
        dueDate: '2026-03-28',
        periodEnd: '2026-01-19',
        tvaAmount: 0,
        lines: [{ kind: 'OPENING_BALANCE', label: 'Solde antérieur', amount: 75_000 }],
      },
    ],
  ],
)
scenario(
  'an opening balance may also stand before a lease that begins now',
  { given: letting({ startDate: '2026-03-10', openingBalance: 1 }) },
  [['invoices', ['2026-03-09..03-09 ISSUED 0/1', '2026-03-10..04-09 ISSUED 0/60000']]],
)
scenario(
  'billing may begin later than the lease',
  { given: letting({ startDate: '2026-03-10', billFrom: '2026-03-11' }) },
  [
    ['invoices', []],
    ['days', 30],
    ['days', 1, issued],
  ],
)

scenario(
  'issued some days before, where the organization says so; a change is seen at once',
  { given: letting({ startDate: '2026-03-20' }) },
  [
    ['invoices', []],
    ['ada', 'PATCH /admin/organization', { name: 'Agence' }, 200, { name: 'Agence' }, { audit: 'organization.update' }],
    [
      'ada',
      'PATCH /admin/organization',
      { issueDaysBefore: 9 },
      200,
      {},
      { audit: 'organization.update', jobs: 'billing.reschedule' },
    ],
    ['days', 0],
    ['days', 1, issued],
    [
      'ada',
      'PATCH /admin/organization',
      { issueDaysBefore: 30 },
      200,
      {},
      { audit: 'organization.update', jobs: 'billing.reschedule' },
    ],
    ['days', 10, issued],
    ['invoices', ['2026-03-20..04-19 ISSUED 0/60000', '2026-04-20..05-19 ISSUED 0/60000']],
    [
      'ada',
      'PATCH /admin/organization',
      { issueDaysBefore: 0 },
      200,
      {},
      { audit: 'organization.update', jobs: 'billing.reschedule' },
    ],
    ['days', 28, { audit: 'invoice.overdue' }],
    ['days', 32, { audit: 'invoice.issue, invoice.overdue', jobs: 'invoice.issued', sent: 'invoice_issued' }],
  ],
)

const at = (timeZone: string) => ({
  now: '2026-03-09T10:30:00Z',
  settings: { timeZone },
  given: letting({ startDate: '2026-03-10' }),
})
scenario('in Kiritimati the tenth has begun', at('Pacific/Kiritimati'), [
  ['invoices', ['2026-03-10..04-09 ISSUED 0/60000']],
])
scenario('in Midway it is still the eighth', at('Pacific/Midway'), [
  ['invoices', []],
  ['days', 1],
  ['days', 1, issued],
])
scenario('a move to the west issues nothing twice', at('Pacific/Kiritimati'), [
  [
    'ada',
    'PATCH /admin/organization',
    { timeZone: 'Pacific/Midway' },
    200,
    {},
    { audit: 'organization.update', jobs: 'billing.reschedule' },
  ],
  ['days', 0],
  ['days', 2],
  ['days', 6, overdue],
  ['days', 25, issued],
  ['ada', 'PATCH /admin/organization', { timeZone: 'Europe/Atlantis' }, 422, { errors: [{ path: '/timeZone' }] }],
])

scenario(
  'numbers begin anew with the year of the organization’s own calendar',
  {
    now: '2026-12-30T10:30:00Z',
    settings: { timeZone: 'Pacific/Kiritimati' },
    given: letting({ startDate: '2026-12-31' }),
  },
  [
    [
      'ana',
      'POST /bookings',
      { unitId: '{a2}', tenantUserId: '{tia}', startDate: '2027-01-01' },
      201,
      {},
      { audit: 'tenant.create, booking.create', as: 'other' },
    ],
    ['ana', 'POST /bookings/{other}/submit', {}, 200, {}, { audit: 'booking.submit' }],
    ['ana', 'POST /bookings/{other}/activate', {}, 200, {}, { audit: 'booking.activate', jobs: 'booking.activated' }],
    // In UTC it is still the last of December.
    ['days', 1, issued],
    [
      'ana',
      'GET /invoices?order=asc',
      undefined,
      200,
      [
        { number: '2026-000001', periodStart: '2026-12-31' },
        { number: '2027-000001', periodStart: '2027-01-01', createdAt: '2026-12-31T10:30:00.000Z' },
      ],
    ],
  ],
)

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

scenario('an organization’s settings: administrators only, one change at a time', { given: premises() }, [
  [
    'ada',
    'PATCH /admin/organization',
    { dueDay: 5, reminderSchedule: [-3, 0, 5] },
    200,
    { dueDay: 5, reminderSchedule: [-3, 0, 5] },
    { audit: 'organization.update' },
  ],
  ['ada', 'PATCH /admin/organization', { dueDay: 5 }, 200, { dueDay: 5 }],
  ['ada', 'PATCH /admin/organization', { dueDay: null }, 200, {}, { audit: 'organization.update', lacks: ['dueDay'] }],
  ['ada', 'PATCH /admin/organization', { issueDaysBefore: 31 }, 422],
  ['mia', 'PATCH /admin/organization', { dueDay: 5 }, 403],
  ['ana', 'GET /admin/organization', undefined, 403],
])
