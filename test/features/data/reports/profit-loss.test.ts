// Profit and loss of a year: agrees with the owner statement, the account of the owner and the list of expenses.
import { expect, test } from 'bun:test'
import { cash, letting, type Stage, stage } from '../../../support/scenario.ts'

type Line = { readonly line: string; readonly kind?: string; readonly resultAmount: number }
type Answer = {
  readonly from: string
  readonly to: string
  readonly rows: readonly Line[]
  readonly totals: Record<string, number>
}

/** 200,500 paid in March, 500 given back; 15,000 kept of the deposit; a fee of 10 % with TVA; expenses of both payers. */
async function year() {
  const s = await stage({ given: letting({ startDate: '2026-02-10', billFrom: '2026-02-10' }) })
  await s.make('mia', 'PATCH /properties/{villa}', {
    managementFees: [{ from: '2026-01-01', basisPoints: 1000, tvaBasisPoints: 1925 }],
  })
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(200_500))
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(500, { type: 'REFUND' }))
  await s.make('ana', 'POST /bookings/{lease}/deposit', { type: 'RECEIVED', amount: 120_000, paidOn: '2026-02-10' })
  const kept = { type: 'DEDUCTED', amount: 15_000, paidOn: '2026-03-02', reason: 'Vitre' }
  await s.make('ana', 'POST /bookings/{lease}/deposit', kept)
  const cost = { propertyId: '{villa}', kind: 'WATER', spentOn: '2026-03-06' }
  await s.make('mia', 'POST /expenses', { ...cost, amount: 7_000 })
  await s.make('ana', 'POST /expenses', { ...cost, amount: 3_000 })
  await s.make('ana', 'POST /expenses', { ...cost, kind: 'TAX', amount: 20_000 })
  await s.make('mia', 'POST /expenses', { ...cost, amount: 9_000 }, 'mistake')
  await s.make('mia', 'POST /expenses/{mistake}/cancel')
  await s.make('mia', 'POST /expenses', { ...cost, amount: 4_000, spentOn: '2025-12-31' })
  const handed = { propertyId: '{villa}', method: 'CASH', paidOn: '2026-03-08', amount: 30_000 }
  await s.make('mia', 'POST /owner-transfers', handed)
  return s
}
const read = async (s: Stage, who: 'ana' | 'mia' | 'eve', query = '') =>
  (await s.ask(who, `GET /reports/profit-loss${query}`)).body as unknown as Answer

test('what came in, the fee, and what it cost by kind, whoever paid', async () => {
  const s = await year()
  const { from, to, rows, totals } = await read(s, 'ana')
  expect([from, to]).toEqual(['2026-01-01', '2026-12-31'])
  const statement = (await s.ask('ana', `GET /reports/owner-statement?from=${from}&to=${to}`)).body as unknown as Answer
  const {
    ownerAmount = 0,
    managementFeeAmount = 0,
    managementFeeTvaAmount = 0,
    creditAddedAmount = 0,
  } = statement.totals
  expect(rows.map(({ line, kind, resultAmount }) => [line, kind, resultAmount])).toEqual([
    ['RECEIVED', undefined, 200_500],
    ['REFUNDED', undefined, -500],
    ['DEPOSITS_KEPT', undefined, 15_000],
    ...(creditAddedAmount === 0 ? [] : [['TENANT_CREDIT', undefined, -creditAddedAmount]]),
    ['MANAGEMENT_FEE', undefined, -managementFeeAmount],
    ['MANAGEMENT_FEE_TVA', undefined, -managementFeeTvaAmount],
    ['COST', 'WATER', -10_000],
    ['COST', 'TAX', -20_000],
  ])
  expect(managementFeeAmount).toBe(20_000)
  // What was handed over is no cost.
  const result = ownerAmount - managementFeeAmount - managementFeeTvaAmount - 30_000
  expect(totals).toEqual({ rows: rows.length, waivedAmount: 0, resultAmount: result })
  expect((await read(s, 'mia', '?year=2025')).rows.map(({ line, resultAmount }) => [line, resultAmount])).toEqual([
    ['COST', -4_000],
  ])
  for (const year of ['1899', '26', '2200', 'x', '-1'])
    expect((await s.ask('ana', `GET /reports/profit-loss?year=${year}`)).status).toBe(422)
})

test('nobody else sees it', async () => {
  const s = await year()
  expect((await read(s, 'eve')).rows).toEqual([])
  expect((await s.ask('eve', 'GET /reports/profit-loss?propertyId={villa}')).status).toBe(404)
  expect((await s.ask('tom', 'GET /reports/profit-loss')).status).toBe(403)
})

test('it comes as a sheet and as a paper, in both languages', async () => {
  const s = await year()
  for (const [locale, line] of [
    ['fr', 'Villa;Dépense;Eau;;-10000'],
    ['en', 'Villa;Expense;Water;;-10000'],
  ]) {
    const csv = await s.ask('mia', `GET /reports/profit-loss?year=2026&format=csv&locale=${locale}`)
    expect(csv.text.split('\r\n')).toContain(String(line))
    for (const format of ['xlsx', 'pdf']) {
      const { status, headers } = await s.ask('mia', `GET /reports/profit-loss?year=2026&format=${format}`)
      expect([status, headers.get('content-disposition')]).toEqual([
        200,
        `attachment; filename="profit-loss-2026-01-01-2026-12-31.${format}"`,
      ])
    }
  }
})
