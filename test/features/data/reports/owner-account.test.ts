// The account of a management with the owners of properties: agrees with lists of payments, expenses and transfers.
import { expect, test } from 'bun:test'
import { feeOn, monthlyFees, withTva } from '../../../../src/core/management-fees.ts'
import { formatMoney } from '../../../../src/core/money.ts'
import { readPdf } from '../../../support/papers.ts'
import { letting, stage } from '../../../support/scenario.ts'

type Line = { readonly line: string; readonly dueAmount: number; readonly happenedOn: string; readonly kind?: string }
type Answer = { readonly rows: readonly Line[]; readonly totals: { readonly rows: number; readonly dueAmount: number } }

/** March: 60,000 billed and paid; a fee of 10 % with TVA, an expense of each payer, a transfer. */
async function march() {
  const s = await stage({ given: letting() })
  await s.t.work()
  await s.make('mia', 'PATCH /properties/{villa}', {
    managementFees: [{ from: '2026-01-01', basisPoints: 1000, tvaBasisPoints: 1925 }],
  })
  const [first] = s.t.rows('select id, gross_amount from invoice order by id')
  const gross = Number(first?.gross_amount)
  await s.make('mia', `POST /invoices/${first?.id}/payments`, { amount: gross, method: 'CASH', paidOn: '2026-03-04' })
  const cost = { propertyId: '{villa}', kind: 'WATER', spentOn: '2026-03-06' }
  await s.make('mia', 'POST /expenses', { ...cost, amount: 7_000, supplier: 'Camwater' })
  await s.make('mia', 'POST /expenses', { ...cost, amount: 9_000 }, 'mistake')
  await s.make('mia', 'POST /expenses/{mistake}/cancel')
  await s.make('ana', 'POST /expenses', { ...cost, amount: 50_000 })
  const handed = { propertyId: '{villa}', method: 'MTN_MOMO', paidOn: '2026-03-08', amount: 30_000 }
  await s.make('mia', 'POST /owner-transfers', { ...handed, reference: '771' })
  const read = async (who: 'ana' | 'mia' | 'eve' | 'tom', query: string) => {
    const answer = await s.ask(who, `GET /reports/owner-account?${query}`)
    return { status: answer.status, ...(answer.body as unknown as Answer) }
  }
  return { s, gross, read }
}
const MARCH = 'from=2026-03-01&to=2026-03-31'

test('the lines of a month, and what is left is carried over', async () => {
  const { gross, read } = await march()
  const fee = Math.floor((gross * 1000 + 5000) / 10_000)
  const tva = Math.floor((fee * 1925 + 5000) / 10_000)
  const { rows, totals } = await read('ana', MARCH)
  expect(rows.map(({ line, dueAmount, happenedOn, kind }) => [line, dueAmount, happenedOn, kind])).toEqual([
    ['EARNED', gross, '2026-03-31', undefined],
    ['MANAGEMENT_FEE', -fee, '2026-03-31', undefined],
    ['MANAGEMENT_FEE_TVA', -tva, '2026-03-31', undefined],
    ['EXPENSE', -7_000, '2026-03-06', 'WATER'],
    ['TRANSFER', -30_000, '2026-03-08', 'MTN_MOMO'],
  ])
  const left = gross - fee - tva - 37_000
  expect(totals).toEqual({ rows: 5, dueAmount: left })
  const april = await read('mia', 'from=2026-04-01&to=2026-04-30')
  expect(april.rows.map(({ line, dueAmount }) => [line, dueAmount])).toEqual([['CARRIED', left]])
  // Whatever the day on which a time is cut in two, both say the same balance in the end.
  for (const day of ['04', '06', '08'])
    expect((await read('mia', `from=2026-03-${day}&to=2026-03-31`)).totals.dueAmount).toBe(left)
})

test('the owner statement has its balance to the franc, in each of its forms', async () => {
  const { s, gross, read } = await march()
  const account = await read('ana', MARCH)
  const of = (line: string) => account.rows.reduce((n, r) => (r.line === line ? n + r.dueAmount : n), 0)
  const fee = -of('MANAGEMENT_FEE')
  const tva = -of('MANAGEMENT_FEE_TVA')
  const left = account.totals.dueAmount
  const balance = {
    carriedAmount: 0,
    managementFeeAmount: fee,
    managementFeeTvaAmount: tva,
    expensesAmount: 7_000,
    transferredAmount: 30_000,
    dueAmount: left,
  }
  const statement = async (who: 'ana' | 'mia' | 'eve', query = MARCH) =>
    (await s.ask(who, `GET /reports/owner-statement?${query}`)).body as unknown as {
      rows: { ownerAmount: number }[]
      accounts: object[]
      totals: Record<string, number>
    }
  for (const who of ['ana', 'mia'] as const) {
    const { rows, accounts, totals } = await statement(who)
    expect(rows.map((r) => r.ownerAmount)).toEqual([gross])
    expect(accounts).toEqual([
      { propertyId: expect.any(String), propertyName: 'Villa', ownerAmount: gross, ...balance },
    ])
    expect(totals).toMatchObject({ rows: 1, ownerAmount: gross, ...balance })
  }
  const april = await statement('ana', 'from=2026-04-01&to=2026-04-30')
  expect(april.totals).toMatchObject({
    rows: 0,
    ownerAmount: 0,
    expensesAmount: 0,
    carriedAmount: left,
    dueAmount: left,
  })
  const stranger = await statement('eve')
  expect([stranger.rows, stranger.accounts, stranger.totals.dueAmount]).toEqual([[], [], 0])

  const csv = (await s.ask('mia', `GET /reports/owner-statement?${MARCH}&format=csv&locale=fr`)).text
    .trim()
    .split('\r\n')
  expect(csv[0]).toEndWith(
    'Revient au propriétaire;Solde reporté;Honoraires de gestion;TVA sur honoraires;Dépenses payées par la gestion;Reversé au propriétaire;À reverser au propriétaire',
  )
  expect(csv).toHaveLength(4)
  expect(csv[1]).toEndWith(`;${gross};;;;;;`)
  expect(csv[2]).toEndWith(`;;0;${fee};${tva};7000;30000;${left}`)
  expect(csv[3]).toEndWith(`;${gross};0;${fee};${tva};7000;30000;${left}`)

  for (const [locale, said] of [
    [
      'fr',
      ['Compte avec le propriétaire', 'Dépense payée par la gestion, Eau, Camwater', 'MTN MoMo, 771', 'Solde à verser'],
    ],
    [
      'en',
      ['Account with the owner', 'Expense paid by the management, Water, Camwater', 'MTN MoMo, 771', 'Balance to be'],
    ],
  ] as const) {
    const paper = await s.t.app.handle(
      new Request(`http://localhost/api/v1/reports/owner-statement?${MARCH}&format=pdf&locale=${locale}`, {
        headers: { authorization: `Bearer ${s.wordOf('ana')}` },
      }),
    )
    const { text } = await readPdf(new Uint8Array(await paper.arrayBuffer()))
    for (const words of said) expect(text).toContain(words)
    for (const amount of [left, fee, tva, 7_000, 30_000])
      expect(text).toContain(
        formatMoney(amount, locale)
          .replace(/\s?FCFA\s?/, '')
          .replace(/\s/g, ' '),
      )
    // What the owner paid is not taken off.
    expect(text).not.toMatch(/50.000|undefined|NaN/)
  }
})

const REGISTERED = { from: '2026-03-06', basisPoints: 1925 }
const RATES: [what: string, rate: object, before: number[], after: number[]][] = [
  ['a fee without a rate of its own follows the organization', {}, [], [-1_155]],
  ['a fee with its own rate keeps it', { tvaBasisPoints: 1000 }, [-600], [-1_200]],
  ['a fee without TVA keeps that', { tvaBasisPoints: 0 }, [], []],
]
test.each(RATES)('TVA from a day on: %s', async (_what, rate, before, after) => {
  const s = await stage({ given: letting() })
  await s.t.work()
  await s.make('mia', 'PATCH /properties/{villa}', {
    managementFees: [{ from: '2026-01-01', basisPoints: 1000, ...rate }],
  })
  const pay = (amount: number, paidOn: string) =>
    s.make('mia', 'POST /bookings/{lease}/payments', { amount, method: 'CASH', paidOn })
  const fees = async (report: string) => {
    const { body } = await s.ask('mia', `GET /reports/${report}`)
    const rows = body.rows as { line: string; dueAmount?: number; resultAmount?: number }[]
    return rows.flatMap((r) => (r.line === 'MANAGEMENT_FEE_TVA' ? [r.dueAmount ?? r.resultAmount] : []))
  }
  await pay(60_000, '2026-03-04')
  await s.make('ada', 'PATCH /admin/organization', { niu: 'M012345678901A', tvaChange: REGISTERED })
  // What came in before the day bears no TVA of the organization.
  for (const report of [`owner-account?${MARCH}`, 'profit-loss?year=2026']) expect(await fees(report)).toEqual(before)
  await pay(60_000, '2026-03-06')
  for (const report of [`owner-account?${MARCH}`, 'profit-loss?year=2026']) expect(await fees(report)).toEqual(after)
})

test('fees with the rates of their days: a new rate begins another, until the next fee', () => {
  const changes = ['2026-03-06', '2027-01-01']
  const rateOn = (day: string) => (day < '2026-03-06' ? 0 : day < '2027-01-01' ? 1925 : 2000)
  const fees = [
    { from: '2026-01-01', basisPoints: 1000 },
    { from: '2026-06-01', monthlyAmount: 25_000 },
    { from: '2027-06-01', basisPoints: 500, tvaBasisPoints: 0 },
  ]
  expect(withTva(fees, { rateOn, changes }).map(({ from, tvaBasisPoints }) => [from, tvaBasisPoints])).toEqual([
    ['2026-01-01', 0],
    ['2026-03-06', 1925],
    ['2026-06-01', 1925],
    ['2027-01-01', 2000],
    ['2027-06-01', 0],
  ])
})

test('nobody else sees it', async () => {
  const { s, read } = await march()
  expect((await read('eve', MARCH)).rows).toEqual([])
  expect((await s.ask('eve', `GET /reports/owner-account?${MARCH}&propertyId={villa}`)).status).toBe(404)
  expect((await read('tom', MARCH)).status).toBe(403)
})

test('it comes as a sheet and as a paper, in both languages', async () => {
  const { s } = await march()
  const csv = await s.ask('mia', `GET /reports/owner-account?${MARCH}&format=csv&locale=fr`)
  expect(csv.text).toContain('Honoraires de gestion')
  expect(csv.text).toContain('Dépense payée par la gestion;Eau;Camwater;-7000')
  for (const format of ['xlsx', 'pdf']) {
    const { status, headers } = await s.ask('mia', `GET /reports/owner-account?${MARCH}&format=${format}&locale=en`)
    expect([format, status, headers.get('content-disposition')]).toEqual([
      format,
      200,
      `attachment; filename="owner-account-2026-03-01-2026-03-31.${format}"`,
    ])
  }
})

test('fees by payment and by the month', () => {
  const fees = [
    { from: '2026-01-15', basisPoints: 1000, tvaBasisPoints: 1925 },
    { from: '2026-03-10', monthlyAmount: 25_000, tvaBasisPoints: 1925 },
    { from: '2026-06-01', monthlyAmount: 0, tvaBasisPoints: 0 },
  ]
  const paid = (paidOn: string, amount: number, more = {}) =>
    feeOn(fees, { type: 'PAYMENT', method: 'CASH', paidOn, amount, ...more })
  expect(paid('2026-01-14', 60_000)).toEqual({ net: 0, tva: 0 })
  expect(paid('2026-01-15', 60_005)).toEqual({ net: 6_001, tva: 1_155 })
  expect(paid('2026-02-01', 60_005, { type: 'REFUND' })).toEqual({ net: -6_001, tva: -1_155 })
  expect(paid('2026-02-01', 60_000, { method: 'WITHHOLDING' })).toEqual({ net: 0, tva: 0 })
  expect(paid('2026-02-01', 60_000, { method: 'DEPOSIT' })).toEqual({ net: 0, tva: 0 })
  expect(paid('2026-03-10', 60_000)).toEqual({ net: 0, tva: 0 })
  // April and May: not March, which had begun, and not June, from which on nothing is taken.
  expect(monthlyFees(fees, '2026-01-01', '2026-12-31')).toEqual({ net: 50_000, tva: 9_626 })
  expect(monthlyFees(fees, '2026-04-01', '2026-04-30')).toEqual({ net: 25_000, tva: 4_813 })
  expect(monthlyFees(fees, '2026-04-02', '2026-04-30')).toEqual({ net: 0, tva: 0 })
  expect(monthlyFees(fees, '2026-01-01', '2026-02-28')).toEqual({ net: 0, tva: 0 })
})
