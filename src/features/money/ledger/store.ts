import { and, eq, gte, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { entry } from '../../../../db/schema/ledger.ts'
import { organization } from '../../../../db/schema/organizations.ts'
import { payment, transfer } from '../../../../db/schema/payments.ts'
import { property } from '../../../../db/schema/properties.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'

export { bookOf, holderOf, insertEntry, type Posted, postedFor } from '../../../../db/ledger/journal.ts'

/** The way of a transfer by its row. */
export const methodOf = query('transfer.method', ['row'], (db, p) =>
  db.select({ method: transfer.method }).from(transfer).where(eq(transfer.row, p.row)),
)

const since = query('payment.ofPropertySince', ['orgId', 'propertyId', 'since'], (db, p) =>
  db
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.propertyId, p.propertyId),
        gte(payment.paidOn, p.since),
        eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
      ),
    ),
)
/** The payments of a property that count, dated from a day on. */
export const paymentsSince = (db: Db, orgId: string, propertyId: string, from: string) =>
  since(db).all({ orgId, propertyId, since: from })

/** Properties of an organization whose management has a fee. */
export const propertiesWithFees = query('property.withFees', ['orgId'], (db, p) =>
  db
    .select({ id: property.id })
    .from(property)
    .where(and(eq(property.orgId, p.orgId), isNotNull(property.managementFees))),
)

const feeOnFirst = sql<string>`(select value ->> 'from' from json_each(${property.managementFees})
  where value ->> 'monthlyAmount' > 0 order by value ->> 'from' limit 1)`
/** Properties with a fee by the month in force on the first day of a month, of which nothing was entered on that day. */
export const monthlyFeesDue = query('property.feesDue', ['timeZone', 'month', 'day', 'kind', 'limit'], (db, p) =>
  db
    .select({ id: property.id, orgId: property.orgId, since: feeOnFirst })
    .from(property)
    .innerJoin(organization, eq(organization.id, property.orgId))
    .where(
      and(
        sql`(select value ->> 'monthlyAmount' from json_each(${property.managementFees})
          where value ->> 'from' <= ${p.month} order by value ->> 'from' desc limit 1) > 0`,
        eq(organization.timeZone, p.timeZone),
        livesHere(property.orgId),
        sql`not exists (select 1 from ${entry} where ${entry.source} = ${property.id} and +${entry.kind} = ${p.kind}
          and ${entry.day} >= ${p.day})`,
      ),
    )
    .limit(p.limit),
)
