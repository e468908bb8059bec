import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { insertingOnce, query } from '../../../../db/query.ts'
import { assignment } from '../../../../db/schema/properties.ts'
import { appUser, newsItem } from '../../../../db/schema/users.ts'

export type NewsItem = typeof newsItem.$inferSelect
/** Keeps news for the morning; the same one once. */
export const keepNews = insertingOnce('news.insert', newsItem)

const KEY = ['orgId', 'userId'] as const
const mine = query('news.ofUser', KEY, (db, p) =>
  db
    .select({ kind: newsItem.kind, amount: newsItem.amount })
    .from(newsItem)
    .where(and(eq(newsItem.orgId, p.orgId), eq(newsItem.userId, p.userId)))
    .prepare(),
)
/** What waits for a person's morning: how many of each kind, and the francs that they are about. */
export function waitingNews(db: Db, orgId: string, userId: string) {
  const sums = new Map<NewsItem['kind'], { n: number; amount: number | null }>()
  for (const { kind, amount } of mine(db).all({ orgId, userId })) {
    const sum = sums.get(kind) ?? { n: 0, amount: null }
    sums.set(kind, { n: sum.n + 1, amount: amount === null ? sum.amount : (sum.amount ?? 0) + amount })
  }
  return [...sums].map(([kind, sum]) => ({ kind, ...sum }))
}

const drop = query('news.drop', KEY, (db, p) =>
  db
    .delete(newsItem)
    .where(and(eq(newsItem.orgId, p.orgId), eq(newsItem.userId, p.userId)))
    .prepare(),
)
export const dropNews = (tx: Tx, orgId: string, userId: string): void => void drop(tx).run({ orgId, userId })

const staff = query('news.staff', ['orgId', 'propertyId', 'limit'], (db, p) =>
  db
    .select()
    .from(appUser)
    .where(
      and(
        eq(appUser.orgId, p.orgId),
        eq(appUser.status, 'ACTIVE'),
        // Most users are tenants only: comparing the text of the roles finds that without parsing the list.
        sql`${appUser.roles} <> '["TENANT"]'`,
        sql`exists (select 1 from json_each(${appUser.roles}) where value in ('MANAGER', 'ADMIN'))`,
        sql`(not ${appUser.limited} or exists (select 1 from ${assignment} where ${assignment.userId} = ${appUser.id} and ${assignment.propertyId} = ${p.propertyId}))`,
      ),
    )
    .orderBy(asc(appUser.id))
    .limit(p.limit)
    .prepare(),
)
/** The managers and administrators who look after a property, so many at most. */
export const staffOf = (db: Db, of: { orgId: string; propertyId: string; limit: number }) => staff(db).all(of)
