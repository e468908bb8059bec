import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { BOOKING_STATUS, type ReviewClause, type StandingNotice } from '../../src/features/lease/leases/rules.ts'
import { flag, json, listIndexes } from './columns.ts'
import { property, unit } from './properties.ts'
import { tenant } from './tenants.ts'

/** What the end of a lease did to its invoices and their money, so that the end can be undone. */
export type Settlement = {
  /** An id made at that moment: refunds with a later id were made after the end. */
  readonly mark: string
  /** The end date that the lease had before. */
  readonly endDate: string | null
  readonly cancelled: readonly string[]
  readonly credited: readonly string[]
  /** The change of what each payment has on an invoice, in francs. */
  readonly moved: readonly { readonly paymentId: string; readonly targetId: string; readonly amount: number }[]
}

export const booking = sqliteTable(
  'booking',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    unitId: text('unit_id').notNull(),
    propertyId: text('property_id').notNull(),
    /** Copied from the property and kept in step with it, so that an owner's lists need no join. */
    ownerUserId: text('owner_user_id').notNull(),
    tenantId: text('tenant_id').notNull(),
    tenantUserId: text('tenant_user_id'),
    tenantName: text('tenant_name').notNull(),
    unitLabel: text('unit_label').notNull(),
    propertyName: text('property_name').notNull(),
    startDate: text('start_date').notNull(),
    endDate: text('end_date'),
    rentAmount: integer('rent_amount').notNull(),
    rentCurrency: text('rent_currency').notNull(),
    depositAmount: integer('deposit_amount'),
    depositCurrency: text('deposit_currency'),
    tvaBasisPoints: integer('tva_basis_points').notNull(),
    noticeMonths: integer('notice_months'),
    dueDay: integer('due_day'),
    autoRenew: flag('auto_renew').notNull(),
    billFrom: text('bill_from'),
    openingBalance: integer('opening_balance'),
    locale: text({ enum: ['fr', 'en'] }).notNull(),
    status: text({ enum: BOOKING_STATUS }).notNull(),
    requestedBy: text('requested_by'),
    renewsBookingId: text('renews_booking_id'),
    terminationReason: text('termination_reason'),
    /** What is left of confirmed payments, for later invoices or a refund. */
    creditAmount: integer('credit_amount').notNull().default(0),
    /** The date from which periods are counted; it moves only when a lease renews itself in mid-period. */
    anchorDate: text('anchor_date').notNull(),
    /** Index of the first period not yet invoiced, counted from the anchor. */
    nextPeriod: integer('next_period').notNull().default(0),
    /** The local day on which the billing job must next look at this lease; null if never. */
    nextRunOn: text('next_run_on'),
    createdAt: text('created_at').notNull(),
    submittedAt: text('submitted_at'),
    activatedAt: text('activated_at'),
    terminatedAt: text('terminated_at'),
    cancelledAt: text('cancelled_at'),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /**
     * Whether the tenant asked for the lease or a manager chose the tenant. An owner's own entry does not count:
     * otherwise owners could learn about anybody.
     */
    vouched: flag().notNull().default(false),
    /** What ending the lease early changed; null if the lease ended by its date. */
    settlement: json<Settlement | null>()(),
    /** How many of the organization's changes of TVA its rate has followed. */
    tvaFollowed: integer('tva_followed').notNull().default(0),
    /** The notice that stands; null if nobody has given one, or it was withdrawn. */
    notice: json<StandingNotice | null>()(),
    /** Whether a change of the rent needs the tenant's signature; null: as the kind of the lease has it. */
    rentByAgreement: flag('rent_by_agreement'),
    /** The first change of the rent that is agreed and has not begun: its day and the rent from then on. */
    nextRentOn: text('next_rent_on'),
    nextRentAmount: integer('next_rent_amount'),
    /** The trade that the tenant of business premises carries on. */
    trade: text(),
    /** The clause by which the rent is reviewed without a new agreement; null if there is none. */
    reviewClause: json<ReviewClause | null>()('review_clause'),
  },
  (t) => [
    unique('booking_org_id').on(t.orgId, t.id),
    foreignKey({ name: 'booking_unit_fk', columns: [t.orgId, t.unitId], foreignColumns: [unit.orgId, unit.id] }),
    foreignKey({
      name: 'booking_property_fk',
      columns: [t.orgId, t.propertyId],
      foreignColumns: [property.orgId, property.id],
    }),
    foreignKey({
      name: 'booking_tenant_fk',
      columns: [t.orgId, t.tenantId],
      foreignColumns: [tenant.orgId, tenant.id],
    }),
    ...listIndexes('booking', t.orgId, t.id, {
      filters: [t.status, t.unitId, t.propertyId, t.tenantId],
      scopes: [t.ownerUserId, t.tenantUserId],
      ranges: [t.updatedAt, t.endDate],
    }),
    index('booking_unit_status').on(t.orgId, t.unitId, t.status),
    index('booking_running').on(t.orgId, t.propertyId, t.rentAmount).where(sql`status = 'ACTIVE'`),
    index('booking_noticed').on(t.orgId, t.endDate).where(sql`notice is not null`),
    index('booking_due').on(t.nextRunOn).where(sql`next_run_on is not null`),
    check('booking_status', sql`${t.status} in ('DRAFT','PENDING','ACTIVE','CANCELLED','TERMINATED')`),
    check('booking_dates', sql`${t.endDate} is null or ${t.endDate} >= ${t.startDate}`),
    check('booking_rent', sql`${t.rentAmount} between 0 and 1000000000000`),
    check('booking_deposit', sql`${t.depositAmount} between 0 and 1000000000000`),
    check('booking_credit', sql`${t.creditAmount} >= 0`),
  ],
)
export type BookingRow = typeof booking.$inferSelect
