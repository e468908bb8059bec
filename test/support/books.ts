// The journal made of the tables, against the tables and the reports: every franc is the same.
import Database from 'better-sqlite3'
import { convert } from '../../db/ledger/convert.ts'
import { balanceOf, type FIGURES, figureOf } from '../../db/ledger/figures.ts'
import { checkLedger } from '../../db/ledger/invariants.ts'
import { ACCOUNT, dayOf } from '../../src/core/accounts.ts'
import { addDays } from '../../src/core/dates.ts'
import { bookMonthlyFees } from '../../src/features/money/ledger/jobs.ts'
import type { TestApp } from './app.ts'
import type { Stage } from './scenario.ts'

/** The journal that would be made of everything that an app holds. */
export function bookedOf(t: TestApp): Database.Database {
  const ledger = new Database(':memory:')
  const journal = "name in ('holder', 'book', 'account', 'entry', 'posting') and type = 'table'"
  for (const { sql } of t.deps.db.$client.prepare(`select sql from sqlite_master where ${journal}`).all() as {
    sql: string
  }[])
    ledger.exec(sql)
  convert(t.deps.db.$client, ledger, t.time.now)
  return ledger
}

/** Where the journal, kept or made anew, does not say the same as the tables: invoices, credit, deposits. */
export function misbooked(s: Stage): string[] {
  const tables = s.t.deps.db.$client
  const ledger = bookedOf(s.t)
  try {
    return [...checkLedger(tables), ...checkLedger(tables, ledger).map((wrong) => `made anew: ${wrong}`)]
  } finally {
    ledger.close()
  }
}

/**
 * Where its figures, property by property, are not those of the owner's statement: of the journal made anew in each span, and
 * of the one that is kept in all of them together, as it keeps each move on the day on which it was made.
 */
export async function misfigured(s: Stage, spans: readonly (readonly [from: string, to: string])[]): Promise<string[]> {
  await bookMonthlyFees(s.t.deps)
  const anew = bookedOf(s.t)
  const wrong: string[] = []
  for (const { id, name } of s.rows('select id, name from property order by id')) {
    const sums = new Map<string, readonly [booked: number, told: number]>()
    for (const [from, to] of spans) {
      const told = await statementOf(s, `from=${from}&to=${to}&propertyId=${id}`)
      for (const [figure, booked] of Object.entries(figuresIn(anew, String(id), from, to)))
        if (booked !== told[figure])
          wrong.push(`${figure} of ${name}, ${from} to ${to}: ${booked}, not ${told[figure]}`)
      for (const [figure, booked] of Object.entries(figuresIn(s.t.deps.db.$client, String(id), from, to))) {
        const [before, saidBefore] = (!figure.endsWith(' held') && sums.get(figure)) || [0, 0]
        sums.set(figure, [before + booked, saidBefore + Number(told[figure])])
      }
    }
    for (const [figure, [booked, said]] of sums)
      if (booked !== said) wrong.push(`kept: ${figure} of ${name}: ${booked}, not ${said}`)
  }
  anew.close()
  return wrong
}

type Figures = Readonly<Record<string, number>>
async function statementOf(s: Stage, query: string): Promise<Figures> {
  const { status, body, text } = await s.ask('mia', `GET /reports/owner-statement?${query}`)
  if (status !== 200) throw new Error(text)
  const { propertyId, from, to } = Object.fromEntries(new URLSearchParams(query)) as Record<string, string>
  const [waived] = s.rows(
    `SELECT coalesce(sum(n.net_amount), 0) net FROM credit_note n JOIN invoice i ON i.id = n.invoice_id WHERE i.property_id = '${propertyId}'
       AND n.reason = 'WAIVED' AND n.withdrawn_on IS NULL AND n.issued_on BETWEEN '${from}' AND '${to}'`,
  )
  const n = (member: string) => Number((body.totals as Readonly<Record<string, number | undefined>>)[member] ?? 0)
  return {
    received: n('receivedAmount') - n('refundedAmount'),
    withheld: n('withheldAmount'),
    earned: n('ownerAmount'),
    deposits: n('depositReceivedAmount') - n('depositReturnedAmount'),
    'deposits held': n('depositHeldAmount'),
    'advances held': n('creditHeldAmount'),
    fee: n('managementFeeAmount') + n('managementFeeTvaAmount'),
    spent: n('expensesAmount'),
    handed: n('transferredAmount'),
    waived: Number(waived?.net),
    due: n('dueAmount') - n('carriedAmount'),
  }
}

/** The same of a journal. */
function figuresIn(ledger: Database.Database, id: string, from: string, to: string): Figures {
  const property = ledger.prepare('SELECT id FROM holder WHERE ref = ?').pluck().get(id) as number
  const days = { from: dayOf(from), to: dayOf(to) }
  const of = (figure: keyof typeof FIGURES) => figureOf(ledger, figure, property, days)
  const held = (kind: 2 | 3) => 0 - balanceOf(ledger, kind, property, days.to)
  return {
    received: of('received') - of('depositReceived'),
    withheld: of('withheld'),
    earned: of('earned'),
    deposits: of('depositReceived'),
    'deposits held': held(ACCOUNT.DEPOSIT),
    'advances held': held(ACCOUNT.ADVANCE),
    fee: of('fee'),
    spent: of('spent'),
    handed: of('handed'),
    waived: of('waived'),
    due: of('earned') - of('fee') - of('spent') - of('handed'),
  }
}

/** Two months after two months, from the first money or invoice to the last day that any is dated. */
export function spans(s: Stage, today: string): (readonly [from: string, to: string])[] {
  const [{ first, last } = {}] = s.rows(
    `select min(day) first, max(day) last from (select paid_on day from payment union all select paid_on from deposit_entry
      union all select issued_on from invoice union all select spent_on from expense union all select '${today}')`,
  )
  const all: (readonly [string, string])[] = []
  for (let from = String(first); from <= String(last); from = addDays(from, 61)) all.push([from, addDays(from, 60)])
  return all
}

/** Where the account of a lease does not add up to what is open on its invoices, less its credit. */
export async function misaccountedLeases(s: Stage, who: 'ana' | 'mia'): Promise<string[]> {
  const wrong: string[] = []
  for (const { id, owed } of s.rows(`select b.id, coalesce((select sum(gross_amount - amount_paid) from invoice i
      where i.booking_id = b.id and i.status <> 'CANCELLED'), 0) - b.credit_amount owed from booking b order by id`)) {
    const { status, body, text } = await s.ask(who, `GET /bookings/${id}/account?to=2199-12-31`)
    if (status !== 200) throw new Error(text)
    if (body.balanceAmount !== owed) wrong.push(`account of ${id}: ${body.balanceAmount}, not ${owed}`)
    let balance = Number(body.openingAmount)
    for (const row of body.rows as Record<string, unknown>[]) {
      balance += Number(row.debitAmount) - Number(row.creditAmount)
      if (balance !== row.balanceAmount) wrong.push(`line of ${id}: ${row.balanceAmount}, not ${balance}`)
    }
  }
  return wrong
}
