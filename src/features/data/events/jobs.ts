import { purgeInSlices } from '../../../../db/write/purge.ts'
import type { Outcome } from '../../../adapters/outbound/port.ts'
import { systemCtx } from '../../../context.ts'
import { DAY_MS } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import {
  eventTypeOf,
  objectOf,
  pauseAfter,
  resourceUrl,
  retryAfter,
  secretOf,
  signatureOf,
  signing,
  TRIED_MS,
} from './rules.ts'
import { disableEndpoint } from './service.ts'
import {
  addDelivery,
  type DeliveryRow,
  dueDelivery,
  type EndpointRow,
  endpointsOf,
  findEndpoint,
  openEndpoints,
  pauseEndpoint,
  purgeDeliveriesBefore,
  saveDelivery,
} from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'config' | 'masterKey' | 'outbound' | 'time'>
/** Endpoints called at once. */
const AT_ONCE = 64
const GONE = 410
const KEPT_MS = 30 * DAY_MS

/** Turns an audit event into a delivery for each endpoint that subscribes to it. */
export function webhookHandlers(deps: Work): Handlers {
  return {
    'webhook.event': async ({ orgId, source, payload }) => {
      const type = eventTypeOf(String(payload?.type))
      if (orgId === null || type === undefined) return
      const object = objectOf(type)
      const id = String(payload?.id)
      const event = {
        type,
        timestamp: String(payload?.at),
        data: {
          object,
          id,
          ...(payload?.status === undefined ? {} : { status: String(payload.status) }),
          orgId,
          url: resourceUrl(deps.config.publicUrl, object, id, payload?.place),
        },
      }
      const wall = deps.clock.wall()
      const now = new Date(wall).toISOString()
      const triedUntil = new Date(wall + TRIED_MS).toISOString()
      await deps.write(orgId, (tx) => {
        for (const { id: endpointId, status, events } of endpointsOf(tx).all({ orgId }))
          if (status === 'ENABLED' && events.includes(type))
            addDelivery(tx).run({
              id: deps.newId(),
              orgId,
              endpointId,
              eventId: source,
              type,
              payload: event,
              now,
              triedUntil,
            })
        return true
      })
    },
  }
}

/** Calls the endpoints in parallel, so that a hanging one delays no other; the events of one stay in order. */
export function createDeliverer(deps: Work) {
  const underWay = new Map<string, Promise<void>>()
  let stopped = false
  const wall = (): string => new Date(deps.clock.wall()).toISOString()

  /** Delivers until nothing is due or one fails. Reads the endpoint each time, as it may be disabled or deleted. */
  async function serve(orgId: string, id: string): Promise<void> {
    for (let arrived = true; arrived && !stopped; ) {
      const endpoint = findEndpoint(deps.db, orgId, id)
      const delivery = endpoint?.status === 'ENABLED' ? dueDelivery(deps.db, endpoint, wall()) : undefined
      if (!endpoint || !delivery) return
      const { attempts, triedUntil } = delivery
      // Its retry time ran out while other deliveries of the endpoint were tried.
      if (attempts > 0 && triedUntil !== null && triedUntil < wall()) await giveUp(deps, delivery)
      else arrived = await attempt(deps, endpoint, delivery)
    }
  }

  return {
    /** Starts what is due without waiting for it. @returns how many endpoints it started with */
    async round(): Promise<number> {
      const room = AT_ONCE - underWay.size
      const fresh =
        room === 0
          ? []
          : openEndpoints(deps.db)
              .all({ now: wall() })
              .filter(({ id }) => !underWay.has(id))
      for (const { orgId, id } of fresh.slice(0, room))
        underWay.set(
          id,
          serve(orgId, id)
            .catch((e: unknown) => deps.log.error('webhooks.failed', e, { endpointId: id }))
            .finally(() => underWay.delete(id)),
        )
      return Math.min(fresh.length, room)
    },
    settled: async (): Promise<void> => void (await Promise.all(underWay.values())),
    /** Starts no further calls; those under way finish. */
    stop: (): void => {
      stopped = true
    },
  }
}

const giveUp = (deps: Work, delivery: DeliveryRow): Promise<boolean> =>
  deps.write(delivery.orgId, (tx) => {
    const updatedAt = systemCtx(deps, tx, delivery.orgId, delivery.id).now
    saveDelivery(tx, delivery, { ...delivery, status: 'FAILED', nextAttemptAt: null, updatedAt })
    return true
  })

/** @returns whether the endpoint accepted it */
async function attempt(deps: Work, endpoint: EndpointRow, delivery: DeliveryRow): Promise<boolean> {
  const { failures } = endpoint
  const outcome = await send(deps, endpoint, delivery)
  const responseStatus = 'status' in outcome ? outcome.status : null
  const arrived = responseStatus !== null && responseStatus >= 200 && responseStatus < 300
  const failure = arrived ? null : 'failure' in outcome ? outcome.failure : 'STATUS'
  const attempts = delivery.attempts + 1
  const wall = deps.clock.wall()
  const at = (ms: number): string => new Date(ms).toISOString()
  const { triedUntil } = delivery
  const leftMs = triedUntil === null ? Number.POSITIVE_INFINITY : Date.parse(triedUntil) - wall
  const wait = arrived ? undefined : retryAfter(attempts, delivery.id, leftMs)
  if (failure) deps.log.info('webhook.failed', { endpointId: endpoint.id, failure, attempts })
  await deps.write(endpoint.orgId, (tx) => {
    const ctx = systemCtx(deps, tx, endpoint.orgId, delivery.id)
    // If the delivery was replayed or deleted during the call, nothing is saved over that.
    saveDelivery(tx, delivery, {
      triedUntil,
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
  const { id, secretVersion, formerSecrets } = endpoint
  const wall = deps.clock.wall()
  const versions = [secretVersion, ...signing(formerSecrets, wall).map(({ version }) => version)]
  const secrets = versions.map((version) => secretOf(deps.masterKey, id, version))
  // Receivers compare it with their own clock, which `wall` may be ahead of.
  const timestamp = Math.floor((deps.time?.machine() ?? wall) / 1000)
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

/** Deletes deliveries older than a month. */
export function purgeDeliveries(deps: Pick<Deps, 'write' | 'clock' | 'stopping'>): Promise<void> {
  const before = new Date(deps.clock.wall() - KEPT_MS).toISOString()
  return purgeInSlices(deps, (tx) => purgeDeliveriesBefore(tx, { before }))
}
