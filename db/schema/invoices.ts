import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { CREDIT_NOTE_REASONS, INVOICE_KINDS, INVOICE_STATUS } from '../../src/features/money/invoices/rules.ts'
import { booking } from './bookings.ts'
import { json } from './columns.ts'
import { organization } from './organizations.ts'

export type InvoiceLine = {
  readonly kind: 'RENT' | 'CHARGE' | 'OPENING_BALANCE'
  readonly label: string
  /** Below 0: provisions that a regularisation sets off. */
  readonly amount: number
  /** Paid on account of charges. */
  readonly provision?: boolean
}

export const invoice = sqliteTable(
  'invoice',
  {
    /** Its number on this server: postings name it, and rows of one key in an index are in its order. */
    row: integer().primaryKey(),
    // Every index adds up to a tenth to the size of the table: this one is unique by invoice_org_id, not as primary key.
    id: text().notNull(),
    orgId: text('org_id').notNull(),
    bookingId: text('booking_id').notNull(),
    unitId: text('unit_id').notNull(),
    propertyId: text('property_id').notNull(),
    ownerUserId: text('owner_user_id').notNull(),
    tenantId: text('tenant_id').notNull(),
    tenantUserId: text('tenant_user_id'),
    tenantName: text('tenant_name').notNull(),
    unitLabel: text('unit_label').notNull(),
    propertyName: text('property_name').notNull(),
    number: text().notNull(),
    currency: text().notNull(),
    periodStart: text('period_start').notNull(),
    periodEnd: text('period_end').notNull(),
    dueDate: text('due_date').notNull(),
    grossAmount: integer('gross_amount').notNull(),
    netAmount: integer('net_amount').notNull(),
    tvaAmount: integer('tva_amount').notNull(),
    tvaBasisPoints: integer('tva_basis_points').notNull(),
    status: text({ enum: INVOICE_STATUS }).notNull(),
    /** Confirmed payments, plus what the settlement of a lease's end credited back. */
    amountPaid: integer('amount_paid').notNull().default(0),
    creditedAmount: integer('credited_amount').notNull().default(0),
    lines: json<readonly InvoiceLine[]>()().notNull(),
    /** Set on an invoice that a settlement replaced. A period is invoiced again only once its invoice is CANCELLED. */
    replacedById: text('replaced_by_id'),
    createdAt: text('created_at').notNull(),
    paidAt: text('paid_at'),
    cancelledAt: text('cancelled_at'),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The date on its paper. */
    issuedOn: text('issued_on').notNull().default(''),
    /** PERIOD: of a rent period, of which there is one. CHARGES: on its own, any number of them. */
    kind: text({ enum: INVOICE_KINDS }).notNull().default('PERIOD'),
    /** The sum of its credit notes in force. */
    notedAmount: integer('noted_amount').notNull().default(0),
  },
  (t) => [
    // One invoice by its id, and all of an organization, newest first.
    uniqueIndex('invoice_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'invoice_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    // No number twice; search by the beginning of a number.
    uniqueIndex('invoice_number').on(t.orgId, t.number),
    // Lists of one property, owner or tenant and their totals, newest first or due between two days. Each belongs to one
    // organization, so their indexes begin with them. Rows of one key are in the order of the rowid, which is that of the ids
    // except for imported rows.
    index('invoice_property_id').on(t.propertyId),
    index('invoice_property_id_due_date').on(t.propertyId, t.dueDate),
    index('invoice_owner_user_id').on(t.ownerUserId),
    index('invoice_owner_user_id_due_date').on(t.ownerUserId, t.dueDate),
    index('invoice_tenant_user_id').on(t.tenantUserId).where(sql`tenant_user_id is not null`),
    // Lists of a whole organization by status, by due day, and of what has changed since a program last asked.
    index('invoice_status').on(t.orgId, t.status),
    index('invoice_due_date').on(t.orgId, t.dueDate),
    index('invoice_updated_at').on(t.orgId, t.updatedAt),
    // The same lists of a status other than PAID, which are few: a partial index of them is small.
    index('invoice_property_id_status').on(t.propertyId, t.status).where(sql`status <> 'PAID'`),
    index('invoice_owner_user_id_status').on(t.ownerUserId, t.status).where(sql`status <> 'PAID'`),
    index('invoice_status_due_date').on(t.orgId, t.status, t.dueDate).where(sql`status <> 'PAID'`),
    index('invoice_status_updated_at').on(t.orgId, t.status, t.updatedAt).where(sql`status <> 'PAID'`),
    // Open invoices, property by property: arrears, and the home page of who sees a part.
    index('invoice_property_open').on(t.propertyId, t.dueDate).where(sql`status in ('ISSUED','OVERDUE')`),
    // What an overview sums, by indexes alone: months owner by owner, and what is open of a whole organization.
    index('invoice_month')
      .on(t.ownerUserId, t.periodStart, t.grossAmount, t.creditedAmount, t.amountPaid)
      .where(sql`status <> 'CANCELLED'`),
    index('invoice_open')
      .on(t.orgId, t.dueDate, t.ownerUserId, t.bookingId, t.grossAmount, t.amountPaid)
      .where(sql`status in ('ISSUED','OVERDUE')`),
    // The job that makes invoices OVERDUE.
    index('invoice_overdue').on(t.dueDate).where(sql`status = 'ISSUED'`),
    // One valid invoice for each period of a lease; also the index for finding a lease's invoices. It must be the last
    // one: of two suitable indexes, SQLite takes the one made last.
    uniqueIndex('invoice_once').on(
      t.bookingId,
      t.periodStart,
      sql`case when replaced_by_id is null and kind = 'PERIOD' and status <> 'CANCELLED' then '' else id end`,
    ),
    check('invoice_status', sql`${t.status} in ('ISSUED','OVERDUE','PAID','CANCELLED')`),
    check('invoice_sum', sql`${t.grossAmount} = ${t.netAmount} + ${t.tvaAmount}`),
    check('invoice_paid', sql`${t.amountPaid} between 0 and ${t.grossAmount}`),
    check('invoice_gross', sql`${t.grossAmount} between 0 and 2000000000000`),
  ],
)
export type InvoiceRow = typeof invoice.$inferSelect

/** What was taken off an invoice, in the month in which it was; rows are withdrawn, never deleted. */
export const creditNote = sqliteTable(
  'credit_note',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    bookingId: text('booking_id').notNull(),
    number: text().notNull(),
    issuedOn: text('issued_on').notNull(),
    reason: text({ enum: CREDIT_NOTE_REASONS }).notNull(),
    netAmount: integer('net_amount').notNull(),
    tvaAmount: integer('tva_amount').notNull(),
    tvaBasisPoints: integer('tva_basis_points').notNull(),
    grossAmount: integer('gross_amount').notNull(),
    /** The local day on which the invoice was asked for again: the end of its lease was undone. */
    withdrawnOn: text('withdrawn_on'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    foreignKey({
      name: 'credit_note_invoice_fk',
      columns: [t.orgId, t.invoiceId],
      foreignColumns: [invoice.orgId, invoice.id],
    }),
    uniqueIndex('credit_note_number').on(t.orgId, t.number),
    index('credit_note_invoice').on(t.orgId, t.invoiceId, t.id),
    index('credit_note_issued').on(t.orgId, t.issuedOn, t.id),
    index('credit_note_withdrawn').on(t.orgId, t.withdrawnOn, t.id).where(sql`withdrawn_on is not null`),
    // One for each reason in force; an invoice may be waived in several parts.
    uniqueIndex('credit_note_each').on(t.invoiceId, t.reason).where(sql`withdrawn_on is null and reason <> 'WAIVED'`),
    check('credit_note_sum', sql`${t.grossAmount} = ${t.netAmount} + ${t.tvaAmount}`),
  ],
)

export const invoiceCounter = sqliteTable(
  'invoice_counter',
  {
    orgId: text('org_id')
      .notNull()
      .references(() => organization.id),
    year: text().notNull(),
    last: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.year] })],
)
