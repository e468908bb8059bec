import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { json } from './columns.ts'

/**
 * The journal of an organization's money. A holder (organization, property, lease) has accounts; an entry is one event; a
 * posting moves one amount from the account that it credits to the account that it debits, so that every entry sums to zero
 * by its shape. Days are yyyymmdd; the id of an account is that of its holder × 32 + its kind, see db/ledger/accounts.ts.
 */
export const holder = sqliteTable(
  'holder',
  {
    id: integer().primaryKey(),
    /** The holder of its organization. */
    book: integer().notNull(),
    /** Of a lease: the holder of its property. */
    property: integer(),
    /** The id of the organization, property or lease. */
    ref: text().notNull(),
  },
  (t) => [
    uniqueIndex('holder_ref').on(t.ref),
    // The leases of a property, for its figures.
    index('holder_property').on(t.property).where(sql`property is not null`),
    // All of an organization, for its balances.
    index('holder_book').on(t.book),
  ],
)

/** One an organization; its id is that of the organization's holder. */
export const book = sqliteTable('book', {
  id: integer().primaryKey(),
  lastSeq: integer('last_seq').notNull().default(0),
  /** The last day of the last month that is closed; 0: none is. */
  closedOn: integer('closed_on').notNull().default(0),
  /** Numbers of accounts in the organization's own chart, by their names. */
  numbers: json<Readonly<Record<string, string>>>()(),
})

export const account = sqliteTable('account', {
  id: integer().primaryKey(),
  /** Debits less credits; written by a trigger. */
  balance: integer().notNull(),
})

export const entry = sqliteTable(
  'entry',
  {
    id: integer().primaryKey(),
    book: integer().notNull(),
    /** Numbers of an organization, without a gap. */
    seq: integer().notNull(),
    day: integer().notNull(),
    kind: integer().notNull(),
    /** When it was entered, epoch ms. */
    at: integer().notNull(),
    /** The id of the payment, deposit entry, expense, transfer to an owner or credit note behind it; of an invoice, see its postings. */
    source: text(),
  },
  (t) => [
    uniqueIndex('entry_seq').on(t.book, t.seq),
    // What was entered for one payment, to turn it.
    index('entry_source').on(t.source).where(sql`source is not null`),
    // The journal of some days.
    index('entry_day').on(t.book, t.day),
  ],
)

export const posting = sqliteTable(
  'posting',
  {
    /** That of its entry × 64 and more, so that the postings of an entry lie side by side. */
    id: integer().primaryKey(),
    day: integer().notNull(),
    debit: integer().notNull(),
    credit: integer().notNull(),
    amount: integer().notNull(),
    /** The row of the invoice, exactly where an account is RECEIVABLE. */
    invoice: integer(),
  },
  (t) => [
    // What moved on an account in some days, by the index alone.
    index('posting_debit').on(t.debit, t.day, t.credit, t.amount),
    index('posting_credit').on(t.credit, t.day, t.debit, t.amount),
    check('posting_amount', sql`${t.amount} between 1 and 2000000000000`),
    check('posting_sides', sql`${t.debit} <> ${t.credit}`),
    check('posting_invoice', sql`(${t.invoice} is null) = (${t.debit} & 31 <> 1 and ${t.credit} & 31 <> 1)`),
  ],
)
