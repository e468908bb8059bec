// The end of a lease: by renewal, by itself, or going on month by month (decisions section 4).
import { letting, scenario } from '../../../support/scenario.ts'

const year = { startDate: '2026-01-01', endDate: '2026-03-31', billFrom: '2026-03-01' }

scenario(
  'a renewal is a linked DRAFT from the day after the end',
  { given: letting({ ...year, depositAmount: 9, dueDay: 4 }) },
  [
    ['tom', 'POST /bookings/{lease}/renew', {}, 403],
    ['ana', 'POST /bookings/{lease}/renew', { endDate: '2026-03-31' }, 422, { errors: [{ path: '/endDate' }] }],
    [
      'ana',
      'POST /bookings/{lease}/renew',
      { endDate: '2026-12-31', rentAmount: 65_000 },
      201,
      {
        status: 'DRAFT',
        renewsBookingId: '{lease}',
        startDate: '2026-04-01',
        endDate: '2026-12-31',
        rentAmount: 65_000,
        depositAmount: 9,
        dueDay: 4,
        creditAmount: 0,
      },
      {
        audit: 'booking.create',
        as: 'next',
        lacks: ['activatedAt', 'submittedAt', 'openingBalance', 'requestedBy'],
      },
    ],
    ['ana', 'POST /bookings/{lease}/renew', {}, 409, { code: 'duplicate' }],
    ['ana', 'POST /bookings/{next}/submit', {}, 200, {}, { audit: 'booking.submit' }],
    ['ana', 'POST /bookings/{next}/activate', {}, 200, {}, { audit: 'booking.activate', jobs: 'booking.activated' }],
    // The lease renews itself, but its renewal follows: so it ends.
    [
      'days',
      22,
      {
        audit: 'invoice.issue, booking.end',
        jobs: 'invoice.issued, booking.terminated',
        sent: 'invoice_issued, lease_ended',
      },
    ],
    ['ana', 'GET /bookings/{lease}', undefined, 200, { status: 'TERMINATED', endDate: '2026-03-31' }],
    ['ana', 'GET /units/{a1}', undefined, 200, { status: 'OCCUPIED' }],
    ['ana', 'POST /bookings/{lease}/renew', {}, 409, { code: 'duplicate' }],
  ],
)

scenario('a cancelled renewal can be drawn up again', { given: letting(year) }, [
  ['ana', 'POST /bookings/{lease}/renew', {}, 201, {}, { audit: 'booking.create', as: 'next', lacks: ['endDate'] }],
  ['ana', 'POST /bookings/{next}/cancel', {}, 200, {}, { audit: 'booking.cancel' }],
  ['ana', 'POST /bookings/{lease}/renew', {}, 201, {}, { audit: 'booking.create' }],
])
scenario('a lease without an end needs no renewal', { given: letting() }, [
  ['ana', 'POST /bookings/{lease}/renew', {}, 409, { code: 'invalid_state', allowed: ['terminate'] }],
])

scenario('a home goes on month by month after its end', { given: letting(year) }, [
  ['days', 21],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { status: 'ACTIVE', endDate: '2026-03-31' }],
  ['days', 1, { audit: 'invoice.issue, booking.extend', jobs: 'invoice.issued', sent: 'invoice_issued' }],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { status: 'ACTIVE', endDate: '2026-04-30' }],
  [
    'days',
    30,
    { audit: 'invoice.issue, booking.extend, invoice.overdue', jobs: 'invoice.issued', sent: 'invoice_issued' },
  ],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { endDate: '2026-05-31' }],
  [
    'invoices',
    ['2026-03-01..03-31 OVERDUE 0/60000', '2026-04-01..04-30 OVERDUE 0/60000', '2026-05-01..05-31 ISSUED 0/60000'],
  ],
])

scenario(
  'where the end cuts a period, the months that follow begin on the day after it',
  { given: letting({ ...year, endDate: '2026-03-20' }) },
  [
    ['invoices', ['2026-03-01..03-20 OVERDUE 0/38710']],
    ['days', 11, { audit: 'invoice.issue, booking.extend', jobs: 'invoice.issued', sent: 'invoice_issued' }],
    [
      'days',
      31,
      { audit: 'invoice.issue, booking.extend, invoice.overdue', jobs: 'invoice.issued', sent: 'invoice_issued' },
    ],
    [
      'invoices',
      ['2026-03-01..03-20 OVERDUE 0/38710', '2026-03-21..04-20 OVERDUE 0/60000', '2026-04-21..05-20 ISSUED 0/60000'],
    ],
    ['ana', 'GET /bookings/{lease}', undefined, 200, { endDate: '2026-05-20' }],
  ],
)

scenario(
  'it ends by itself where that was agreed, on the day after',
  { given: letting({ ...year, autoRenew: false }) },
  [
    ['days', 21],
    ['ana', 'GET /bookings/{lease}', undefined, 200, { status: 'ACTIVE' }],
    ['days', 1, { audit: 'booking.end', jobs: 'booking.terminated', sent: 'lease_ended' }],
    [
      'ana',
      'GET /bookings/{lease}',
      undefined,
      200,
      { status: 'TERMINATED', endDate: '2026-03-31', terminatedAt: '2026-04-01T08:00:00.000Z' },
    ],
    ['ana', 'GET /units/{a1}', undefined, 200, { status: 'AVAILABLE' }],
    ['days', 62],
    ['invoices', ['2026-03-01..03-31 OVERDUE 0/60000']],
  ],
)

scenario('it ends instead of going on into another tenant’s time', { given: letting(year) }, [
  [
    'ana',
    'POST /bookings',
    { unitId: '{a1}', tenantUserId: '{tia}', startDate: '2026-05-15' },
    201,
    {},
    { audit: 'tenant.create, booking.create', as: 'next' },
  ],
  ['ana', 'POST /bookings/{next}/submit', {}, 200, {}, { audit: 'booking.submit' }],
  ['days', 22, { audit: 'invoice.issue, booking.extend', jobs: 'invoice.issued', sent: 'invoice_issued' }],
  ['days', 30, { audit: 'booking.end, invoice.overdue', jobs: 'booking.terminated', sent: 'lease_ended' }],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { status: 'TERMINATED', endDate: '2026-04-30' }],
  ['ana', 'GET /units/{a1}', undefined, 200, { status: 'RESERVED' }],
])

scenario(
  'an old lease that went on since is billed from billFrom, not from its end',
  { given: letting({ startDate: '2024-01-01', endDate: '2024-12-15' }) },
  [
    // Periods begin on the 16th since; 31 days before it was entered is 7 February.
    ['invoices', ['2026-02-16..03-15 OVERDUE 0/60000']],
    [
      'ana',
      'GET /bookings/{lease}',
      undefined,
      200,
      { status: 'ACTIVE', endDate: '2026-03-15', billFrom: '2026-02-07' },
    ],
  ],
)

scenario(
  'an old lease that ended long ago bills nothing, and its end is no news to anybody',
  { given: letting({ startDate: '2024-01-01', endDate: '2024-12-15', autoRenew: false }, 'PENDING') },
  [
    ['ana', 'POST /bookings/{lease}/activate', {}, 200, {}, { audit: 'booking.activate', jobs: 'booking.activated' }],
    ['days', 0, { audit: 'booking.end', jobs: 'booking.terminated' }],
    ['invoices', []],
    ['ana', 'GET /bookings/{lease}', undefined, 200, { status: 'TERMINATED', endDate: '2024-12-15' }],
    ['ana', 'GET /units/{a1}', undefined, 200, { status: 'AVAILABLE' }],
  ],
)
