import { isDeepStrictEqual } from 'node:util'
import { change, existing, type Listener, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { TEST_EVENTS, WEBHOOK_ENDPOINTS } from '../../../core/budgets.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { EndpointCreate, EndpointPatch } from './model.ts'
import {
  EVENT_OBJECTS,
  EVENT_TYPES,
  FORMER_SECRETS,
  isAllowedUrl,
  objectOf,
  replacedAt,
  resourceUrl,
  signing,
  TESTED,
  TRIED_MS,
} from './rules.ts'
import {
  type DeliveryRow,
  deleteEndpoint,
  type EndpointRow,
  endpointsCounted,
  findDelivery,
  findEndpoint,
  insertDelivery,
  insertEndpoint,
  pauseEndpoint,
  purgeDeliveriesTo,
  saveDelivery,
  saveEndpoint,
  testsSince,
} from './store.ts'

/** If an endpoint subscribes to a change, its event is sent after this transaction. */
export const announce: Listener = {
  types: EVENT_OBJECTS,
  hear(ctx, { id, action, before, after }) {
    if (!endpointsCounted(ctx.tx).get({ orgId: ctx.caller.orgId })?.n) return
    const subject = after ?? before
    const status = subject?.status ?? subject?.state
    enqueue(ctx, 'webhook.event', id, {
      type: action,
      at: ctx.now,
      id: subject?.id ?? '',
      // Only an ADMIN reads a check of identity, at another address than a manager a property's proof.
      ...(subject?.kind === 'PROPERTY_PROOF' ? { place: 'verification/property-proofs' } : {}),
      ...(typeof status === 'string' ? { status } : {}),
    })
  },
}

/** Checks a new address of an endpoint: its form, and what its host name resolves to. @throws validation_failed */
export async function checkUrl(
  { config, outbound }: Pick<Deps, 'config' | 'outbound'>,
  url: string | undefined,
): Promise<void> {
  if (url === undefined) return
  if (!isAllowedUrl(url, config.webhookReach) || (await outbound.leadsInside(url)))
    throw invalid(
      '/url',
      'Give an https address on the open internet, without user name, password or fragment.',
      'Donnez une adresse https de l’internet public, sans nom d’utilisateur, mot de passe ni fragment.',
    )
}

/** An endpoint of the organization. @throws not_found */
export const endpointOf = existing(findEndpoint)

/** Registers an endpoint for events from now on; `checkUrl` has accepted its address. @throws quota_exceeded */
export function createEndpoint(ctx: Ctx, body: EndpointCreate): EndpointRow {
  const { orgId, userId } = ctx.caller
  if ((endpointsCounted(ctx.tx).get({ orgId })?.n ?? 0) >= WEBHOOK_ENDPOINTS)
    throw new AppError('quota_exceeded', {
      en: `An organization can have at most ${WEBHOOK_ENDPOINTS} webhook endpoints. Delete one first.`,
      fr: `Une organisation a au plus ${WEBHOOK_ENDPOINTS} adresses de webhook : supprimez-en une d’abord.`,
    })
  const row: EndpointRow = {
    id: ctx.newId(),
    orgId,
    url: body.url,
    description: body.description ?? null,
    events: body.events ?? EVENT_TYPES,
    status: 'ENABLED',
    secretVersion: 1,
    rotatedAt: null,
    formerSecrets: null,
    failures: 0,
    pausedUntil: '',
    createdBy: userId,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertEndpoint(ctx.tx, row)
  record(ctx, 'webhook_endpoint.create', { type: 'webhook_endpoint', after: row })
  return row
}

export function updateEndpoint(ctx: Ctx, id: string, patch: EndpointPatch): EndpointRow {
  const before = endpointOf(ctx, id)
  const changed = { ...before, ...patch }
  if (isDeepStrictEqual(changed, before)) return before
  // A corrected endpoint is called again at once.
  pauseEndpoint(ctx.tx, before, 0, '')
  return change(ctx, saveEndpoint, before, changed, 'webhook_endpoint.update')
}

/**
 * Makes a new secret; each one that was replaced still signs for a day, so that the receiver can switch without a gap.
 * @throws too_many_requests while too many of them sign
 */
export function rotateSecret(ctx: Ctx, id: string, wall: number): EndpointRow {
  const before = endpointOf(ctx, id)
  const former = signing(before.formerSecrets, wall)
  const oldest = former[FORMER_SECRETS - 1]
  if (oldest)
    throw new AppError(
      'too_many_requests',
      {
        en: `${FORMER_SECRETS} earlier secrets of this endpoint still sign, each for a day. Make a new one once the oldest has ended.`,
        fr: `${FORMER_SECRETS} anciens secrets de cette adresse signent encore, chacun pendant un jour. Faites-en un nouveau quand le plus ancien aura pris fin.`,
      },
      { retryAfter: Math.ceil((Date.parse(oldest.until) - wall) / 1000) },
    )
  const next = {
    secretVersion: before.secretVersion + 1,
    rotatedAt: new Date(wall).toISOString(),
    formerSecrets: [replacedAt(before.secretVersion, wall), ...former],
  }
  return change(ctx, saveEndpoint, before, next, 'webhook_endpoint.rotate_secret')
}

/** @throws invalid_state where nothing would be sent */
function holdEnabled({ status }: EndpointRow): void {
  if (status === 'DISABLED')
    throw new AppError(
      'invalid_state',
      {
        en: 'This endpoint is disabled, so nothing is sent to it. Enable it, then try again.',
        fr: 'Cette adresse est arrêtée : rien ne lui est envoyé. Reprenez d’abord les envois, puis réessayez.',
      },
      { currentStatus: status, allowed: ['enable'] },
    )
}

/** Sends an event of which nothing is to be known but that it arrives. @throws not_found, invalid_state, too_many_requests */
export function sendTest(ctx: Ctx, id: string, { wall, publicUrl }: { wall: number; publicUrl: string }): DeliveryRow {
  const endpoint = endpointOf(ctx, id)
  holdEnabled(endpoint)
  const { orgId } = ctx.caller
  const at = (ms: number): string => new Date(ms).toISOString()
  if ((testsSince(ctx.tx).get({ orgId, id, since: at(wall - TEST_EVENTS.ms) })?.n ?? 0) >= TEST_EVENTS.most)
    throw new AppError('too_many_requests', undefined, { retryAfter: TEST_EVENTS.ms / 1000 })
  pauseEndpoint(ctx.tx, endpoint, 0, '')
  const object = objectOf(TESTED)
  const row: DeliveryRow = {
    id: ctx.newId(),
    orgId,
    endpointId: id,
    eventId: ctx.newId(),
    type: TESTED,
    payload: {
      type: TESTED,
      timestamp: ctx.now,
      data: { object, id, status: endpoint.status, orgId, url: resourceUrl(publicUrl, object, id) },
    },
    status: 'PENDING',
    attempts: 0,
    responseStatus: null,
    failure: null,
    nextAttemptAt: at(wall),
    deliveredAt: null,
    createdAt: at(wall),
    updatedAt: at(wall),
    version: 1,
    triedUntil: at(wall + TRIED_MS),
  }
  insertDelivery(ctx.tx, row)
  record(ctx, 'webhook_delivery.test', { type: 'webhook_delivery', after: row })
  return row
}

/**
 * Deletes an endpoint and its deliveries, of which one write takes a slice only. @returns whether it is gone: else call
 * it again @throws not_found
 */
export function removeEndpoint(ctx: Ctx, id: string): boolean {
  const before = endpointOf(ctx, id)
  if (!purgeDeliveriesTo(ctx.tx, before)) return false
  deleteEndpoint(ctx.tx, before)
  record(ctx, 'webhook_endpoint.delete', { type: 'webhook_endpoint', before })
  return true
}

/** The receiver answered 410 Gone, so it wants no more events. */
export function disableEndpoint(ctx: Ctx, id: string): void {
  const before = findEndpoint(ctx.tx, ctx.caller.orgId, id)
  if (before?.status === 'ENABLED') change(ctx, saveEndpoint, before, { status: 'DISABLED' }, 'webhook_endpoint.gone')
}

/**
 * Sends a delivery that arrived or was given up again; a waiting one is tried at once.
 * @throws not_found, invalid_state where its endpoint is disabled
 */
export function replayDelivery(ctx: Ctx, id: string, wall: string): DeliveryRow {
  const before = findDelivery(ctx.tx, ctx.caller.orgId, id)
  if (!before) throw notFound()
  const endpoint = endpointOf(ctx, before.endpointId)
  holdEnabled(endpoint)
  pauseEndpoint(ctx.tx, endpoint, 0, '')
  const triedUntil = new Date(Date.parse(wall) + TRIED_MS).toISOString()
  const none = { attempts: 0, responseStatus: null, failure: null, deliveredAt: null }
  const waiting = { ...none, status: 'PENDING', nextAttemptAt: wall, triedUntil } as const
  return change(ctx, saveDelivery, before, waiting, 'webhook_delivery.replay')
}
