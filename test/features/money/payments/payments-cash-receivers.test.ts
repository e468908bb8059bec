// Cash whose receiver is there no more, or whose lease has changed meanwhile, still finds its way.
import { expect, test } from 'bun:test'
import { cash, type Json, letting, type Person, type Row, scenario, stage } from '../../../support/scenario.ts'

const confirming = { given: letting({ startDate: '2026-03-10' }), settings: { confirmCash: true } }
const recorded = { audit: 'payment.record' } as const
const paid = { audit: 'invoice.balance, payment.confirm', jobs: 'payment.confirmed' } as const
/** Who records twice what another took: 20,000 on the invoice, 20,000 for the lease. */
const waits = (by: Person, receiver: Person): Row[] => [
  [by, 'POST /invoices/{i1}/payments', cash(20_000, { receivedBy: `{${receiver}}` }), 201, {}, recorded],
  [by, 'POST /bookings/{lease}/payments', cash(20_000, { receivedBy: `{${receiver}}` }), 201, {}, recorded],
]
const refusedTo = (who: Person, status = 403): Row[] => [
  [who, 'POST /payments/{p1}/confirm', {}, status],
  [who, 'POST /payments/{p2}/confirm', {}, status],
]
const standsIn: Row[] = [
  ...refusedTo('ana'),
  ['ada', 'POST /payments/{p1}/confirm', {}, 200, { status: 'CONFIRMED', receivedBy: '{mia}' }, paid],
  ['ada', 'POST /payments/{p2}/reject', {}, 422, { errors: [{ path: '/reason' }] }],
  [
    'ada',
    'POST /payments/{p2}/confirm',
    {},
    200,
    { status: 'CONFIRMED' },
    { ...paid, audit: 'payment.confirm, invoice.balance' },
  ],
  ['invoices', ['2026-03-10..04-09 ISSUED 40000/60000']],
]

/** What a list of payments says of their receivers. */
async function told(s: Staged, who: Person, filter = '?status=PENDING') {
  const { body } = await s.ask(who, `GET /payments${filter}`)
  return (body as unknown as { receiverGone?: true }[]).map(({ receiverGone }) => receiverGone)
}

type Staged = Awaited<ReturnType<typeof stage>>
/** As the identity provider, or an administrator, changes an account. */
const change = (s: Staged, column: 'roles' | 'status', to: string): void =>
  void s.t.store.client.prepare(`update app_user set ${column} = ? where id = ?`).run(to, s.fill('{mia}'))
const leaves = (s: Staged): void => change(s, 'roles', '["TENANT"]')
test.each<[string, (s: Staged) => unknown]>([
  ['who manages no more', leaves],
  [
    'who manages another house now',
    async (s) => {
      await s.make('ana', 'POST /properties', { name: 'Bureaux', addressLine: 'Rue 2', city: 'Douala' }, 'offices')
      await s.make('ada', 'PATCH /admin/users/{mia}', { propertyIds: ['{offices}'] })
    },
  ],
  ['who may not sign in any more', (s) => change(s, 'status', 'DISABLED')],
  ['whose account is erased', (s) => change(s, 'status', 'ERASED')],
])('another administrator stands in for a receiver %s, and nobody else', async (_, gone) => {
  const s = await stage(confirming)
  for (const row of [...waits('ana', 'mia'), ...refusedTo('ada')]) await s.play(row)
  expect(await told(s, 'ada')).toEqual([undefined, undefined])
  await gone(s)
  // so that a page knows whom to offer the decision; an owner is told nothing of other people's accounts
  expect(await told(s, 'ada')).toEqual([true, true])
  expect(await told(s, 'ana')).toEqual([undefined, undefined])
  for (const row of standsIn) await s.play(row)
  expect(await told(s, 'ada', '')).toEqual([undefined, undefined])
})

test('who recorded it does not stand in for the receiver', async () => {
  const s = await stage(confirming)
  for (const row of waits('ada', 'mia')) await s.play(row)
  leaves(s)
  for (const row of refusedTo('ada')) await s.play(row)
  await s.play(['ada', 'POST /payments/{p1}/reject', {}, 200, { status: 'REJECTED' }, { audit: 'payment.reject' }])
})

scenario(
  'the house was sold before its owner confirmed: they see it no more, and an administrator stands in',
  confirming,
  [
    ...waits('mia', 'ana'),
    ['ada', 'PATCH /properties/{villa}', { ownerUserId: '{eve}' }, 200, {}, { audit: 'property.update' }],
    ...refusedTo('ana', 404),
    ...refusedTo('eve'),
    ...refusedTo('mia'),
    ['ada', 'GET /payments/{p1}', undefined, 200, { receiverGone: true }],
    ['ada', 'POST /payments/{p1}/confirm', {}, 200, { status: 'CONFIRMED' }, paid],
  ],
)

const owed = (s: Awaited<ReturnType<typeof stage>>): Json | undefined =>
  s.rows(
    'select credit_amount credit, (select sum(gross_amount - amount_paid) from invoice where status <> ?) open from booking',
    'CANCELLED',
  )[0]

test('a lease that ended meanwhile: what was owed is paid, the rest is given back by hand, once', async () => {
  const s = await stage(confirming)
  await s.make('mia', 'POST /bookings/{lease}/payments', cash(90_000, { receivedBy: '{ana}' }))
  await s.make('ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-10' })
  expect(owed(s)).toEqual({ credit: 0, open: 1_935 })
  for (const _ of ['once', 'twice'])
    expect(await s.make('ana', 'POST /payments/{p1}/confirm')).toMatchObject({ unallocatedAmount: 88_065 })
  expect(owed(s)).toEqual({ credit: 88_065, open: 0 })
  const settled = await s.make('ana', 'GET /bookings/{lease}/settlement')
  expect(settled).toMatchObject({ creditAmount: 88_065 })
  // The end is a mistake: the whole month is owed again, and that credit pays it.
  await s.make('ana', 'POST /bookings/{lease}/reinstate')
  expect(owed(s)).toEqual({ credit: 30_000, open: 0 })
  await s.make('ana', 'POST /payments/{p1}/reverse', { reason: 'Fausse coupure' })
  expect(owed(s)).toEqual({ credit: 0, open: 60_000 })
  expect((await s.ask('ana', 'POST /payments/{p1}/confirm')).status).toBe(409)
})
