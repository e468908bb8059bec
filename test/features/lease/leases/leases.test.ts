// Bookings up to their activation: decisions sections 3, 4 and 6.
import { neighbours } from '../../../support/neighbours.ts'
import { letting, phoneOf, premises, scenario } from '../../../support/scenario.ts'

const ask = { unitId: '{a1}', tenantUserId: '{tom}', startDate: '2026-04-01' }
const byNumber = { unitId: '{a1}', startDate: '2026-04-01' }
const created = { audit: 'booking.create' } as const

scenario(
  'a lease is drawn up with what the unit and the organization say',
  { given: premises(), settings: { dueDay: 5, locale: 'en' } },
  [
    [
      'ana',
      'POST /bookings',
      ask,
      201,
      {
        status: 'DRAFT',
        rentAmount: 60_000,
        rentCurrency: 'XAF',
        tvaBasisPoints: 0,
        autoRenew: true,
        dueDay: 5,
        locale: 'en',
        tenantUserId: '{tom}',
        tenantName: 'tom Test',
        unitLabel: 'A1',
        propertyName: 'Villa',
        creditAmount: 0,
      },
      {
        audit: 'tenant.create, booking.create',
        as: 'lease',
        lacks: ['depositAmount', 'endDate', 'requestedBy', 'ownerUserId', 'anchorDate', 'nextPeriod'],
      },
    ],
    [
      'ana',
      'POST /bookings',
      {
        ...ask,
        endDate: '2027-03-31',
        rentAmount: 55_000,
        depositAmount: 110_000,
        tvaBasisPoints: 1925,
        noticeMonths: 3,
        dueDay: 28,
        autoRenew: false,
        billFrom: '2026-05-01',
        openingBalance: 5_000,
        locale: 'fr',
      },
      201,
      {
        rentAmount: 55_000,
        depositAmount: 110_000,
        depositCurrency: 'XAF',
        tvaBasisPoints: 1925,
        noticeMonths: 3,
        dueDay: 28,
        autoRenew: false,
        billFrom: '2026-05-01',
        openingBalance: 5_000,
        locale: 'fr',
      },
      created,
    ],
    [
      'ana',
      'POST /bookings',
      { unitId: '{a1}', tenantPhoneNumber: '+237677123456', startDate: '2026-04-01' },
      201,
      { tenantName: '+237677123456' },
      { audit: 'tenant.create, booking.create', lacks: ['tenantUserId'] },
    ],
    [
      'ana',
      'POST /bookings',
      { unitId: '{a1}', tenantPhoneNumber: '+237677123456', startDate: '2026-04-01' },
      201,
      {},
      created,
    ],
    // A DRAFT reserves nothing.
    ['ana', 'GET /units/{a1}', undefined, 200, { status: 'AVAILABLE' }],
  ],
)

const shows = { tenantUserId: '{tom}' }
const hides = { lacks: ['tenantUserId'] }
scenario(
  'a lease made by an account carries it in the answer, and elsewhere only for who may know of it',
  { given: neighbours },
  [
    ['ana', 'POST /bookings', ask, 201, shows, { ...created, audit: 'tenant.create, booking.create', as: 'lease' }],
    ['ana', 'GET /bookings/{lease}', undefined, 200, { tenantName: 'tom Test' }, hides],
    ['ana', 'GET /bookings?status=DRAFT', undefined, 200, [{ id: '{lease}', tenantUserId: undefined }]],
    ['ana', 'GET /bookings?tenantUserId={tom}', undefined, 200, []],
    ['ana', 'PATCH /bookings/{lease}', { rentAmount: 61_000 }, 200, {}, { audit: 'booking.update', ...hides }],
    // The same person, entered by name or by number, links nothing to an account.
    [
      'ana',
      'POST /bookings',
      { ...byNumber, tenantPhoneNumber: phoneOf('tia') },
      201,
      {},
      { audit: 'tenant.create, booking.create', ...hides },
    ],
    // Another owner, a manager limited to the property, one limited to others, and the tenant, who is not told of drafts.
    ['eve', 'GET /bookings/{lease}', undefined, 404],
    ['ada', 'PATCH /admin/users/{mia}', { propertyIds: ['{villa}'] }, 200, {}, { audit: 'user.limit' }],
    ['mia', 'GET /bookings/{lease}', undefined, 200, {}, hides],
    [
      'mia',
      'POST /bookings',
      { ...ask, unitId: '{a2}' },
      201,
      shows,
      { audit: 'tenant.create, booking.create', as: 'theirs' },
    ],
    ['mia', 'GET /bookings/{theirs}', undefined, 200, {}, hides],
    ['ana', 'GET /bookings/{theirs}', undefined, 200, {}, hides],
    ['ada', 'PATCH /admin/users/{mia}', { propertyIds: ['{case}'] }, 200, {}, { audit: 'user.limit' }],
    ['mia', 'GET /bookings/{lease}', undefined, 404],
    ['tom', 'GET /bookings/{lease}', undefined, 404],
    ['ada', 'GET /bookings/{lease}', undefined, 200, shows],
    // Sent out, the lease tells its landlord whose account it is, and no other owner.
    ['ada', 'POST /bookings/{theirs}/submit', {}, 200, shows, { audit: 'tenant.introduce, booking.submit' }],
    ['ana', 'GET /bookings/{theirs}', undefined, 200, shows],
    ['eve', 'GET /bookings/{theirs}', undefined, 404],
  ],
)

scenario('what makes no lease', { given: premises() }, [
  ['ana', 'POST /bookings', { unitId: '{a1}', startDate: '2026-04-01' }, 422, { errors: [{ path: '/tenantId' }] }],
  ['ana', 'POST /bookings', { ...ask, tenantPhoneNumber: '+237677123456' }, 422, { errors: [{ path: '/tenantId' }] }],
  ['ana', 'POST /bookings', { ...ask, endDate: '2026-03-31' }, 422, { errors: [{ path: '/endDate' }] }],
  ['ana', 'POST /bookings', { ...ask, startDate: '2026-02-30' }, 422, { errors: [{ path: '/startDate' }] }],
  ['ana', 'POST /bookings', { ...ask, startDate: '0001-01-01' }, 422, { errors: [{ path: '/startDate' }] }],
  ['ana', 'POST /bookings', { ...ask, endDate: '9999-12-31' }, 422, { errors: [{ path: '/endDate' }] }],
  ['ana', 'POST /bookings', { ...ask, billFrom: '2026-03-31' }, 422, { errors: [{ path: '/billFrom' }] }],
  [
    'ana',
    'POST /bookings',
    { ...ask, endDate: '2026-04-30', billFrom: '2026-05-01' },
    422,
    { errors: [{ path: '/billFrom' }] },
  ],
  [
    'ana',
    'POST /bookings',
    { ...ask, startDate: '2010-01-01', billFrom: '2016-03-09' },
    422,
    { errors: [{ path: '/billFrom' }] },
  ],
  ['ana', 'POST /bookings', { ...ask, billFrom: '9999-12-31' }, 422, { errors: [{ path: '/billFrom' }] }],
  ['ana', 'POST /bookings', { ...ask, dueDay: 29 }, 422],
  ['ana', 'POST /bookings', { ...ask, rentCurrency: 'EUR' }, 422],
  ['ana', 'POST /bookings', { ...ask, tvaBasisPoints: 10_001 }, 422],
  ['ana', 'POST /bookings', { ...ask, status: 'ACTIVE' }, 422, { errors: [{ path: '/status' }] }],
  ['ana', 'POST /bookings', { ...ask, unitId: '{nobody}' }, 404],
  ['ana', 'POST /bookings', { ...ask, tenantUserId: '{nobody}' }, 404],
  ['ana', 'POST /bookings', { ...ask, tenantUserId: '{zoe}' }, 404],
  [
    'ana',
    'POST /bookings',
    { unitId: '{a1}', tenantPhoneNumber: phoneOf('zoe'), startDate: '2026-04-01' },
    409,
    { code: 'member_elsewhere' },
  ],
  ['eve', 'POST /bookings', ask, 404],
  ['zoe', 'POST /bookings', ask, 404],
  ['ana', 'PATCH /units/{a1}', { rentAmount: null }, 200, {}, { audit: 'unit.update' }],
  ['ana', 'POST /bookings', ask, 422, { errors: [{ path: '/rentAmount' }] }],
  ['tom', 'POST /bookings', { unitId: '{a1}', startDate: '2026-04-01' }, 422, { errors: [{ path: '/unitId' }] }],
  [
    'ana',
    'POST /bookings',
    { ...ask, rentAmount: 0 },
    201,
    { rentAmount: 0 },
    { audit: 'tenant.create, booking.create' },
  ],
])

scenario(
  'business premises of a registered landlord carry TVA and do not renew themselves',
  { given: premises('OFFICE'), settings: { tvaRegistered: true } },
  [
    [
      'ana',
      'POST /bookings',
      ask,
      201,
      { tvaBasisPoints: 1925, autoRenew: false },
      { audit: 'tenant.create, booking.create' },
    ],
    [
      'ana',
      'POST /bookings',
      { ...ask, tvaBasisPoints: 0, autoRenew: true },
      201,
      { tvaBasisPoints: 0, autoRenew: true },
      created,
    ],
  ],
)
scenario('those of a landlord who is not registered carry none', { given: premises('COMMERCIAL') }, [
  [
    'ana',
    'POST /bookings',
    ask,
    201,
    { tvaBasisPoints: 0, autoRenew: false },
    { audit: 'tenant.create, booking.create' },
  ],
])

scenario('a DRAFT or PENDING lease is changed; a running one is not', { given: letting({}, 'DRAFT') }, [
  [
    'ana',
    'PATCH /bookings/{lease}',
    { endDate: '2026-12-31', depositAmount: 5, rentAmount: 61_000 },
    200,
    { endDate: '2026-12-31', depositAmount: 5, depositCurrency: 'XAF', rentAmount: 61_000 },
    { audit: 'booking.update' },
  ],
  ['ana', 'PATCH /bookings/{lease}', { endDate: '2026-12-31' }, 200, {}],
  [
    'ana',
    'PATCH /bookings/{lease}',
    { depositAmount: null, endDate: null },
    200,
    {},
    { audit: 'booking.update', lacks: ['depositAmount', 'depositCurrency', 'endDate'] },
  ],
  ['ana', 'PATCH /bookings/{lease}', { startDate: null }, 422],
  ['ana', 'PATCH /bookings/{lease}', { unitId: '{a2}' }, 422],
  ['ana', 'PATCH /bookings/{lease}', { endDate: '2026-02-01' }, 422, { errors: [{ path: '/endDate' }] }],
  ['tom', 'PATCH /bookings/{lease}', { rentAmount: 1 }, 403],
  ['eve', 'PATCH /bookings/{lease}', { rentAmount: 1 }, 404],
  ['ana', 'POST /bookings/{lease}/submit', {}, 200, { status: 'PENDING' }, { audit: 'booking.submit' }],
  ['ana', 'PATCH /bookings/{lease}', { dueDay: 3 }, 200, { dueDay: 3, status: 'PENDING' }, { audit: 'booking.update' }],
  ['ana', 'POST /bookings/{lease}/activate', {}, 200, {}, { audit: 'booking.activate', jobs: 'booking.activated' }],
  ['ana', 'PATCH /bookings/{lease}', { rentAmount: 1 }, 409, { currentStatus: 'ACTIVE', allowed: ['terminate'] }],
])

scenario('the moves of a lease; each again changes nothing', { given: letting({}, 'DRAFT') }, [
  ['ana', 'POST /bookings/{lease}/activate', {}, 409, { currentStatus: 'DRAFT', allowed: ['submit', 'cancel'] }],
  ['ana', 'POST /bookings/{lease}/terminate', {}, 409, { currentStatus: 'DRAFT' }],
  ['ana', 'POST /bookings/{lease}/renew', {}, 409, { currentStatus: 'DRAFT' }],
  ['tom', 'POST /bookings/{lease}/submit', {}, 403],
  ['eve', 'POST /bookings/{lease}/submit', {}, 404],
  ['ana', 'POST /bookings/{lease}/submit', { now: true }, 422],
  [
    'mia',
    'POST /bookings/{lease}/submit',
    {},
    200,
    { status: 'PENDING', submittedAt: '2026-03-10T08:00:00.000Z' },
    { audit: 'booking.submit' },
  ],
  ['mia', 'POST /bookings/{lease}/submit', {}, 200, { status: 'PENDING' }],
  ['ana', 'POST /bookings/{lease}/terminate', {}, 409, { currentStatus: 'PENDING', allowed: ['activate', 'cancel'] }],
  [
    'ana',
    'POST /bookings/{lease}/activate',
    {},
    200,
    { status: 'ACTIVE', activatedAt: '2026-03-10T08:00:00.000Z' },
    { audit: 'booking.activate', jobs: 'booking.activated' },
  ],
  ['ana', 'POST /bookings/{lease}/activate', {}, 200, { status: 'ACTIVE' }],
  ['ana', 'POST /bookings/{lease}/submit', {}, 409, { currentStatus: 'ACTIVE', allowed: ['terminate'] }],
  ['ana', 'POST /bookings/{lease}/cancel', {}, 409, { currentStatus: 'ACTIVE', allowed: ['terminate'] }],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    {},
    200,
    { status: 'TERMINATED' },
    {
      audit: 'invoice.issue, invoice.cancel, invoice.issue, booking.terminate',
      jobs: 'invoice.issued ×2, booking.terminated',
    },
  ],
  [
    'ana',
    'POST /bookings/{lease}/terminate',
    { endDate: '2026-03-05' },
    200,
    { status: 'TERMINATED', endDate: '2026-03-10' },
  ],
  ['ana', 'POST /bookings/{lease}/activate', {}, 409, { currentStatus: 'TERMINATED', allowed: ['reinstate'] }],
  ['ana', 'POST /bookings/{lease}/cancel', {}, 409, { currentStatus: 'TERMINATED' }],
])

scenario('cancelled is cancelled', { given: letting({}, 'PENDING') }, [
  ['tia', 'POST /bookings/{lease}/cancel', {}, 404],
  [
    'tom',
    'POST /bookings/{lease}/cancel',
    {},
    200,
    { status: 'CANCELLED', cancelledAt: '2026-03-10T08:00:00.000Z' },
    { audit: 'booking.cancel' },
  ],
  ['ana', 'POST /bookings/{lease}/cancel', {}, 200, { status: 'CANCELLED' }],
  ['ana', 'POST /bookings/{lease}/submit', {}, 409, { currentStatus: 'CANCELLED', allowed: [] }],
  ['ana', 'GET /units/{a1}', undefined, 200, { status: 'AVAILABLE' }],
])

scenario(
  'no two PENDING or ACTIVE leases of a unit share a day',
  { given: letting({ startDate: '2026-04-01', endDate: '2026-06-30' }, 'PENDING') },
  [
    ['ana', 'POST /bookings', { ...ask, startDate: '2026-06-30' }, 201, {}, { ...created, as: 'late' }],
    ['ana', 'POST /bookings/{late}/submit', {}, 409, { code: 'unit_unavailable' }],
    ['ana', 'PATCH /bookings/{late}', { startDate: '2026-07-01' }, 200, {}, { audit: 'booking.update' }],
    ['ana', 'POST /bookings/{late}/submit', {}, 200, {}, { audit: 'booking.submit' }],
    // Neither side may grow into the other.
    ['ana', 'PATCH /bookings/{late}', { startDate: '2026-06-01' }, 409, { code: 'unit_unavailable' }],
    ['ana', 'PATCH /bookings/{lease}', { endDate: '2026-07-01' }, 409, { code: 'unit_unavailable' }],
    ['ana', 'PATCH /bookings/{lease}', { endDate: null }, 409, { code: 'unit_unavailable' }],
    [
      'ana',
      'POST /bookings',
      { ...ask, startDate: '2026-01-01', endDate: '2026-03-31' },
      201,
      {},
      { ...created, as: 'early' },
    ],
    ['ana', 'POST /bookings/{early}/submit', {}, 200, {}, { audit: 'booking.submit' }],
    ['ana', 'POST /bookings', { ...ask, startDate: '2025-01-01' }, 201, {}, { ...created, as: 'ever' }],
    ['ana', 'POST /bookings/{ever}/submit', {}, 409, { code: 'unit_unavailable' }],
    ['ana', 'PATCH /bookings/{ever}', { endDate: '2025-12-31' }, 200, {}, { audit: 'booking.update' }],
    ['ana', 'POST /bookings/{ever}/submit', {}, 200, {}, { audit: 'booking.submit' }],
    // Another unit is free on the same days.
    ['ana', 'POST /bookings', { ...ask, unitId: '{a2}' }, 201, {}, { ...created, as: 'beside' }],
    ['ana', 'POST /bookings/{beside}/submit', {}, 200, {}, { audit: 'booking.submit' }],
  ],
)
