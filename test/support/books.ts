// The journal made of the tables, against the tables and the reports: every franc is the same.
import Database from 'better-sqlite3'
import { ACCOUNT } from '../../db/ledger/accounts.ts'
import { checkLedger } from '../../db/ledger/check.ts'
import { convert } from '../../db/ledger/convert.ts'
import { balanceOf, type FIGURES, figureOf } from '../../db/ledger/figures.ts'
import { addDays } from '../../src/core/dates.ts'
import type { TestApp } from './app.ts'
import type { Stage } from './scenario.ts'

/** The journal of everything that an app holds. */
export function bookedOf(t: TestApp): Database.Database {
  const ledger = new Database(':memory:')
  convert(t.deps.db.$client, ledger, t.time.now)
  return ledger
}

/** Where the journal does not say the same as the tables: invoices, credit, deposits. */
export function misbooked(s: Stage): string[] {
  const ledger = bookedOf(s.t)
  try {
    return checkLedger(s.t.deps.db.$client, ledger)
  } finally {
    ledger.close()
  }
}

type Line = Readonly<Record<string, string | number | undefined>>
/** Where its figures, property by property and month by month, are not those of the owner's statement. */
export async function misfigured(
  s: Stage,
  months: readonly (readonly [from: string, to: string])[],
): Promise<string[]> {
  const ledger = bookedOf(s.t)
  const wrong: string[] = []
  const dayOf = (date: string): number => Number(date.replaceAll('-', ''))
  const holder = ledger.prepare('SELECT id FROM holder WHERE ref = ?').pluck()
  const waived = s.t.deps.db.$client
    .prepare(
      `SELECT coalesce(sum(n.net_amount), 0) FROM credit_note n JOIN invoice i ON i.id = n.invoice_id
       WHERE i.property_id = @property AND n.reason = 'WAIVED' AND n.withdrawn_on IS NULL AND n.issued_on BETWEEN @from AND @to`,
    )
    .pluck()
  for (const { id, name } of s.rows('select id, name from property order by id'))
    for (const [from, to] of months) {
      const { status, body, text } = await s.ask(
        'mia',
        `GET /reports/owner-statement?from=${from}&to=${to}&propertyId=${id}`,
      )
      if (status !== 200) throw new Error(text)
      const told = body.totals as Line
      const property = holder.get(String(id)) as number
      const days = { from: dayOf(from), to: dayOf(to) }
      const of = (figure: keyof typeof FIGURES) => figureOf(ledger, figure, property, days)
      const held = (kind: 2 | 3) => 0 - balanceOf(ledger, kind, property, days.to)
      const n = (member: string) => Number(told[member] ?? 0)
      const pairs: Record<string, readonly [booked: number, told: number]> = {
        received: [of('received') - of('depositReceived'), n('receivedAmount') - n('refundedAmount')],
        withheld: [of('withheld'), n('withheldAmount')],
        earned: [of('earned'), n('ownerAmount')],
        deposits: [of('depositReceived'), n('depositReceivedAmount') - n('depositReturnedAmount')],
        'deposits held': [held(ACCOUNT.DEPOSIT), n('depositHeldAmount')],
        'advances held': [held(ACCOUNT.ADVANCE), n('creditHeldAmount')],
        fee: [of('fee'), n('managementFeeAmount') + n('managementFeeTvaAmount')],
        spent: [of('spent'), n('expensesAmount')],
        handed: [of('handed'), n('transferredAmount')],
        waived: [of('waived'), Number(waived.get({ property: id, from, to }))],
        due: [of('earned') - of('fee') - of('spent') - of('handed'), n('dueAmount') - n('carriedAmount')],
      }
      for (const [figure, [booked, said]] of Object.entries(pairs))
        if (booked !== said) wrong.push(`${figure} of ${name}, ${from} to ${to}: ${booked}, not ${said}`)
    }
  ledger.close()
  return wrong
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
