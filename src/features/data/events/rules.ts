import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../../core/addresses.ts'

/** The objects that an endpoint can subscribe to. */
export const EVENT_OBJECTS = [
  'booking',
  'invoice',
  'payment',
  'verification',
  'document',
  'repair',
  'inspection',
  'expense',
  'owner_transfer',
  'regularisation',
] as const
export type EventObject = (typeof EVENT_OBJECTS)[number]
export const isEventObject = (word: string): word is EventObject => (EVENT_OBJECTS as readonly string[]).includes(word)

export const ENDPOINT_STATUS = ['ENABLED', 'DISABLED'] as const
export const DELIVERY_STATUS = ['PENDING', 'DELIVERED', 'FAILED'] as const
/** Why an attempt failed; STATUS: the answer was not 2xx. */
export const FAILURES = ['STATUS', 'TIMEOUT', 'DNS', 'PRIVATE_ADDRESS', 'TLS', 'CONNECTION'] as const

/** What an endpoint receives: which object changed and how, but not its contents, which the API gives. */
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
  repair: 'requests',
  inspection: 'inspections',
  expense: 'expenses',
  owner_transfer: 'owner-transfers',
  regularisation: 'regularisations',
}
/** The API address of an object; `place`: where it is not the usual one of its kind. */
export const resourceUrl = (publicUrl: string, object: EventObject, id: string, place: unknown = PATHS[object]) =>
  `${publicUrl}/api/v1/${String(place)}/${id}`

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Waits after each failed attempt, in seconds: just under three days in all. */
const WAITS = [MINUTE, 5 * MINUTE, HOUR / 2, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR]
/** Ms after an event, or its replay, when retries end. */
export const TRIED_MS = 72 * HOUR * 1000

/**
 * Ms until the retry after `attempts` attempts; undefined if that was the last, or if `leftMs` is too short for it.
 * Jitter of up to a tenth, derived from the delivery's id, spreads the retries of deliveries that failed together.
 */
export function retryAfter(attempts: number, id: string, leftMs: number): number | undefined {
  const spread = Number.parseInt(id.slice(-4), 16) / 0xffff
  const seconds = WAITS[attempts - 1]
  const wait = Math.round((seconds ?? 0) * 1000 * (1 - spread / 10))
  return seconds === undefined || wait > leftMs ? undefined : wait
}
/** Ms for which an endpoint is paused after failures in a row: its other events wait too. */
export const pauseAfter = (failures: number): number => Math.min(10 * 2 ** (failures - 1), 15 * MINUTE) * 1000

/** Ms for which the previous secret still signs after a change. */
export const ROTATION_MS = 24 * HOUR * 1000

/** An endpoint's secret in the form of Standard Webhooks. It is derived from the master key, so none is stored. */
export function secretOf(masterKey: Uint8Array, endpointId: string, version: number): string {
  const key = createHmac('sha256', masterKey).update('loyer webhook secrets v1').digest()
  return `whsec_${createHmac('sha256', key).update(`${endpointId}.${version}`).digest('base64')}`
}

/** `webhook-signature` of Standard Webhooks: one signature for each valid secret, separated by spaces. */
export function signatureOf(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  const sign = (secret: string): string =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ')
}

/** Whether an endpoint may have this address; host names are checked again at each call. */
export function isAllowedUrl(text: string, allowPrivate: boolean): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return false
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false
  if (allowPrivate) return url.protocol === 'https:' || url.protocol === 'http:'
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const closed = isIP(host) === 0 ? /^[^.]*$|\.(localhost|local|internal)$/.test(host) : !isPublicAddress(host)
  return url.protocol === 'https:' && !closed
}
