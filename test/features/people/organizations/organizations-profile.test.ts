// What everybody may know of their organization: who it is, what day it is there, and where rent is paid.
import { expect, test } from 'bun:test'
import { letting, premises, type Row, scenario, stage, villa } from '../../../support/scenario.ts'

const orange = { method: 'ORANGE_MONEY', number: '699 11 22 33', holder: 'Agence Owona' }
const momo = { method: 'MTN_MOMO', number: '677 12 34 56', holder: 'Ana Owona', note: 'Avant 18 h' }
const six = Array.from({ length: 6 }, () => ({ method: 'CASH' }))

scenario('where to pay: the organization says it, and a property otherwise', { given: letting() }, [
  [
    'tom',
    'GET /organization',
    undefined,
    200,
    {
      timeZone: 'Africa/Douala',
      locale: 'fr',
      today: '2026-03-10',
      messaging: { sends: true, links: false },
      payTo: [],
    },
    { lacks: ['name', 'address', 'niu', 'secondFactor', 'reminderSchedule'] },
  ],
  ['ana', 'GET /organization', undefined, 200, { payTo: [], requireProof: false }, { lacks: ['places', 'operator'] }],
  // The first organization operates the server, which its administrators alone are told.
  ['ada', 'GET /organization', undefined, 200, { operator: true }],
  ['mia', 'GET /organization', undefined, 200, {}, { lacks: ['operator'] }],
  ['zoe', 'GET /organization', undefined, 200, {}, { lacks: ['operator'] }],
  ['mia', 'PATCH /admin/organization', { payTo: [orange] }, 403],
  [
    'ada',
    'PATCH /admin/organization',
    { name: 'Agence Owona', payTo: [orange] },
    200,
    { payTo: [orange] },
    { audit: 'organization.update' },
  ],
  ['ada', 'PATCH /admin/organization', { payTo: [orange] }, 200, { payTo: [orange] }],
  [
    'tom',
    'GET /organization',
    undefined,
    200,
    { name: 'Agence Owona', payTo: [orange], places: [{ payTo: [orange] }] },
  ],
  // A property's own instructions: of its owner and of managers, not of the other owner.
  ['eve', 'PATCH /properties/{villa}', { payTo: [momo] }, 404],
  ['tom', 'PATCH /properties/{villa}', { payTo: [momo] }, 403],
  ['ana', 'PATCH /properties/{villa}', { payTo: [momo] }, 200, { payTo: [momo] }, { audit: 'property.update' }],
  [
    'tom',
    'GET /organization',
    undefined,
    200,
    { payTo: [momo], places: [{ propertyId: '{villa}', propertyName: 'Villa', payTo: [momo] }] },
  ],
  // Who rents nothing is told what the organization says, and not of a published property.
  ['tia', 'GET /organization', undefined, 200, { payTo: [orange] }, { lacks: ['places'] }],
  ['tia', 'GET /properties/{villa}', undefined, 200, { name: 'Villa' }, { lacks: ['payTo'] }],
  ['ana', 'GET /organization', undefined, 200, { payTo: [orange] }],
  ['zoe', 'GET /organization', undefined, 200, { payTo: [] }],
  ['ana', 'PATCH /properties/{villa}', { payTo: [] }, 200, {}, { audit: 'property.update', lacks: ['payTo'] }],
  ['tom', 'GET /organization', undefined, 200, { payTo: [orange] }],
  ['ana', 'PATCH /properties/{villa}', { payTo: six }, 200, { payTo: six }, { audit: 'property.update' }],
  ['ana', 'PATCH /properties/{villa}', { payTo: null }, 200, {}, { audit: 'property.update', lacks: ['payTo'] }],
  ['ada', 'PATCH /admin/organization', { payTo: null }, 200, { payTo: [] }, { audit: 'organization.update' }],
  ['ana', 'PATCH /properties/{villa}', { payTo: [...six, { method: 'CASH' }] }, 422],
  ['ana', 'PATCH /properties/{villa}', { payTo: [{ number: '677' }] }, 422],
  ['ana', 'PATCH /properties/{villa}', { payTo: [{ method: 'GOLD' }] }, 422],
  // Nobody could pay there.
  ...(['ana', 'ada'] as const).flatMap((who) =>
    [
      [{ method: 'WITHHOLDING', number: '677' }, '/payTo/1/method'],
      [{ method: 'MTN_MOMO', holder: 'Ana' }, '/payTo/1/number'],
      // The name in the place of the number.
      [{ method: 'MTN_MOMO', number: 'Ana Owona', holder: '677' }, '/payTo/1/number'],
      [{ method: 'ORANGE_MONEY' }, '/payTo/1/number'],
      [{ method: 'BANK_TRANSFER', note: 'Afriland' }, '/payTo/1/number'],
    ].map(([way, path]): Row => {
      const line = who === 'ana' ? 'PATCH /properties/{villa}' : 'PATCH /admin/organization'
      return [who, line, { payTo: [{ method: 'CASH' }, way] }, 422, { errors: [{ path }] }]
    }),
  ),
  ['ana', 'PATCH /properties/{villa}', { payTo: [{ method: 'CASH', pin: '1' }] }, 422],
  ['ana', 'PATCH /properties/{villa}', { payTo: [{ method: 'CASH', number: 'x'.repeat(61) }] }, 422],
  ['ana', 'POST /properties', { ...villa, payTo: [momo] }, 422],
])

test('a tenant of two landlords sees where to pay each, the newest lease first, and no more once nothing is owed', async () => {
  const s = await stage({ given: letting({ startDate: '2026-02-01' }) })
  await s.make('eve', 'POST /properties', { ...villa, name: 'Studio' }, 'studio')
  await s.make('eve', 'PATCH /properties/{studio}', { payTo: [momo] })
  await s.make('eve', 'POST /properties/{studio}/units', { label: 'E1', rentAmount: 40_000 }, 'e1')
  await s.make('eve', 'POST /bookings', { unitId: '{e1}', tenantUserId: '{tom}', startDate: '2026-03-01' }, 'hers')
  const places = async () => {
    const { body } = await s.ask('tom', 'GET /organization')
    return [body.payTo, (body.places as { propertyName: string }[] | undefined)?.map((p) => p.propertyName)]
  }
  // A draft is the landlord's alone.
  expect(await places()).toEqual([[], ['Villa']])
  await s.make('eve', 'POST /bookings/{hers}/submit', { blanks: true })
  expect(await places()).toEqual([[momo], ['Studio', 'Villa']])
  await s.make('eve', 'POST /bookings/{hers}/cancel')
  expect(await places()).toEqual([[], ['Villa']])
  // The lease is over, its rent is not paid.
  await s.make('ana', 'POST /bookings/{lease}/terminate')
  expect(await places()).toEqual([[], ['Villa']])
  s.t.store.client.prepare("update invoice set status = 'PAID', amount_paid = gross_amount").run()
  expect(await places()).toEqual([[], undefined])
})

test('the day and the lease move its ETag, and nothing else does', async () => {
  const s = await stage({ given: premises() })
  const etag = async (who: 'tom' | 'tia') => (await s.ask(who, 'GET /organization')).headers.get('etag')
  const before = await etag('tom')
  await s.make('ana', 'POST /properties', villa)
  expect(await etag('tom')).toBe(before)
  s.t.advance(1)
  const next = await etag('tom')
  expect(next).not.toBe(before)
  await s.make('ana', 'POST /bookings', { unitId: '{a1}', tenantUserId: '{tom}', startDate: '2026-03-01' }, 'lease')
  await s.make('ana', 'POST /bookings/{lease}/submit')
  expect(await etag('tom')).not.toBe(next)
  expect(await etag('tia')).toBe(next)
})
