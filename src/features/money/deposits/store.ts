import { and, desc, eq, gt, gte, inArray, lte, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, readingAll } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { allocation, type TransferRow, transfer } from '../../../../db/schema/payments.ts'

export type DepositRow = typeof depositEntry.$inferSelect
export const insertDeposit = inserting('deposit.insert', depositEntry)

const last = query('deposit.last', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ held: depositEntry.heldAmount })
    .from(depositEntry)
    .where(and(eq(depositEntry.orgId, sql`+${p.orgId}`), eq(depositEntry.bookingId, sql`+${p.bookingId}`)))
    .orderBy(desc(depositEntry.id))
    .limit(1),
)
/** What a landlord holds of a lease's deposit now. */
export const heldDeposit = (db: Db, orgId: string, bookingId: string): number =>
  last(db).get({ orgId, bookingId })?.held ?? 0

const ended = query('deposit.ended', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ id: booking.id })
    .from(booking)
    .where(
      and(eq(booking.orgId, p.orgId), eq(booking.id, p.bookingId), eq(sql`+${booking.status}`, sql`'TERMINATED'`)),
    ),
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
    .where(and(eq(depositEntry.orgId, sql`+${p.orgId}`), eq(depositEntry.bookingId, sql`+${p.bookingId}`))),
)
/** What every entry of a lease's ledger moved, and when. */
export const depositMoves = (db: Db, orgId: string, bookingId: string) => moves(db).all({ orgId, bookingId })

export const findDeposit = reading('deposit.byId', depositEntry)

/** The deduction that a payment on invoices was made by. */
export const entryOfPayment = query('deposit.ofPayment', ['orgId', 'paymentId'], (db, p) =>
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
    .limit(1),
)
const rented = alias(booking, 'rented')
const debtor = alias(booking, 'debtor')
/**
 * What was kept of the deposit of one lease, dated from `from` to `to`, and is on invoices of another lease of the same
 * tenant; one of both is of the property.
 */
export const deductionsForOthers = readingAll(
  'deposit.keptForOthers',
  ['orgId', 'propertyId', 'from', 'to'],
  {
    holderId: depositEntry.bookingId,
    debtorId: invoice.bookingId,
    amount: allocation.amount,
    issuedOn: invoice.issuedOn,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      // SQLite runs cross joins in the order written: from the tenants of the property to all of their leases.
      .crossJoin(depositEntry)
      .crossJoin(allocation)
      .crossJoin(invoice)
      .crossJoin(debtor)
      .where(
        and(
          eq(booking.orgId, p.orgId),
          inArray(
            booking.tenantId,
            db
              .select({ tenantId: rented.tenantId })
              .from(rented)
              .where(and(eq(rented.orgId, p.orgId), eq(rented.propertyId, p.propertyId))),
          ),
          eq(depositEntry.orgId, booking.orgId),
          eq(depositEntry.bookingId, booking.id),
          eq(sql`+${depositEntry.type}`, sql`'DEDUCTED'`),
          gte(depositEntry.paidOn, p.from),
          lte(depositEntry.paidOn, p.to),
          // Nothing is left there of one that was taken back.
          eq(allocation.paymentId, depositEntry.paymentId),
          gt(allocation.amount, sql`0`),
          eq(invoice.orgId, allocation.orgId),
          eq(invoice.id, allocation.targetId),
          ne(invoice.bookingId, booking.id),
          eq(debtor.orgId, invoice.orgId),
          eq(debtor.id, invoice.bookingId),
          eq(sql`+${debtor.tenantId}`, booking.tenantId),
          sql`(+${booking.propertyId} = ${p.propertyId} or +${debtor.propertyId} = ${p.propertyId})`,
        ),
      ),
)

export const listDeposits = list({
  name: 'deposits',
  table: depositEntry,
  org: depositEntry.orgId,
  id: depositEntry.id,
  columns: listColumns(depositEntry, 'transfer'),
  joins: sql`left join ${transfer} on ${transfer.row} = ${depositEntry.transfer}`,
  computed: (scope) => ({
    transferId: scope === 'tenant' ? sql<string>`null` : sql<string>`${transfer.id}`,
    method: sql<TransferRow['method']>`${transfer.method}`,
    reference: sql<string>`${transfer.reference}`,
  }),
  filters: { bookingId: { column: depositEntry.bookingId, base: true } },
  // An entry never changes: "updated since" is "created since".
  ranges: { updatedSince: { column: depositEntry.createdAt, op: '>=' } },
  scopes: {},
})
