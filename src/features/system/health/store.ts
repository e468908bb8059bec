import { and, asc, eq, isNotNull, lte, min, type SQLWrapper, sql } from 'drizzle-orm'
import { readMark } from '../../../../db/clock.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { document } from '../../../../db/schema/documents.ts'
import { outboundMessage } from '../../../../db/schema/messages.ts'
import { job } from '../../../../db/schema/operations.ts'
import { webhookDelivery, webhookEndpoint } from '../../../../db/schema/webhooks.ts'
import { writeSetting } from '../../../../db/settings.ts'

const count = sql<number>`count(*)`
const papers = query('service.papersWaiting', [], (db) =>
  db.select({ n: count }).from(document).where(isNotNull(document.renderAt)),
)
const messages = query('service.messagesWaiting', [], (db) =>
  db.select({ n: count }).from(outboundMessage).where(isNotNull(outboundMessage.nextAt)),
)
const deliveries = query('service.webhooksWaiting', [], (db) =>
  db
    .select({ n: count })
    .from(webhookDelivery)
    .where(sql`${webhookDelivery.status} = 'PENDING' and ${webhookDelivery.orgId} > ''`),
)
/** The length of each queue, counted in its own index. */
export const waiting = (db: Db) => ({
  papers: papers(db).get({})?.n ?? 0,
  messages: messages(db).get({})?.n ?? 0,
  webhooks: deliveries(db).get({})?.n ?? 0,
})

/** Entries leave a queue roughly in order, so the one that waits longest is among the first. */
const AMONG = 500
const firstOf = (at: SQLWrapper) => sql<number | null>`min(${at})`.as('at')
const firstJob = query('service.firstJob', [], (db) =>
  db
    .select({ at: firstOf(job.runAt) })
    .from(job)
    .where(eq(job.status, sql`'READY'`)),
)
/** Jobs that were due at once have no time of their own: their id contains it. */
const firstAtOnce = query('service.firstJobAtOnce', [], (db) => {
  const first = db
    .select({ id: job.id })
    .from(job)
    .where(and(eq(job.status, sql`'READY'`), eq(job.runAt, sql`0`)))
    .limit(AMONG)
    .as('first')
  return db.select({ id: min(first.id) }).from(first)
})
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 13).replace('-', ''), 16)
const firstMessage = query('service.firstMessage', [], (db) =>
  db
    .select({ at: firstOf(outboundMessage.nextAt) })
    .from(outboundMessage)
    .where(isNotNull(outboundMessage.nextAt)),
)
const firstPaper = query('service.firstPaper', [], (db) => {
  const first = db
    .select({ updatedAt: document.updatedAt })
    .from(document)
    .where(isNotNull(document.renderAt))
    .orderBy(asc(document.renderAt), asc(document.orgId), asc(document.id))
    .limit(AMONG)
    .as('first')
  return db.select({ at: min(first.updatedAt) }).from(first)
})
const firstDelivery = query('service.firstDelivery', ['now'], (db, p) =>
  db
    .select({
      at: firstOf(
        sql`(select min(d.next_attempt_at) from webhook_delivery d where d.org_id = webhook_endpoint.org_id and d.endpoint_id = webhook_endpoint.id and d.status = 'PENDING')`,
      ),
    })
    .from(webhookEndpoint)
    .where(and(eq(webhookEndpoint.status, sql`'ENABLED'`), lte(webhookEndpoint.pausedUntil, p.now))),
)
type Times = { readonly now: () => number; readonly wall: () => number }
/**
 * For how long the oldest entry of a queue has been due, ms; 0 where nothing is. A paper's place in its queue is no
 * time, so its last change tells; an endpoint that is paused after failures keeps nobody waiting.
 */
export function lateness(db: Db, clock: Times): Record<'jobs' | 'messages' | 'papers' | 'webhooks', number> {
  const wall = clock.wall()
  const late = (at: number | null | undefined): number => Math.max(0, wall - (at ?? wall))
  const paper = firstPaper(db).get({})?.at
  const atOnce = firstAtOnce(db).get({})?.id
  const delivery = firstDelivery(db).get({ now: new Date(wall).toISOString() })?.at
  return {
    jobs: atOnce ? Math.max(0, clock.now() - timeOf(atOnce)) : late(firstJob(db).get({})?.at),
    messages: late(firstMessage(db).get({})?.at),
    papers: paper ? Math.max(0, clock.now() - Date.parse(paper)) : 0,
    webhooks: late(delivery ? Date.parse(String(delivery)) : undefined),
  }
}

/** Test write of this many bytes. */
export const probe = (tx: Tx, bytes: number): void => writeSetting(tx, 'probe', ' '.repeat(bytes))

/** The latest time that the service has seen, epoch ms. */
export const latestTime = (db: Db): number => readMark(db).mark
