import { and, desc, eq, sql } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, shown } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'

export type DepositRow = typeof depositEntry.$inferSelect
export const insertDeposit = inserting('deposit.insert', depositEntry)

const last = query('deposit.last', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ held: depositEntry.heldAmount })
    .from(depositEntry)
    .where(and(eq(depositEntry.orgId, sql`+${p.orgId}`), eq(depositEntry.bookingId, sql`+${p.bookingId}`)))
    .orderBy(desc(depositEntry.id))
    .limit(1)
    .prepare(),
)
/** What a landlord holds of a lease's deposit now. */
export const heldDeposit = (db: Db, orgId: string, bookingId: string): number =>
  last(db).get({ orgId, bookingId })?.held ?? 0

const ended = query('deposit.ended', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ id: booking.id })
    .from(booking)
    .where(and(eq(booking.orgId, p.orgId), eq(booking.id, p.bookingId), eq(sql`+${booking.status}`, sql`'TERMINATED'`)))
    .prepare(),
)
/** What is held of the deposit of a lease that has ended; 0 while it runs. */
export function depositAtEnd(db: Db, orgId: string, bookingId: string): number {
  const held = heldDeposit(db, orgId, bookingId)
  return held > 0 && ended(db).get({ orgId, bookingId }) ? held : 0
}

const moves = query('deposit.moves', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({
      type: depositEntry.type,
      amount: depositEntry.amount,
      paidOn: depositEntry.paidOn,
      paymentId: depositEntry.paymentId,
    })
    .from(depositEntry)
    .where(and(eq(depositEntry.orgId, sql`+${p.orgId}`), eq(depositEntry.bookingId, sql`+${p.bookingId}`)))
    .prepare(),
)
/** What every entry of a lease's ledger moved, and when. */
export const depositMoves = (db: Db, orgId: string, bookingId: string) => moves(db).all({ orgId, bookingId })

export const findDeposit = reading('deposit.byId', depositEntry)

const ofPayment = query('deposit.ofPayment', ['orgId', 'paymentId'], (db, p) =>
  db
    .select()
    .from(depositEntry)
    .where(
      and(
        eq(depositEntry.orgId, p.orgId),
        eq(depositEntry.paymentId, p.paymentId),
        eq(sql`+${depositEntry.type}`, sql`'DEDUCTED'`),
      ),
    )
    .limit(1)
    .prepare(),
)
/** The deduction that a payment on invoices was made by. */
export const entryOfPayment = (db: Db, orgId: string, paymentId: string): DepositRow | undefined =>
  ofPayment(db).get({ orgId, paymentId })

export const listDeposits = list({
  name: 'deposits',
  table: depositEntry,
  org: depositEntry.orgId,
  id: depositEntry.id,
  columns: shown(depositEntry),
  filters: { bookingId: { column: depositEntry.bookingId, base: true } },
  // An entry never changes: "updated since" is "created since".
  ranges: { updatedSince: { column: depositEntry.createdAt, op: '>=' } },
  scopes: {},
})
