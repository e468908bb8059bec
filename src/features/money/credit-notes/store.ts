import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { creditNote } from '../../../../db/schema/invoices.ts'

export type CreditNoteRow = typeof creditNote.$inferSelect
export const insertCreditNote = inserting('creditNote.insert', creditNote)
const withdraw = query('creditNote.withdraw', ['orgId', 'id', 'on', 'now'], (db, p) =>
  db
    .update(creditNote)
    .set({ withdrawnOn: sql`${p.on}`, updatedAt: sql`${p.now}`, version: sql`${creditNote.version} + 1` })
    .where(and(eq(creditNote.orgId, p.orgId), eq(creditNote.id, p.id), isNull(sql`+${creditNote.withdrawnOn}`))),
)
/** A credit note is withdrawn on a day: what it took off is asked for again. */
export const saveWithdrawn = (tx: Tx, given: { orgId: string; id: string; on: string; now: string }): void =>
  void withdraw(tx).run(given)
const notes = query('creditNote.ofInvoice', ['orgId', 'invoiceId'], (db, p) =>
  db
    .select()
    .from(creditNote)
    .where(and(eq(creditNote.orgId, p.orgId), eq(creditNote.invoiceId, p.invoiceId)))
    .orderBy(asc(creditNote.id)),
)
/** The credit notes of an invoice, oldest first, withdrawn ones too. */
export const creditNotesOf = (db: Db, orgId: string, invoiceId: string): CreditNoteRow[] =>
  notes(db).all({ orgId, invoiceId })
