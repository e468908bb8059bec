import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { holding } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, saving } from '../../../../db/query.ts'
import { expense } from '../../../../db/schema/expenses.ts'
import { organization } from '../../../../db/schema/organizations.ts'
import { property, unit } from '../../../../db/schema/properties.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'
import { within } from '../../../core/scope.ts'

export type ExpenseRow = typeof expense.$inferSelect
export const insertExpense = inserting('expense.insert', expense)
export const saveExpense = saving('expense', expense, 'propertyId', 'ownerUserId', 'recordedBy', 'repeatOf', 'repairId')
const ofRepair = query('expense.ofRepair', ['orgId', 'repairId'], (db, p) =>
  db
    .select({ id: expense.id })
    .from(expense)
    .where(and(eq(expense.orgId, p.orgId), eq(expense.repairId, p.repairId), eq(expense.status, sql`'RECORDED'`))),
)
/** Whether an expense that counts paid for a repair. */
export const isRepairPaid = (db: Db, orgId: string, repairId: string): boolean =>
  ofRepair(db).get({ orgId, repairId }) !== undefined
export const findExpense = reading('expense.byId', expense)

/** An expense as far as the scope reaches: an owner's own properties, those of a limited manager; tenants see none. */
export const getExpense = within(findExpense)

/** The series of a time zone's organizations of which another expense is due by a day. */
export const dueSeries = query('expense.due', ['timeZone', 'today', 'limit'], (db, p) =>
  db
    .select({ id: expense.id, orgId: expense.orgId })
    .from(expense)
    .innerJoin(organization, eq(organization.id, expense.orgId))
    .where(and(lte(expense.nextOn, p.today), eq(sql`+${organization.timeZone}`, p.timeZone), livesHere(expense.orgId)))
    .orderBy(asc(expense.nextOn), asc(expense.id))
    .limit(p.limit),
)
export const listExpenses = list({
  name: 'expenses',
  table: expense,
  org: expense.orgId,
  id: expense.id,
  columns: listColumns(expense, 'ownerUserId', 'repeated'),
  joins: sql`left join ${property} on ${property.orgId} = ${expense.orgId} and ${property.id} = ${expense.propertyId} left join ${unit} on ${unit.orgId} = ${expense.orgId} and ${unit.id} = ${expense.unitId}`,
  computed: () => ({
    propertyName: sql<string>`${property.name}`,
    unitLabel: sql<string>`${unit.label}`,
  }),
  filters: {
    unitId: { column: expense.unitId, narrow: true },
    propertyId: { column: expense.propertyId },
    kind: { column: expense.kind },
    paidBy: { column: expense.paidBy },
    status: { column: expense.status },
    repairId: {
      column: expense.id,
      narrow: true,
      few: true,
      where: (p) =>
        sql`${expense.id} in (select e.id from ${expense} e where e.org_id = ${sql.placeholder('orgId')} and e.repair_id = ${p} and e.status = 'RECORDED')`,
    },
    toCharge: {
      where: (p) =>
        sql`(${expense.chargeable} = 1 and ${expense.regularisationId} is null and +${expense.status} = 'RECORDED') = (${p} = 'true')`,
    },
    q: {
      where: (p) =>
        sql`(${holding(expense.supplier, expense.note)(p)} or exists (select 1 from ${property} where ${property.orgId} = ${expense.orgId} and ${property.id} = ${expense.propertyId} and ${holding(property.name)(p)}))`,
    },
  },
  ranges: {
    from: { column: expense.spentOn, op: '>=' },
    to: { column: expense.spentOn, op: '<=' },
    updatedSince: { column: expense.updatedAt, op: '>=' },
  },
  scopes: { owner: { column: expense.ownerUserId }, limited: ofProperty(expense.propertyId) },
})
