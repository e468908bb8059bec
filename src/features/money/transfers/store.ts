import { and, eq, type SQL, sql } from 'drizzle-orm'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { payment, transfer } from '../../../../db/schema/payments.ts'
import { assignment } from '../../../../db/schema/properties.ts'

const share = (id: SQL, of: SQL, amount: SQL): SQL =>
  sql`json_object('id', ${id}, 'bookingId', ${of}, 'amount', ${amount})`
/** Whether all shares of a transfer are of leases that fit. */
const everyShare = (of: (lease: SQL) => SQL): SQL => sql`
  ${transfer.unattributedAmount} = 0 and not exists (select 1 from ${payment} p where p.transfer = ${transfer.row} and not ${of(sql`p`)})
  and not exists (select 1 from ${depositEntry} d join ${booking} b on b.org_id = d.org_id and b.id = d.booking_id
    where d.transfer = ${transfer.row} and not ${of(sql`b`)})`

export const listTransfers = list({
  name: 'transfers',
  table: transfer,
  org: transfer.orgId,
  id: transfer.id,
  columns: listColumns(transfer, 'row', 'operator', 'trace', 'told'),
  computed: () => ({
    payments: sql<
      readonly object[]
    >`(select json_group_array(${share(sql`p.id`, sql`p.booking_id`, sql`p.amount`)}) from ${payment} p where p.transfer = ${transfer.row})`,
    deposits: sql<
      readonly object[]
    >`(select json_group_array(${share(sql`d.id`, sql`d.booking_id`, sql`d.amount`)}) from ${depositEntry} d where d.transfer = ${transfer.row} and d.type = 'RECEIVED')`,
  }),
  json: ['payments', 'deposits'],
  filters: {
    state: { where: (p) => sql`${transfer.state} = ${p}` },
    unattributed: {
      where: (p) => sql`(${transfer.unattributedAmount} > 0 and ${transfer.state} = 'POSTED') = (${p} = 'true')`,
    },
  },
  ranges: { updatedSince: { column: transfer.updatedAt, op: '>=' } },
  scopes: {
    owner: { where: (p) => everyShare((lease) => sql`${lease}.owner_user_id = ${p}`) },
    limited: {
      where: (p) =>
        everyShare(
          (lease) =>
            sql`exists (select 1 from ${assignment} where ${assignment.userId} = ${p} and ${assignment.propertyId} = ${lease}.property_id)`,
        ),
    },
  },
})

const forget = query('transfer.forget', ['orgId', 'userId', 'now'], (db, p) =>
  db
    .update(transfer)
    .set({ payerName: null, payerNumber: null, updatedAt: sql`${p.now}`, version: sql`${transfer.version} + 1` })
    .where(
      and(
        sql`${transfer.row} in (select transfer from ${payment} where ${payment.orgId} = ${p.orgId} and ${payment.tenantUserId} = ${p.userId}
          union all select d.transfer from ${booking} b cross join ${depositEntry} d on d.org_id = b.org_id and d.booking_id = b.id
            where b.org_id = ${p.orgId} and b.tenant_user_id = ${p.userId})`,
        sql`(${transfer.payerName} is not null or ${transfer.payerNumber} is not null)`,
      ),
    ),
)
const forgetOfShares = query('payment.forgetPayer', ['orgId', 'userId', 'now'], (db, p) =>
  db
    .update(payment)
    .set({ payer: null, updatedAt: sql`${p.now}`, version: sql`${payment.version} + 1` })
    .where(and(eq(payment.orgId, p.orgId), eq(payment.tenantUserId, p.userId), sql`${payment.payer} is not null`)),
)
/** Takes away who paid for the leases of a tenant who is erased. */
export function forgetPayers(tx: Tx, orgId: string, userId: string, now: string): void {
  forget(tx).run({ orgId, userId, now })
  forgetOfShares(tx).run({ orgId, userId, now })
}
