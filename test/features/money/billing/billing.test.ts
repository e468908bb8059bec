// Rent becomes invoices: decisions section 5. The clock of these tables begins on 2026-03-10 at 09:00 in Douala.
import { letting, scenario } from '../../../support/scenario.ts'

const issued = { audit: 'invoice.issue', jobs: 'invoice.issued', sent: 'invoice_issued' } as const
const overdue = { audit: 'invoice.overdue' } as const

const CHANGED = { audit: 'booking.update' }

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
  'a lease entered late loses no period of the last two months',
  { given: letting({ startDate: '2026-01-10' }) },
  [
    [
      'invoices',
      ['2026-01-10..02-09 OVERDUE 0/60000', '2026-02-10..03-09 OVERDUE 0/60000', '2026-03-10..04-09 ISSUED 0/60000'],
    ],
  ],
)
scenario(
  'what will be billed is told from the first answer on, and follows the start until somebody says otherwise',
  { given: letting({ startDate: '2026-01-09' }, 'DRAFT') },
  [
    ['ana', 'GET /bookings/{lease}', undefined, 200, { billFrom: '2026-02-07' }],
    ['ana', 'PATCH /bookings/{lease}', { startDate: '2026-01-20' }, 200, { billFrom: '2026-01-20' }, CHANGED],
    ['ana', 'PATCH /bookings/{lease}', { billFrom: '2026-02-20' }, 200, { billFrom: '2026-02-20' }, CHANGED],
    ['ana', 'PATCH /bookings/{lease}', { startDate: '2026-01-10' }, 200, { billFrom: '2026-02-20' }, CHANGED],
    ['ana', 'PATCH /bookings/{lease}', { billFrom: null }, 200, { billFrom: '2026-01-10' }, CHANGED],
    [
      'ana',
      'POST /bookings',
      { unitId: '{a2}', tenantUserId: '{tia}', startDate: '2024-01-01', endDate: '2024-12-31' },
      201,
      { billFrom: '2026-02-07' },
      { audit: 'tenant.create, booking.create', as: 'over' },
    ],
    ['ana', 'PATCH /bookings/{over}', { dueDay: 3 }, 200, { billFrom: '2026-02-07' }, CHANGED],
  ],
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
    ['days', 0, { audit: 'invoice.issue ×2, invoice.overdue ×3', jobs: 'invoice.issued ×2' }],
    [
      'invoices',
      ['2024-05-20..01-19 OVERDUE 0/75000', '2026-01-20..02-19 OVERDUE 0/71550', '2026-02-20..03-19 OVERDUE 0/71550'],
    ],
    [
      'tom',
      'GET /invoices/{i1}',
      undefined,
      200,
      {
        number: '2026-000001',
        // It was owed before the lease was brought in.
        dueDate: '2026-01-19',
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
  [['invoices', ['2026-03-09..03-09 OVERDUE 0/1', '2026-03-10..04-09 ISSUED 0/60000']]],
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
