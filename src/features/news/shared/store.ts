import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { allocation, payment } from '../../../../db/schema/payments.ts'

const anywhere = query('payment.anywhere', ['id'], (db, p) =>
  db.select().from(payment).where(eq(payment.id, p.id)).prepare(),
)
/** The payment that a link's token names; the token replaces the check of the organization. */
export const findLinkedPayment = (db: Db, id: string) => anywhere(db).get({ id })

const waiting = query('shared.waiting', ['orgId', 'targetId'], (db, p) =>
  db
    .select({ amount: sql<number>`coalesce(sum(${payment.amount}), 0)` })
    .from(allocation)
    // A cross join fixes the order in which SQLite reads the tables.
    .crossJoin(payment)
    .where(
      and(
        eq(allocation.orgId, p.orgId),
        eq(allocation.targetId, p.targetId),
        eq(payment.orgId, allocation.orgId),
        eq(payment.id, allocation.paymentId),
        eq(payment.status, sql`'PENDING'`),
      ),
    )
    .prepare(),
)
/** What was declared as paid on an invoice and waits for the landlord's word. */
export const waitingOn = (db: Db, orgId: string, invoiceId: string): number =>
  waiting(db).get({ orgId, targetId: invoiceId })?.amount ?? 0
