import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { signature } from '../../../../db/schema/contracts.ts'
import { document } from '../../../../db/schema/documents.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { notice } from '../../../../db/schema/reminders.ts'
import { repair } from '../../../../db/schema/repairs.ts'

export const TABLES = {
  SIGNATURE: signature,
  INVOICE: invoice,
  PAYMENT: payment,
  NOTICE: notice,
  DOCUMENT: document,
  REPAIR: repair,
}
export type EntryKind = keyof typeof TABLES

const idsOf = (kind: EntryKind) => {
  const table = TABLES[kind]
  const statement = query(`timeline.${kind}`, ['orgId', 'bookingId'], (db, p) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.orgId, p.orgId), eq(table.bookingId, p.bookingId))),
  )
  return (db: Db, orgId: string, bookingId: string) =>
    statement(db)
      .all({ orgId, bookingId })
      .map(({ id }) => ({ kind, id }))
}
const ALL = (Object.keys(TABLES) as EntryKind[]).map(idsOf)

/** What happened in a lease, in no order: some hundred rows in ten years. */
export const entriesOf = (db: Db, orgId: string, bookingId: string): { kind: EntryKind; id: string }[] =>
  ALL.flatMap((read) => read(db, orgId, bookingId))
