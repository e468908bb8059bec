import { and, eq, sql } from 'drizzle-orm'
import { POSTINGS } from '../../src/core/accounts.ts'
import type { Tx } from '../open.ts'
import { query } from '../query.ts'
import { booking } from '../schema/bookings.ts'
import { book, entry, holder, posting } from '../schema/ledger.ts'

const byRef = query('holder.byRef', ['ref'], (db, p) =>
  db.select({ id: holder.id }).from(holder).where(eq(holder.ref, p.ref)),
)
const addHolder = query('holder.insert', ['book', 'property', 'ref'], (db, p) =>
  db.insert(holder).values({ book: p.book, property: p.property, ref: p.ref }),
)
const ownBook = query('holder.ownBook', ['id'], (db, p) =>
  db
    .update(holder)
    .set({ book: sql`${p.id}` })
    .where(eq(holder.id, p.id)),
)
const propertyOfLease = query('booking.property', ['orgId', 'id'], (db, p) =>
  db
    .select({ propertyId: booking.propertyId })
    .from(booking)
    .where(and(eq(booking.orgId, p.orgId), eq(booking.id, p.id))),
)
const addBook = query('book.insert', ['id'], (db, p) => db.insert(book).values({ id: p.id }))

/** The holder of an organization, or of a property or lease of it, by its id; written at its first use. */
export function holderOf(tx: Tx, orgId: string, ref: string): number {
  const known = byRef(tx).get({ ref })
  if (known) return known.id
  const isBook = ref === orgId
  const of = isBook ? 0 : holderOf(tx, orgId, orgId)
  const propertyId = isBook ? undefined : propertyOfLease(tx).get({ orgId, id: ref })?.propertyId
  const property = propertyId === undefined ? null : holderOf(tx, orgId, propertyId)
  const id = Number(addHolder(tx).run({ book: of, property, ref }).lastInsertRowid)
  if (isBook) {
    ownBook(tx).run({ id })
    addBook(tx).run({ id })
  }
  return id
}

/** How far a book goes, by its id. */
export const bookOf = query('book.byId', ['id'], (db, p) => db.select().from(book).where(eq(book.id, p.id)))

const ENTRY = ['book', 'seq', 'day', 'kind', 'at', 'source'] as const
const addEntry = query('entry.insert', ENTRY, (db, p) => db.insert(entry).values(p as never))
const POSTING = ['id', 'day', 'debit', 'credit', 'amount', 'invoice'] as const
const addPosting = query('posting.insert', POSTING, (db, p) => db.insert(posting).values(p as never))
type Entry = { readonly [K in (typeof ENTRY)[number]]: string | number | null }
/** What a posting moves, between ids of accounts. */
export type Posted = {
  readonly debit: number
  readonly credit: number
  readonly amount: number
  readonly invoice: number | null
}
/** Writes an entry of at most 64 postings. */
export function insertEntry(tx: Tx, head: Entry, postings: readonly Posted[]): void {
  const { lastInsertRowid } = addEntry(tx).run(head)
  const first = Number(lastInsertRowid) * POSTINGS
  for (const [n, one] of postings.entries()) addPosting(tx).run({ id: first + n, day: head.day, ...one })
}

/** What was posted for a source, in the order in which it was. */
export const postedFor = query('posting.ofSource', ['source'], (db, p) =>
  db
    .select({
      day: posting.day,
      debit: posting.debit,
      credit: posting.credit,
      amount: posting.amount,
      invoice: posting.invoice,
    })
    .from(entry)
    .crossJoin(posting)
    .where(and(eq(entry.source, p.source), sql`${posting.id} between ${entry.id} * 64 and ${entry.id} * 64 + 63`)),
)
