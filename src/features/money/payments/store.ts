import { and, asc, count, desc, eq, gt, gte, lte, ne, type Placeholder, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { fullName, leasesMatching, leasesOfTenant, numberBegins } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { moneyMessage } from '../../../../db/schema/mobile-money.ts'
import { allocation, type PaymentRow, payment, transfer } from '../../../../db/schema/payments.ts'
import { assignment } from '../../../../db/schema/properties.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { ofParty, ofTenant, type ScopeKind, within } from '../../../core/scope.ts'

const findPayment = reading('payment.seen', payment)

/** A payment as far as the scope reaches. */
export const getPayment = within(findPayment, ofTenant)
/** The same, also for an owner who is its tenant. */
export const partyPayment = ofParty(getPayment)

/** Whether credit of a lease was given back after the moment of an id, and stayed so. */
export const refundedAfter = exists('payment.refundAfter', ['orgId', 'bookingId', 'after'], payment, (p) =>
  and(
    eq(payment.orgId, p.orgId),
    eq(payment.bookingId, p.bookingId),
    gt(payment.id, p.after),
    eq(payment.type, sql`'REFUND'`),
    ne(sql`+${payment.method}`, sql`'SET_OFF'`),
    eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
  ),
)
const setOffs = query('payment.setOffs', ['orgId', 'bookingId', 'after'], (db, p) =>
  db
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.bookingId, p.bookingId),
        gt(payment.id, p.after),
        eq(sql`+${payment.method}`, sql`'SET_OFF'`),
        eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
      ),
    )
    .orderBy(asc(payment.id)),
)
/** What was set off with other leases since the moment of an id, as far as it stands. */
export const exchangedSince = (db: Db, orgId: string, bookingId: string, after: string): PaymentRow[] =>
  setOffs(db).all({ orgId, bookingId, after })

const recorder = alias(appUser, 'recorder')
const decider = alias(appUser, 'decider')
const receiver = alias(appUser, 'receiver')
const none = sql<string>`null`
const isStaff = (who: typeof recorder | typeof decider | typeof receiver) =>
  sql`exists (select 1 from json_each(${who.roles}) where value in ('MANAGER', 'ADMIN'))`
/**
 * Owners, and managers of some properties, know the tenants there and who manages for them, not what another owner
 * recorded before.
 */
const nameOf = (who: typeof recorder | typeof decider | typeof receiver, scope: ScopeKind, self: Placeholder) => {
  const name = fullName(who)
  if (scope === 'tenant') return none
  if (scope === 'all') return name
  return sql<string>`case when ${who.id} in (${self}, ${payment.tenantUserId}, ${payment.ownerUserId}) or ${isStaff(who)} then ${name} end`
}
/** Whether the receiver of waiting cash may no longer hold it, by the rule of `holdsCash`: administrators then act instead. */
const receiverGone = sql<true>`case when ${payment.status} = 'PENDING' and ${payment.receivedBy} is not null and not (
  ${receiver.status} = 'ACTIVE' and ${receiver.id} is not ${payment.tenantUserId} and (
    (${receiver.id} = ${payment.ownerUserId} and exists (select 1 from json_each(${receiver.roles}) where value = 'OWNER'))
    or (${isStaff(receiver)} and (not ${receiver.limited} or exists (
      select 1 from ${assignment} where ${assignment.userId} = ${receiver.id} and ${assignment.propertyId} = ${payment.propertyId})))))
  then 'true' end`
/** How many payments a lease has in any status, and how many of them wait for somebody's word. */
export const paymentsCounted = query('payment.countedOf', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ all: count(), waiting: sql<number>`coalesce(sum(${payment.status} = 'PENDING'), 0)` })
    .from(payment)
    .where(and(eq(payment.orgId, p.orgId), eq(payment.bookingId, p.bookingId))),
)

export const listPayments = list({
  name: 'payments',
  table: payment,
  org: payment.orgId,
  id: payment.id,
  columns: listColumns(payment, 'ownerUserId', 'tenantUserId', 'creditBookingId', 'transfer'),
  joins: sql`left join ${booking} on ${booking.orgId} = ${payment.orgId} and ${booking.id} = ${payment.bookingId}
    left join ${appUser} recorder on ${recorder.orgId} = ${payment.orgId} and ${recorder.id} = ${payment.recordedBy}
    left join ${appUser} decider on ${decider.orgId} = ${payment.orgId} and ${decider.id} = ${payment.decidedBy}
    left join ${appUser} receiver on ${receiver.orgId} = ${payment.orgId} and ${receiver.id} = ${payment.receivedBy}`,
  computed: (scope, { self }) => ({
    tenantId: sql<string>`${booking.tenantId}`,
    tenantName: sql<string>`${booking.tenantName}`,
    unitLabel: sql<string>`${booking.unitLabel}`,
    propertyName: sql<string>`${booking.propertyName}`,
    recordedByName: nameOf(recorder, scope, self),
    decidedByName: nameOf(decider, scope, self),
    receivedByName: nameOf(receiver, scope, self),
    receiverGone: scope === 'all' ? receiverGone : sql<true>`null`,
    transferId: scope === 'tenant' ? none : sql<string>`(select id from ${transfer} where row = ${payment.transfer})`,
    parts: sql<readonly object[]>`(select json_group_array(json(part)) from (
      select json_object('kind', 'INVOICE', 'invoiceId', a.target_id, 'amount', a.amount) part from ${allocation} a
      cross join ${invoice} i on i.org_id = a.org_id and i.id = a.target_id where a.payment_id = ${payment.id} and a.amount > 0
      union all select json_object('kind', 'ADVANCE', 'amount', ${payment.unallocatedAmount}) where ${payment.unallocatedAmount} > 0))`,
    invoiceNumbers: sql<
      string[]
    >`(select json_group_array(${invoice.number}) from json_each(${payment.invoiceIds}) cross join ${invoice} on ${invoice.orgId} = ${payment.orgId} and ${invoice.id} = json_each.value)`,
  }),
  json: ['invoiceNumbers', 'parts', 'receiverGone'],
  filters: {
    invoiceId: {
      column: payment.id,
      narrow: true,
      few: true,
      where: (p) =>
        sql`${payment.id} in (select ${allocation.paymentId} from ${allocation} where ${allocation.orgId} = ${sql.placeholder('orgId')} and ${allocation.targetId} = ${p})`,
    },
    bookingId: { column: payment.bookingId, narrow: true },
    tenantId: {
      column: payment.bookingId,
      narrow: true,
      few: true,
      where: (p) => sql`${payment.bookingId} in (${leasesOfTenant(p)})`,
    },
    q: {
      column: payment.id,
      narrow: true,
      few: true,
      where: (p, scope) =>
        sql`${payment.id} in (select p.id from ${payment} p where p.org_id = ${sql.placeholder('orgId')} and p.booking_id in (${leasesMatching(p, scope)}) union all ${numberBegins(payment, sql`r.reference`, sql`r.org_id`, scope)})`,
    },
    propertyId: { column: payment.propertyId, narrow: true },
    status: { column: payment.status, several: true },
    method: { column: payment.method },
  },
  ranges: {
    from: { column: payment.paidOn, op: '>=' },
    to: { column: payment.paidOn, op: '<=' },
    updatedSince: { column: payment.updatedAt, op: '>=' },
  },
  scopes: {
    owner: { column: payment.ownerUserId },
    limited: ofProperty(payment.propertyId),
    tenant: { column: payment.tenantUserId },
  },
  pairs: [
    [payment.status, payment.paidOn],
    [payment.status, payment.updatedAt],
    [payment.ownerUserId, payment.status],
  ],
})

const waitingOfLease = query('payment.waiting', ['orgId', 'bookingId'], (db, p) =>
  db
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.bookingId, p.bookingId),
        eq(sql`+${payment.status}`, sql`'PENDING'`),
        eq(sql`+${payment.type}`, sql`'PAYMENT'`),
      ),
    )
    .orderBy(asc(payment.id)),
)
/** What waits for somebody's word on a lease, oldest first. */
export const waitingPayments = (db: Db, orgId: string, bookingId: string): PaymentRow[] =>
  waitingOfLease(db).all({ orgId, bookingId })

/** Money of a mobile-money operator that counts on a lease already, of one amount and some days. */
export const countedByOperator = query('payment.counted', ['orgId', 'bookingId', 'amount', 'from', 'to'], (db, p) =>
  db
    .select({ id: payment.id })
    .from(payment)
    .innerJoin(transfer, eq(transfer.row, payment.transfer))
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.bookingId, p.bookingId),
        eq(sql`+${payment.amount}`, p.amount),
        eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
        eq(sql`+${payment.type}`, sql`'PAYMENT'`),
        gte(sql`+${payment.paidOn}`, p.from),
        lte(sql`+${payment.paidOn}`, p.to),
        eq(sql`+${transfer.operator}`, sql`'MOMO'`),
      ),
    )
    .limit(1),
)

export type MoneyMessageRow = typeof moneyMessage.$inferSelect
export const insertMessage = inserting('moneyMessage.insert', moneyMessage)
export const saveMessage = saving(
  'money_message',
  moneyMessage,
  'operator',
  'transactionId',
  'amount',
  'currency',
  'payerNumber',
  'payerName',
  'paidOn',
  'time',
  'recordedBy',
  'balance',
)
export const findMessage = reading('moneyMessage.byId', moneyMessage)

export const findByTransaction = query('moneyMessage.byTransaction', ['orgId', 'operator', 'transactionId'], (db, p) =>
  db
    .select()
    .from(moneyMessage)
    .where(
      and(
        eq(moneyMessage.orgId, p.orgId),
        eq(moneyMessage.operator, p.operator),
        eq(moneyMessage.transactionId, p.transactionId),
      ),
    ),
)
const ofPayer = query('moneyMessage.ofPayer', ['orgId', 'payerNumber'], (db, p) =>
  db
    .select({
      transactionId: moneyMessage.transactionId,
      amount: moneyMessage.amount,
      paidOn: moneyMessage.paidOn,
      time: moneyMessage.time,
      balance: moneyMessage.balance,
    })
    .from(moneyMessage)
    .where(and(eq(moneyMessage.orgId, p.orgId), eq(moneyMessage.payerNumber, p.payerNumber)))
    .orderBy(desc(moneyMessage.paidOn))
    .limit(200),
)
/** What one payer's latest messages say. */
export const messagesOf = (db: Db, orgId: string, payerNumber: string) => ofPayer(db).all({ orgId, payerNumber })

export const listMessages = list({
  name: 'moneyMessages',
  table: moneyMessage,
  org: moneyMessage.orgId,
  id: moneyMessage.id,
  columns: listColumns(moneyMessage, 'time', 'balance'),
  filters: { status: { column: moneyMessage.status, base: true } },
  ranges: { updatedSince: { column: moneyMessage.updatedAt, op: '>=' } },
  scopes: { owner: { column: moneyMessage.recordedBy }, limited: { column: moneyMessage.recordedBy } },
})
