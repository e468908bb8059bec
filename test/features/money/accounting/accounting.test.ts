// The books as an accountant reads them: a journal that balances, a month that is closed, numbers of one's own.
import { expect, test } from 'bun:test'
import { checkLedger } from '../../../../db/ledger/invariants.ts'
import { cash, letting, type Stage, scenario, stage } from '../../../support/scenario.ts'

type Line = { account: string; party?: string; debitAmount?: number; creditAmount?: number; invoiceNumber?: string }
type Entry = { number: number; day: string; kind: string; sourceId?: string; lines: Line[] }
const given = letting({ startDate: '2026-03-10' })
const ALL = 'from=2026-01-01&to=2026-12-31'

async function entries(s: Stage, query = ALL): Promise<Entry[]> {
  const { status, body, text } = await s.ask('mia', `GET /ledger/entries?${query}`)
  if (status !== 200) throw new Error(text)
  return body.entries as Entry[]
}
const sum = (lines: readonly Line[], side: 'debitAmount' | 'creditAmount') =>
  lines.reduce((n, line) => n + (line[side] ?? 0), 0)
async function balance(s: Stage, query = ALL): Promise<Record<string, number>> {
  const { body } = await s.ask('mia', `GET /ledger/trial-balance?${query}`)
  const rows = body.rows as { account: string; closingBalance: number }[]
  return Object.fromEntries(rows.map((row) => [row.account, row.closingBalance]))
}

test('a payment is one entry; its reversal another, and nothing that was entered changes', async () => {
  const s = await stage({ given })
  const { body: paid } = await s.ask('ana', 'POST /invoices/{i1}/payments', cash(40_000, { paidOn: '2026-03-10' }))
  const before = await entries(s)
  expect(before.map(({ number, kind, day }) => ({ number, kind, day }))).toEqual([
    { number: 1, kind: 'ISSUE', day: '2026-03-10' },
    { number: 2, kind: 'TRANSFER', day: '2026-03-10' },
  ])
  expect(before[1]).toMatchObject({
    sourceId: paid.id,
    lines: [
      { account: 'CASH', debitAmount: 40_000 },
      {
        account: 'RECEIVABLE',
        creditAmount: 40_000,
        invoiceNumber: '2026-000001',
        party: expect.stringContaining('A1'),
      },
    ],
  })
  expect(before[1]?.lines[0]).not.toHaveProperty('party')
  expect(await balance(s)).toEqual({ RECEIVABLE: 20_000, RENT: -60_000, CASH: 40_000 })
  await s.make('mia', `POST /payments/${paid.id}/reverse`, { reason: 'Saisi deux fois' })
  const after = await entries(s)
  expect(after.slice(0, 2)).toEqual(before)
  expect(after.slice(2).map(({ number, kind, day }) => ({ number, kind, day }))).toEqual([
    { number: 3, kind: 'REVERSAL', day: '2026-03-10' },
  ])
  expect(await balance(s)).toEqual({ RECEIVABLE: 60_000, RENT: -60_000, CASH: 0 })
  for (const { lines } of after) expect(sum(lines, 'debitAmount')).toBe(sum(lines, 'creditAmount'))
})

test('deposit, advance, refund, expense, fee and what is handed over: each in its account', async () => {
  const s = await stage({ given })
  const [{ id, property_id: property } = {}] = s.rows('select id, property_id from booking')
  await s.make('mia', `PATCH /properties/${property}`, { managementFees: [{ from: '2026-03-01', basisPoints: 1_000 }] })
  await s.make('mia', `POST /bookings/${id}/deposit`, { type: 'RECEIVED', amount: 80_000, paidOn: '2026-03-10' })
  await s.make('mia', `POST /bookings/${id}/payments`, cash(70_000, { paidOn: '2026-03-10' }))
  await s.make('mia', `POST /bookings/${id}/payments`, {
    ...cash(4_000, { paidOn: '2026-03-10' }),
    type: 'REFUND',
    reason: 'Trop perçu',
  })
  await s.make('mia', 'POST /expenses', {
    propertyId: property,
    kind: 'REPAIR',
    amount: 5_000,
    spentOn: '2026-03-10',
    paidBy: 'MANAGEMENT',
  })
  await s.make('mia', 'POST /owner-transfers', {
    propertyId: property,
    amount: 30_000,
    method: 'BANK_TRANSFER',
    paidOn: '2026-03-10',
  })
  expect(await balance(s)).toEqual({
    ADVANCE: -6_000,
    DEPOSIT: -80_000,
    RECEIVABLE: 0,
    RENT: -60_000,
    FEE: 6_600,
    MANAGEMENT: -6_600,
    EXPENSE: 5_000,
    OWNER: 30_000,
    CASH: 66_000,
    OTHER: 75_000,
    BANK: -30_000,
  })
  expect(checkLedger(s.t.deps.store.client)).toEqual([])
  // A fee that was agreed otherwise is entered as what is missing, and leaves the first entry as it was.
  const before = await entries(s)
  await s.make('mia', `PATCH /properties/${property}`, { managementFees: [] }).catch(() => undefined)
  expect((await entries(s)).slice(0, before.length)).toEqual(before)
})

scenario(
  'a month that is over is closed: nothing is entered on its days; the last one is opened again by an ADMIN',
  { given },
  [
    ['mia', 'POST /ledger/closings', { month: '2026-03' }, 422, { errors: [{ path: '/month' }] }],
    ['mia', 'POST /ledger/closings', { month: '2026-13' }, 422, { errors: [{ path: '/month' }] }],
    ['mia', 'GET /ledger/closings', undefined, 200, {}],
    ['days', 32, { audit: 'invoice.issue, invoice.overdue', jobs: 'invoice.issued', sent: 'invoice_issued' }],
    [
      'mia',
      'POST /ledger/closings',
      { month: '2026-03' },
      200,
      { lastMonth: '2026-03', closedUntil: '2026-03-31' },
      { audit: 'ledger.close' },
    ],
    ['mia', 'POST /ledger/closings', { month: '2026-02' }, 200, { lastMonth: '2026-03' }],
    // Money of March that is told in April counts in April.
    [
      'ana',
      'POST /invoices/{i1}/payments',
      cash(60_000, { paidOn: '2026-03-20' }),
      201,
      {},
      { audit: 'invoice.paid, payment.record', jobs: 'payment.confirmed' },
    ],
    [
      'mia',
      `GET /ledger/trial-balance?from=2026-03-01&to=2026-03-31`,
      undefined,
      200,
      { rows: [{ account: 'RECEIVABLE', closingBalance: 60_000 }, {}] },
    ],
    ['mia', 'DELETE /ledger/closings/2026-03', undefined, 403],
    ['ada', 'DELETE /ledger/closings/2026-02', undefined, 409, { currentStatus: 'CLOSED', allowed: [] }],
    ['ada', 'DELETE /ledger/closings/2026-04', undefined, 404],
    ['ada', 'DELETE /ledger/closings/2026-03', undefined, 200, { lastMonth: '2026-02' }, { audit: 'ledger.reopen' }],
  ],
)

scenario('the books are those of the whole organization: nobody who sees a part of it reads them', { given }, [
  ['ana', 'GET /ledger/entries', undefined, 403],
  ['ana', 'GET /ledger/trial-balance', undefined, 403],
  ['ana', 'GET /ledger/export', undefined, 403],
  ['ana', 'POST /ledger/closings', { month: '2026-01' }, 403],
  ['tom', 'GET /ledger/entries', undefined, 403],
  ['eve', 'GET /ledger/entries', undefined, 403],
  ['zoe', 'GET /ledger/entries', undefined, 403],
  ['mia', 'GET /ledger/entries?from=2026-03-02&to=2026-03-01', undefined, 422, { errors: [{ path: '/to' }] }],
  ['mia', 'GET /ledger/entries?from=2020-01-01&to=2026-03-01', undefined, 422, { errors: [{ path: '/to' }] }],
  ['mia', 'GET /ledger/entries?after=x', undefined, 422, { errors: [{ path: '/after' }] }],
])

test('page by page, every entry comes once', async () => {
  const s = await stage({ given })
  for (let n = 0; n < 9; n++) await s.make('ana', 'POST /invoices/{i1}/payments', cash(1_000, { paidOn: '2026-03-10' }))
  const numbers: number[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { body } = await s.ask('mia', `GET /ledger/entries?${ALL}&limit=3${after === '' ? '' : `&after=${after}`}`)
    const page = body as { entries: Entry[]; next?: string }
    expect(page.entries.length).toBeLessThanOrEqual(3)
    numbers.push(...page.entries.map(({ number }) => number))
    after = page.next
  }
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('the journal as a file balances, and has the numbers of the organization’s own chart', async () => {
  const s = await stage({ given })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(40_000, { paidOn: '2026-03-10' }))
  const accounts = await s.ask('mia', 'PATCH /ledger/accounts', { RENT: '7073', CASH: '5711' })
  expect(accounts.body).toContainEqual({ account: 'CASH', number: '5711', nameFr: 'Caisse', nameEn: 'Cash' })
  expect((await s.ask('mia', 'PATCH /ledger/accounts', { RENT: 'abc' })).status).toBe(422)
  const { text, status } = await s.ask('mia', `GET /ledger/export?${ALL}&locale=fr`)
  expect(status).toBe(200)
  const [heading, ...rows] = text.replace('\uFEFF', '').trim().split(/\r?\n/)
  expect(heading).toBe('Date;Pièce;Journal;Compte;Intitulé;Tiers;Libellé;Débit;Crédit')
  const cells = rows.map((row) => row.split(';'))
  expect(cells.map(([, piece, journal, account]) => [piece, journal, account])).toEqual([
    ['1', 'VT', '4111'],
    ['1', 'VT', '7073'],
    ['2', 'TR', '5711'],
    ['2', 'TR', '4111'],
  ])
  const total = (n: number) => cells.reduce((all, row) => all + Number(row[n] || 0), 0)
  expect([total(7), total(8)]).toEqual([100_000, 100_000])
  const sheet = await s.ask('mia', `GET /ledger/export?${ALL}&format=xlsx`)
  expect(sheet.text.slice(0, 2)).toBe('PK')
  expect((await s.ask('mia', 'PATCH /ledger/accounts', { RENT: null })).body).toContainEqual(
    expect.objectContaining({ account: 'RENT', number: '7061' }),
  )
})
