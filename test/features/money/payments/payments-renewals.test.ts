// Money of a lease that went over to its renewal: what is taken back meets what either of them has or owes.
import { expect, test } from 'bun:test'
import { cash, type Json, letting, type Stage, stage } from '../../../support/scenario.ts'

/** March at 60,000, renewed from April on; of 180,000 paid in March the rest goes over and pays April and May. */
async function renewed(): Promise<Stage> {
  const s = await stage({ now: '2026-03-10T08:00:00.000Z', given: letting({ endDate: '2026-03-31' }) })
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(180_000))
  await s.make('ana', 'POST /bookings/{lease}/renew', { endDate: '2026-05-31' }, 'next')
  await s.make('ana', 'POST /bookings/{next}/submit')
  await s.make('ana', 'POST /bookings/{next}/activate')
  s.t.advance(60)
  await s.t.work()
  s.nameAll()
  expect(s.ledger()).toEqual([
    '2026-03-01..03-31 PAID 60000/60000',
    '2026-04-01..04-30 PAID 60000/60000',
    '2026-05-01..05-31 PAID 60000/60000',
  ])
  return s
}
const creditOf = async (s: Stage, lease: string) => (await s.ask('ana', `GET /bookings/{${lease}}`)).body.creditAmount
const back = (amount: number, paidOn: string): Json => cash(amount, { type: 'REFUND', paidOn })

test('a reversed payment of both: what the earlier lease has of its own pays what it owes again', async () => {
  const s = await renewed()
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(50_000, { paidOn: '2026-04-02' }))
  expect([await creditOf(s, 'lease'), await creditOf(s, 'next')]).toEqual([50_000, 0])
  await s.make('ana', 'POST /payments/{p1}/reverse')
  expect([await creditOf(s, 'lease'), await creditOf(s, 'next')]).toEqual([0, 0])
  expect(s.ledger()).toEqual([
    '2026-03-01..03-31 OVERDUE 50000/60000',
    '2026-04-01..04-30 OVERDUE 0/60000',
    '2026-05-01..05-31 OVERDUE 0/60000',
  ])
})

test('a refund that was reversed is credit of the lease that has it now, and pays what that one owes', async () => {
  const s = await stage({ now: '2026-03-10T08:00:00.000Z', given: letting({ endDate: '2026-03-31' }) })
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(100_000))
  await s.make('ana', 'POST /bookings/{lease}/payments', back(30_000, '2026-03-10'))
  await s.make('ana', 'POST /bookings/{lease}/renew', { endDate: '2026-05-31' }, 'next')
  await s.make('ana', 'POST /bookings/{next}/submit')
  await s.make('ana', 'POST /bookings/{next}/activate')
  s.t.advance(25)
  await s.t.work()
  expect(s.ledger()).toEqual(['2026-03-01..03-31 PAID 60000/60000', '2026-04-01..04-30 ISSUED 10000/60000'])
  await s.make('ana', 'POST /payments/{p2}/reverse')
  expect([await creditOf(s, 'lease'), await creditOf(s, 'next')]).toEqual([0, 0])
  expect(s.ledger()).toEqual(['2026-03-01..03-31 PAID 60000/60000', '2026-04-01..04-30 ISSUED 40000/60000'])
})
