// The end of a lease of many years costs the same for each of its invoices as the end of a short one.
import { expect, test } from 'bun:test'
import { imbalances } from '../../../support/ledger.ts'
import { cash, letting, stage } from '../../../support/scenario.ts'

const START = '2010-01-01'
/** A lease since 2010 that ran for these years, every second month of it paid. */
async function lease(years: number) {
  const s = await stage({ now: `${START}T09:00:00Z`, given: letting({ startDate: START, billFrom: START }) })
  s.t.advance(years * 365)
  await s.t.work()
  const invoices = s.rows('select id from invoice order by period_start')
  for (const [n, { id }] of invoices.entries())
    if (n % 2 === 0) await s.make('ana', `POST /invoices/${id}/payments`, cash(60_000, { paidOn: START }))
  return { s, count: invoices.length }
}
/** CPU time of this process for each invoice, in ms: an end told, made and undone, the least of a few tries. */
async function costOf({ s, count }: Awaited<ReturnType<typeof lease>>): Promise<number> {
  const endDate = '2010-02-15'
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const before = process.cpuUsage()
    const { body } = await s.ask('ana', `GET /bookings/{lease}/settlement?endDate=${endDate}`)
    expect((body.invoices as unknown[]).length).toBeGreaterThanOrEqual(count - 1)
    await s.make('ana', 'POST /bookings/{lease}/terminate', { endDate, confirm: true })
    await s.make('ana', 'POST /bookings/{lease}/reinstate')
    times.push(process.cpuUsage(before).user / 1000)
  }
  expect(imbalances(s.t)).toEqual([])
  return Math.min(...times) / count
}

test('an end sixteen years back, told, made and undone', async () => {
  // The long one first: what runs for the first time is slower, and must not flatter the comparison.
  const long = await costOf(await lease(16))
  const short = await costOf(await lease(4))
  // What grew with the square of the years would be four times as much.
  expect(long / short).toBeLessThan(1.6)
})
