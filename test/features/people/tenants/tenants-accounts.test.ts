// What an owner is told of a number or an account that they name: the same, whether anybody is behind it or not.
import { eves } from '../../../support/neighbours.ts'
import { letting, phoneOf, premises, type Row, scenario } from '../../../support/scenario.ts'

const [KNOWN, FREE] = [phoneOf('tia'), '+237677000042']
/** What is told of a number with an account is what is told of one without. */
const untold = (phoneNumber: string, unit: string, tag: string): Row[] => [
  [
    'ana',
    'POST /tenants',
    { fullName: 'Voisin', phoneNumber },
    201,
    { phoneNumber },
    { audit: 'tenant.create', as: `t${tag}`, lacks: ['userId'] },
  ],
  ['ana', `GET /tenants/{t${tag}}`, undefined, 200, { phoneNumber }, { lacks: ['userId'] }],
  [
    'ana',
    `GET /tenants?phoneNumber=${encodeURIComponent(phoneNumber)}`,
    undefined,
    200,
    [{ phoneNumber }],
    { lacks: ['userId'] },
  ],
  [
    'ana',
    `PATCH /tenants/{t${tag}}`,
    { address: 'Rue 9' },
    200,
    { address: 'Rue 9' },
    { audit: 'tenant.update', lacks: ['userId'] },
  ],
  [
    'ana',
    'POST /bookings',
    { unitId: unit, tenantPhoneNumber: phoneNumber, startDate: '2026-04-01' },
    201,
    { tenantId: `{t${tag}}`, tenantName: 'Voisin' },
    { audit: 'booking.create', as: `b${tag}`, lacks: ['tenantUserId'] },
  ],
  ['ana', `GET /bookings/{b${tag}}`, undefined, 200, {}, { lacks: ['tenantUserId'] }],
  ['ana', `GET /bookings?tenantId={t${tag}}`, undefined, 200, [{ id: `{b${tag}}` }], { lacks: ['tenantUserId'] }],
]
scenario('an owner is not told whether a number has an account', { given: premises() }, [
  ...untold(KNOWN, '{a1}', '1'),
  ...untold(FREE, '{a2}', '2'),
  ['mia', 'GET /tenants/{t1}', undefined, 200, { userId: '{tia}' }],
  ['mia', 'GET /bookings/{b1}', undefined, 200, { tenantUserId: '{tia}' }],
  // Nor do they find by an account whose number it is.
  ['ana', 'GET /bookings?tenantUserId={tia}&count=true', undefined, 200, []],
  ['ana', 'GET /bookings?tenantUserId={tia}&tenantId={t1}', undefined, 200, []],
  ['mia', 'GET /bookings?tenantUserId={tia}', undefined, 200, [{ id: '{b1}' }]],
  // Sent out, it is the tenant's to read and to sign.
  ['tia', 'GET /bookings/{b1}', undefined, 404],
  ['tia', 'POST /bookings/{b1}/cancel', {}, 404],
  ['ana', 'POST /bookings/{b1}/submit', {}, 200, { tenantUserId: '{tia}' }, { audit: 'booking.submit' }],
  ['ana', 'GET /tenants/{t1}', undefined, 200, { userId: '{tia}' }],
  ['tia', 'GET /bookings/{b1}', undefined, 200, { status: 'PENDING' }],
  ['ana', 'GET /bookings?tenantUserId={tia}', undefined, 200, [{ id: '{b1}' }]],
  ['ana', 'GET /bookings?tenantUserId={tia}&tenantId={t2}', undefined, 200, []],
])

scenario(
  'a lease of an account that another owner has a lease with: its last digits until it agrees',
  {
    given: async (s) => {
      await letting()(s)
      await eves(s)
      await s.make('ana', 'GET /tenants')
    },
  },
  [
    [
      'eve',
      'POST /bookings',
      { unitId: '{b1}', tenantUserId: '{tom}', startDate: '2026-04-01' },
      201,
      { tenantName: `+237•••••••${phoneOf('tom').slice(-2)}` },
      { audit: 'tenant.create, booking.create', as: 'eves' },
    ],
    [
      'eve',
      'GET /tenants',
      undefined,
      200,
      [{ fullName: `+237•••••••${phoneOf('tom').slice(-2)}` }],
      { lacks: ['phoneNumber', 'userId'] },
    ],
    ['tom', 'GET /bookings/{eves}', undefined, 404],
    // A manager agrees by submitting it.
    [
      'mia',
      'POST /bookings/{eves}/submit',
      {},
      200,
      { tenantName: 'tom Test' },
      { audit: 'tenant.introduce, booking.submit' },
    ],
    ['eve', 'GET /bookings/{eves}', undefined, 200, { tenantName: 'tom Test', tenantUserId: '{tom}' }],
    ['tom', 'GET /bookings/{eves}', undefined, 200, { tenantName: 'tom Test' }],
  ],
)
