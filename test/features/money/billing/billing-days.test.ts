// When rent is billed: days before, time zones, the turn of the year. The clock begins on 2026-03-10 at 09:00 in Douala.
import { letting, scenario } from '../../../support/scenario.ts'

const issued = { audit: 'invoice.issue', jobs: 'invoice.issued', sent: 'invoice_issued' } as const
const overdue = { audit: 'invoice.overdue' } as const

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

// It is late at night there, and people are told at once all the same.
const awake = { quietHours: { from: '00:00', to: '00:00' } }
const at = (timeZone: string) => ({
  now: '2026-03-09T10:30:00Z',
  settings: { timeZone, ...awake },
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
    settings: { timeZone: 'Pacific/Kiritimati', ...awake },
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
