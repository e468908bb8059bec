import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { type AnySQLiteColumn, alias } from 'drizzle-orm/sqlite-core'
import type { Db, Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { account, book, entry, holder, posting } from '../../../../db/schema/ledger.ts'
import { property } from '../../../../db/schema/properties.ts'

const ofOrg = query('book.ofOrganization', ['orgId'], (db, p) =>
  db
    .select({ id: book.id, closedOn: book.closedOn, numbers: book.numbers })
    .from(holder)
    .innerJoin(book, eq(book.id, holder.id))
    .where(eq(holder.ref, p.orgId)),
)
/** The books of an organization; undefined while no money has moved. */
export const booksOf = (db: Db, orgId: string) => ofOrg(db).get({ orgId })

const close = query('book.close', ['id', 'closedOn'], (db, p) =>
  db
    .update(book)
    .set({ closedOn: sql`${p.closedOn}` })
    .where(eq(book.id, p.id)),
)
export const saveClosed = (tx: Tx, id: number, closedOn: number): void => void close(tx).run({ id, closedOn })
const number = query('book.number', ['id', 'numbers'], (db, p) =>
  db
    .update(book)
    .set({ numbers: sql`${p.numbers}` })
    .where(eq(book.id, p.id)),
)
export const saveNumbers = (tx: Tx, id: number, numbers: string): void => void number(tx).run({ id, numbers })

/** Entries of a book in the order of their days, after one of them. */
export const entriesAfter = query('entry.page', ['book', 'day', 'id', 'to', 'limit'], (db, p) =>
  db
    .select()
    .from(entry)
    .where(and(eq(entry.book, p.book), sql`(${entry.day}, ${entry.id}) > (${p.day}, ${p.id})`, lte(entry.day, p.to)))
    .orderBy(asc(entry.day), asc(entry.id))
    .limit(p.limit),
)

const [debited, credited] = [alias(holder, 'debited'), alias(holder, 'credited')]
const [debitor, creditor] = [alias(booking, 'debitor'), alias(booking, 'creditor')]
const [debitPlace, creditPlace] = [alias(property, 'debit_place'), alias(property, 'credit_place')]
type Party = Record<'tenantName' | 'unitLabel' | 'propertyName', AnySQLiteColumn>
const party = (lease: Party, place: { readonly name: AnySQLiteColumn }) =>
  sql<
    string | null
  >`coalesce(${lease.tenantName} || ' · ' || ${lease.unitLabel} || ' · ' || ${lease.propertyName}, ${place.name})`
/** What an entry moved, with whose accounts they are: a lease's or a property's. */
export const postingsOf = query('posting.ofEntry', ['orgId', 'first', 'last'], (db, p) =>
  db
    .select({
      debit: sql<number>`${posting.debit} & 31`,
      credit: sql<number>`${posting.credit} & 31`,
      amount: posting.amount,
      invoiceNumber: invoice.number,
      debitOf: debited.ref,
      creditOf: credited.ref,
      debitParty: party(debitor, debitPlace),
      creditParty: party(creditor, creditPlace),
    })
    .from(posting)
    .innerJoin(debited, sql`${debited.id} = ${posting.debit} >> 5`)
    .innerJoin(credited, sql`${credited.id} = ${posting.credit} >> 5`)
    .leftJoin(invoice, eq(invoice.row, posting.invoice))
    .leftJoin(debitor, and(eq(debitor.orgId, p.orgId), eq(debitor.id, debited.ref)))
    .leftJoin(creditor, and(eq(creditor.orgId, p.orgId), eq(creditor.id, credited.ref)))
    .leftJoin(debitPlace, and(eq(debitPlace.orgId, p.orgId), eq(debitPlace.id, debited.ref)))
    .leftJoin(creditPlace, and(eq(creditPlace.orgId, p.orgId), eq(creditPlace.id, credited.ref)))
    .where(sql`${posting.id} between ${p.first} and ${p.last}`),
)

const moved = (side: 'debit' | 'credit', days: ReturnType<typeof sql>) =>
  sql<number>`(select coalesce(sum(${posting.amount}), 0) from ${posting} where ${posting[side]} = ${account.id} and ${days})`
/** What moved on each account of a book before some days and in them; account by account, as one organization has many. */
export const balances = query('account.balances', ['book', 'from', 'to'], (db, p) => {
  const before = sql`${posting.day} < ${p.from}`
  const within = sql`${posting.day} between ${p.from} and ${p.to}`
  return db
    .select({
      kind: sql<number>`${account.id} & 31`,
      opening: sql<number>`${moved('debit', before)} - ${moved('credit', before)}`,
      debit: moved('debit', within),
      credit: moved('credit', within),
    })
    .from(holder)
    .crossJoin(account)
    .where(and(eq(holder.book, p.book), sql`${account.id} between ${holder.id} * 32 and ${holder.id} * 32 + 31`))
})
