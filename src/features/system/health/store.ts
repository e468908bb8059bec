import { eq, isNotNull, type SQLWrapper, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { document } from '../../../../db/schema/documents.ts'
import { outboundMessage } from '../../../../db/schema/messages.ts'
import { job } from '../../../../db/schema/operations.ts'
import { webhookDelivery } from '../../../../db/schema/webhooks.ts'
import { writeSetting } from '../../../../db/settings.ts'

const count = sql<number>`count(*)`
const papers = query('service.papersWaiting', [], (db) =>
  db.select({ n: count }).from(document).where(isNotNull(document.renderAt)).prepare(),
)
const messages = query('service.messagesWaiting', [], (db) =>
  db.select({ n: count }).from(outboundMessage).where(isNotNull(outboundMessage.nextAt)).prepare(),
)
const deliveries = query('service.webhooksWaiting', [], (db) =>
  db
    .select({ n: count })
    .from(webhookDelivery)
    .where(sql`${webhookDelivery.status} = 'PENDING' and ${webhookDelivery.orgId} > ''`)
    .prepare(),
)
/** The length of each queue, counted in its own index. */
export const waiting = (db: Db) => ({
  papers: papers(db).get({})?.n ?? 0,
  messages: messages(db).get({})?.n ?? 0,
  webhooks: deliveries(db).get({})?.n ?? 0,
})

const firstOf = (at: SQLWrapper) => sql<number | null>`min(${at})`.as('at')
const firstJob = query('service.firstJob', [], (db) =>
  db
    .select({ at: firstOf(job.runAt) })
    .from(job)
    .where(eq(job.status, sql`'READY'`))
    .prepare(),
)
const firstMessage = query('service.firstMessage', [], (db) =>
  db
    .select({ at: firstOf(outboundMessage.nextAt) })
    .from(outboundMessage)
    .where(isNotNull(outboundMessage.nextAt))
    .prepare(),
)
/** For how long the oldest entry of a queue has been due, ms; 0 where nothing is. Papers have a place, not a time. */
export function lateness(db: Db, wall: number): Record<'jobs' | 'messages', number> {
  const late = (at: number | null | undefined): number => Math.max(0, wall - (at ?? wall))
  return {
    jobs: late(firstJob(db).get({})?.at),
    messages: late(firstMessage(db).get({})?.at),
  }
}

/** Test write of this many bytes. */
export const probe = (tx: Tx, bytes: number): void => writeSetting(tx, 'probe', ' '.repeat(bytes))
