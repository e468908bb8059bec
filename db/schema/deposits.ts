import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { DEPOSIT_TYPES } from '../../src/features/money/deposits/rules.ts'
import { booking } from './bookings.ts'

/** The ledger of a lease's security deposit; entries are only ever added. */
export const depositEntry = sqliteTable(
  'deposit_entry',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    type: text({ enum: DEPOSIT_TYPES }).notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    reason: text(),
    paidOn: text('paid_on').notNull(),
    /** What the landlord holds after this entry. */
    heldAmount: integer('held_amount').notNull(),
    recordedBy: text('recorded_by').notNull(),
    createdAt: text('created_at').notNull(),
    /** The payment that a deduction made on invoices; again on the entry that took it back. */
    paymentId: text('payment_id'),
    /** The other lease, where the deposit went over to the renewal of its lease. */
    movedBookingId: text('moved_booking_id'),
    /** The row of the transfer that it is a share of, where that was told. */
    transfer: integer(),
  },
  (t) => [
    foreignKey({
      name: 'deposit_entry_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    index('deposit_entry_payment').on(t.orgId, t.paymentId).where(sql`payment_id is not null`),
    index('deposit_entry_transfer').on(t.transfer).where(sql`transfer is not null`),
    index('deposit_entry_org_id_booking_id_id').on(t.orgId, t.bookingId, t.id),
    index('deposit_entry_org_id_booking_id_created_at_id').on(t.orgId, t.bookingId, t.createdAt, t.id),
    check('deposit_entry_type', sql`${t.type} in ('RECEIVED','DEDUCTED','RETURNED')`),
    check('deposit_entry_amount', sql`${t.amount} between 1 and 1000000000000`),
    check('deposit_entry_held', sql`${t.heldAmount} >= 0`),
    check('deposit_entry_reason', sql`${t.type} <> 'DEDUCTED' or ${t.reason} is not null`),
  ],
)
