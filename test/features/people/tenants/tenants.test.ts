// Tenants: people known to the landlord, with or without an account (decisions section 6).
import { letting, phoneOf, premises, type Row, scenario } from '../../../support/scenario.ts'

const marie = { fullName: 'Ngo Bassa Marie', phoneNumber: '+237677123456' }

scenario('a tenant is entered, and changed member by member', {}, [
  [
    'ana',
    'POST /tenants',
    { ...marie, idType: 'NATIONAL_ID', idNumber: '1', locale: null },
    201,
    { ...marie, locale: 'fr', idType: 'NATIONAL_ID' },
    { audit: 'tenant.create', as: 'marie', lacks: ['userId', 'createdBy', 'niu'] },
  ],
  [
    'ana',
    'POST /tenants',
    { fullName: 'Sans Téléphone', locale: 'en' },
    201,
    { locale: 'en' },
    { audit: 'tenant.create', lacks: ['phoneNumber'] },
  ],
  ['ana', 'POST /tenants', { fullName: 'Sans Téléphone' }, 201, {}, { audit: 'tenant.create' }],
  [
    'ana',
    'PATCH /tenants/{marie}',
    { address: 'Rue 3\nBP 12', idNumber: null },
    200,
    { address: 'Rue 3\nBP 12' },
    { audit: 'tenant.update', lacks: ['idNumber'] },
  ],
  ['ana', 'PATCH /tenants/{marie}', { address: 'Rue 3\nBP 12', phoneNumber: marie.phoneNumber }, 200, marie],
  ['ana', 'PATCH /tenants/{marie}', { userId: '{tom}' }, 422],
  ['ana', 'PATCH /tenants/{marie}', { fullName: null }, 422],
  ['ana', 'POST /tenants', { phoneNumber: '+237677000000' }, 422, { errors: [{ path: '/fullName' }] }],
  ['ana', 'POST /tenants', { fullName: 'X', phoneNumber: '67712345' }, 422, { errors: [{ path: '/phoneNumber' }] }],
  ['tom', 'POST /tenants', marie, 403],
  ['tom', 'GET /tenants', undefined, 403],
])

// One number, as people write it: kept, found and compared in one form.
const typed = [
  '677 12 34 56',
  '6 77 12 34 56',
  '677-123-456',
  '237 677 12 34 56',
  '+237 677 12 34 56',
  '00237677123456',
]
scenario('a number is taken as people write it', {}, [
  ['ana', 'POST /tenants', { ...marie, phoneNumber: typed[0] }, 201, marie, { audit: 'tenant.create', as: 'marie' }],
  ...typed.flatMap((phoneNumber): Row[] => [
    ['mia', 'POST /tenants', { fullName: 'Twin', phoneNumber }, 409, { code: 'duplicate' }],
    ['ana', 'PATCH /tenants/{marie}', { phoneNumber }, 200, marie],
    ['ana', `GET /tenants?phoneNumber=${encodeURIComponent(phoneNumber)}`, undefined, 200, [{ id: '{marie}' }]],
  ]),
  ['ana', 'GET /tenants?phoneNumber=+237677123456', undefined, 200, [{ id: '{marie}' }]],
  ['ana', 'GET /tenants?phoneNumber=677123457', undefined, 200, []],
  ['ana', 'GET /tenants?phoneNumber=6771', undefined, 422],
  [
    'ada',
    'PATCH /admin/organization',
    { phoneNumber: '233 42 11 00' },
    200,
    { phoneNumber: '+237233421100' },
    { audit: 'organization.update' },
  ],
  ['ada', 'PATCH /admin/organization', { phoneNumber: '33 42 11 00' }, 422, { errors: [{ path: '/phoneNumber' }] }],
])

scenario('a number is one tenant’s, and of no other organization’s member', {}, [
  ['ana', 'POST /tenants', marie, 201, {}, { audit: 'tenant.create', as: 'marie' }],
  ['mia', 'POST /tenants', { ...marie, fullName: 'Twin' }, 409, { code: 'duplicate' }],
  ['ana', 'POST /tenants', { fullName: 'Zoe', phoneNumber: phoneOf('zoe') }, 409, { code: 'member_elsewhere' }],
  ['ana', 'POST /tenants', { fullName: 'Other' }, 201, {}, { audit: 'tenant.create', as: 'other' }],
  ['ana', 'PATCH /tenants/{other}', { phoneNumber: marie.phoneNumber }, 409, { code: 'duplicate' }],
  ['ana', 'PATCH /tenants/{other}', { phoneNumber: phoneOf('zoe') }, 409, { code: 'member_elsewhere' }],
  // The other organization may know the same person: nobody has an account with that number.
  ['zoe', 'POST /tenants', marie, 201, {}, { audit: 'tenant.create' }],
  ['ana', 'PATCH /tenants/{marie}', { phoneNumber: null }, 200, {}, { audit: 'tenant.update', lacks: ['phoneNumber'] }],
  ['ana', 'PATCH /tenants/{other}', { phoneNumber: marie.phoneNumber }, 200, {}, { audit: 'tenant.update' }],
])

scenario('a number leads to the account that holds it, at entry and by a later change', {}, [
  [
    'mia',
    'POST /tenants',
    { fullName: 'Tom', phoneNumber: phoneOf('tom') },
    201,
    { userId: '{tom}' },
    { audit: 'tenant.create', as: 'one' },
  ],
  ['mia', 'POST /tenants', { fullName: 'Tia' }, 201, {}, { audit: 'tenant.create', as: 'two', lacks: ['userId'] }],
  [
    'mia',
    'PATCH /tenants/{two}',
    { phoneNumber: phoneOf('tia') },
    200,
    { userId: '{tia}' },
    { audit: 'tenant.update' },
  ],
  // An account once linked stays.
  [
    'mia',
    'PATCH /tenants/{two}',
    { phoneNumber: '+237677000001' },
    200,
    { userId: '{tia}' },
    { audit: 'tenant.update' },
  ],
])

scenario('owners see the tenants of their leases and those they entered; managers all', { given: letting() }, [
  ['eve', 'POST /tenants', marie, 201, {}, { audit: 'tenant.create', as: 'marie' }],
  ['eve', 'GET /tenants', undefined, 200, [{ fullName: marie.fullName }]],
  ['ana', 'GET /tenants', undefined, 200, [{ fullName: 'tom Test' }]],
  ['ana', 'GET /tenants/{marie}', undefined, 404],
  ['ana', 'PATCH /tenants/{marie}', { fullName: 'Mine' }, 404],
  ['ana', 'POST /bookings', { unitId: '{a2}', tenantId: '{marie}', startDate: '2026-04-01' }, 404],
  // By her number Ana may let to her, as somebody of her own: what Eve entered stays Eve's.
  [
    'ana',
    'POST /bookings',
    { unitId: '{a2}', tenantPhoneNumber: marie.phoneNumber, startDate: '2026-04-01' },
    201,
    { tenantName: marie.phoneNumber },
    { audit: 'tenant.create, booking.create', as: 'hers' },
  ],
  ['ana', 'GET /tenants/{marie}', undefined, 404],
  ['eve', 'GET /tenants', undefined, 200, [{ id: '{marie}', fullName: marie.fullName }]],
  ['eve', 'PATCH /tenants/{marie}', { fullName: 'Marie Ngo' }, 200, {}, { audit: 'tenant.update' }],
  ['ana', 'GET /bookings/{hers}', undefined, 200, { tenantName: marie.phoneNumber }],
  [
    'mia',
    'GET /tenants?order=asc',
    undefined,
    200,
    [{ userId: '{tom}' }, { id: '{marie}' }, { fullName: marie.phoneNumber }],
  ],
  ['mia', 'GET /tenants?q=ngo', undefined, 200, [{ id: '{marie}' }]],
  [
    'mia',
    'GET /tenants?phoneNumber=%2B237677123456',
    undefined,
    200,
    [{ fullName: marie.phoneNumber }, { id: '{marie}' }],
  ],
  ['zoe', 'GET /tenants', undefined, 200, []],
  ['zoe', 'GET /tenants/{marie}', undefined, 404],
])

scenario('a list for apps that synchronize: what changed since', { given: premises() }, [
  ['ana', 'POST /tenants', marie, 201, {}, { audit: 'tenant.create', as: 'marie' }],
  ['ana', 'POST /tenants', { fullName: 'Paul' }, 201, {}, { audit: 'tenant.create', as: 'paul' }],
  ['days', 2],
  ['ana', 'GET /tenants?updatedSince=2026-03-11T00:00:00Z', undefined, 200, []],
  ['ana', 'PATCH /tenants/{marie}', { niu: 'M085400001476E' }, 200, {}, { audit: 'tenant.update' }],
  ['ana', 'GET /tenants?updatedSince=2026-03-11T00:00:00Z', undefined, 200, [{ id: '{marie}' }]],
  [
    'ana',
    'GET /tenants?updatedSince=2026-03-10T08:00:00Z&order=asc',
    undefined,
    200,
    [{ id: '{paul}' }, { id: '{marie}' }],
  ],
  ['eve', 'GET /tenants?updatedSince=2026-03-10T08:00:00Z', undefined, 200, []],
  ['ana', 'GET /tenants?updatedSince=yesterday', undefined, 422],
])
