import { and, asc, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { consent } from '../../../../db/schema/challenges.ts'
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
/** Which texts a person accepted, and when. */
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
/** What was sent to a number, where that is kept; never codes. */
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
/** Requests of a person that no landlord took up yet. */
export const openRequestsOf = (db: Db, orgId: string, userId: string): string[] =>
  requests(db)
    .all({ orgId, userId })
    .map(({ id }) => id)
