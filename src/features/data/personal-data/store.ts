import { and, asc, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { consent } from '../../../../db/schema/challenges.ts'
import { budgetDay } from '../../../../db/schema/identity.ts'
import { message } from '../../../../db/schema/operations.ts'
import { property } from '../../../../db/schema/properties.ts'

const consents = query('personal.consents', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(consent)
    .where(and(eq(consent.orgId, p.orgId), eq(consent.userId, p.userId)))
    .orderBy(asc(consent.id))
    .prepare(),
)
/** Which legal texts a person accepted, and when. */
export const consentsOf = (db: Db, orgId: string, userId: string) => consents(db).all({ orgId, userId })

const messages = query('personal.messages', ['to', 'after', 'limit'], (db, p) =>
  db
    .select({
      id: message.id,
      channel: message.channel,
      purpose: message.purpose,
      text: message.text,
      createdAt: message.createdAt,
    })
    .from(message)
    .where(and(eq(message.to, p.to), gt(message.id, p.after), isNull(sql`+${message.code}`)))
    .orderBy(asc(message.id))
    .limit(p.limit)
    .prepare(),
)
/** The stored messages to a number; never codes. */
export const messagesTo = (db: Db, to: string, after: string, limit: number) => messages(db).all({ to, after, limit })

const owned = query('personal.ownsProperty', ['orgId', 'userId'], (db, p) =>
  db
    .select({ id: property.id })
    .from(property)
    .where(
      and(eq(property.orgId, p.orgId), eq(property.ownerUserId, p.userId), ne(sql`+${property.status}`, 'ARCHIVED')),
    )
    .limit(1)
    .prepare(),
)
/** Whether a person owns a property that is not archived. */
export const ownsProperty = (db: Db, orgId: string, userId: string): boolean =>
  owned(db).get({ orgId, userId }) !== undefined

const spent = query('personal.forgetSpending', ['userId'], (db, p) =>
  db
    .delete(budgetDay)
    .where(
      and(
        inArray(budgetDay.budget, [
          'kept_answers',
          'news_person',
          'number_change',
          'password_strangers',
          'password_network',
          'password_browser',
          'password_session',
        ]),
        eq(budgetDay.key, p.userId),
      ),
    )
    .prepare(),
)
/** Deletes a person's spending of daily budgets. */
export const forgetSpending = (tx: Tx, userId: string): void => void spent(tx).run({ userId })

const requests = query('personal.openRequests', ['orgId', 'userId'], (db, p) =>
  db
    .select({ id: booking.id })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.tenantUserId, p.userId),
        eq(sql`+${booking.status}`, 'DRAFT'),
        eq(sql`+${booking.requestedBy}`, p.userId),
      ),
    )
    .prepare(),
)
/** A person's lease requests that no landlord has answered yet. */
export const openRequestsOf = (db: Db, orgId: string, userId: string): string[] =>
  requests(db)
    .all({ orgId, userId })
    .map(({ id }) => id)
