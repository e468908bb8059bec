// A very large property: its reports read piece by piece, and a piece's end in the middle of a day loses nothing.
import { expect, test } from 'bun:test'
import type { AppError } from '../../../../src/errors.ts'
import type { ReportName } from '../../../../src/features/data/reports/rules.ts'
import { ending, jsonOf, readReport } from '../../../../src/features/data/reports/service.ts'
import { ORG } from '../../../support/app.ts'
import { letting, type Stage, stage } from '../../../support/scenario.ts'

const MANY = 2_300
const DAY = 86_400_000
const dayOf = (n: number): string => new Date(Date.parse('2010-01-01') + n * DAY).toISOString().slice(0, 10)

/** An invoice for each of many days, half of them paid, all on one of two days. */
async function large(): Promise<Stage> {
  const s = await stage({ given: letting({ rentAmount: 0 }) })
  const { client } = s.t.store
  const columnsOf = (table: string, ...made: string[]): string[] =>
    (client.pragma(`table_info(${table})`) as { name: string }[]).map((c) => c.name).filter((c) => !made.includes(c))
  const invoice = columnsOf(
    'invoice',
    'row',
    'id',
    'number',
    'period_start',
    'due_date',
    'gross_amount',
    'amount_paid',
    'status',
    'issued_on',
  )
  const first = client.prepare('select id from invoice limit 1').pluck().get()
  const put = client.prepare(
    `insert into invoice(id, number, period_start, due_date, gross_amount, amount_paid, status, issued_on, ${invoice})
     select ?, ?, ?, ?, 10, ?, ?, ?, ${invoice.map((c) => (c === 'net_amount' ? '10' : c))} from invoice where id = '${first}'`,
  )
  const pay = client.prepare(
    `insert into payment(id, org_id, booking_id, property_id, owner_user_id, type, amount, currency, method, paid_on, status, invoice_ids, recorded_by, created_at, updated_at)
     select ?, org_id, id, property_id, owner_user_id, 'PAYMENT', 10, 'XAF', 'CASH', ?, 'CONFIRMED', '[]', owner_user_id, created_at, created_at from booking limit 1`,
  )
  const allocate = client.prepare(
    'insert into allocation(org_id, payment_id, target_id, amount) select org_id, ?, ?, 10 from booking limit 1',
  )
  client.transaction(() => {
    for (let n = 0; n < MANY; n++) {
      const paid = n % 2 === 0
      const id = `i${String(n).padStart(6, '0')}`
      put.run(
        id,
        `2010-${n}`,
        dayOf(n),
        n < 2_000 ? '2016-05-05' : '2016-05-06',
        paid ? 10 : 0,
        paid ? 'PAID' : 'OVERDUE',
        '2016-05-01',
      )
      if (!paid) continue
      pay.run(`p${n}`, n < 200 ? '2016-05-07' : '2016-05-08')
      allocate.run(`p${n}`, id)
    }
  })()
  return s
}

async function read(s: Stage, name: ReportName, from: string, to: string) {
  const { client } = s.t.store
  const org = String(client.prepare('select org_id from booking').pluck().get())
  const asked = {
    orgId: org,
    scope: { kind: 'all', userId: '' } as const,
    from,
    to,
    timeZone: 'Africa/Douala',
    today: '2026-03-10',
  }
  let turns = 0
  const rest = async (): Promise<void> => {
    turns += 1
  }
  const pieces = await Array.fromAsync(jsonOf(name, { report: name }, readReport(name)(s.t.db, asked, rest)))
  const body = JSON.parse(await new Blob(pieces).text()) as {
    rows: Record<string, unknown>[]
    totals: Record<string, number>
  }
  return { ...body, turns }
}

test('arrears: every open invoice once, by due date; others have their turn in between', async () => {
  const s = await large()
  const { rows, totals, turns } = await read(s, 'arrears', '1900-01-01', '2026-03-01')
  expect(rows).toHaveLength(MANY / 2)
  expect(new Set(rows.map((r) => r.invoiceId)).size).toBe(MANY / 2)
  expect(rows.map((r) => r.dueDate)).toEqual(rows.map((r) => r.dueDate).toSorted())
  expect([totals.rows, totals.balanceAmount]).toEqual([MANY / 2, (MANY / 2) * 10])
  expect(turns).toBeGreaterThanOrEqual(2)
  expect((await read(s, 'arrears', '2016-05-06', '2026-03-01')).rows).toHaveLength(150)
  expect((await read(s, 'arrears', '1900-01-01', '2016-05-06')).rows).toHaveLength(1000)
})

test('owner statement: every payment once, also of a day with more than a piece', async () => {
  const s = await large()
  const { rows, totals } = await read(s, 'owner-statement', '2016-05-01', '2016-05-31')
  expect(rows).toHaveLength(1)
  expect(totals).toMatchObject({ receivedAmount: (MANY / 2) * 10, creditAddedAmount: 0, ownerAmount: (MANY / 2) * 10 })
  const one = await read(s, 'owner-statement', '2016-05-07', '2016-05-07')
  expect(one.totals.receivedAmount).toBe(1_000)
})

test('a report that takes too long ends with words that say how to ask for less; one in time is whole', async () => {
  const s = await large()
  const run = async (msAPause: number) => {
    let time = 0
    const rest = ending(
      async () => {
        time += msAPause
      },
      () => time,
    )
    const scope = { kind: 'all', userId: '' } as const
    const asked = { orgId: ORG, scope, from: '2016-01-01', to: '2016-12-31', timeZone: 'UTC', today: '2016-06-01' }
    return Array.fromAsync(readReport('owner-statement')(s.t.store.db, asked, rest)).then(
      (parts) => parts.length,
      (e: AppError) => [e.code, e.details.retryAfter, e.text?.en.slice(0, 44)],
    )
  }
  expect(await run(1)).toBeGreaterThan(0)
  expect(await run(60_000)).toEqual(['overloaded', 60, 'This report was not finished within 100 s. A'])
})
