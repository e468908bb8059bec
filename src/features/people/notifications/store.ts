import { and, asc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { assignment, property } from '../../../../db/schema/properties.ts'
import { appUser, newsItem } from '../../../../db/schema/users.ts'

/** Keeps news for the morning; the same one once. */
export const keepNews = (tx: Tx, row: typeof newsItem.$inferSelect): void =>
  void tx.insert(newsItem).values(row).onConflictDoNothing().run()

const KEY = ['orgId', 'userId'] as const
const mine = query('news.ofUser', KEY, (db, p) =>
  db
    .select({
      kind: newsItem.kind,
      amount: newsItem.amount,
      propertyId: newsItem.propertyId,
      ownerUserId: property.ownerUserId,
    })
    .from(newsItem)
    .leftJoin(property, and(eq(property.orgId, newsItem.orgId), eq(property.id, newsItem.propertyId)))
    .where(and(eq(newsItem.orgId, p.orgId), eq(newsItem.userId, p.userId))),
)
/** The waiting news of a person, with the present owner of each property. */
export const waitingNews = (db: Db, orgId: string, userId: string) => mine(db).all({ orgId, userId })

const drop = query('news.drop', KEY, (db, p) =>
  db.delete(newsItem).where(and(eq(newsItem.orgId, p.orgId), eq(newsItem.userId, p.userId))),
)
export const dropNews = (tx: Tx, orgId: string, userId: string): void => void drop(tx).run({ orgId, userId })

/** Active users of an organization who do more than rent. */
const active = (orgId: Placeholder, ...more: readonly SQL[]) =>
  and(
    eq(appUser.orgId, orgId),
    eq(appUser.status, 'ACTIVE'),
    // Most users are tenants only: comparing the text of the roles finds that without parsing the list.
    sql`${appUser.roles} <> '["TENANT"]'`,
    ...more,
  )
const staff = query('news.staff', ['orgId', 'propertyId', 'limit'], (db, p) =>
  db
    .select()
    .from(appUser)
    .where(
      active(
        p.orgId,
        sql`exists (select 1 from json_each(${appUser.roles}) where value in ('MANAGER', 'ADMIN'))`,
        sql`(not ${appUser.limited} or exists (select 1 from ${assignment} where ${assignment.userId} = ${appUser.id} and ${assignment.propertyId} = ${p.propertyId}))`,
      ),
    )
    .orderBy(asc(appUser.id))
    .limit(p.limit),
)
/** The managers and administrators who look after a property, so many at most. */
export const staffOf = (db: Db, of: { orgId: string; propertyId: string; limit: number }) => staff(db).all(of)

const MOST_TOLD = 100
const recipients = query('payTo.told', ['orgId', 'propertyId', 'limit'], (db, p) =>
  db
    .select()
    .from(appUser)
    .where(
      active(
        p.orgId,
        sql`(exists (select 1 from json_each(${appUser.roles}) where value = 'ADMIN') or exists (
          select 1 from ${property} where ${property.orgId} = ${appUser.orgId} and ${property.ownerUserId} = ${appUser.id}
          and (+${property.id} = ${p.propertyId} or (${p.propertyId} is null and +${property.payTo} is null))))`,
      ),
    )
    .orderBy(asc(appUser.id))
    .limit(p.limit),
)
/** Who is told where the rent is paid from now on: administrators, and the owner of the property or of those without a way of their own. */
export const payToRecipients = (db: Db, orgId: string, propertyId: string | undefined) =>
  recipients(db).all({ orgId, propertyId: propertyId ?? null, limit: MOST_TOLD })
