import Database from 'better-sqlite3'
import { migrations } from '../migrations.ts'
import { readOnly } from '../snapshot.ts'
import { ACCOUNT, ENTRY, MONEY } from './accounts.ts'
import { convert } from './convert.ts'

const { ADVANCE, DEPOSIT, RECEIVABLE, OPENING, RENT, TVA, WAIVER, SUSPENSE, WITHHELD } = ACCOUNT

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
  'the day of posting': 'SELECT p.id FROM posting p JOIN entry e ON e.id = p.entry WHERE p.day <> e.day',
  'the organization of posting': `SELECT p.id FROM posting p JOIN entry e ON e.id = p.entry
    LEFT JOIN holder d ON d.id = p.debit >> 5 LEFT JOIN holder c ON c.id = p.credit >> 5
    WHERE d.book IS NOT e.book OR c.book IS NOT e.book`,
}

type Balance = { readonly id: string; readonly credit: number; readonly held: number }
type Invoice = { readonly row: number; readonly number: string; readonly paid: number; readonly credited: number }

/**
 * Disagreements of a journal with itself and with the tables that it was made from: what is paid and credited on each
 * invoice, what each payment moved, the credit and the deposit of each lease; and of transfers with their shares. Empty
 * where every franc is the same.
 */
export function checkLedger(tables: Database.Database, ledger: Database.Database): string[] {
  const wrong: string[] = []
  for (const [what, sql] of Object.entries(OWN))
    for (const id of ledger.prepare(sql).pluck().iterate()) wrong.push(`${what} ${id}`)

  // Both in the order of the invoices' rows, so that neither list is held in memory.
  const booked = ledger
    .prepare(
      `SELECT invoice row, sum(moved) paid, sum(iif(other IN (${[RENT, TVA, OPENING, WAIVER]}), moved, 0)) credited
       FROM (SELECT invoice, iif(credit & 31 = ${RECEIVABLE}, amount, -amount) moved,
           iif(credit & 31 = ${RECEIVABLE}, debit, credit) & 31 other
         FROM posting JOIN entry ON entry.id = entry WHERE invoice IS NOT NULL AND kind <> ${ENTRY.ISSUE})
       GROUP BY invoice ORDER BY invoice`,
    )
    .iterate() as IterableIterator<Omit<Invoice, 'number'>>
  let next = booked.next()
  for (const { row, number, paid, credited } of tables
    .prepare(
      `SELECT rowid row, number, iif(status = 'CANCELLED', gross_amount, amount_paid) paid,
        iif(status = 'CANCELLED', gross_amount, credited_amount) credited FROM invoice ORDER BY rowid`,
    )
    .iterate() as IterableIterator<Invoice>) {
    const own = !next.done && next.value.row === row ? next.value : { paid: 0, credited: 0 }
    if (!next.done && next.value.row === row) next = booked.next()
    if (own.paid !== paid) wrong.push(`paid on ${number}: ${own.paid}, not ${paid}`)
    if (own.credited !== credited) wrong.push(`credited on ${number}: ${own.credited}, not ${credited}`)
  }

  const moved = ledger
    .prepare(
      `SELECT coalesce(sum(iif(debit & 31 IN (${[...MONEY, WITHHELD]}), amount, -amount)), 0) FROM posting JOIN entry ON entry.id = entry
       WHERE source = ? AND kind = ${ENTRY.TRANSFER}`,
    )
    .pluck()
  for (const { id, amount } of tables
    .prepare(
      `SELECT id, iif(type = 'REFUND', -amount, amount) amount FROM payment
       WHERE status = 'CONFIRMED' AND method NOT IN ('DEPOSIT', 'SET_OFF')`,
    )
    .iterate() as IterableIterator<{ id: string; amount: number }>) {
    const booked = moved.get(id)
    if (booked !== amount) wrong.push(`payment ${id}: ${booked}, not ${amount}`)
  }

  for (const { id, amount, shared } of tables
    .prepare(
      `SELECT id, amount, coalesce((SELECT sum(p.amount) FROM payment p WHERE p.transfer = t.row AND p.status = 'CONFIRMED'), 0)
        + coalesce((SELECT sum(e.amount) FROM deposit_entry e WHERE e.transfer = t.row AND e.type = 'RECEIVED'), 0) shared
       FROM transfer t WHERE state = 'POSTED' AND shared <> amount`,
    )
    .iterate() as IterableIterator<{ id: string; amount: number; shared: number }>)
    wrong.push(`shares of transfer ${id}: ${shared}, not ${amount}`)

  const balance = ledger
    .prepare(
      'SELECT a.id & 31 kind, balance FROM holder h JOIN account a ON a.id BETWEEN h.id * 32 AND h.id * 32 + 31 WHERE h.ref = ?',
    )
    .raw()
  const leases = tables.prepare(
    `SELECT b.id, b.credit_amount credit,
      coalesce((SELECT sum(iif(type = 'RECEIVED', amount, -amount)) FROM deposit_entry e WHERE e.booking_id = b.id), 0) held
     FROM booking b`,
  )
  for (const { id, credit, held } of leases.iterate() as IterableIterator<Balance>) {
    const of = new Map(balance.all(id) as [number, number][])
    const [advance, deposit] = [0 - (of.get(ADVANCE) ?? 0), 0 - (of.get(DEPOSIT) ?? 0)]
    if (advance !== credit) wrong.push(`advance of ${id}: ${advance}, not ${credit}`)
    if (deposit !== held) wrong.push(`deposit of ${id}: ${deposit}, not ${held}`)
  }
  return wrong
}

/** What was compared, and what is wrong. */
export type Checked = {
  readonly wrong: readonly string[]
  readonly invoices: number
  readonly payments: number
  readonly leases: number
}

/**
 * Makes the journal of a database's money, in a temporary file, and compares it with the database: one moment of a service
 * that may go on meanwhile. `now`: epoch ms. @returns undefined for a database that this program would migrate first
 */
export function checkBooks(file: string, now: number): Checked | undefined {
  const tables = readOnly(file).$client
  const ledger = new Database('')
  try {
    if (tables.pragma('user_version', { simple: true }) !== migrations.length) return undefined
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -65536']) ledger.pragma(pragma)
    tables.exec('BEGIN')
    convert(tables, ledger, now)
    const count = (of: string): number => tables.prepare(`SELECT count(*) FROM ${of}`).pluck().get() as number
    const [invoices, payments, leases] = [count('invoice'), count('payment'), count('booking')]
    return { wrong: checkLedger(tables, ledger), invoices, payments, leases }
  } finally {
    ledger.close()
    tables.close()
  }
}
