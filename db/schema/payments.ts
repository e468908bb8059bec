import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { PAID_BY, PAYMENT_METHODS } from '../../src/core/money.ts'
import { type Door, TRACED_BY, TRANSFER_STATE } from '../../src/features/money/allocations/rules.ts'
import { PAYMENT_STATUS } from '../../src/features/money/payments/rules.ts'
import { booking } from './bookings.ts'
import { json, listIndexes } from './columns.ts'

/** Money that changed hands once, however many leases it is for and however often it is told. */
export const transfer = sqliteTable(
  'transfer',
  {
    /** What its shares refer to: one server's, shifted when an organization moves. */
    row: integer().primaryKey(),
    id: text().notNull(),
    orgId: text('org_id').notNull(),
    /** 1: it came in; -1: it went out. */
    direction: integer().notNull(),
    amount: integer().notNull(),
    method: text({ enum: PAYMENT_METHODS }).notNull(),
    /** Who gave the reference, and its bare signs. */
    operator: text({ enum: TRACED_BY }),
    trace: text(),
    /** The reference as it is shown. */
    reference: text(),
    paidOn: text('paid_on').notNull(),
    /** Who paid, if it was told; blanked when the tenant is erased. */
    payerName: text('payer_name'),
    payerNumber: text('payer_number'),
    proofMediaId: text('proof_media_id'),
    note: text(),
    /** Each time it was told: the door, the day and by whom. */
    told: json<readonly (readonly [door: Door, day: string, by: string])[]>()('told').notNull(),
    state: text({ enum: TRANSFER_STATE }).notNull(),
    recordedBy: text('recorded_by').notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The part that nobody is named for yet. */
    unattributedAmount: integer('unattributed_amount').notNull().default(0),
  },
  (t) => [
    unique('transfer_id').on(t.id),
    uniqueIndex('transfer_once')
      .on(t.orgId, t.direction, t.operator, t.trace)
      .where(sql`trace is not null and state in ('PENDING','POSTED')`),
    index('transfer_org_id').on(t.orgId, t.id),
    index('transfer_updated_at').on(t.orgId, t.updatedAt, t.id),
    // What waits for somebody to be named.
    index('transfer_unattributed').on(t.orgId, t.id).where(sql`unattributed_amount > 0 and state = 'POSTED'`),
    check('transfer_direction', sql`${t.direction} in (1, -1)`),
    check('transfer_amount', sql`${t.amount} between 1 and 1000000000000`),
    check('transfer_state', sql`${t.state} in ('PENDING','POSTED','VOID','REVERSED')`),
    check('transfer_trace', sql`(${t.trace} is null) = (${t.operator} is null)`),
  ],
)
export type TransferRow = typeof transfer.$inferSelect

export const payment = sqliteTable(
  'payment',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    propertyId: text('property_id').notNull(),
    ownerUserId: text('owner_user_id').notNull(),
    tenantUserId: text('tenant_user_id'),
    /** REFUND: money given back to the tenant from the lease's credit. */
    type: text({ enum: ['PAYMENT', 'REFUND'] }).notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    method: text({ enum: PAID_BY }).notNull(),
    paidOn: text('paid_on').notNull(),
    reference: text(),
    proofMediaId: text('proof_media_id'),
    status: text({ enum: PAYMENT_STATUS }).notNull(),
    invoiceIds: json<readonly string[]>()('invoice_ids').notNull(),
    /** The part that is neither on an invoice nor refunded; the lease's credit is the sum of these. */
    unallocatedAmount: integer('unallocated_amount').notNull().default(0),
    recordedBy: text('recorded_by').notNull(),
    decidedBy: text('decided_by'),
    note: text(),
    documentId: text('document_id'),
    createdAt: text('created_at').notNull(),
    confirmedAt: text('confirmed_at'),
    closedAt: text('closed_at'),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The lease that goes on from this one and took over its credit: what is on no invoice is for it. */
    creditBookingId: text('credit_booking_id'),
    /** The person on the landlord's side who took cash, if somebody else recorded it. */
    receivedBy: text('received_by'),
    /** The other half of a set-off between two leases: a REFUND of one's credit, a PAYMENT of the other's debts. */
    counterpartId: text('counterpart_id'),
    /** The row of the transfer that it is a share of; none where no money moved. */
    transfer: integer(),
    /** The name of who paid on the tenant's behalf; none where a renter paid. Blanked like the transfer's. */
    payer: text(),
  },
  (t) => [
    unique('payment_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'payment_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    index('payment_transfer').on(t.transfer),
    // The lists of an organization, of one owner and of one tenant: of one lease, property, status or way of paying, between
    // two days of payment, and of what has changed since a program last asked.
    ...listIndexes('payment', t.orgId, t.id, {
      filters: [t.status, t.bookingId, t.propertyId, t.method],
      scopes: [t.ownerUserId, t.tenantUserId],
      ranges: [t.paidOn, t.updatedAt],
      pairs: [
        [t.status, t.paidOn],
        [t.status, t.updatedAt],
        [t.ownerUserId, t.status],
      ],
    }),
    // What came in of a property between two days, for its owner's statement.
    index('payment_property_paid').on(t.orgId, t.propertyId, t.paidOn),
    // Search by a reference or its beginning.
    index('payment_org_id_reference').on(t.orgId, t.reference).where(sql`reference is not null`),
    // The payment that a picture proves.
    index('payment_proof').on(t.orgId, t.proofMediaId).where(sql`proof_media_id is not null`),
    // What is left for the next invoice of a lease.
    index('payment_credit')
      .on(t.orgId, sql`case when credit_booking_id is null then booking_id else credit_booking_id end`, t.id)
      .where(sql`unallocated_amount > 0`),
    check('payment_status', sql`${t.status} in ('PENDING','CONFIRMED','REJECTED','REVERSED')`),
    check('payment_amount', sql`${t.amount} between 1 and 1000000000000`),
    check('payment_rest', sql`${t.unallocatedAmount} between 0 and ${t.amount}`),
  ],
)
export type PaymentRow = typeof payment.$inferSelect

/** Which part of a payment was used for which invoice, or for which refund to the tenant. */
export const allocation = sqliteTable(
  'allocation',
  {
    orgId: text('org_id').notNull(),
    paymentId: text('payment_id').notNull(),
    /** An invoice's id, or the id of a payment of type REFUND. */
    targetId: text('target_id').notNull(),
    amount: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.paymentId, t.targetId] }),
    foreignKey({
      name: 'allocation_payment_fk',
      columns: [t.orgId, t.paymentId],
      foreignColumns: [payment.orgId, payment.id],
    }),
    // What an invoice was paid with, or a refund taken from.
    index('allocation_target').on(t.orgId, t.targetId, t.paymentId),
    check('allocation_amount', sql`${t.amount} >= 0`),
  ],
)
