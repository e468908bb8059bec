import { and, asc, eq, gt, inArray, ne, type Placeholder, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, insertingNumbered, query, reading, saving } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { allocation, type PaymentRow, payment, type TransferRow, transfer } from '../../../../db/schema/payments.ts'
import { holds, type Scope } from '../../../core/scope.ts'
import type { Trace, TransferState } from './rules.ts'

export const insertPayment = inserting('payment.insert', payment)
export const savePayment = saving(
  'payment',
  payment,
  'bookingId',
  'propertyId',
  'ownerUserId',
  'tenantUserId',
  'type',
  'amount',
  'currency',
  'method',
  'paidOn',
  'reference',
  'proofMediaId',
  'recordedBy',
  'transfer',
  'payer',
)

export const findPayment = reading('payment.byId', payment)

/** The lease whose credit a payment's rest is; written as in the index. */
const creditOf = sql`case when ${payment.creditBookingId} is null then ${payment.bookingId} else ${payment.creditBookingId} end`
const withRest = query('payment.withRest', ['orgId', 'bookingId'], (db, p) =>
  db
    .select()
    .from(payment)
    .where(and(eq(payment.orgId, p.orgId), eq(creditOf, p.bookingId), gt(payment.unallocatedAmount, sql`0`)))
    .orderBy(asc(payment.id)),
)
/** The payments that make up a booking's credit, oldest first. */
export const paymentsWithRest = (db: Db, orgId: string, bookingId: string): PaymentRow[] =>
  withRest(db).all({ orgId, bookingId })

/** Puts a further part of a payment on a target; 0 only says what it is meant for. */
export const addAllocation = query('allocation.put', ['orgId', 'paymentId', 'targetId', 'amount'], (db, p) =>
  db
    .insert(allocation)
    .values({ orgId: p.orgId, paymentId: p.paymentId, targetId: p.targetId, amount: p.amount })
    .onConflictDoUpdate({
      target: [allocation.paymentId, allocation.targetId],
      set: { amount: sql`${allocation.amount} + excluded.amount` },
    }),
)
const BESIDE = ['orgId', 'tenantId', 'ownerUserId', 'bookingId'] as const
const beside = (p: { readonly [K in (typeof BESIDE)[number]]: Placeholder }) =>
  and(
    eq(booking.orgId, p.orgId),
    eq(booking.tenantId, p.tenantId),
    eq(sql`+${booking.ownerUserId}`, p.ownerUserId),
    ne(sql`+${booking.id}`, p.bookingId),
    inArray(sql`+${booking.status}`, ['ACTIVE', 'TERMINATED']),
  )
export type BesideKey = { readonly [K in (typeof BESIDE)[number]]: string }
/** The tenant's other leases with the same owner, running or ended. */
export const leasesBeside = query('booking.beside', BESIDE, (db, p) => db.select().from(booking).where(beside(p)))
/** Those of them that have credit. */
export const creditBeside = query('booking.creditBeside', BESIDE, (db, p) =>
  db
    .select()
    .from(booking)
    .where(and(beside(p), sql`${booking.creditAmount} > 0`))
    .orderBy(asc(booking.id)),
)
const set = query('allocation.set', ['paymentId', 'targetId', 'amount'], (db, p) =>
  db
    .update(allocation)
    .set({ amount: sql`${p.amount}` })
    .where(and(eq(allocation.paymentId, p.paymentId), eq(allocation.targetId, p.targetId))),
)
export type Allocated = typeof allocation.$inferSelect
export const setAllocation = (tx: Tx, a: Pick<Allocated, 'paymentId' | 'targetId' | 'amount'>): void =>
  void set(tx).run(a)

export const allocationsOf = query('allocation.ofPayment', ['paymentId'], (db, p) =>
  db.select().from(allocation).where(eq(allocation.paymentId, p.paymentId)),
)
const ofTarget = query('allocation.ofTarget', ['orgId', 'targetId'], (db, p) =>
  db
    .select()
    .from(allocation)
    .where(and(eq(allocation.orgId, p.orgId), eq(allocation.targetId, p.targetId)))
    .orderBy(asc(allocation.paymentId)),
)
/** What payments put on an invoice, or gave to a refund, oldest payment first. */
export const allocationsTo = (db: Db, orgId: string, targetId: string): Allocated[] =>
  ofTarget(db).all({ orgId, targetId })

const ofLease = query('allocation.ofLease', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({
      orgId: allocation.orgId,
      paymentId: allocation.paymentId,
      targetId: allocation.targetId,
      amount: allocation.amount,
    })
    .from(invoice)
    // A cross join fixes the order in which SQLite reads the tables.
    .crossJoin(allocation)
    .where(
      and(
        eq(invoice.bookingId, p.bookingId),
        eq(sql`+${invoice.orgId}`, p.orgId),
        eq(allocation.orgId, p.orgId),
        eq(allocation.targetId, invoice.id),
      ),
    ),
)
/** What each payment put on each invoice of a lease; some are of the lease that it goes on from. */
export const allocationsOfLease = (db: Db, orgId: string, bookingId: string): Allocated[] =>
  ofLease(db).all({ orgId, bookingId })

/** The lease that goes on from another has what is left of its payments. */
export const saveCreditOf = query('payment.handOver', ['orgId', 'from', 'to', 'now'], (db, p) =>
  db
    .update(payment)
    .set({ creditBookingId: sql`${p.to}`, updatedAt: sql`${p.now}`, version: sql`${payment.version} + 1` })
    .where(and(eq(payment.orgId, p.orgId), eq(creditOf, p.from), gt(payment.unallocatedAmount, sql`0`))),
)

/** Writes a transfer down, and gives it its row. */
export const insertTransfer = insertingNumbered('transfer.insert', transfer)

const byTrace = query('transfer.byTrace', ['orgId', 'direction', 'operator', 'trace'], (db, p) =>
  db
    .select({ row: transfer.row, id: transfer.id })
    .from(transfer)
    .where(
      and(
        eq(transfer.orgId, p.orgId),
        eq(transfer.direction, p.direction),
        eq(transfer.operator, p.operator),
        eq(transfer.trace, p.trace),
        inArray(transfer.state, ['PENDING', 'POSTED']),
      ),
    ),
)
type Way = Pick<TransferRow, 'orgId' | 'direction'>
/** The transfer that waits or counts under this trace. One that was refused or reversed frees it for the correction. */
export const transferWith = (db: Db, of: Way, { operator, trace }: Trace) =>
  trace === null ? undefined : byTrace(db).get({ orgId: of.orgId, direction: of.direction, operator, trace })

const setState = query('transfer.setState', ['orgId', 'row', 'state', 'now'], (db, p) =>
  db
    .update(transfer)
    .set({ state: sql`${p.state}`, updatedAt: sql`${p.now}`, version: sql`${transfer.version} + 1` })
    .where(and(eq(transfer.row, p.row), eq(sql`+${transfer.orgId}`, p.orgId))),
)
export const saveState = (tx: Tx, orgId: string, row: number, state: TransferState, now: string): void =>
  void setState(tx).run({ orgId, row, state, now })

const attribute = query('transfer.attribute', ['row', 'left', 'now'], (db, p) =>
  db
    .update(transfer)
    .set({ unattributedAmount: sql`${p.left}`, updatedAt: sql`${p.now}`, version: sql`${transfer.version} + 1` })
    .where(eq(transfer.row, p.row)),
)
/** So many francs of a transfer wait for somebody to be named. */
export const saveUnattributed = (tx: Tx, row: number, left: number, now: string): void =>
  void attribute(tx).run({ row, left, now })

const tell = query('transfer.tell', ['row', 'told', 'now'], (db, p) =>
  db
    .update(transfer)
    .set({
      told: sql`json_insert(${transfer.told}, '$[#]', json(${p.told}))`,
      updatedAt: sql`${p.now}`,
      version: sql`${transfer.version} + 1`,
    })
    .where(eq(transfer.row, p.row)),
)
/** Adds that a transfer was told once more. */
export const saveTold = (tx: Tx, told: { readonly row: number; readonly told: string; readonly now: string }): void =>
  void tell(tx).run(told)

const trace = query('transfer.trace', ['row', 'method', 'operator', 'trace', 'reference'], (db, p) =>
  db
    .update(transfer)
    .set({
      method: sql`${p.method}`,
      operator: sql`${p.operator}`,
      trace: sql`${p.trace}`,
      reference: sql`${p.reference}`,
    })
    .where(eq(transfer.row, p.row)),
)
const traceShares = query('payment.trace', ['row', 'method', 'reference'], (db, p) =>
  db
    .update(payment)
    .set({ method: sql`${p.method}`, reference: sql`${p.reference}` })
    .where(eq(payment.transfer, p.row)),
)
/** Gives a transfer and its shares another way and reference. */
export function saveTrace(tx: Tx, traced: Pick<TransferRow, 'row' | 'method' | 'reference'> & Trace): void {
  trace(tx).run(traced)
  traceShares(tx).run(traced)
}

const name = query('transfer.payer', ['row', 'payerName', 'payerNumber'], (db, p) =>
  db
    .update(transfer)
    .set({ payerName: sql`${p.payerName}`, payerNumber: sql`${p.payerNumber}` })
    .where(eq(transfer.row, p.row)),
)
const nameShares = query('payment.payer', ['row', 'payer'], (db, p) =>
  db
    .update(payment)
    .set({ payer: sql`${p.payer}` })
    .where(eq(payment.transfer, p.row)),
)
/** Says who paid; `payer`: on the tenant's behalf. */
export function savePayer(
  tx: Tx,
  who: Pick<TransferRow, 'row' | 'payerName' | 'payerNumber'> & Pick<PaymentRow, 'payer'>,
): void {
  name(tx).run(who)
  nameShares(tx).run(who)
}

/** The shares of a transfer, by its row. */
export const sharesOf = query('payment.ofTransfer', ['transfer'], (db, p) =>
  db.select().from(payment).where(eq(payment.transfer, p.transfer)),
)

const entriesOf = query('deposit.ofTransfer', ['transfer'], (db, p) =>
  db
    .select({
      id: depositEntry.id,
      bookingId: depositEntry.bookingId,
      amount: depositEntry.amount,
      type: depositEntry.type,
      propertyId: booking.propertyId,
      ownerUserId: booking.ownerUserId,
    })
    .from(depositEntry)
    .innerJoin(booking, and(eq(booking.orgId, depositEntry.orgId), eq(booking.id, depositEntry.bookingId)))
    .where(eq(depositEntry.transfer, p.transfer)),
)
/** What a transfer brought into deposits, by its row. */
export const depositsOf = (db: Db, row: number) =>
  entriesOf(db)
    .all({ transfer: row })
    .filter(({ type }) => type === 'RECEIVED')

const findTransfer = reading('transfer.byId', transfer)
/** A transfer all of whose shares the scope holds; tenants see none, as it tells what others paid. */
export function getTransfer(db: Db, orgId: string, scope: Scope, id: string): TransferRow | undefined {
  const found = findTransfer(db, orgId, id)
  if (!found || scope.kind === 'all') return found
  // Whose the rest is, is not known.
  if (found.unattributedAmount > 0) return undefined
  const shares = [...sharesOf(db).all({ transfer: found.row }), ...depositsOf(db, found.row)]
  return shares.length > 0 && shares.every((share) => holds(scope, share)) ? found : undefined
}
/** The id of a transfer by its row, and what of it waits for somebody to be named. */
export const idOfTransfer = query('transfer.idOf', ['row'], (db, p) =>
  db
    .select({ id: transfer.id, unattributedAmount: transfer.unattributedAmount })
    .from(transfer)
    .where(eq(transfer.row, p.row)),
)
