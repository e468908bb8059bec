import type Database from 'better-sqlite3'
import { ACCOUNT, ENTRY, MONEY } from '../../src/core/accounts.ts'

const { ADVANCE, DEPOSIT, RECEIVABLE, OPENING, RENT, TVA, WAIVER, SUSPENSE, WITHHELD } = ACCOUNT

/** Accounts on which a payment leaves its amount. */
const MOVED = [...MONEY, WITHHELD]
/** What must be true of a journal by itself; each statement finds what is wrong. */
const OWN: Readonly<Record<string, string>> = {
  'the balance of account': `SELECT a.id FROM account a WHERE balance <>
    (SELECT coalesce(sum(amount), 0) FROM posting WHERE debit = a.id) - (SELECT coalesce(sum(amount), 0) FROM posting WHERE credit = a.id)`,
  'less than nothing on account': `SELECT id FROM account WHERE (balance > 0 AND id & 31 IN (${[ADVANCE, DEPOSIT, SUSPENSE]}))
    OR (balance < 0 AND id & 31 = ${RECEIVABLE})`,
  'no account for posting': `SELECT p.id FROM posting p WHERE NOT EXISTS (SELECT 1 FROM account WHERE id = p.debit)
    OR NOT EXISTS (SELECT 1 FROM account WHERE id = p.credit)`,
  'the numbers of book': `SELECT b.id FROM book b LEFT JOIN entry e ON e.book = b.id GROUP BY b.id
    HAVING last_seq <> count(e.id) OR coalesce(max(e.seq), 0) <> count(e.id)`,
  'the entry of posting': 'SELECT p.id FROM posting p LEFT JOIN entry e ON e.id = p.id >> 6 WHERE p.day IS NOT e.day',
  'the organization of posting': `SELECT p.id FROM posting p JOIN entry e ON e.id = p.id >> 6
    LEFT JOIN holder d ON d.id = p.debit >> 5 LEFT JOIN holder c ON c.id = p.credit >> 5
    WHERE d.book IS NOT e.book OR c.book IS NOT e.book`,
}

type Balance = { readonly id: string; readonly credit: number; readonly held: number }
type Invoice = { readonly row: number; readonly number: string; readonly paid: number; readonly credited: number }

/**
 * Disagreements of a journal with itself and with the tables beside it: what is paid and credited on each
 * invoice, what each payment moved, the credit and the deposit of each lease; and of transfers with their shares. Empty
 * where every franc is the same. `org`: of one organization alone.
 */
export function checkLedger(tables: Database.Database, ledger = tables, org?: string): string[] {
  const wrong: string[] = []
  const own = org === undefined ? '1' : 'org_id = :org'
  const of = { org: org ?? null }
  for (const [what, sql] of org === undefined ? Object.entries(OWN) : [])
    for (const id of ledger.prepare(sql).pluck().iterate()) wrong.push(`${what} ${id}`)

  // Both in the order of the invoices' rows, so that neither list is held in memory.
  const booked = ledger
    .prepare(
      `SELECT invoice row, sum(moved) paid, sum(iif(other IN (${[RENT, TVA, OPENING, WAIVER]}), moved, 0)) credited
       FROM (SELECT invoice, iif(credit & 31 = ${RECEIVABLE}, amount, -amount) moved,
           iif(credit & 31 = ${RECEIVABLE}, debit, credit) & 31 other
         FROM posting JOIN entry ON entry.id = posting.id >> 6 WHERE invoice IS NOT NULL AND kind <> ${ENTRY.ISSUE}
           ${org === undefined ? '' : 'AND invoice IN (SELECT row FROM invoice WHERE org_id = :org)'})
       GROUP BY invoice ORDER BY invoice`,
    )
    .iterate(of) as IterableIterator<Omit<Invoice, 'number'>>
  let next = booked.next()
  for (const { row, number, paid, credited } of tables
    .prepare(
      `SELECT rowid row, number, iif(status = 'CANCELLED', gross_amount, amount_paid) paid,
        iif(status = 'CANCELLED', gross_amount, credited_amount) credited FROM invoice WHERE ${own} ORDER BY rowid`,
    )
    .iterate(of) as IterableIterator<Invoice>) {
    const own = !next.done && next.value.row === row ? next.value : { paid: 0, credited: 0 }
    if (!next.done && next.value.row === row) next = booked.next()
    if (own.paid !== paid) wrong.push(`paid on ${number}: ${own.paid}, not ${paid}`)
    if (own.credited !== credited) wrong.push(`credited on ${number}: ${own.credited}, not ${credited}`)
  }

  const moved = ledger
    .prepare(
      `SELECT coalesce(sum(iif(debit & 31 IN (${MOVED}), amount, 0) - iif(credit & 31 IN (${MOVED}), amount, 0)), 0)
       FROM entry CROSS JOIN posting ON posting.id BETWEEN entry.id * 64 AND entry.id * 64 + 63 WHERE source = ?`,
    )
    .pluck()
  for (const { id, amount } of tables
    .prepare(
      `SELECT id, iif(status <> 'CONFIRMED' OR method IN ('DEPOSIT', 'SET_OFF'), 0, iif(type = 'REFUND', -amount, amount)) amount
       FROM payment WHERE ${own}`,
    )
    .iterate(of) as IterableIterator<{ id: string; amount: number }>) {
    const booked = moved.get(id)
    if (booked !== amount) wrong.push(`payment ${id}: ${booked}, not ${amount}`)
  }

  for (const { id, amount, shared } of tables
    .prepare(
      `SELECT id, amount, unattributed_amount + coalesce((SELECT sum(p.amount) FROM payment p WHERE p.transfer = t.row AND p.status = 'CONFIRMED'), 0)
        + coalesce((SELECT sum(e.amount) FROM deposit_entry e WHERE e.transfer = t.row AND e.type = 'RECEIVED'), 0) shared
       FROM transfer t WHERE state = 'POSTED' AND shared <> amount AND ${own}`,
    )
    .iterate(of) as IterableIterator<{ id: string; amount: number; shared: number }>)
    wrong.push(`shares of transfer ${id}: ${shared}, not ${amount}`)

  const suspense = ledger
    .prepare('SELECT balance FROM holder h JOIN account a ON a.id = h.id * 32 + 24 WHERE h.ref = ?')
    .pluck()
  for (const { id, waits } of tables
    .prepare(
      `SELECT o.id, coalesce((SELECT sum(unattributed_amount) FROM transfer t WHERE t.org_id = o.id AND t.unattributed_amount > 0 AND t.state = 'POSTED'), 0) waits
       FROM organization o WHERE ${org === undefined ? '1' : 'o.id = :org'}`,
    )
    .iterate(of) as IterableIterator<{ id: string; waits: number }>) {
    const booked = 0 - Number(suspense.get(id) ?? 0)
    if (booked !== waits) wrong.push(`to attribute of ${id}: ${booked}, not ${waits}`)
  }

  const balance = ledger
    .prepare(
      'SELECT a.id & 31 kind, balance FROM holder h JOIN account a ON a.id BETWEEN h.id * 32 AND h.id * 32 + 31 WHERE h.ref = ?',
    )
    .raw()
  const leases = tables.prepare(
    `SELECT b.id, b.credit_amount credit,
      coalesce((SELECT sum(iif(type = 'RECEIVED', amount, -amount)) FROM deposit_entry e WHERE e.booking_id = b.id), 0) held
     FROM booking b WHERE ${own}`,
  )
  for (const { id, credit, held } of leases.iterate(of) as IterableIterator<Balance>) {
    const kinds = new Map(balance.all(id) as [number, number][])
    const [advance, deposit] = [0 - (kinds.get(ADVANCE) ?? 0), 0 - (kinds.get(DEPOSIT) ?? 0)]
    if (advance !== credit) wrong.push(`advance of ${id}: ${advance}, not ${credit}`)
    if (deposit !== held) wrong.push(`deposit of ${id}: ${deposit}, not ${held}`)
  }
  return wrong
}
