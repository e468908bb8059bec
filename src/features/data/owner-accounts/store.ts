import { and, eq, gte, lte, sql } from 'drizzle-orm'
import { readingAll } from '../../../../db/query.ts'
import { expense, ownerTransfer } from '../../../../db/schema/expenses.ts'

const KEYS = ['orgId', 'propertyId', 'from', 'to'] as const

/** What the management paid for a property from `from` to `to`. */
export const spentBetween = readingAll(
  'ownerAccount.expenses',
  KEYS,
  { on: expense.spentOn, kind: expense.kind, supplier: expense.supplier, note: expense.note, amount: expense.amount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(expense)
      .where(
        and(
          eq(expense.orgId, p.orgId),
          eq(expense.propertyId, p.propertyId),
          gte(expense.spentOn, p.from),
          lte(expense.spentOn, p.to),
          sql`+${expense.paidBy} = 'MANAGEMENT'`,
          sql`+${expense.status} = 'RECORDED'`,
        ),
      ),
)
/** What the owner of a property was handed from `from` to `to`. */
export const handedBetween = readingAll(
  'ownerAccount.transfers',
  KEYS,
  {
    on: ownerTransfer.paidOn,
    method: ownerTransfer.method,
    reference: ownerTransfer.reference,
    note: ownerTransfer.note,
    amount: ownerTransfer.amount,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(ownerTransfer)
      .where(
        and(
          eq(ownerTransfer.orgId, p.orgId),
          eq(ownerTransfer.propertyId, p.propertyId),
          gte(ownerTransfer.paidOn, p.from),
          lte(ownerTransfer.paidOn, p.to),
          sql`+${ownerTransfer.status} = 'RECORDED'`,
        ),
      ),
)
