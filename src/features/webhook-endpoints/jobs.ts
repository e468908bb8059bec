import type { Outcome } from '../../adapters/outbound/port.ts'
import type { Deps } from '../../deps.ts'
import { type Handlers, systemCtx } from '../../jobs/worker.ts'
import { isEventObject, pauseAfter, ROTATION_MS, resourceUrl, retryAfter, secretOf, signatureOf } from './rules.ts'
import { disableEndpoint } from './service.ts'
import {
  addDelivery,
  type DeliveryRow,
  dueDeliveries,
  type EndpointRow,
  endpointsOf,
  openEndpoints,
  pauseEndpoint,
  purgeDeliveriesBefore,
  saveDelivery,
} from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'config' | 'masterKey' | 'outbound'>
/** Of one endpoint in one round, so that one with a long queue does not keep the others waiting. */
const ROUND = 20
const GONE = 410
const KEPT_MS = 30 * 24 * 3_600_000

/** An event of the audit trail becomes a delivery for each endpoint that wants to hear of it. */
export function webhookHandlers(deps: Work): Handlers {
  return {
    'webhook.event': async ({ orgId, source, payload }) => {
      const object = String(payload?.object)
      if (orgId === null || !isEventObject(object)) return
      const id = String(payload?.id)
      const event = {
        type: String(payload?.type),
        timestamp: String(payload?.at),
        data: {
          object,
          id,
          ...(payload?.status === undefined ? {} : { status: String(payload.status) }),
          orgId,
          url: resourceUrl(deps.config.publicUrl, object, id),
        },
      }
      const now = new Date(deps.clock.wall()).toISOString()
      await deps.write(orgId, (tx) => {
        for (const { id: endpointId, status, events } of endpointsOf(tx, orgId))
          if (status === 'ENABLED' && events.includes(object))
            addDelivery(tx, {
              id: deps.newId(),
              orgId,
              endpointId,
              eventId: source,
              type: event.type,
              payload: event,
              now,
            })
        return true
      })
    },
  }
}

/** Every endpoint side by side, the events of one in order; the first failure of one ends its round. */
export async function deliverWebhooks(deps: Work): Promise<void> {
  const now = new Date(deps.clock.wall()).toISOString()
  await Promise.all(
    openEndpoints(deps.db, now).map(async (endpoint) => {
      let { failures } = endpoint
      for (const delivery of dueDeliveries(deps.db, endpoint, now, ROUND)) {
        if (!(await attempt(deps, endpoint, delivery, failures))) return
        failures = 0
      }
    }),
  )
}

/** @returns whether it arrived */
async function attempt(deps: Work, endpoint: EndpointRow, delivery: DeliveryRow, failures: number): Promise<boolean> {
  const outcome = await send(deps, endpoint, delivery)
  const responseStatus = 'status' in outcome ? outcome.status : null
  const arrived = responseStatus !== null && responseStatus >= 200 && responseStatus < 300
  const failure = arrived ? null : 'failure' in outcome ? outcome.failure : 'STATUS'
  const attempts = delivery.attempts + 1
  const wall = deps.clock.wall()
  const at = (ms: number): string => new Date(ms).toISOString()
  const wait = arrived ? undefined : retryAfter(attempts, delivery.id)
  if (failure) deps.log.info('webhook.failed', { endpointId: endpoint.id, failure, attempts })
  await deps.write(endpoint.orgId, (tx) => {
    const ctx = systemCtx(deps, tx, endpoint.orgId, delivery.id)
    // A replay or a deletion meanwhile stands: nothing is saved over it.
    saveDelivery(tx, delivery, {
      status: arrived ? 'DELIVERED' : wait === undefined ? 'FAILED' : 'PENDING',
      attempts,
      responseStatus,
      failure,
      nextAttemptAt: wait === undefined ? null : at(wall + wait),
      deliveredAt: arrived ? at(wall) : null,
      updatedAt: ctx.now,
    })
    if (failure) pauseEndpoint(tx, endpoint, failures + 1, at(wall + pauseAfter(failures + 1)))
    else if (failures > 0) pauseEndpoint(tx, endpoint, 0, '')
    if (responseStatus === GONE) disableEndpoint(ctx, endpoint.id)
    return true
  })
  return arrived
}

function send(deps: Work, endpoint: EndpointRow, delivery: DeliveryRow): Promise<Outcome> {
  const { id, secretVersion, rotatedAt } = endpoint
  const wall = deps.clock.wall()
  const versions = [secretVersion]
  if (rotatedAt !== null && Date.parse(rotatedAt) + ROTATION_MS > wall) versions.push(secretVersion - 1)
  const secrets = versions.map((version) => secretOf(deps.masterKey, id, version))
  const timestamp = Math.floor(wall / 1000)
  const body = JSON.stringify(delivery.payload)
  return deps.outbound.post(
    endpoint.url,
    {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Loyer-Webhooks/1',
      'webhook-id': delivery.eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(secrets, delivery.eventId, timestamp, body),
    },
    body,
  )
}

/** Forgets deliveries of a month ago. */
export const purgeDeliveries = ({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<boolean> =>
  write(null, (tx) => {
    purgeDeliveriesBefore(tx, new Date(clock.wall() - KEPT_MS).toISOString())
    return true
  })
