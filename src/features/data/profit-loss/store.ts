import { and, eq, gte, lte, sql } from 'drizzle-orm'
import { readingAll } from '../../../../db/query.ts'
import { expense } from '../../../../db/schema/expenses.ts'

/** What a property cost from `from` to `to`, whoever paid it. */
export const costsBetween = readingAll(
  'profitLoss.costs',
  ['orgId', 'propertyId', 'from', 'to'],
  { kind: expense.kind, amount: expense.amount },
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
          sql`+${expense.status} = 'RECORDED'`,
        ),
      ),
)
