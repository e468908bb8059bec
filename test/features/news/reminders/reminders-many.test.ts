// An organization with thousands of unpaid invoices: who is due a reminder is looked for page by page, among what is open.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { openInvoices } from '../../../../src/features/news/reminders/store.ts'
import { start } from '../../../support/reminded.ts'

setDefaultTimeout(60_000)
const ORGANIZATION = 'select org_id from invoice limit 1'
type Begun = Awaited<ReturnType<typeof start>>
/** Invoices of earlier years like the one that stands. */
function fill({ t, invoice }: Begun, n: number, status: string): void {
  const { client } = t.store
  const { row: _, ...row } = t.rows('select * from invoice where id = ?', invoice)[0] ?? {}
  for (let i = 0; i < n; i++) {
    const own = { id: crypto.randomUUID(), number: `${status}-${i}`, status, due_date: `20${10 + (i % 15)}-01-05` }
    const year = (status === 'PAID' ? 5000 : 1000) + i
    const period = { period_start: `${year}-01-01`, period_end: `${year}-12-31`, issued_on: '2010-01-01' }
    const paid = status === 'PAID' ? { amount_paid: row.gross_amount } : {}
    const given = { ...row, ...own, ...period, ...paid }
    client
      .prepare(`insert into invoice (${Object.keys(given)}) values (${Object.keys(given).map(() => '?')})`)
      .run(Object.values(given))
  }
}

test('2,400 open invoices are read a thousand at a time, and none that is paid', async () => {
  const s = await start()
  fill(s, 2_400, 'OVERDUE')
  fill(s, 1_100, 'PAID')
  const org = String(s.t.rows(ORGANIZATION)[0]?.org_id)
  const pages = [...openInvoices(s.t.deps.db, org, '2026-12-31')]
  expect(pages.map((page) => page.length)).toEqual([1, 1_000, 1_000, 400])
  expect(pages[0]?.[0]?.id).toBe(s.invoice)
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(2_401)
  expect([...openInvoices(s.t.deps.db, org, '2009-12-31')].flat()).toEqual([])
})

test('among 2,400 that are long overdue the one that is due is reminded, once', async () => {
  const s = await start()
  fill(s, 2_400, 'OVERDUE')
  await s.days(8)
  expect(s.purposes()).toEqual(['invoice_issued', 'reminder_upcoming', 'reminder_due', 'reminder_reminder'])
  expect(s.t.rows("select distinct invoice_id from rent_message where step <> 'RENT_CALL'")).toEqual([
    { invoice_id: s.invoice },
  ])
})
