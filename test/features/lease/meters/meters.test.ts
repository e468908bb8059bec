// Sub-meters and what they showed: never backwards, one a day, whose they are.
import { letting, scenario } from '../../../support/scenario.ts'

const meter = { unitId: '{a1}', kind: 'WATER', number: 'W-7' }
const read = (readOn: string, value: number, more = {}) => ({ meterId: '{m}', readOn, value, ...more })
const reading = (as: string) => ({ audit: 'meter_reading.create', as })

scenario('a landlord names meters and reads them; nobody else sees them', { given: letting() }, [
  [
    'ana',
    'POST /meters',
    meter,
    201,
    { measure: 'm³' },
    { audit: 'meter.create', as: 'm', lacks: ['ownerUserId', 'retiredAt'] },
  ],
  ['ana', 'POST /meters', meter, 409, { code: 'duplicate' }],
  ['eve', 'POST /meters', { ...meter, number: 'X' }, 404],
  ['zoe', 'POST /meters', { ...meter, number: 'X' }, 404],
  ['tom', 'POST /meters', { ...meter, number: 'X' }, 403],
  ['mia', 'POST /meter-readings', read('2026-02-28', 12.5), 201, { value: 12.5, billed: 0 }, reading('r1')],
  ['ana', 'POST /meter-readings', { meterId: '{m}', value: 20.125 }, 201, { readOn: '2026-03-10' }, reading('r2')],
  [
    'ana',
    'GET /meters?propertyId={villa}',
    undefined,
    200,
    [{ unitLabel: 'A1', lastReading: { readOn: '2026-03-10', value: 20.125 } }],
  ],
  ['ana', 'GET /meter-readings?to=2026-03-01', undefined, 200, [{ value: 12.5, kind: 'WATER', meterNumber: 'W-7' }]],
  ['eve', 'GET /meters', undefined, 200, []],
  ['eve', 'GET /meter-readings', undefined, 200, []],
  ['tom', 'GET /meters', undefined, 403],
  ['tom', 'GET /meter-readings', undefined, 403],
  ...(
    [
      'GET /meters/{m}',
      'PATCH /meters/{m}',
      'GET /meter-readings/{r1}',
      'PATCH /meter-readings/{r1}',
      'POST /meter-readings/{r1}/cancel',
    ] as const
  ).flatMap((line) => [
    ['eve', line, {}, 404] as const,
    ['zoe', line, {}, 404] as const,
    ['tom', line, {}, 403] as const,
  ]),
  ['eve', 'POST /meter-readings', read('2026-03-01', 13), 404],
  // Never backwards, neither before nor after.
  ['ana', 'POST /meter-readings', read('2026-03-01', 12.4), 422, { errors: [{ path: '/value' }] }],
  ['ana', 'POST /meter-readings', read('2026-03-01', 20.2), 422, { errors: [{ path: '/value' }] }],
  ['ana', 'POST /meter-readings', read('2026-03-10', 21), 409, { code: 'duplicate' }],
  ['ana', 'POST /meter-readings', read('2026-03-11', 21), 422, { errors: [{ path: '/readOn' }] }],
  ['ana', 'POST /meter-readings', read('2016-03-09', 1), 422, { errors: [{ path: '/readOn' }] }],
  ['ana', 'POST /meter-readings', read('2026-03-05', 13.0001), 422, { errors: [{ path: '/value' }] }],
  ['ana', 'POST /meter-readings', read('2026-03-05', -1), 422, { errors: [{ path: '/value' }] }],
  ['ana', 'POST /meter-readings', read('2026-03-05', 14, { mediaObjectId: '{nobody}' }), 404],
  // A new meter begins anew; what the old one showed at the end is said.
  [
    'ana',
    'POST /meter-readings',
    read('2026-03-05', 0, { finalValue: 12.4 }),
    422,
    { errors: [{ path: '/finalValue' }] },
  ],
  ['ana', 'POST /meter-readings', read('2026-03-05', 0, { finalValue: 15 }), 201, { finalValue: 15 }, reading('r3')],
  ['ana', 'PATCH /meter-readings/{r2}', { value: 4 }, 200, { value: 4 }, { audit: 'meter_reading.update' }],
  ['ana', 'POST /meter-readings/{r2}/cancel', {}, 200, { status: 'CANCELLED' }, { audit: 'meter_reading.cancel' }],
  ['ana', 'POST /meter-readings/{r2}/cancel', {}, 200, { status: 'CANCELLED' }],
  ['ana', 'PATCH /meter-readings/{r2}', { value: 5 }, 409],
  ['ana', 'POST /meter-readings', read('2026-03-10', 3), 201, {}, reading('r4')],
  ['ana', 'PATCH /meters/{m}', { number: null, retired: true }, 200, {}, { audit: 'meter.update', lacks: ['number'] }],
  ['ana', 'GET /meters?retired=false', undefined, 200, []],
  ['ana', 'POST /meter-readings', read('2026-03-09', 2), 409, { code: 'invalid_state' }],
])
