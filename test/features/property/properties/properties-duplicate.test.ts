// A building like another.
import { premises, scenario } from '../../../support/scenario.ts'

scenario('a copy of a property', { given: premises() }, [
  [
    'ana',
    'PATCH /properties/{villa}',
    { quartier: 'Akwa', type: 'OFFICE' },
    200,
    { type: 'OFFICE' },
    { audit: 'property.update' },
  ],
  [
    'ana',
    'POST /properties/{villa}/units',
    { labels: ['Z1', 'Z2'], rentAmount: 7_000 },
    201,
    [{ label: 'Z1' }, { label: 'Z2' }],
    { audit: 'unit.create ×2' },
  ],
  [
    'ana',
    'POST /properties/{villa}/duplicate',
    { name: 'Villa Bis' },
    201,
    { name: 'Villa Bis', quartier: 'Akwa', type: 'OFFICE', status: 'DRAFT' },
    { audit: 'property.create, unit.create ×4', as: 'bis' },
  ],
  [
    'ana',
    'GET /properties/{bis}/units?order=asc',
    undefined,
    200,
    [{}, {}, { label: 'Z1', rentAmount: 7_000, status: 'AVAILABLE' }, { label: 'Z2' }],
  ],
  [
    'mia',
    'POST /properties/{villa}/duplicate',
    {},
    201,
    { name: 'Villa (2)', ownerUserId: '{ana}' },
    { audit: 'property.create, unit.create ×4' },
  ],
  ['eve', 'POST /properties/{villa}/duplicate', {}, 404, { code: 'not_found' }],
  ['tom', 'POST /properties/{villa}/duplicate', {}, 403, { code: 'forbidden' }],
  ['zoe', 'POST /properties/{villa}/duplicate', {}, 404],
  ['ana', 'POST /properties/{nobody}/duplicate', {}, 404],
  ['ana', 'POST /properties/{villa}/duplicate', { name: '' }, 422, { errors: [{ path: '/name' }] }],
])
scenario('a property of more than 200 units is not copied at once', { given: premises() }, [
  [
    'ana',
    'POST /properties/{villa}/units',
    { labels: Array.from({ length: 200 }, (_, i) => `U${i}`) },
    201,
    undefined,
    { audit: 'unit.create ×200' },
  ],
  ['ana', 'POST /properties/{villa}/duplicate', {}, 409, { code: 'quota_exceeded' }],
])
