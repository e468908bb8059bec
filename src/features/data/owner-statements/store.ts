import { and, asc, eq, gt, gte, lt, lte, type Placeholder, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../../../db/open.ts'
import { query, readingAll } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { allocation, payment } from '../../../../db/schema/payments.ts'

const KEYS = ['orgId', 'propertyId', 'from', 'to'] as const

/** Unit and tenant of every lease that a property has had. */
export const leaseNames = readingAll(
  'ownerStatement.leases',
  ['orgId', 'propertyId'],
  { id: booking.id, unitLabel: booking.unitLabel, tenantName: booking.tenantName },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(and(eq(booking.orgId, p.orgId), eq(booking.propertyId, p.propertyId))),
)

const summed = (of: Parameters<typeof sql>[1]) => sql<number>`sum(${of})`
/**
 * Invoices, not cancelled, whose period begins from `from` to `to`, of a piece of a property's leases (by id), summed
 * by lease.
 */
export const billedByLease = query('ownerStatement.billed', [...KEYS, 'after', 'until'], (db, p) =>
  db
    .select({
      bookingId: booking.id,
      netAmount: summed(invoice.netAmount),
      tvaAmount: summed(invoice.tvaAmount),
      grossAmount: summed(invoice.grossAmount),
      creditedAmount: summed(invoice.creditedAmount),
    })
    .from(booking)
    // SQLite runs a cross join in the order written: lease by lease.
    .crossJoin(invoice)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.propertyId, p.propertyId),
        gt(booking.id, p.after),
        lte(booking.id, p.until),
        eq(invoice.bookingId, booking.id),
        eq(sql`+${invoice.orgId}`, p.orgId),
        gte(invoice.periodStart, p.from),
        lte(invoice.periodStart, p.to),
        sql`${invoice.status} in ('ISSUED','OVERDUE','PAID')`,
      ),
    )
    .groupBy(booking.id),
)

/** The open amounts of a property's invoices whose period begins by `to`. */
export const openOf = readingAll(
  'ownerStatement.open',
  ['orgId', 'propertyId', 'to'],
  { bookingId: invoice.bookingId, grossAmount: invoice.grossAmount, amountPaid: invoice.amountPaid },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .where(
        and(
          eq(sql`+${invoice.orgId}`, p.orgId),
          eq(invoice.propertyId, p.propertyId),
          // Written as in the partial index, so that SQLite uses it.
          sql`${invoice.status} in ('ISSUED','OVERDUE')`,
          lte(invoice.periodStart, p.to),
        ),
      ),
)

const PIECE = 1000
const place = sql<number>`${payment}.rowid`
const paymentAfter = query('ownerStatement.paymentsUntil', [...KEYS, 'after'], (db, p) =>
  db
    .select({ paidOn: payment.paidOn, row: place })
    .from(payment)
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.propertyId, p.propertyId),
        sql`(${payment.paidOn}, ${place}) > (${p.from}, ${p.after})`,
        lte(payment.paidOn, p.to),
      ),
    )
    .orderBy(asc(payment.paidOn), asc(place))
    .limit(1)
    .offset(PIECE - 1),
)
type Range = { readonly orgId: string; readonly propertyId: string; readonly from: string; readonly to: string }
type Piece = Range & { readonly after: number; readonly until: number }
/** A property's payments dated from `from` to `to` as pieces of a thousand, in order of their dates. */
export function* paymentPieces(db: Db, range: Range): Generator<Piece> {
  let start = { from: range.from, after: -1 }
  for (;;) {
    const end = paymentAfter(db).get({ ...range, ...start })
    yield { ...range, ...start, to: end?.paidOn ?? range.to, until: end?.row ?? Number.MAX_SAFE_INTEGER }
    if (!end) return
    start = { from: end.paidOn, after: end.row }
  }
}
/** The confirmed ones of a piece: after the payment dated `from` with the rowid `after`, up to that of `until`. */
const inPiece = (p: { readonly [N in keyof Piece]: Placeholder }) =>
  and(
    eq(payment.orgId, p.orgId),
    eq(payment.propertyId, p.propertyId),
    sql`(${payment.paidOn}, ${place}) > (${p.from}, ${p.after})`,
    sql`(${payment.paidOn}, ${place}) <= (${p.to}, ${p.until})`,
    eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
  )

/** Confirmed payments and refunds of a piece. */
export const moneyOf = readingAll(
  'ownerStatement.money',
  [...KEYS, 'after', 'until'],
  {
    bookingId: payment.bookingId,
    type: payment.type,
    method: payment.method,
    paidOn: payment.paidOn,
    amount: payment.amount,
  },
  (db, columns, p) => db.select(columns).from(payment).where(inPiece(p)),
)

/** The deposits of a property's leases: movements from `from` to `to`, and the amount held at the end of `to`. */
export const depositsByLease = query('ownerStatement.deposits', KEYS, (db, p) => {
  const change = sql`iif(${depositEntry.type} = 'RECEIVED', ${depositEntry.amount}, -${depositEntry.amount})`
  // A deduction that was taken back does not count; an amount moved to a renewal was neither returned nor received.
  const moved = (type: string, amount = sql`${depositEntry.amount}`, when = sql`${depositEntry.type} = ${type}`) =>
    summed(
      sql`iif(${when} and ${depositEntry.movedBookingId} is null and ${depositEntry.paidOn} >= ${p.from}, ${amount}, 0)`,
    )
  const signed = sql`iif(${depositEntry.type} = 'DEDUCTED', ${depositEntry.amount}, -${depositEntry.amount})`
  const kept = sql`(${depositEntry.type} = 'DEDUCTED' or ${depositEntry.paymentId} is not null)`
  const came = sql`${depositEntry.type} = 'RECEIVED' and ${depositEntry.paymentId} is null`
  return (
    db
      .select({
        bookingId: booking.id,
        depositReceivedAmount: moved('RECEIVED', undefined, came),
        depositDeductedAmount: moved('DEDUCTED', signed, kept),
        depositReturnedAmount: moved('RETURNED'),
        depositMovedAmount: summed(
          sql`iif(${depositEntry.movedBookingId} is not null and ${depositEntry.paidOn} >= ${p.from}, ${change}, 0)`,
        ),
        depositHeldAmount: summed(change),
      })
      .from(booking)
      // SQLite runs a cross join in the order written; otherwise it would scan the ledgers of the whole organization.
      .crossJoin(depositEntry)
      .where(
        and(
          eq(booking.orgId, p.orgId),
          eq(booking.propertyId, p.propertyId),
          eq(depositEntry.orgId, booking.orgId),
          eq(depositEntry.bookingId, booking.id),
          lte(depositEntry.paidOn, p.to),
        ),
      )
      .groupBy(booking.id)
  )
})

/** Payments of a piece: the amounts allocated to invoices dated by `issuedBy`. */
export const takenOfPayments = readingAll(
  'ownerStatement.taken',
  [...KEYS, 'after', 'until', 'issuedBy'],
  { bookingId: payment.bookingId, amount: allocation.amount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(payment)
      // SQLite runs cross joins in the order written.
      .crossJoin(allocation)
      .crossJoin(invoice)
      .where(
        and(
          inPiece(p),
          eq(allocation.paymentId, payment.id),
          eq(invoice.orgId, allocation.orgId),
          eq(invoice.id, allocation.targetId),
          lte(invoice.issuedOn, p.issuedBy),
        ),
      ),
)
const row = sql<number>`${invoice}.rowid`
const piece = query('ownerStatement.piece', ['propertyId', 'after'], (db, p) =>
  db
    .select({ row })
    .from(invoice)
    .where(and(eq(invoice.propertyId, p.propertyId), gt(row, p.after)))
    .orderBy(asc(row))
    .limit(1)
    .offset(PIECE - 1),
)
/** The last of a property's next thousand invoices, in order of creation; undefined on the last page. */
export const pieceOf = (db: Db, propertyId: string, after: number): number | undefined =>
  piece(db).get({ propertyId, after })?.row
/** A page of a property's invoices dated from `from` to `to`: the amounts allocated to them from earlier payments. */
export const takenByInvoices = readingAll(
  'ownerStatement.takenByInvoices',
  ['orgId', 'propertyId', 'after', 'until', 'from', 'to'],
  { bookingId: invoice.bookingId, amount: allocation.amount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .crossJoin(allocation)
      .crossJoin(payment)
      .where(
        and(
          eq(sql`+${invoice.orgId}`, p.orgId),
          eq(invoice.propertyId, p.propertyId),
          gt(row, p.after),
          lte(row, p.until),
          gte(invoice.issuedOn, p.from),
          lte(invoice.issuedOn, p.to),
          eq(allocation.orgId, invoice.orgId),
          eq(allocation.targetId, invoice.id),
          eq(payment.id, allocation.paymentId),
          eq(payment.status, sql`'CONFIRMED'`),
          lt(payment.paidOn, p.from),
        ),
      ),
)
/** What ends of leases credited on each invoice of a property, and the dates of the payments on it. */
export const creditedOf = readingAll(
  'ownerStatement.credited',
  ['orgId', 'propertyId'],
  {
    bookingId: invoice.bookingId,
    amount: invoice.creditedAmount,
    endedAt: booking.terminatedAt,
    issuedOn: invoice.issuedOn,
    id: payment.id,
    paidOn: payment.paidOn,
    paidAmount: payment.amount,
    invoiceId: invoice.id,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .crossJoin(invoice)
      .crossJoin(allocation)
      .crossJoin(payment)
      .where(
        and(
          eq(booking.orgId, p.orgId),
          eq(booking.propertyId, p.propertyId),
          sql`${booking.settlement} is not null`,
          eq(sql`+${invoice.orgId}`, booking.orgId),
          eq(invoice.bookingId, booking.id),
          gt(invoice.creditedAmount, sql`0`),
          eq(allocation.orgId, invoice.orgId),
          eq(allocation.targetId, invoice.id),
          eq(payment.id, allocation.paymentId),
          eq(payment.status, sql`'CONFIRMED'`),
        ),
      ),
)
const refund = alias(payment, 'refund')
/** What invoices and refunds took of a payment, by the dates of both. */
export const takenFrom = query('ownerStatement.takenFrom', ['paymentId'], (db, p) =>
  db
    .select({
      amount: allocation.amount,
      takenOn: sql<string>`max(${payment.paidOn}, coalesce(${invoice.issuedOn}, ${refund.paidOn}))`,
    })
    .from(allocation)
    .innerJoin(payment, eq(payment.id, allocation.paymentId))
    .leftJoin(invoice, and(eq(invoice.orgId, allocation.orgId), eq(invoice.id, allocation.targetId)))
    .leftJoin(refund, eq(refund.id, allocation.targetId))
    .where(eq(allocation.paymentId, p.paymentId)),
)
/** The present credit of a property's leases. */
export const creditsOf = readingAll(
  'ownerStatement.credits',
  ['orgId', 'propertyId'],
  { bookingId: booking.id, amount: booking.creditAmount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(and(eq(booking.orgId, p.orgId), eq(booking.propertyId, p.propertyId), gt(booking.creditAmount, sql`0`))),
)
