// What tenants may ask for: vacant units of published properties, with what the place is.
import { premises, scenario } from '../../../support/scenario.ts'

const other = { name: 'Résidence Éden', addressLine: 'Rue 7', city: 'Kribi', quartier: 'Ngoyè', amenities: ['forage'] }

scenario(
  'vacant homes of published properties, the newest first',
  {
    given: async (s) => {
      await premises()(s)
      await s.make('mia', 'POST /properties', other, 'eden')
      await s.make('mia', 'POST /properties/{eden}/units', { labels: ['E1', 'E2'], bedrooms: 2, areaSqm: 60 })
    },
  },
  [
    [
      'tom',
      'GET /homes',
      undefined,
      200,
      [{ id: '{a2}', label: 'A2', rentAmount: 60_000 }, { id: '{a1}' }],
      { lacks: ['orgId', 'ownerUserId', 'latitude'] },
    ],
    ['tom', 'GET /homes?limit=1', undefined, 200, [{ id: '{a2}' }]],
    // a draft is nobody's business yet
    ['tom', 'GET /homes?propertyId={eden}', undefined, 200, []],
    ['mia', 'GET /homes?propertyId={eden}', undefined, 200, []],
    ['mia', 'POST /properties/{eden}/publish', undefined, 200, {}, { audit: 'property.publish' }],
    [
      'tom',
      'GET /homes?q=eden',
      undefined,
      200,
      [
        {
          label: 'E2',
          propertyName: 'Résidence Éden',
          propertyType: 'APARTMENT',
          city: 'Kribi',
          quartier: 'Ngoyè',
          amenities: ['forage'],
          bedrooms: 2,
        },
        { label: 'E1' },
      ],
      { lacks: ['rentAmount', 'rentCurrency'] },
    ],
    ['tom', 'GET /homes?q=NGOYE', undefined, 200, [{ label: 'E2' }, { label: 'E1' }]],
    ['tom', 'GET /homes?q=nowhere', undefined, 200, []],
    // a landlord sees their own, a manager all; another organization none
    ['ana', 'GET /homes', undefined, 200, [{ id: '{a2}' }, { id: '{a1}' }]],
    ['eve', 'GET /homes', undefined, 200, []],
    ['mia', 'GET /homes', undefined, 200, [{ label: 'E2' }, { label: 'E1' }, { id: '{a2}' }, { id: '{a1}' }]],
    ['zoe', 'GET /homes', undefined, 200, []],
    // what is let or being mended is not there
    ['ana', 'PATCH /units/{a2}', { status: 'MAINTENANCE' }, 200, {}, { audit: 'unit.update' }],
    [
      'ana',
      'POST /bookings',
      { unitId: '{a1}', tenantPhoneNumber: '+237677889900', startDate: '2026-05-01' },
      201,
      {},
      { audit: 'tenant.create, booking.create', as: 'lease' },
    ],
    ['tom', 'GET /homes?q=villa', undefined, 200, [{ id: '{a1}' }]],
    ['ana', 'POST /bookings/{lease}/submit', { blanks: true }, 200, {}, { audit: 'booking.submit' }],
    ['tom', 'GET /homes?q=villa', undefined, 200, []],
    ['mia', 'POST /properties/{eden}/archive', undefined, 200, {}, { audit: 'property.archive', jobs: 'lease.check' }],
    ['tom', 'GET /homes', undefined, 200, []],
    ['tom', 'GET /homes?q=', undefined, 422],
    ['tom', 'GET /homes?propertyId=x', undefined, 422],
  ],
)
