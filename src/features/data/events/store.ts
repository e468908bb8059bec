import { and, asc, count, eq, exists, gte, lt, lte, sql } from 'drizzle-orm'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query, reading, saving } from '../../../../db/query.ts'
import { webhookDelivery, webhookEndpoint } from '../../../../db/schema/webhooks.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'
import { purging, SLICE } from '../../../../db/write/purge.ts'
import { TESTED } from './rules.ts'

export type EndpointRow = typeof webhookEndpoint.$inferSelect
export type DeliveryRow = typeof webhookDelivery.$inferSelect

export const insertEndpoint = inserting('webhook.endpoint.insert', webhookEndpoint)
export const saveEndpoint = saving('webhook_endpoint', webhookEndpoint, 'failures', 'pausedUntil', 'createdBy')
export const findEndpoint = reading('webhook.endpoint.byId', webhookEndpoint)

const drop = query('webhook.endpoint.delete', ['orgId', 'id'], (db, p) =>
  db.delete(webhookEndpoint).where(and(eq(webhookEndpoint.orgId, p.orgId), eq(webhookEndpoint.id, p.id))),
)
export const deleteEndpoint = (tx: Tx, { orgId, id }: EndpointRow): void => void drop(tx).run({ orgId, id })

export const endpointsCounted = query('webhook.endpoint.count', ['orgId'], (db, p) =>
  db.select({ n: count() }).from(webhookEndpoint).where(eq(webhookEndpoint.orgId, p.orgId)),
)

/** All endpoints of an organization: ten at most. */
export const endpointsOf = query('webhook.endpoint.ofOrg', ['orgId'], (db, p) =>
  db.select().from(webhookEndpoint).where(eq(webhookEndpoint.orgId, p.orgId)),
)
/** Endpoints of all organizations that are not paused and have deliveries due; those without failures first. */
export const openEndpoints = query('webhook.endpoint.open', ['now'], (db, p) =>
  db
    .select({ orgId: webhookEndpoint.orgId, id: webhookEndpoint.id })
    .from(webhookEndpoint)
    .where(
      and(
        eq(webhookEndpoint.status, sql`'ENABLED'`),
        lte(webhookEndpoint.pausedUntil, p.now),
        livesHere(webhookEndpoint.orgId),
        exists(
          db
            .select({ id: webhookDelivery.id })
            .from(webhookDelivery)
            .where(
              and(
                eq(webhookDelivery.orgId, webhookEndpoint.orgId),
                eq(webhookDelivery.endpointId, webhookEndpoint.id),
                eq(webhookDelivery.status, sql`'PENDING'`),
                lte(webhookDelivery.nextAttemptAt, p.now),
              ),
            ),
        ),
      ),
    )
    .orderBy(asc(webhookEndpoint.pausedUntil)),
)
const pause = query('webhook.endpoint.pause', ['orgId', 'id', 'failures', 'pausedUntil'], (db, p) =>
  db
    .update(webhookEndpoint)
    .set({ failures: sql`${p.failures}`, pausedUntil: sql`${p.pausedUntil}` })
    .where(and(eq(webhookEndpoint.orgId, p.orgId), eq(webhookEndpoint.id, p.id))),
)
type Named = Pick<EndpointRow, 'orgId' | 'id'>
/** Counts failures in a row, and until when the endpoint is paused. */
export const pauseEndpoint = (tx: Tx, { orgId, id }: Named, failures: number, pausedUntil: string): void =>
  void pause(tx).run({ orgId, id, failures, pausedUntil })

export const listEndpoints = list({
  name: 'webhookEndpoints',
  table: webhookEndpoint,
  org: webhookEndpoint.orgId,
  id: webhookEndpoint.id,
  columns: listColumns(webhookEndpoint, 'secretVersion', 'formerSecrets', 'failures', 'pausedUntil', 'createdBy'),
  filters: {},
  ranges: { updatedSince: { column: webhookEndpoint.updatedAt, op: '>=' } },
  scopes: {},
})

/** Inserts a delivery once for each endpoint and event, however often it is called. */
export const addDelivery = query(
  'webhook.delivery.add',
  ['id', 'orgId', 'endpointId', 'eventId', 'type', 'payload', 'now', 'triedUntil'],
  (db, p) =>
    db
      .insert(webhookDelivery)
      .values({
        id: p.id,
        orgId: p.orgId,
        endpointId: p.endpointId,
        eventId: p.eventId,
        type: p.type,
        payload: p.payload,
        status: 'PENDING',
        nextAttemptAt: p.now,
        createdAt: p.now,
        updatedAt: p.now,
        triedUntil: p.triedUntil,
      })
      .onConflictDoNothing(),
)
export const insertDelivery = inserting('webhook.delivery.insert', webhookDelivery)
/** Test events to an endpoint since an instant. */
export const testsSince = query('webhook.delivery.tests', ['orgId', 'id', 'since'], (db, p) =>
  db
    .select({ n: count() })
    .from(webhookDelivery)
    .where(
      and(
        eq(webhookDelivery.orgId, p.orgId),
        eq(webhookDelivery.endpointId, p.id),
        gte(webhookDelivery.updatedAt, p.since),
        gte(webhookDelivery.createdAt, p.since),
        eq(webhookDelivery.type, sql`${TESTED}`),
      ),
    ),
)

export const findDelivery = reading('webhook.delivery.byId', webhookDelivery)
export const saveDelivery = saving('webhook_delivery', webhookDelivery, 'endpointId', 'eventId', 'type', 'payload')

const due = query('webhook.delivery.due', ['orgId', 'endpointId', 'now'], (db, p) =>
  db
    .select()
    .from(webhookDelivery)
    .where(
      and(
        eq(webhookDelivery.orgId, sql`+${p.orgId}`),
        eq(webhookDelivery.endpointId, sql`+${p.endpointId}`),
        eq(webhookDelivery.status, sql`'PENDING'`),
        lte(webhookDelivery.nextAttemptAt, sql`+${p.now}`),
      ),
    )
    .orderBy(asc(webhookDelivery.nextAttemptAt), asc(webhookDelivery.id))
    .limit(1),
)
/** The next delivery of an endpoint: the one that has waited longest. */
export const dueDelivery = (db: Db, { orgId, id }: EndpointRow, now: string): DeliveryRow | undefined =>
  due(db).get({ orgId, endpointId: id, now })

export const purgeDeliveriesBefore = purging('webhook.delivery.purge', ['before'], webhookDelivery, (p) =>
  lt(webhookDelivery.createdAt, p.before),
)
const purgeTo = purging(
  'webhook.delivery.purgeTo',
  ['orgId', 'id'],
  webhookDelivery,
  (p) =>
    sql`${webhookDelivery.orgId} = ${p.orgId} and ${webhookDelivery.endpointId} = ${p.id} order by ${webhookDelivery.id}`,
)
/** Deletes a slice of an endpoint's deliveries. @returns whether none is left */
export const purgeDeliveriesTo = (tx: Tx, { orgId, id }: EndpointRow): boolean => purgeTo(tx, { orgId, id }) < SLICE

export const listDeliveries = list({
  name: 'webhookDeliveries',
  table: webhookDelivery,
  org: webhookDelivery.orgId,
  id: webhookDelivery.id,
  columns: listColumns(webhookDelivery, 'orgId', 'triedUntil'),
  filters: {
    endpointId: { column: webhookDelivery.endpointId, base: true },
    status: { column: webhookDelivery.status, several: true },
  },
  ranges: { updatedSince: { column: webhookDelivery.updatedAt, op: '>=' } },
  scopes: {},
})
