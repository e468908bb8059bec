// What tenants ask for, and who sees which booking: decisions sections 3 and 6.
import { letting, premises, scenario } from '../../../support/scenario.ts'

const ask = { unitId: '{a1}', tenantUserId: '{tom}', startDate: '2026-04-01' }
const created = { audit: 'booking.create' } as const

scenario('a tenant requests a free unit of a published property: unit and dates, nothing else', { given: premises() }, [
  [
    'tom',
    'POST /bookings',
    { unitId: '{a1}', startDate: '2026-04-01', endDate: '2026-12-31' },
    201,
    { status: 'DRAFT', requestedBy: '{tom}', tenantUserId: '{tom}', rentAmount: 60_000 },
    { audit: 'tenant.create, booking.create', as: 'wish' },
  ],
  [
    'tom',
    'POST /bookings',
    { unitId: '{a1}', startDate: '2026-04-01', rentAmount: 1 },
    422,
    { errors: [{ path: '/rentAmount' }] },
  ],
  [
    'tom',
    'POST /bookings',
    { unitId: '{a1}', startDate: '2026-04-01', tenantUserId: '{tia}' },
    422,
    { errors: [{ path: '/tenantUserId' }] },
  ],
  ['tom', 'POST /bookings', { unitId: '{a1}', startDate: '2026-04-01', rentAmount: null }, 201, {}, created],
  ['ana', 'GET /units/{a1}', undefined, 200, { status: 'AVAILABLE' }],
  ['tia', 'GET /bookings/{wish}', undefined, 404],
  ['tom', 'GET /bookings?order=asc&limit=1', undefined, 200, [{ id: '{wish}' }]],
  ['ana', 'PATCH /bookings/{wish}', { rentAmount: 58_000 }, 200, {}, { audit: 'booking.update' }],
  [
    'ana',
    'POST /bookings/{wish}/submit',
    {},
    200,
    { status: 'PENDING', requestedBy: '{tom}' },
    { audit: 'booking.submit' },
  ],
  ['tia', 'POST /bookings', { unitId: '{a1}', startDate: '2027-04-01' }, 409, { code: 'unit_unavailable' }],
  ['ana', 'PATCH /units/{a2}', { status: 'MAINTENANCE' }, 200, {}, { audit: 'unit.update', jobs: 'lease.check' }],
  ['tia', 'POST /bookings', { unitId: '{a2}', startDate: '2027-04-01' }, 409, { currentStatus: 'MAINTENANCE' }],
  [
    'ana',
    'POST /properties',
    { name: 'Chantier', addressLine: 'x', city: 'y' },
    201,
    {},
    { audit: 'property.create', as: 'site' },
  ],
  ['ana', 'POST /properties/{site}/units', { label: 'B1', rentAmount: 1 }, 201, {}, { audit: 'unit.create', as: 'b1' }],
  ['tia', 'POST /bookings', { unitId: '{b1}', startDate: '2027-04-01' }, 404],
])

scenario('at most five requests are open', { given: premises() }, [
  [
    'tom',
    'POST /bookings',
    { unitId: '{a1}', startDate: '2026-04-01' },
    201,
    {},
    { audit: 'tenant.create, booking.create', as: 'first' },
  ],
  ...[2, 3, 4, 5].map(
    (n) => ['tom', 'POST /bookings', { unitId: '{a2}', startDate: `2026-0${n + 2}-01` }, 201, {}, created] as const,
  ),
  ['tom', 'POST /bookings', { unitId: '{a2}', startDate: '2026-12-01' }, 409, { code: 'too_many_open_requests' }],
  ['tom', 'POST /bookings/{first}/cancel', {}, 200, { status: 'CANCELLED' }, { audit: 'booking.cancel' }],
  ['tom', 'POST /bookings', { unitId: '{a2}', startDate: '2026-12-01' }, 201, {}, created],
  ['tom', 'POST /bookings', { unitId: '{a2}', startDate: '2026-12-01' }, 409, { code: 'too_many_open_requests' }],
  [
    'tia',
    'POST /bookings',
    { unitId: '{a2}', startDate: '2026-12-01' },
    201,
    {},
    { audit: 'tenant.create, booking.create' },
  ],
])

scenario('lists by status, unit, property and tenant; who sees which', { given: letting() }, [
  [
    'ana',
    'POST /bookings',
    { ...ask, unitId: '{a2}', tenantUserId: '{tia}' },
    201,
    {},
    { audit: 'tenant.create, booking.create', as: 'hers' },
  ],
  ['ana', 'GET /bookings?order=asc', undefined, 200, [{ id: '{lease}' }, { id: '{hers}' }]],
  ['ana', 'GET /bookings?status=ACTIVE', undefined, 200, [{ id: '{lease}' }]],
  ['mia', 'GET /bookings?unitId={a2}&propertyId={villa}', undefined, 200, [{ id: '{hers}' }]],
  ['mia', 'GET /bookings?tenantUserId={tom}', undefined, 200, [{ id: '{lease}' }]],
  ['tom', 'GET /bookings', undefined, 200, [{ id: '{lease}' }]],
  ['tom', 'GET /bookings?tenantUserId={tia}', undefined, 200, []],
  ['tom', 'GET /bookings/{hers}', undefined, 404],
  ['eve', 'GET /bookings', undefined, 200, []],
  ['zoe', 'GET /bookings?propertyId={villa}', undefined, 200, []],
  ['ana', 'GET /bookings?status=OPEN', undefined, 422, { errors: [{ path: '/status' }] }],
  ['ana', 'GET /bookings?unitId=a1', undefined, 422],
])

const GETS = [
  '',
  '/parties',
  '/signatures',
  '/timeline',
  '/rent-changes',
  '/deposit',
  '/messages',
  '/proposed-deductions',
]
scenario('a lease that was not sent out is nothing to the account that it names', { given: premises() }, [
  ['ana', 'POST /bookings', ask, 201, {}, { audit: 'tenant.create, booking.create', as: 'drawn' }],
  ...GETS.map((path) => ['tom', `GET /bookings/{drawn}${path}`, undefined, 404] as const),
  ['tom', 'GET /bookings', undefined, 200, []],
  ['tom', 'GET /bookings?status=DRAFT&count=true', undefined, 200, []],
  ['tom', 'POST /bookings/{drawn}/cancel', {}, 404],
  ['tom', 'POST /requests', { bookingId: '{drawn}', title: 'Fuite' }, 404],
  ['tom', 'POST /bookings/{drawn}/notice', { by: 'TENANT', leaveOn: '2026-06-30' }, 404],
  ['ana', 'POST /bookings/{drawn}/cancel', {}, 200, { status: 'CANCELLED' }, { audit: 'booking.cancel' }],
  ['tom', 'GET /bookings/{drawn}', undefined, 404],
  // What was sent stays to be read, whatever becomes of it; and so does what they asked for themselves.
  ['ana', 'POST /bookings', ask, 201, {}, { audit: 'booking.create', as: 'sent' }],
  ['ana', 'POST /bookings/{sent}/submit', {}, 200, {}, { audit: 'booking.submit' }],
  ['tom', 'GET /bookings/{sent}', undefined, 200, { status: 'PENDING' }],
  ['ana', 'POST /bookings/{sent}/cancel', {}, 200, {}, { audit: 'booking.cancel' }],
  ['tom', 'GET /bookings', undefined, 200, [{ id: '{sent}', status: 'CANCELLED' }]],
  [
    'tom',
    'POST /bookings',
    { unitId: '{a2}', startDate: '2026-04-01' },
    201,
    {},
    { audit: 'booking.create', as: 'wish' },
  ],
  ['ana', 'POST /bookings/{wish}/cancel', {}, 200, {}, { audit: 'booking.cancel' }],
  ['tom', 'GET /bookings/{wish}', undefined, 200, { status: 'CANCELLED' }],
])
