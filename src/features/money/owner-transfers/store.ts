import { and, eq, sql } from 'drizzle-orm'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import { exists, inserting, reading, saving } from '../../../../db/query.ts'
import { ownerTransfer } from '../../../../db/schema/expenses.ts'
import { property } from '../../../../db/schema/properties.ts'
import { within } from '../../../core/scope.ts'

export type TransferRow = typeof ownerTransfer.$inferSelect
export const insertTransfer = inserting('ownerTransfer.insert', ownerTransfer)
export const saveTransfer = saving('owner_transfer', ownerTransfer, 'propertyId', 'ownerUserId', 'recordedBy')
const findTransfer = reading('ownerTransfer.byId', ownerTransfer)

/** Whether a transfer that counts has this reference: one payment may be shared among the properties of an owner. */
export const transferWith = exists(
  'ownerTransfer.with',
  ['orgId', 'propertyId', 'method', 'reference'],
  ownerTransfer,
  (p) =>
    and(
      eq(ownerTransfer.orgId, p.orgId),
      eq(ownerTransfer.propertyId, p.propertyId),
      eq(ownerTransfer.method, p.method),
      eq(ownerTransfer.reference, p.reference),
      eq(ownerTransfer.status, sql`'RECORDED'`),
    ),
)

/** A transfer as far as the scope reaches: an owner's own properties, those of a limited manager; tenants see none. */
export const getTransfer = within(findTransfer)

export const listTransfers = list({
  name: 'ownerTransfers',
  table: ownerTransfer,
  org: ownerTransfer.orgId,
  id: ownerTransfer.id,
  columns: listColumns(ownerTransfer),
  joins: sql`left join ${property} on ${property.orgId} = ${ownerTransfer.orgId} and ${property.id} = ${ownerTransfer.propertyId}`,
  computed: () => ({ propertyName: sql<string>`${property.name}` }),
  filters: {
    propertyId: { column: ownerTransfer.propertyId },
    status: { column: ownerTransfer.status },
  },
  ranges: {
    from: { column: ownerTransfer.paidOn, op: '>=' },
    to: { column: ownerTransfer.paidOn, op: '<=' },
    updatedSince: { column: ownerTransfer.updatedAt, op: '>=' },
  },
  scopes: { owner: { column: ownerTransfer.ownerUserId }, limited: ofProperty(ownerTransfer.propertyId) },
})
