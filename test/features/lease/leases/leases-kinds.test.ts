// Mixed buildings: what a unit is decides the kind of its lease, TVA and renewal; a unit without a type follows its property.
import { expect, test } from 'bun:test'
import type { LeaseData } from '../../../../src/adapters/pdf/port.ts'
import { type Json, premises, scenario, stage } from '../../../support/scenario.ts'

const lease = (unit: string, more: Json = {}): Json => ({
  unitId: `{${unit}}`,
  tenantUserId: '{tom}',
  startDate: '2026-03-01',
  endDate: '2027-02-28',
  ...more,
})
const shop = [
  'ana',
  'POST /properties/{villa}/units',
  { label: 'Rez', rentAmount: 100_000, type: 'SHOP' },
  201,
  { type: 'SHOP' },
  { audit: 'unit.create', as: 'shop' },
] as const

scenario('a shop below apartments is let for business', { given: premises(), settings: { tvaRegistered: true } }, [
  shop,
  [
    'ana',
    'POST /bookings',
    lease('shop'),
    201,
    { tvaBasisPoints: 1925, autoRenew: false },
    { audit: 'tenant.create, booking.create' },
  ],
  ['ana', 'POST /bookings', lease('a1'), 201, { tvaBasisPoints: 0, autoRenew: true }, { audit: 'booking.create' }],
  // What is agreed goes before what is usual.
  [
    'ana',
    'POST /bookings',
    lease('shop', { tvaBasisPoints: 0, autoRenew: true }),
    201,
    { tvaBasisPoints: 0, autoRenew: true },
    { audit: 'booking.create' },
  ],
  ['ana', 'PATCH /units/{shop}', { type: 'ROOM' }, 200, { type: 'ROOM' }, { audit: 'unit.update' }],
  ['ana', 'POST /bookings', lease('shop'), 201, { tvaBasisPoints: 0, autoRenew: true }, { audit: 'booking.create' }],
  ['ana', 'PATCH /units/{shop}', { type: null }, 200, {}, { audit: 'unit.update', lacks: ['type'] }],
  ['ana', 'PATCH /units/{shop}', { type: 'CASTLE' }, 422],
  ['ana', 'PATCH /properties/{villa}', { type: 'SHOP' }, 422],
  ['eve', 'PATCH /units/{shop}', { type: 'SHOP' }, 404],
  ['tom', 'PATCH /units/{shop}', { type: 'SHOP' }, 403],
])

scenario(
  'in an office building a unit without a type is an office, a room one of its own',
  { given: premises('OFFICE'), settings: { tvaRegistered: true } },
  [
    [
      'ana',
      'POST /bookings',
      lease('a1'),
      201,
      { tvaBasisPoints: 1925, autoRenew: false },
      { audit: 'tenant.create, booking.create' },
    ],
    ['ana', 'PATCH /units/{a2}', { type: 'APARTMENT' }, 200, { type: 'APARTMENT' }, { audit: 'unit.update' }],
    ['ana', 'POST /bookings', lease('a2'), 201, { tvaBasisPoints: 0, autoRenew: true }, { audit: 'booking.create' }],
    ['ana', 'GET /properties/{villa}/units?order=asc', undefined, 200, [{ label: 'A1' }, { type: 'APARTMENT' }]],
    ['tia', 'GET /homes', undefined, 200, [{ propertyType: 'OFFICE', type: 'APARTMENT' }, { propertyType: 'OFFICE' }]],
  ],
)

test('the contract is that of the unit, and follows when the unit is corrected before it is signed', async () => {
  const s = await stage({ given: premises() })
  await s.make('ana', 'POST /properties/{villa}/units', { label: 'Rez', rentAmount: 1, type: 'WAREHOUSE' }, 'store')
  await s.make('ana', 'POST /bookings', lease('store'), 'lease')
  await s.make('ana', 'POST /bookings/{lease}/submit')
  const contract = () =>
    s
      .rows("select data from document where kind = 'LEASE_CONTRACT' and voided_at is null")
      .map(({ data }) => JSON.parse(String(data)) as LeaseData)
  expect(contract()).toMatchObject([{ use: 'BUSINESS', premises: { type: 'WAREHOUSE', unitLabel: 'Rez' } }])
  await s.make('ana', 'PATCH /units/{store}', { type: null })
  await s.work()
  expect(contract()).toMatchObject([{ use: 'HOME', premises: { type: 'APARTMENT' } }])
})
