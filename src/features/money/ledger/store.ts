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

/** Properties of a time zone's organizations that have or had a fee by the month, with the last day on which one was entered. */
export const withMonthlyFees = query('property.withMonthlyFees', ['timeZone'], (db, p) =>
  db
    .select({
      id: property.id,
      orgId: property.orgId,
      fees: property.managementFees,
      lastDay: sql<number | null>`(select max(${entry.day}) from ${entry} where ${entry.source} = ${property.id})`,
    })
    .from(property)
    .innerJoin(organization, eq(organization.id, property.orgId))
    .where(
      and(
        sql`${property.managementFees} like '%monthlyAmount%'`,
        eq(organization.timeZone, p.timeZone),
        livesHere(property.orgId),
      ),
    ),
)
