import { isNotNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { document } from '../../../../db/schema/documents.ts'
import { outboundMessage } from '../../../../db/schema/messages.ts'
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

/** Test write of this many bytes. */
export const probe = (tx: Tx, bytes: number): void => writeSetting(tx, 'probe', ' '.repeat(bytes))
