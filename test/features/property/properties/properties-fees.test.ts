// What the management of a property is paid: said by managers, read by its owner, hidden from everybody else.
import { expect, test } from 'bun:test'
import { type Json, letting, type Stage, scenario, stage } from '../../../support/scenario.ts'

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

const handed = { propertyId: '{villa}', amount: 405_000, method: 'CASH', paidOn: '2026-03-05' }
const later = { from: '2026-03-06', basisPoints: 2000 }
const settled = (n: number) => ({ errors: [{ path: n < 0 ? '/managementFees' : `/managementFees/${n}/from` }] })
const audited = { audit: 'property.update' }
scenario(
  'a fee is not set back beyond the last transfer to the owner',
  {
    given: async (s: Stage) => {
      await letting()(s)
      await s.make('mia', 'PATCH /properties/{villa}', fees(percent))
      await s.make('mia', 'POST /owner-transfers', handed, 'handed')
    },
  },
  [
    ['mia', 'PATCH /properties/{villa}', fees({ ...percent, basisPoints: 2000 }), 422, settled(0)],
    ['mia', 'PATCH /properties/{villa}', fees(percent, { ...later, from: '2026-03-05' }), 422, settled(1)],
    ['mia', 'PATCH /properties/{villa}', fees({ ...percent, from: '2025-01-01' }), 422, settled(0)],
    ['mia', 'PATCH /properties/{villa}', fees({ ...percent, tvaBasisPoints: 1925 }), 422, settled(0)],
    ['ada', 'PATCH /properties/{villa}', fees(later), 422, settled(-1)],
    ['ada', 'PATCH /properties/{villa}', { managementFees: null }, 422, settled(-1)],
    ['mia', 'PATCH /properties/{villa}', fees(later, percent), 200, fees(percent, later), audited],
    ['mia', 'PATCH /properties/{villa}', { city: 'Kribi' }, 200, fees(percent, later), audited],
    ['mia', 'PATCH /properties/{villa}', fees(percent), 200, fees(percent), audited],
    // A transfer that does not count settles nothing; its owner is told that it does not.
    [
      'mia',
      'POST /owner-transfers/{handed}/cancel',
      { reason: 'Saisi deux fois' },
      200,
      {},
      { audit: 'owner_transfer.cancel' },
    ],
    ['mia', 'PATCH /properties/{villa}', fees(later), 200, fees(later), audited],
    [
      'ana',
      'GET /adjustments',
      undefined,
      200,
      ['FEES_CHANGED', 'TRANSFER_CANCELLED', 'FEES_CHANGED', 'FEES_CHANGED', 'FEES_CHANGED'].map((kind) => ({ kind })),
    ],
  ],
)

test('a manager who owns the property sets its fee back', async () => {
  const s = await stage({ given: letting() })
  await s.make('mia', 'POST /owner-transfers', handed)
  s.t.store.client.prepare('update property set owner_user_id = ?').run(s.fill('{mia}'))
  expect((await s.ask('mia', 'PATCH /properties/{villa}', fees(percent))).status).toBe(200)
  expect((await s.ask('ada', 'PATCH /properties/{villa}', fees())).status).toBe(422)
})

test('the owner and the administrators are told of another fee, and of nothing else in the same form', async () => {
  const s = await stage({ given: letting() })
  await s.t.work()
  s.t.sent.length = 0
  await s.make('mia', 'PATCH /properties/{villa}', { city: 'Kribi' })
  await s.make('mia', 'PATCH /properties/{villa}', fees())
  await s.t.work()
  expect(s.t.sent).toEqual([])
  await s.make('mia', 'PATCH /properties/{villa}', fees(percent))
  await s.t.work()
  const phoneOf = async (who: 'ana' | 'ada') => (await s.ask(who, 'GET /me')).body.phoneNumber
  expect(s.t.sent.map(({ to, purpose }) => `${to} ${purpose}`).sort()).toEqual(
    [await phoneOf('ana'), await phoneOf('ada')].map((phone) => `${phone} adjustment_made`).sort(),
  )
  const [told] = s.t.sent
  expect(told?.text.replaceAll(/\s/g, ' ')).toMatch(/a changé les honoraires de gestion, « Villa »\. À voir sur/)
  const needs = async (who: Parameters<Stage['ask']>[0]) =>
    ((await s.ask(who, 'GET /overview')).body.needs as Json[]).filter(({ kind }) => kind === 'ADJUSTMENT_MADE')
  for (const who of ['ana', 'ada'] as const) expect(await needs(who)).toMatchObject([{ count: 1 }])
  for (const who of ['mia', 'eve'] as const) expect(await needs(who)).toEqual([])
})
