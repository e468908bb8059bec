// Owners of one organization: what a number finds, who may change a tenant, and that none takes over another's.
import { describe, expect, test } from 'bun:test'
import { makeReady } from '../../../support/contracts.ts'
import { marie, NUMBER, neighbours } from '../../../support/neighbours.ts'
import { type Json, phoneOf, premises, type Row, type Stage, scenario, stage } from '../../../support/scenario.ts'
import { signs } from '../../../support/signers.ts'

const byNumber = { unitId: '{b1}', tenantPhoneNumber: NUMBER, startDate: '2026-04-01' }
const untouched: Row[] = [
  ['ana', 'GET /tenants/{marie}', undefined, 200, marie],
  ['ana', 'GET /bookings/{anas}', undefined, 200, { tenantId: '{marie}', tenantName: marie.fullName }],
]

scenario("a number finds no more than the number, whatever becomes of the owner's lease", { given: neighbours }, [
  [
    'eve',
    'POST /bookings',
    byNumber,
    201,
    { tenantName: NUMBER },
    { audit: 'tenant.create, booking.create', as: 'eves', lacks: ['tenantUserId'] },
  ],
  ['eve', 'GET /tenants', undefined, 200, [{ fullName: NUMBER, phoneNumber: NUMBER }]],
  ['eve', 'GET /tenants?q=Secrette', undefined, 200, []],
  ['eve', 'GET /tenants/{marie}', undefined, 404],
  ['eve', 'PATCH /tenants/{marie}', { fullName: 'Mine' }, 404],
  ['eve', 'POST /bookings', { ...byNumber, tenantPhoneNumber: null, tenantId: '{marie}' }, 404],
  [
    'eve',
    'POST /bookings/{eves}/submit',
    { blanks: true },
    200,
    { status: 'PENDING', tenantName: NUMBER },
    { audit: 'booking.submit' },
  ],
  ['eve', 'GET /tenants/{marie}', undefined, 404],
  [
    'eve',
    'POST /bookings/{eves}/activate',
    {},
    200,
    { tenantName: NUMBER },
    { audit: 'booking.activate', jobs: 'booking.activated' },
  ],
  ['eve', 'GET /tenants/{marie}', undefined, 404],
  ['eve', 'GET /tenants', undefined, 200, [{ fullName: NUMBER }]],
  ...untouched,
  // A manager sees that there are two entries, and may name the person.
  ['mia', 'GET /tenants?phoneNumber=%2B237677123456', undefined, 200, [{ fullName: NUMBER }, { id: '{marie}' }]],
])

scenario('two owners enter the same person, and neither learns of the other', { given: neighbours }, [
  [
    'eve',
    'POST /tenants',
    { fullName: 'Marie de Eve', phoneNumber: NUMBER },
    201,
    { fullName: 'Marie de Eve' },
    { audit: 'tenant.create', as: 'copy', lacks: ['idNumber', 'address', 'userId'] },
  ],
  ['eve', 'POST /tenants', { fullName: 'Again', phoneNumber: NUMBER }, 409, { code: 'duplicate' }],
  ['mia', 'POST /tenants', { fullName: 'Again', phoneNumber: NUMBER }, 409, { code: 'duplicate' }],
  ['eve', 'POST /bookings', byNumber, 201, { tenantId: '{copy}' }, { audit: 'booking.create', as: 'eves' }],
  ['eve', 'PATCH /tenants/{copy}', { idNumber: 'E-1' }, 200, { idNumber: 'E-1' }, { audit: 'tenant.update' }],
  // The number of an accomplice takes along what is Eve's to give, and nothing of Ana's.
  [
    'eve',
    'PATCH /tenants/{copy}',
    { phoneNumber: phoneOf('tia') },
    200,
    {},
    { audit: 'tenant.update', lacks: ['userId'] },
  ],
  // It is sent out to nobody yet.
  ['tia', 'GET /bookings', undefined, 200, []],
  ['eve', 'POST /bookings/{eves}/submit', {}, 200, { tenantUserId: '{tia}' }, { audit: 'booking.submit' }],
  ['tia', 'GET /bookings', undefined, 200, [{ tenantId: '{copy}' }]],
  ['tia', 'GET /bookings/{anas}', undefined, 404],
  ['tia', 'GET /invoices', undefined, 200, []],
  ...untouched,
])

scenario(
  'drafts, cancelled and refused leases give no sight',
  {
    given: async (s) => {
      await neighbours(s)
      await s.make(
        'mia',
        'POST /tenants',
        { ...marie, fullName: 'Secrette Jeanne', phoneNumber: '+237677000099' },
        'jeanne',
      )
      await s.make('mia', 'POST /bookings', { unitId: '{b1}', tenantId: '{jeanne}', startDate: '2026-04-01' }, 'drawn')
    },
  },
  [
    // A manager drew it up: the name is told with it, and no more before it is submitted.
    ['eve', 'GET /bookings/{drawn}', undefined, 200, { tenantName: 'Secrette Jeanne' }],
    ['eve', 'GET /tenants/{jeanne}', undefined, 404],
    ['eve', 'PATCH /tenants/{jeanne}', { fullName: 'X' }, 404],
    ['eve', 'GET /tenants', undefined, 200, []],
    ['eve', 'POST /bookings/{drawn}/submit', {}, 200, { status: 'PENDING' }, { audit: 'booking.submit' }],
    ['eve', 'GET /tenants/{jeanne}', undefined, 200, { fullName: 'Secrette Jeanne' }],
    [
      'eve',
      'POST /bookings/{drawn}/cancel',
      {},
      200,
      { status: 'CANCELLED', tenantName: '+237•••••••99' },
      { audit: 'booking.cancel' },
    ],
    ['eve', 'GET /bookings/{drawn}', undefined, 200, { tenantName: '+237•••••••99' }],
    ['eve', 'GET /bookings?status=CANCELLED', undefined, 200, [{ tenantName: '+237•••••••99' }]],
    ['mia', 'GET /bookings/{drawn}', undefined, 200, { tenantName: 'Secrette Jeanne' }],
    ['eve', 'GET /tenants/{jeanne}', undefined, 404],
    ['eve', 'GET /tenants', undefined, 200, []],
    ['eve', 'GET /bookings/{drawn}/file', undefined, 404],
    // Tom asks for a unit: his name is told with the request, and goes with its refusal.
    [
      'tom',
      'POST /bookings',
      { unitId: '{b2}', startDate: '2026-04-01' },
      201,
      {},
      { audit: 'tenant.create, booking.create', as: 'request' },
    ],
    ['eve', 'GET /bookings/{request}', undefined, 200, { tenantName: 'tom Test' }],
    ['eve', 'GET /tenants', undefined, 200, []],
    [
      'eve',
      'POST /bookings/{request}/cancel',
      {},
      200,
      { tenantName: `+237•••••••${phoneOf('tom').slice(-2)}` },
      { audit: 'booking.cancel' },
    ],
    ['eve', 'GET /tenants', undefined, 200, []],
    ['tom', 'GET /bookings/{request}', undefined, 200, { tenantName: 'tom Test' }],
  ],
)

scenario(
  'a property given to another owner brings its leases along, and no drafts with strangers',
  {
    given: async (s) => {
      await neighbours(s)
      await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantId: '{marie}', startDate: '2026-04-01' }, 'draft')
      await s.make('ana', 'POST /tenants', { fullName: 'Secrette Rose' }, 'rose')
      await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantId: '{rose}', startDate: '2026-05-01' }, 'roses')
      await s.make('mia', 'PATCH /properties/{villa}', { ownerUserId: '{eve}' })
    },
  },
  [
    // Her lease in force is Eve's now.
    ['eve', 'GET /tenants', undefined, 200, [{ id: '{marie}' }]],
    ['eve', 'GET /bookings/{roses}', undefined, 200, { tenantName: '•••••••' }],
    ['eve', 'PATCH /bookings/{roses}', { dueDay: 3 }, 200, { tenantName: '•••••••' }, { audit: 'booking.update' }],
    ['eve', 'POST /bookings/{roses}/submit', {}, 403, { code: 'manager_required' }],
    ['eve', 'GET /tenants/{rose}', undefined, 404],
    ['mia', 'POST /bookings/{roses}/submit', {}, 200, {}, { audit: 'booking.submit' }],
    ['eve', 'GET /tenants/{rose}', undefined, 200],
    // Ana goes on seeing whom she entered, and changes nobody who is Eve's tenant by now.
    ['ana', 'GET /tenants/{marie}', undefined, 200],
    ['ana', 'GET /bookings/{anas}', undefined, 404],
    [
      'ana',
      'PATCH /tenants/{marie}',
      { phoneNumber: phoneOf('tia') },
      403,
      {
        code: 'manager_required',
        detail: 'Another owner has a lease with this tenant: only a manager or an administrator changes phoneNumber.',
      },
    ],
    ['tia', 'GET /bookings', undefined, 200, []],
  ],
)

const shared = async (s: Stage): Promise<void> => {
  await neighbours(s)
  await s.make('mia', 'POST /bookings', { unitId: '{b1}', tenantId: '{marie}', startDate: '2026-04-01' }, 'eves')
  await s.make('mia', 'POST /bookings/{eves}/submit')
}
scenario('a tenant of two owners is changed by a manager or an administrator only', { given: shared }, [
  ['eve', 'GET /tenants/{marie}', undefined, 200, marie],
  ...(['ana', 'eve'] as const).flatMap((who): Row[] =>
    [
      { fullName: 'X' },
      { phoneNumber: phoneOf('tia') },
      { phoneNumber: null },
      { idType: 'PASSPORT' },
      { idNumber: null },
      { niu: 'X' },
      { address: null },
      { channel: 'SMS' },
      { locale: 'en' },
      { fullName: marie.fullName, idNumber: 'X' },
    ].map((patch): Row => [who, 'PATCH /tenants/{marie}', patch, 403, { code: 'manager_required' }]),
  ),
  ['ana', 'PATCH /tenants/{marie}', marie, 200, marie],
  ['mia', 'PATCH /tenants/{marie}', { idNumber: 'M-1' }, 200, {}, { audit: 'tenant.update', jobs: 'lease.check' }],
  ['ada', 'PATCH /tenants/{marie}', { fullName: 'Marie S.' }, 200, {}, { audit: 'tenant.update', jobs: 'lease.check' }],
  // The other owner's lease is gone: the tenant is Ana's alone again.
  ['eve', 'POST /bookings/{eves}/cancel', {}, 200, {}, { audit: 'booking.cancel' }],
  ['eve', 'GET /tenants/{marie}', undefined, 404],
  ['ana', 'PATCH /tenants/{marie}', { idNumber: 'A-1' }, 200, {}, { audit: 'tenant.update' }],
])

describe('who has an account and has agreed is the master of their name and number', () => {
  test('by asking for the unit', async () => {
    const s = await stage({ given: premises() })
    await s.make('tom', 'POST /bookings', { unitId: '{a1}', startDate: '2026-04-01' }, 'request')
    await s.make('ana', 'POST /bookings/{request}/submit')
    s.names.set('toms', String((await s.ask('ana', 'GET /bookings/{request}')).body.tenantId))
    for (const patch of [{ fullName: 'Tim' }, { phoneNumber: '+237677000001' }, { phoneNumber: null }]) {
      const { status, body } = await s.ask('ana', 'PATCH /tenants/{toms}', patch)
      expect([status, body.code]).toEqual([403, 'manager_required'])
    }
    expect((await s.ask('ana', 'PATCH /tenants/{toms}', { idNumber: 'T-1' })).status).toBe(200)
    expect((await s.ask('mia', 'PATCH /tenants/{toms}', { phoneNumber: '+237677000001' })).body.userId).toBe(
      s.names.get('tom'),
    )
  })

  test('by signing: from then on the account’s name stands in the place of its number', async () => {
    const s = await stage({ given: premises() })
    const lease = { unitId: '{a1}', tenantPhoneNumber: phoneOf('tom'), startDate: '2026-03-01' }
    await s.make('ana', 'POST /bookings', lease, 'lease')
    await s.make('ana', 'POST /bookings/{lease}/submit', { blanks: true })
    expect((await s.ask('ana', 'GET /bookings/{lease}')).body.tenantName).toBe(phoneOf('tom'))
    await makeReady(s.t, s.names.get('lease') ?? '')
    await signs(s, 'ana')
    expect((await s.ask('ana', 'GET /bookings/{lease}')).body.tenantName).toBe(phoneOf('tom'))
    await signs(s, 'tom')
    const { body } = await s.ask('ana', 'GET /bookings/{lease}')
    expect([body.status, body.tenantName]).toEqual(['ACTIVE', 'tom Test'])
    await s.work()
    expect(s.rows("select status from signature where status <> 'VALID'")).toEqual([])
    expect((await s.ask('ana', `PATCH /tenants/${body.tenantId}`, { fullName: 'Tim' })).status).toBe(403)
  })
})

test('a new number is told to those whom the tenant agreed with, not to whoever typed the old one', async () => {
  const s = await stage({ given: neighbours })
  await s.make('tom', 'POST /bookings', { unitId: '{a2}', startDate: '2026-04-01' }, 'request')
  await s.make('ana', 'POST /bookings/{request}/submit')
  await s.make('eve', 'POST /bookings', { ...byNumber, tenantPhoneNumber: phoneOf('tom') }, 'eves')
  await s.make('eve', 'POST /bookings/{eves}/submit', { blanks: true })
  await s.make('eve', 'POST /bookings/{eves}/activate')
  const number = '+237677555555'
  const user = { id: s.names.get('tom') ?? '' }
  const { followPhone } = await import('../../../../src/features/people/tenants/service.ts')
  const { findUser } = await import('../../../../src/features/people/users/store.ts')
  const { systemCtx } = await import('../../../../src/context.ts')
  const orgId = String(s.rows('select org_id from booking limit 1')[0]?.org_id)
  s.store.client.prepare('update app_user set phone_number = ? where id = ?').run(number, user.id)
  await s.write(orgId, (tx) => {
    const row = findUser(tx, orgId, user.id)
    if (row) followPhone(systemCtx(s.deps, tx, orgId, 'test-phone'), row)
    return true
  })
  const told = async (who: 'ana' | 'eve') =>
    ((await s.ask(who, 'GET /tenants')).body as unknown as Json[])
      .filter(({ userId }) => userId === user.id)
      .map(({ phoneNumber }) => phoneNumber)
  expect(await told('ana')).toEqual([number])
  expect(await told('eve')).toEqual([phoneOf('tom')])
})
