import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { type Item, REGULARISATION_STATUS, type ShareItem } from '../../src/features/money/charges/rules.ts'
import { booking, type Settlement } from './bookings.ts'
import { json, listIndexes } from './columns.ts'
import { invoice } from './invoices.ts'
import { property } from './properties.ts'

/** What the charges of a property really cost over a period, shared among its leases. Rows are cancelled, never deleted. */
export const regularisation = sqliteTable(
  'regularisation',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    propertyId: text('property_id').notNull(),
    /** Copied from the property and kept in step with it. */
    ownerUserId: text('owner_user_id').notNull(),
    periodStart: text('period_start').notNull(),
    periodEnd: text('period_end').notNull(),
    status: text({ enum: REGULARISATION_STATUS }).notNull(),
    issuedOn: text('issued_on').notNull(),
    dueDate: text('due_date').notNull(),
    items: json<readonly Item[]>()().notNull(),
    /** In francs: what it cost, the shares of the leases in it, and the provisions set off. */
    costAmount: integer('cost_amount').notNull(),
    chargedAmount: integer('charged_amount').notNull(),
    provisionAmount: integer('provision_amount').notNull(),
    issuedBy: text('issued_by').notNull(),
    cancelledAt: text('cancelled_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** In francs: the TVA of the costs that leases with TVA do not pay, as the landlord deducts it. */
    deductedAmount: integer('deducted_amount').notNull().default(0),
  },
  (t) => [
    unique('regularisation_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'regularisation_property_fk',
      columns: [t.orgId, t.propertyId],
      foreignColumns: [property.orgId, property.id],
    }),
    index('regularisation_property_end').on(t.orgId, t.propertyId, t.periodEnd),
    ...listIndexes('regularisation', t.orgId, t.id, {
      filters: [t.propertyId, t.status],
      scopes: [t.ownerUserId],
      ranges: [t.updatedAt],
    }),
    check('regularisation_status', sql`${t.status} in ('ISSUED','CANCELLED')`),
    check('regularisation_period', sql`${t.periodEnd} >= ${t.periodStart}`),
  ],
)

/** Provisions of an invoice, or what was given back of them, in francs. */
type OnInvoice = { readonly invoiceId: string; readonly number: string; readonly amount: number }
/** The share of one lease in a regularisation. */
export const regularisationShare = sqliteTable(
  'regularisation_share',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    regularisationId: text('regularisation_id').notNull(),
    bookingId: text('booking_id').notNull(),
    unitId: text('unit_id').notNull(),
    /** Days of the period in which the lease ran. */
    days: integer().notNull(),
    items: json<readonly ShareItem[]>()().notNull(),
    /** In francs without TVA. */
    amount: integer().notNull(),
    provisionAmount: integer('provision_amount').notNull(),
    /** What is paid for the share; null where the provisions sufficed. */
    invoiceId: text('invoice_id'),
    /** The provisions set off, without TVA, and what was given back of them, with it. */
    provisions: json<readonly OnInvoice[]>()().notNull(),
    credited: json<readonly OnInvoice[]>()().notNull(),
    /** The money that moved, so that it can move back. */
    moved: json<Settlement['moved']>()().notNull(),
    readingIds: json<readonly string[]>()('reading_ids').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'regularisation_share_fk',
      columns: [t.orgId, t.regularisationId],
      foreignColumns: [regularisation.orgId, regularisation.id],
    }),
    foreignKey({
      name: 'regularisation_share_booking_fk',
      columns: [t.orgId, t.bookingId],
      foreignColumns: [booking.orgId, booking.id],
    }),
    foreignKey({
      name: 'regularisation_share_invoice_fk',
      columns: [t.orgId, t.invoiceId],
      foreignColumns: [invoice.orgId, invoice.id],
    }),
    index('regularisation_share_of').on(t.orgId, t.regularisationId, t.id),
    index('regularisation_share_lease').on(t.orgId, t.bookingId, t.id),
    index('regularisation_share_unit').on(t.orgId, t.unitId),
    index('regularisation_share_invoice').on(t.orgId, t.invoiceId).where(sql`invoice_id is not null`),
  ],
)
