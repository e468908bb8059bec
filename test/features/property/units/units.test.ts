// Units: decisions section 4 (states) and 6 (paths).
import { letting, premises, scenario } from '../../../support/scenario.ts'

scenario('one unit, or many alike', { given: premises() }, [
  [
    'ana',
    'POST /properties/{villa}/units',
    { label: 'B1', areaSqm: 42.5, bedrooms: 2, bathrooms: 1, rentAmount: 85_000 },
    201,
    { label: 'B1', areaSqm: 42.5, rentAmount: 85_000, rentCurrency: 'XAF', status: 'AVAILABLE' },
    { audit: 'unit.create', lacks: ['orgId'] },
  ],
  [
    'ana',
    'POST /properties/{villa}/units',
    { labels: ['C1', 'C2', 'C3'], rentAmount: 1 },
    201,
    [{ label: 'C1', rentAmount: 1 }, { label: 'C2' }, { label: 'C3', status: 'AVAILABLE' }],
    { audit: 'unit.create ×3' },
  ],
  ['ana', 'POST /properties/{villa}/units', { labels: ['D1'] }, 201, [{ label: 'D1' }], { audit: 'unit.create' }],
  [
    'mia',
    'POST /properties/{villa}/units',
    { label: 'E1', rentAmount: null },
    201,
    { label: 'E1' },
    { audit: 'unit.create', lacks: ['rentAmount', 'rentCurrency'] },
  ],
  ['ana', 'POST /properties/{villa}/units', {}, 422, { errors: [{ path: '/label' }] }],
  ['ana', 'POST /properties/{villa}/units', { label: 'X', labels: ['Y'] }, 422],
  ['ana', 'POST /properties/{villa}/units', { labels: ['X', 'Y', 'X'] }, 422, { errors: [{ path: '/labels' }] }],
  ['ana', 'POST /properties/{villa}/units', { labels: [] }, 422],
  ['ana', 'POST /properties/{villa}/units', { label: 'X', rentAmount: 1.5 }, 422],
  ['ana', 'POST /properties/{villa}/units', { label: 'X', rentAmount: -1 }, 422],
  ['ana', 'POST /properties/{villa}/units', { label: 'X', rentAmount: 1e12 + 1 }, 422],
  ['ana', 'POST /properties/{villa}/units', { label: 'X', rentAmount: '1' }, 422],
  ['ana', 'POST /properties/{villa}/units', { label: 'X', rentCurrency: 'EUR' }, 422],
  ['ana', 'POST /properties/{villa}/units', { label: 'X', status: 'OCCUPIED' }, 422],
  ['ana', 'POST /properties/{nobody}/units', { label: 'X' }, 404],
  ['eve', 'POST /properties/{villa}/units', { label: 'X' }, 404],
  ['zoe', 'POST /properties/{villa}/units', { label: 'X' }, 404],
  ['tom', 'POST /properties/{villa}/units', { label: 'X' }, 403],
  ['tom', 'GET /properties/{villa}/units?limit=2', undefined, 200, [{ label: 'E1' }, { label: 'D1' }]],
  ['tom', 'GET /properties/{villa}/units?status=OCCUPIED', undefined, 200, []],
])

scenario('a unit is changed member by member', { given: premises() }, [
  [
    'ana',
    'PATCH /units/{a1}',
    { rentAmount: null, bedrooms: 3 },
    200,
    { bedrooms: 3 },
    { audit: 'unit.update', lacks: ['rentAmount', 'rentCurrency'] },
  ],
  ['ana', 'PATCH /units/{a1}', { bedrooms: 3 }, 200, { bedrooms: 3 }],
  [
    'ana',
    'PATCH /units/{a1}',
    { rentAmount: 70_000, rentCurrency: 'XAF' },
    200,
    { rentAmount: 70_000, rentCurrency: 'XAF' },
    { audit: 'unit.update' },
  ],
  ['ana', 'PATCH /units/{a1}', { label: null }, 422],
  ['ana', 'PATCH /units/{a1}', { propertyId: '{villa}' }, 422],
  ['eve', 'PATCH /units/{a1}', { bedrooms: 1 }, 404],
  ['tom', 'PATCH /units/{a1}', { bedrooms: 1 }, 403],
  ['eve', 'GET /units/{a1}', undefined, 404],
  ['tia', 'GET /units/{a1}', undefined, 200, { label: 'A1' }],
])

scenario(
  'by hand a unit is AVAILABLE, in MAINTENANCE or ARCHIVED; what leases make of it is never set',
  { given: letting({}, 'DRAFT') },
  [
    ['ana', 'PATCH /units/{a1}', { status: 'RESERVED' }, 422],
    ['ana', 'PATCH /units/{a1}', { status: 'OCCUPIED' }, 422],
    ['ana', 'PATCH /units/{a1}', { status: 'MAINTENANCE' }, 200, { status: 'MAINTENANCE' }, { audit: 'unit.update' }],
    ['ana', 'POST /bookings/{lease}/submit', {}, 409, { code: 'invalid_state', currentStatus: 'MAINTENANCE' }],
    [
      'ana',
      'POST /bookings',
      { unitId: '{a1}', tenantUserId: '{tia}', startDate: '2026-05-01' },
      409,
      { currentStatus: 'MAINTENANCE' },
    ],
    ['ana', 'PATCH /units/{a1}', { status: 'ARCHIVED' }, 200, {}, { audit: 'unit.update' }],
    ['ana', 'POST /bookings/{lease}/submit', {}, 409, { currentStatus: 'ARCHIVED' }],
    ['ana', 'PATCH /units/{a1}', { status: 'AVAILABLE' }, 200, {}, { audit: 'unit.update' }],
    ['ana', 'POST /bookings/{lease}/submit', {}, 200, {}, { audit: 'booking.submit' }],
    ['ana', 'GET /units/{a1}', undefined, 200, { status: 'RESERVED' }],
    ['ana', 'PATCH /units/{a1}', { status: 'MAINTENANCE' }, 409, { currentStatus: 'RESERVED' }],
    ['ana', 'PATCH /units/{a1}', { status: 'AVAILABLE' }, 409, { currentStatus: 'RESERVED' }],
    [
      'ana',
      'PATCH /units/{a1}',
      { bathrooms: 2 },
      200,
      { status: 'RESERVED' },
      { audit: 'unit.update', jobs: 'lease.check' },
    ],
  ],
)

scenario(
  'a unit follows its bookings',
  { given: letting({ startDate: '2026-04-01', endDate: '2026-04-30', autoRenew: false }, 'PENDING') },
  [
    [
      'ana',
      'POST /bookings',
      { unitId: '{a1}', tenantUserId: '{tia}', startDate: '2026-06-01' },
      201,
      {},
      { audit: 'tenant.create, booking.create', as: 'next' },
    ],
    ['ana', 'POST /bookings/{next}/submit', {}, 200, {}, { audit: 'booking.submit' }],
    ['ana', 'GET /units/{a1}', undefined, 200, { status: 'RESERVED' }],
    ['ana', 'POST /bookings/{lease}/activate', {}, 200, {}, { audit: 'booking.activate', jobs: 'booking.activated' }],
    // ACTIVE, though it begins in three weeks.
    ['ana', 'GET /units/{a1}', undefined, 200, { status: 'OCCUPIED' }],
    ['ana', 'POST /bookings/{next}/cancel', {}, 200, {}, { audit: 'booking.cancel' }],
    ['ana', 'GET /units/{a1}', undefined, 200, { status: 'OCCUPIED' }],
    [
      'days',
      52,
      {
        audit: 'invoice.issue, booking.end, invoice.overdue',
        jobs: 'invoice.issued, booking.terminated',
        sent: 'lease_ended',
      },
    ],
    ['ana', 'GET /bookings/{lease}', undefined, 200, { status: 'TERMINATED', endDate: '2026-04-30' }],
    ['ana', 'GET /units/{a1}', undefined, 200, { status: 'AVAILABLE' }],
  ],
)
