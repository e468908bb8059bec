import { ACCOUNT, type AccountKind, accountOf } from '../../src/core/accounts.ts'
import { holderOf, insertEntry } from '../ledger/journal.ts'
import type { Tx } from '../open.ts'
import { type Cell, RowProblem } from './checks.ts'

/**
 * The journal of an organization as it is exported: each entry with its moves, which name holders and invoices by their ids,
 * as the numbers of rows are those of one server.
 */
export const JOURNAL_ROWS = {
  book: 'select h.ref org_id, b.closed_on, b.numbers from book b join holder h on h.id = b.id where b.id = ?',
  entry: `select h.ref org_id, e.seq, e.day, e.kind, e.at, e.source, (
      select json_group_array(json_array(d.ref, p.debit & 31, c.ref, p.credit & 31, p.amount, i.id) order by p.id) from posting p
      join holder d on d.id = p.debit >> 5 join holder c on c.id = p.credit >> 5 left join invoice i on i.row = p.invoice
      where p.id between e.id * 64 and e.id * 64 + 63) moves
    from entry e join holder h on h.id = e.book where e.id = ?`,
} as const

const KINDS: readonly unknown[] = Object.values(ACCOUNT)
type Move = readonly [
  debit: string,
  debitKind: AccountKind,
  credit: string,
  creditKind: AccountKind,
  amount: number,
  invoice: string | null,
]
const isMove = (move: unknown): move is Move =>
  Array.isArray(move) &&
  move.length === 6 &&
  KINDS.includes(move[1]) &&
  KINDS.includes(move[3]) &&
  Number.isSafeInteger(move[4])

/** Writes entries that come in, in the order of their numbers. @throws RowProblem for one of accounts or invoices that did not come */
export function entryWriter(tx: Tx, org: string): (cells: readonly Cell[]) => void {
  const { $client } = tx
  const isPlace = $client.prepare(
    'select 1 from property where org_id = :org and id = :ref union all select 1 from booking where org_id = :org and id = :ref',
  )
  const invoice = $client.prepare('select row from invoice where org_id = ? and id = ?').pluck()
  const accounts = new Map<string, number>()
  return ([, seq = 0, day = 0, kind = 0, at = 0, source = null, moves]) => {
    const wrong = (): RowProblem =>
      new RowProblem('entry', String(seq), 'has moves that do not fit', 'a des mouvements inadmissibles')
    const account = (ref: string, of: AccountKind): number => {
      const known = accounts.get(ref)
      if (known !== undefined) return accountOf(known, of)
      if (ref !== org && !isPlace.get({ org, ref })) throw wrong()
      const holder = holderOf(tx, org, ref)
      accounts.set(ref, holder)
      return accountOf(holder, of)
    }
    const all: unknown = JSON.parse(String(moves))
    if (!Array.isArray(all) || all.length === 0 || all.length > 64 || !all.every(isMove)) throw wrong()
    const postings = all.map(([debit, debitKind, credit, creditKind, amount, id]) => {
      const row = id === null ? null : invoice.get(org, id)
      if (row === undefined) throw wrong()
      return {
        debit: account(debit, debitKind),
        credit: account(credit, creditKind),
        amount,
        invoice: row as number | null,
      }
    })
    insertEntry(tx, { book: holderOf(tx, org, org), seq, day, kind, at, source }, postings)
  }
}

/** Closes the books that came in where they were closed, once their entries are there, and numbers their accounts. */
export const closeBook = (tx: Tx, org: string, [, closedOn = 0, numbers = null]: readonly Cell[]): void =>
  void tx.$client
    .prepare('update book set closed_on = ?, numbers = ? where id = ?')
    .run(closedOn, numbers, holderOf(tx, org, org))

/** Removes the journal of an organization. */
export function removeJournal(tx: Tx, org: string): void {
  const { $client } = tx
  const book = $client.prepare('select id from holder where ref = ?').pluck().get(org)
  const remove = (sql: string): void => void $client.prepare(sql).run({ book: book ?? null })
  remove('delete from posting where id >> 6 in (select id from entry where book = :book)')
  remove('delete from entry where book = :book')
  remove('delete from account where id >> 5 in (select id from holder where book = :book)')
  remove('delete from book where id = :book')
  remove('delete from holder where book = :book')
}
