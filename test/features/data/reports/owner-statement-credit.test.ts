// The credit of tenants on the owner statement, day by day: what the end of a lease gave back, and what came of it.
import { describe, expect, test } from 'bun:test'
import { cash, type Json, letting, type Stage, stage } from '../../../support/scenario.ts'

type Rows = { readonly rows: Record<string, number>[]; readonly totals: Record<string, number> }
const paid = (amount: number, day: string, more: Json = {}) => cash(amount, { paidOn: day, ...more })

/** Received, added to credit, credit held, for the owner: of the days from one to the next. */
async function told(s: Stage, days: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  for (const [n, to] of days.entries()) {
    const before = days[n - 1]
    const from = before === undefined ? '2026-01-01' : next(before)
    const { rows, totals } = (await s.ask('ana', `GET /reports/owner-statement?from=${from}&to=${to}`))
      .body as unknown as Rows
    for (const row of rows) expect(row.creditHeldAmount).toBeGreaterThanOrEqual(0)
    const of = ['received', 'creditAdded', 'creditHeld', 'owner'].map((m) => totals[`${m}Amount`])
    lines.push(`${to}: ${of.join(' ')}`)
  }
  return lines
}
const next = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** A lease from 1 February, paid for February, ended on the 10th: 38,571 of 60,000 are given back. */
async function ended(more?: (s: Stage) => Promise<unknown>) {
  const s = await stage({
    now: '2026-02-01T08:00:00.000Z',
    given: letting({ startDate: '2026-02-01', billFrom: '2026-02-01' }),
  })
  s.t.advance(1)
  await s.make('ana', 'POST /invoices/{i1}/payments', paid(60_000, '2026-02-02'))
  await more?.(s)
  s.t.advance(8)
  return s
}
const DAYS = ['2026-02-05', '2026-02-09', '2026-02-28']

describe('what the end of a lease gave back', () => {
  test('is the owner’s until the end, and the tenant’s from it on', async () => {
    const s = await ended()
    const before = await told(s, DAYS.slice(0, 2))
    expect(before).toEqual(['2026-02-05: 60000 0 0 60000', '2026-02-09: 0 0 0 0'])
    await s.make('ana', 'POST /bookings/{lease}/terminate')
    expect(await told(s, DAYS)).toEqual([...before, '2026-02-28: 0 38571 38571 -38571'])
  })

  test('of a payment that is reversed later, another pays what it can, and was never more than it was', async () => {
    const s = await ended((x) => x.make('ana', 'POST /bookings/{lease}/payments', paid(30_000, '2026-02-02')))
    await s.make('ana', 'POST /bookings/{lease}/terminate')
    expect(await told(s, DAYS)).toEqual([
      '2026-02-05: 90000 30000 30000 60000',
      '2026-02-09: 0 0 30000 0',
      '2026-02-28: 0 38571 68571 -38571',
    ])
    await s.make('ana', 'POST /payments/{p1}/reverse')
    // The other one has paid the ten days since it came: as if the reversed one had never been.
    expect(await told(s, DAYS)).toEqual([
      '2026-02-05: 30000 0 0 30000',
      '2026-02-09: 0 0 0 0',
      '2026-02-28: 0 8571 8571 -8571',
    ])
  })

  test('leaves the credit alone that another payment was', async () => {
    const s = await ended((x) => x.make('ana', 'POST /bookings/{lease}/payments', paid(21_429, '2026-02-02')))
    await s.make('ana', 'POST /bookings/{lease}/terminate')
    await s.make('ana', 'POST /payments/{p1}/reverse')
    await s.make('ana', 'POST /bookings/{lease}/payments', paid(50_000, '2026-02-03'))
    expect(await told(s, DAYS)).toEqual([
      '2026-02-05: 71429 50000 50000 21429',
      '2026-02-09: 0 0 50000 0',
      '2026-02-28: 0 0 50000 0',
    ])
  })

  test('goes with the payment it was of, where that is reversed', async () => {
    const s = await stage({
      now: '2026-02-02T08:00:00.000Z',
      given: letting({ startDate: '2026-02-01', billFrom: '2026-02-01' }),
    })
    await s.make('ana', 'POST /invoices/{i1}/payments', paid(40_000, '2026-02-02'))
    await s.make('ana', 'POST /invoices/{i1}/payments', paid(20_000, '2026-02-02'))
    s.t.advance(8)
    await s.make('ana', 'POST /bookings/{lease}/terminate')
    expect(await told(s, DAYS)).toEqual([
      '2026-02-05: 60000 0 0 60000',
      '2026-02-09: 0 0 0 0',
      '2026-02-28: 0 38571 38571 -38571',
    ])
    await s.make('ana', 'POST /payments/{p2}/reverse')
    expect(await told(s, DAYS)).toEqual([
      '2026-02-05: 40000 0 0 40000',
      '2026-02-09: 0 0 0 0',
      '2026-02-28: 0 18571 18571 -18571',
    ])
  })

  test('is the owner’s all along where it pays an older debt', async () => {
    const s = await stage({
      now: '2026-02-02T08:00:00.000Z',
      given: letting({ startDate: '2026-01-01', billFrom: '2026-01-01' }),
    })
    await s.make('ana', 'POST /invoices/{i2}/payments', paid(60_000, '2026-02-02'))
    s.t.advance(8)
    const before = await told(s, DAYS.slice(0, 2))
    expect(before).toEqual(['2026-02-05: 60000 0 0 60000', '2026-02-09: 0 0 0 0'])
    await s.make('ana', 'POST /bookings/{lease}/terminate')
    expect(s.ledger()).toEqual([
      '2026-01-01..01-31 OVERDUE 38571/60000',
      '2026-02-01..02-28 PAID 60000/60000 credited 38571',
    ])
    expect(await told(s, DAYS)).toEqual([...before, '2026-02-28: 0 0 0 0'])
  })

  test('is the owner’s until the end, though it was handed back since', async () => {
    const s = await ended()
    await s.make('ana', 'POST /bookings/{lease}/terminate')
    s.t.advance(5)
    await s.make('ana', 'POST /bookings/{lease}/payments', paid(38_571, '2026-02-15', { type: 'REFUND' }))
    expect(await told(s, [...DAYS.slice(0, 2), '2026-02-12', '2026-02-28'])).toEqual([
      '2026-02-05: 60000 0 0 60000',
      '2026-02-09: 0 0 0 0',
      '2026-02-12: 0 38571 38571 -38571',
      '2026-02-28: 0 -38571 0 0',
    ])
  })
})
