import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { MESSAGE_STATUS, OPERATORS } from '../../src/features/money/payments/rules.ts'
import { listIndexes } from './columns.ts'
import { payment } from './payments.ts'

/** The facts from a forwarded credit message. The text is not stored, and each transaction is used once. */
export const moneyMessage = sqliteTable(
  'money_message',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    operator: text({ enum: OPERATORS }).notNull(),
    transactionId: text('transaction_id').notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    payerNumber: text('payer_number'),
    payerName: text('payer_name'),
    paidOn: text('paid_on').notNull(),
    /** The time that the message states, if any. */
    time: text(),
    status: text({ enum: MESSAGE_STATUS }).notNull(),
    paymentId: text('payment_id'),
    recordedBy: text('recorded_by').notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The balance after the transaction, if the message states it: `28056.4`. */
    balance: text(),
  },
  (t) => [
    unique('money_message_org_id').on(t.orgId, t.id),
    foreignKey({
      name: 'money_message_payment_fk',
      columns: [t.orgId, t.paymentId],
      foreignColumns: [payment.orgId, payment.id],
    }),
    uniqueIndex('money_message_once').on(t.orgId, t.operator, t.transactionId),
    index('money_message_twin').on(t.orgId, t.payerNumber, t.paidOn),
    index('money_message_payment').on(t.orgId, t.paymentId),
    ...listIndexes('money_message', t.orgId, t.id, { filters: [t.status] }),
    index('money_message_org_id_recorded_by_status_id').on(t.orgId, t.recordedBy, t.status, t.id),
    index('money_message_org_id_status_updated_at_id').on(t.orgId, t.status, t.updatedAt, t.id),
    index('money_message_org_id_recorded_by_status_updated_at_id').on(
      t.orgId,
      t.recordedBy,
      t.status,
      t.updatedAt,
      t.id,
    ),
    check('money_message_status', sql`${t.status} in ('UNMATCHED','MATCHED','DISMISSED')`),
    check('money_message_payment', sql`(${t.paymentId} is null) = (${t.status} <> 'MATCHED')`),
    check('money_message_amount', sql`${t.amount} between 1 and 1000000000000`),
  ],
)
