import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../../core/addresses.ts'

/** What an endpoint can be told about. */
export const EVENT_OBJECTS = ['booking', 'invoice', 'payment', 'verification', 'document'] as const
export type EventObject = (typeof EVENT_OBJECTS)[number]
export const isEventObject = (word: string): word is EventObject => (EVENT_OBJECTS as readonly string[]).includes(word)

export const ENDPOINT_STATUS = ['ENABLED', 'DISABLED'] as const
export const DELIVERY_STATUS = ['PENDING', 'DELIVERED', 'FAILED'] as const
/** Why an attempt did not arrive; STATUS: the answer was none of 2xx. */
export const FAILURES = ['STATUS', 'TIMEOUT', 'DNS', 'PRIVATE_ADDRESS', 'TLS', 'CONNECTION'] as const

/** What an endpoint receives: which object changed and how, not its contents. The API has those as they stand now. */
export type WebhookEvent = {
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly object: EventObject
    readonly id: string
    readonly status?: string
    readonly orgId: string
    readonly url: string
  }
}

const PATHS: Readonly<Record<EventObject, string>> = {
  booking: 'bookings',
  invoice: 'invoices',
  payment: 'payments',
  verification: 'admin/verification',
  document: 'documents',
}
/** Where the API shows an object. */
export const resourceUrl = (publicUrl: string, object: EventObject, id: string): string =>
  `${publicUrl}/api/v1/${PATHS[object]}/${id}`

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Waits after each failed attempt, seconds: in all just under three days. */
const WAITS = [MINUTE, 5 * MINUTE, HOUR / 2, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR]
/** How long after an event, or its replay, it is tried again at the latest, ms. */
export const TRIED_MS = 72 * HOUR * 1000

/**
 * How long until the next attempt after so many, ms; undefined when it was the last, or the next would come after the
 * `leftMs` that there are. Up to a tenth less, by the delivery's id: what failed together is not tried again together.
 */
export function retryAfter(attempts: number, id: string, leftMs: number): number | undefined {
  const spread = Number.parseInt(id.slice(-4), 16) / 0xffff
  const seconds = WAITS[attempts - 1]
  const wait = Math.round((seconds ?? 0) * 1000 * (1 - spread / 10))
  return seconds === undefined || wait > leftMs ? undefined : wait
}
/** How long an endpoint is left alone after so many failures in a row, ms: its other events wait along. */
export const pauseAfter = (failures: number): number => Math.min(10 * 2 ** (failures - 1), 15 * MINUTE) * 1000

/** How long the secret before is still signed with after a change, ms. */
export const ROTATION_MS = 24 * HOUR * 1000

/** An endpoint's secret in the form of Standard Webhooks: derived from the master key, so that none is stored. */
export function secretOf(masterKey: Uint8Array, endpointId: string, version: number): string {
  const key = createHmac('sha256', masterKey).update('loyer webhook secrets v1').digest()
  return `whsec_${createHmac('sha256', key).update(`${endpointId}.${version}`).digest('base64')}`
}

/** `webhook-signature` of Standard Webhooks: a space between the signatures of each secret in force. */
export function signatureOf(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  const sign = (secret: string): string =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ')
}

/** Whether an endpoint may have this address; names are looked up again at each call. */
export function isAllowedUrl(text: string, allowPrivate: boolean): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return false
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false
  if (allowPrivate) return url.protocol === 'https:' || url.protocol === 'http:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const closed = isIP(host) === 0 ? /^[^.]*$|\.(localhost|local|internal)\.?$/.test(host) : !isPublicAddress(host)
  return url.protocol === 'https:' && !closed
}
