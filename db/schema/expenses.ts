import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { EXPENSE_KINDS, EXPENSE_STATUS, PAYERS, REPEATS } from '../../src/features/money/expenses/rules.ts'
import { TRANSFER_METHODS, TRANSFER_STATUS } from '../../src/features/money/owner-transfers/rules.ts'
import { flag, listIndexes } from './columns.ts'
import { mediaObject } from './media.ts'
import { property, unit } from './properties.ts'

/** What a property cost. Rows are cancelled, never deleted. */
export const expense = sqliteTable(
  'expense',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    propertyId: text('property_id').notNull(),
    unitId: text('unit_id'),
    /** Copied from the property and kept in step with it. */
    ownerUserId: text('owner_user_id').notNull(),
    kind: text({ enum: EXPENSE_KINDS }).notNull(),
    /** With the TVA. */
    amount: integer().notNull(),
    /** The TVA inside the amount, as far as it is known. */
    tvaAmount: integer('tva_amount'),
    currency: text().notNull(),
    spentOn: text('spent_on').notNull(),
    paidBy: text('paid_by', { enum: PAYERS }).notNull(),
    supplier: text(),
    note: text(),
    /** Whether tenants owe it back by their leases. */
    chargeable: flag().notNull(),
    receiptMediaId: text('receipt_media_id'),
    status: text({ enum: EXPENSE_STATUS }).notNull(),
    recordedBy: text('recorded_by').notNull(),
    /** Of the first of a series: how often and until when it comes again, and the day of the next one. */
    repeatEvery: text('repeat_every', { enum: REPEATS }),
    repeatUntil: text('repeat_until'),
    nextOn: text('next_on'),
    /** How many were made after it. */
    repeated: integer().notNull().default(0),
    /** Of one that was made after another: the first of the series, and its number, from 1. */
    repeatOf: text('repeat_of'),
    repeatNumber: integer('repeat_number'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The repair that it paid for; each repair has one that counts. */
    repairId: text('repair_id'),
    /** The regularisation in force that charged it on. */
    regularisationId: text('regularisation_id'),
  },
  (t) => [
    unique('expense_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'expense_property_fk',
      columns: [t.orgId, t.propertyId],
      foreignColumns: [property.orgId, property.id],
    }),
    foreignKey({ name: 'expense_unit_fk', columns: [t.orgId, t.unitId], foreignColumns: [unit.orgId, unit.id] }),
    foreignKey({
      name: 'expense_receipt_fk',
      columns: [t.orgId, t.receiptMediaId],
      foreignColumns: [mediaObject.orgId, mediaObject.id],
    }),
    foreignKey({ name: 'expense_series_fk', columns: [t.orgId, t.repeatOf], foreignColumns: [t.orgId, t.id] }),
    uniqueIndex('expense_series_once').on(t.orgId, t.repeatOf, t.repeatNumber).where(sql`repeat_of is not null`),
    uniqueIndex('expense_repair').on(t.orgId, t.repairId).where(sql`repair_id is not null and status = 'RECORDED'`),
    index('expense_due').on(t.nextOn, t.id).where(sql`next_on is not null`),
    index('expense_receipt').on(t.orgId, t.receiptMediaId).where(sql`receipt_media_id is not null`),
    index('expense_property_spent').on(t.orgId, t.propertyId, t.spentOn),
    ...listIndexes('expense', t.orgId, t.id, {
      filters: [t.unitId, t.propertyId, t.kind, t.paidBy, t.status],
      scopes: [t.ownerUserId],
      ranges: [t.spentOn, t.updatedAt],
    }),
    check(
      'expense_kind',
      sql`${t.kind} in ('REPAIR','WATER','POWER','CLEANING','GUARD','TAX','INSURANCE','FEE','OTHER')`,
    ),
    check('expense_payer', sql`${t.paidBy} in ('OWNER','MANAGEMENT')`),
    check('expense_status', sql`${t.status} in ('RECORDED','CANCELLED')`),
    check('expense_amount', sql`${t.amount} between 1 and 1000000000000`),
    check('expense_tva', sql`${t.tvaAmount} between 0 and ${t.amount}`),
    check('expense_repeat', sql`(${t.repeatEvery} is null) = (${t.repeatUntil} is null)`),
    check('expense_series', sql`(${t.repeatOf} is null) = (${t.repeatNumber} is null)`),
  ],
)

/** Money that the management handed to the owner of a property. Rows are cancelled, never deleted. */
export const ownerTransfer = sqliteTable(
  'owner_transfer',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    propertyId: text('property_id').notNull(),
    /** Copied from the property and kept in step with it. */
    ownerUserId: text('owner_user_id').notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    method: text({ enum: TRANSFER_METHODS }).notNull(),
    paidOn: text('paid_on').notNull(),
    reference: text(),
    note: text(),
    status: text({ enum: TRANSFER_STATUS }).notNull(),
    recordedBy: text('recorded_by').notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    unique('owner_transfer_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'owner_transfer_property_fk',
      columns: [t.orgId, t.propertyId],
      foreignColumns: [property.orgId, property.id],
    }),
    index('owner_transfer_property_paid').on(t.orgId, t.propertyId, t.paidOn),
    ...listIndexes('owner_transfer', t.orgId, t.id, {
      filters: [t.propertyId, t.status],
      scopes: [t.ownerUserId],
      ranges: [t.paidOn, t.updatedAt],
    }),
    check('owner_transfer_status', sql`${t.status} in ('RECORDED','CANCELLED')`),
    check('owner_transfer_amount', sql`${t.amount} between 1 and 1000000000000`),
  ],
)
