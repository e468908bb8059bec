// Invoices that are made anew while a notice stands.
import { expect, test } from 'bun:test'
import { cash, letting, stage } from '../../../support/scenario.ts'

/** Allows the rises of business premises below. */
const reviewClause = { formula: 'Indice des prix à la consommation', from: '2026-01-01' }

test('a change of the rent follows an invoice for time after the day to leave too, whole until the end settles it', async () => {
  const s = await stage({
    now: '2026-03-10T08:00:00.000Z',
    settings: { issueDaysBefore: 30 },
    given: letting({ startDate: '2026-03-01', rentByAgreement: false }),
  })
  expect(s.ledger()).toEqual(['2026-03-01..03-31 OVERDUE 0/60000', '2026-04-01..04-30 ISSUED 0/60000'])
  await s.make('ana', 'POST /bookings/{lease}/notice', { by: 'LANDLORD', leaveOn: '2026-03-20' })
  await s.make('ana', 'POST /bookings/{lease}/rent-changes', { from: '2026-03-01', rentAmount: 50_000 })
  const standing = s.ledger().filter((line) => !line.includes('CANCELLED'))
  expect(standing).toEqual(['2026-03-01..03-20 ISSUED 0/32258', '2026-04-01..04-30 ISSUED 0/50000'])
  await s.make('ana', 'POST /bookings/{lease}/terminate')
  expect(s.ledger().filter((line) => !line.includes('CANCELLED'))).toEqual(['2026-03-01..03-10 ISSUED 0/16129'])
})

test('the month that a notice cut keeps the rent that was paid when the notice is taken back', async () => {
  const s = await stage({ given: letting({ startDate: '2026-03-01', rentByAgreement: false }) })
  await s.t.work()
  await s.make('ana', 'POST /bookings/{lease}/notice', { by: 'LANDLORD', leaveOn: '2026-04-15' })
  s.advance(22)
  await s.t.work()
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(90_000, { paidOn: '2026-04-01' }))
  await s.make('ana', 'POST /bookings/{lease}/rent-changes', { from: '2026-04-01', rentAmount: 75_000, confirm: true })
  await s.make('ana', 'DELETE /bookings/{lease}/notice')
  expect(s.ledger()).toEqual([
    '2026-03-01..03-31 PAID 60000/60000',
    '2026-04-01..04-15 CANCELLED 0/30000',
    '2026-04-01..04-30 ISSUED 30000/60000',
  ])
  s.advance(30)
  await s.t.work()
  expect(s.ledger().at(-1)).toBe('2026-05-01..05-31 ISSUED 0/75000')
})

test('one that ends where the lease was to end before the notice ends there at the new rent too', async () => {
  const terms = { startDate: '2026-03-10', endDate: '2026-05-31', autoRenew: false, reviewClause }
  const s = await stage({ given: letting(terms, 'ACTIVE', 'OFFICE') })
  const { payment } = await s.make('ana', 'POST /bookings/{lease}/payments', cash(163_000))
  await s.make('ana', `POST /payments/${(payment as { id: string }).id}/reverse`)
  await s.make('ana', 'POST /bookings/{lease}/notice', { by: 'TENANT', leaveOn: '2026-04-28' })
  await s.make('ana', 'POST /bookings/{lease}/rent-changes', { from: '2026-04-10', rentAmount: 90_000 })
  expect(s.ledger().filter((line) => !line.includes('CANCELLED'))).toEqual([
    '2026-03-10..04-09 ISSUED 0/60000',
    '2026-04-10..04-28 ISSUED 0/57000',
    '2026-05-10..05-31 ISSUED 0/63871',
  ])
})
