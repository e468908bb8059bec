// TVA by dates, in the invoices of running leases.
import { expect, test } from 'bun:test'
import { cash, letting, stage } from '../../../support/scenario.ts'

type Stage = Awaited<ReturnType<typeof stage>>
const FROM_10_MARCH = { startDate: '2026-03-10' }
const business = (more: object = {}) => stage({ given: letting({ ...FROM_10_MARCH, ...more }, 'ACTIVE', 'OFFICE') })
const change = (s: Stage, from: string, basisPoints: number) =>
  s.ask('ada', 'PATCH /admin/organization', { tvaChange: { from, basisPoints } })
async function days(s: Stage, n: number): Promise<void> {
  s.advance(n)
  await s.work()
}
/** Each invoice: the day its period begins, its status and sum. */
const billed = (s: Stage) =>
  s
    .rows("select period_start || ' ' || status || ' ' || gross_amount one from invoice order by period_start")
    .map(({ one }) => one)
const rate = async (s: Stage) => (await s.ask('ana', 'GET /bookings/{lease}')).body.tvaBasisPoints

test('a registration holds for the periods of business premises that begin from its day on', async () => {
  const s = await business()
  await s.work()
  const set = await change(s, '2026-04-10', 1925)
  expect([set.status, set.body.tvaRegistered, set.body.tvaChanges]).toEqual([
    200,
    true,
    [{ from: '2026-04-10', before: 0, after: 1925 }],
  ])
  await s.work()
  expect([billed(s), await rate(s)]).toEqual([['2026-03-10 ISSUED 60000'], 0])
  await days(s, 31)
  expect([billed(s), await rate(s)]).toEqual([['2026-03-10 OVERDUE 60000', '2026-04-10 ISSUED 71550'], 1925])
  // Over again changes nothing, nor does the same rate from a later day.
  await change(s, '2026-06-01', 1925)
  await days(s, 30)
  expect(billed(s)).toEqual(['2026-03-10 OVERDUE 60000', '2026-04-10 OVERDUE 71550', '2026-05-10 ISSUED 71550'])
})

test('a period that has begun keeps its rate, also where it is invoiced later', async () => {
  const s = await business()
  await s.work()
  await change(s, '2026-04-20', 1925)
  // The server was off: two months are issued on one day.
  await days(s, 65)
  expect(billed(s).slice(1)).toEqual(['2026-04-10 OVERDUE 60000', '2026-05-10 ISSUED 71550'])
})

test.each([
  ['a rate agreed apart stays', 'OFFICE', { tvaBasisPoints: 500 }, 63_000],
  ['a home bears none', 'APARTMENT', {}, 60_000],
] as const)('%s', async (_name, type, terms, sum) => {
  const s = await stage({ given: letting({ ...FROM_10_MARCH, ...terms }, 'ACTIVE', type) })
  await s.work()
  const set = await s.ask('ada', 'PATCH /admin/organization', { tvaRegistered: true })
  expect(set.body.tvaChanges).toEqual([{ from: '2026-03-10', before: 0, after: 1925 }])
  await days(s, 31)
  expect(billed(s)).toEqual([`2026-03-10 OVERDUE ${sum}`, `2026-04-10 ISSUED ${sum}`])
})

test('months paid in advance bear the rate of their day, and keep it', async () => {
  const s = await business()
  await s.work()
  await change(s, '2026-05-01', 1925)
  const quote = await s.ask('ana', 'GET /bookings/{lease}/advance?months=2')
  expect(quote.body.amount).toBe(191_550)
  expect((await s.ask('ana', 'POST /bookings/{lease}/payments', cash(191_550))).body.creditAmount).toBe(0)
  const paid = ['2026-03-10 PAID 60000', '2026-04-10 PAID 60000', '2026-05-10 PAID 71550']
  expect(billed(s)).toEqual(paid)
  await change(s, '2026-05-01', 1000)
  await days(s, 92)
  expect(billed(s)).toEqual([...paid, '2026-06-10 ISSUED 66000'])
})

test('a registration to come that is taken back leaves no trace: new business leases bear none', async () => {
  const s = await business()
  await change(s, '2026-04-10', 1925)
  const back = await change(s, '2026-04-10', 0)
  expect([back.body.tvaRegistered, back.body.tvaChanges]).toEqual([false, undefined])
  const terms = { unitId: '{a2}', tenantUserId: '{tom}', startDate: '2026-03-10' }
  expect((await s.make('ana', 'POST /bookings', terms)).tvaBasisPoints).toBe(0)
  // One who was registered before all changes stays so.
  await s.make('ada', 'PATCH /admin/organization', { tvaRegistered: true })
  await change(s, '2026-04-10', 1000)
  expect((await change(s, '2026-04-10', 1925)).body.tvaRegistered).toBe(true)
})

test('charges and new leases bear the rate of today; what ends is settled at the rate it was invoiced', async () => {
  const s = await business()
  await s.work()
  await change(s, '2026-03-10', 1925)
  await s.work()
  const water = { lines: [{ label: 'Eau', amount: 10_000 }] }
  expect((await s.ask('ana', 'POST /bookings/{lease}/invoices', water)).body.grossAmount).toBe(11_925)
  await s.ask('ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-10' })
  expect(
    s.rows("select gross_amount, tva_amount from invoice where status <> 'CANCELLED' and kind = 'PERIOD'"),
  ).toEqual([{ gross_amount: 1_935, tva_amount: 0 }])
})

test.each([
  ['before a change in force', '2026-02-28', 1000],
  ['more than a year back', '2025-03-09', 1000],
  ['more than two years ahead', '2028-03-11', 1000],
  ['more than all', '2026-03-10', 10_001],
] as const)('refused: %s', async (_name, from, basisPoints) => {
  const s = await business()
  await change(s, '2026-03-01', 1925)
  const before = s.rows('select * from organization')
  expect((await change(s, from, basisPoints)).status).toBe(422)
  for (const who of ['mia', 'ana', 'tom'] as const)
    expect((await s.ask(who, 'PATCH /admin/organization', { tvaChange: { from, basisPoints } })).status).toBe(403)
  expect(s.rows('select * from organization')).toEqual(before)
})

test('an end that is told late and undone bills its periods at the rate of their days', async () => {
  const s = await business()
  await s.work()
  await change(s, '2026-05-01', 1925)
  await s.make('ana', 'POST /bookings/{lease}/notice', { by: 'TENANT', leaveOn: '2026-04-20' })
  // The server was off on the day of the end, and on that of the change.
  await days(s, 53)
  expect([(await s.ask('ana', 'GET /bookings/{lease}')).body.status, await rate(s)]).toEqual(['TERMINATED', 0])
  await s.make('ana', 'POST /bookings/{lease}/reinstate')
  await days(s, 10)
  const standing = billed(s).filter((one) => !String(one).includes('CANCELLED'))
  expect(standing).toEqual(['2026-03-10 OVERDUE 60000', '2026-04-10 OVERDUE 60000', '2026-05-10 ISSUED 71550'])
  expect(await rate(s)).toBe(1925)
})
