import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  DELIVERY_STATUS,
  ENDPOINT_STATUS,
  type EventType,
  FAILURES,
  type FormerSecret,
  type SentType,
  type WebhookEvent,
} from '../../src/features/data/events/rules.ts'
import { json, listIndexes } from './columns.ts'

/** An address of an organization's own system that receives events. Its secret is derived, never stored. */
export const webhookEndpoint = sqliteTable(
  'webhook_endpoint',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    url: text().notNull(),
    description: text(),
    events: json<readonly EventType[]>()().notNull(),
    status: text({ enum: ENDPOINT_STATUS }).notNull(),
    secretVersion: integer('secret_version').notNull(),
    rotatedAt: text('rotated_at'),
    /** Failures in a row, and the end of the pause that they cause, in real time. They do not change the version. */
    failures: integer().notNull().default(0),
    pausedUntil: text('paused_until').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** Secrets that were replaced within a day, in real time, the latest first. */
    formerSecrets: json<readonly FormerSecret[]>()('former_secrets'),
  },
  (t) => [
    unique('webhook_endpoint_org_id').on(t.orgId, t.id),
    ...listIndexes('webhook_endpoint', t.orgId, t.id, { ranges: [t.updatedAt] }),
    index('webhook_endpoint_open').on(t.pausedUntil).where(sql`status = 'ENABLED'`),
    check('webhook_endpoint_status', sql`${t.status} in ('ENABLED','DISABLED')`),
  ],
)

/** One event for one endpoint. */
export const webhookDelivery = sqliteTable(
  'webhook_delivery',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    endpointId: text('endpoint_id').notNull(),
    eventId: text('event_id').notNull(),
    type: text().$type<SentType>().notNull(),
    payload: json<WebhookEvent>()().notNull(),
    status: text({ enum: DELIVERY_STATUS }).notNull(),
    attempts: integer().notNull().default(0),
    responseStatus: integer('response_status'),
    failure: text({ enum: FAILURES }),
    nextAttemptAt: text('next_attempt_at'),
    deliveredAt: text('delivered_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The last time for a retry: three days after the event or a replay. Null in rows older than this column. */
    triedUntil: text('tried_until'),
  },
  (t) => [
    foreignKey({
      name: 'webhook_delivery_endpoint_fk',
      columns: [t.orgId, t.endpointId],
      foreignColumns: [webhookEndpoint.orgId, webhookEndpoint.id],
    }).onDelete('cascade'),
    uniqueIndex('webhook_delivery_once').on(t.orgId, t.endpointId, t.eventId),
    index('webhook_delivery_org_id_endpoint_id_id').on(t.orgId, t.endpointId, t.id),
    index('webhook_delivery_org_id_endpoint_id_status_id').on(t.orgId, t.endpointId, t.status, t.id),
    index('webhook_delivery_org_id_endpoint_id_updated_at_id').on(t.orgId, t.endpointId, t.updatedAt, t.id),
    index('webhook_delivery_due').on(t.orgId, t.endpointId, t.nextAttemptAt, t.id).where(sql`status = 'PENDING'`),
    index('webhook_delivery_created').on(t.createdAt),
    check('webhook_delivery_status', sql`${t.status} in ('PENDING','DELIVERED','FAILED')`),
    check('webhook_delivery_waiting', sql`(${t.nextAttemptAt} is null) = (${t.status} <> 'PENDING')`),
  ],
)
