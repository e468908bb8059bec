// A form that names neither lease nor unit is told so together with everything else that is wrong.

import { neighbours } from '../../../support/neighbours.ts'
import { scenario } from '../../../support/scenario.ts'

scenario('a missing lease is said in the same round as a missing title', { given: neighbours }, [
  ['ana', 'POST /requests', { title: '' }, 422, { errors: [{ path: '/title' }, { path: '/bookingId' }] }],
  ['ana', 'POST /requests', { title: 'Fuite' }, 422, { errors: [{ path: '/bookingId' }] }],
  [
    'ana',
    'POST /requests',
    { title: '', bookingId: '12' },
    422,
    { errors: [{ path: '/bookingId' }, { path: '/title' }] },
  ],
  ['ana', 'POST /requests', { title: 'Fuite', unitId: '{a2}' }, 201, { status: 'OPEN' }, { audit: 'repair.create' }],
])
