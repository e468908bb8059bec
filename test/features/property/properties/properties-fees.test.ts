// What the management of a property is paid: said by managers, read by its owner, hidden from everybody else.
import { letting, scenario } from '../../../support/scenario.ts'

const percent = { from: '2026-01-01', basisPoints: 1000 }
const fixed = { from: '2026-04-01', monthlyAmount: 25_000, tvaBasisPoints: 0 }
const fees = (...managementFees: object[]) => ({ managementFees })

scenario('the fees of the management of a property', { given: letting() }, [
  ['ana', 'GET /properties/{villa}', undefined, 200, { name: 'Villa' }, { lacks: ['managementFees'] }],
  ['ana', 'PATCH /properties/{villa}', fees({ ...percent, basisPoints: 0 }), 403],
  ['eve', 'PATCH /properties/{villa}', fees(percent), 404],
  ['tom', 'PATCH /properties/{villa}', fees(percent), 403],
  ['mia', 'PATCH /properties/{villa}', fees(fixed, percent), 200, fees(percent, fixed), { audit: 'property.update' }],
  ['ana', 'GET /properties/{villa}', undefined, 200, fees(percent, fixed)],
  ['ana', 'PATCH /properties/{villa}', fees(), 403],
  ['ana', 'PATCH /properties/{villa}', { city: 'Kribi' }, 200, { city: 'Kribi' }, { audit: 'property.update' }],
  ['tom', 'GET /properties/{villa}', undefined, 200, { name: 'Villa' }, { lacks: ['managementFees'] }],
  ['eve', 'GET /properties/{villa}', undefined, 404],
  // One or the other, and one fee a day.
  ['mia', 'PATCH /properties/{villa}', fees({ from: '2026-05-01' }), 422],
  ['mia', 'PATCH /properties/{villa}', fees({ ...percent, monthlyAmount: 1 }), 422],
  ['mia', 'PATCH /properties/{villa}', fees(percent, { ...fixed, from: percent.from }), 422],
  ['mia', 'PATCH /properties/{villa}', fees({ ...percent, basisPoints: 10_001 }), 422],
  ['mia', 'PATCH /properties/{villa}', fees({ ...percent, from: '2026-02-30' }), 422],
  ['mia', 'PATCH /properties/{villa}', fees({ ...percent, from: '1999-12-31' }), 422],
  ['mia', 'PATCH /properties/{villa}', fees({ ...percent, rate: 10 }), 422],
  // One without a rate of its own has that of the organization, which is not written down with it.
  [
    'ada',
    'PATCH /admin/organization',
    { niu: 'M012345678901A', tvaRegistered: true },
    200,
    {},
    { audit: 'organization.update', jobs: 'billing.reschedule' },
  ],
  ['mia', 'PATCH /properties/{villa}', fees(percent), 200, fees(percent), { audit: 'property.update' }],
  [
    'mia',
    'PATCH /properties/{villa}',
    { managementFees: null },
    200,
    {},
    { audit: 'property.update', lacks: ['managementFees'] },
  ],
])
