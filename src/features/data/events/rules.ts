import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { isLoopbackHost, isPublicAddress, type Reach } from '../../../core/addresses.ts'

/** Every event type, in the past participle, and the action of the audit trail that it tells of. */
const ACTION_OF = {
  'booking.created': 'booking.create',
  'booking.updated': 'booking.update',
  'booking.submitted': 'booking.submit',
  'booking.signed': 'booking.sign',
  'booking.signed_copy_attached': 'booking.signed_copy',
  'booking.activated': 'booking.activate',
  'booking.cancelled': 'booking.cancel',
  'booking.corrected': 'booking.correct',
  'booking.extended': 'booking.extend',
  'booking.rent_changed': 'booking.rent',
  'booking.notice_given': 'booking.notice',
  'booking.notice_withdrawn': 'booking.notice_withdrawn',
  'booking.ended': 'booking.end',
  'booking.terminated': 'booking.terminate',
  'booking.reinstated': 'booking.reinstate',
  'invoice.issued': 'invoice.issue',
  'invoice.charge_added': 'invoice.charge',
  'invoice.balance_changed': 'invoice.balance',
  'invoice.overdue': 'invoice.overdue',
  'invoice.paid': 'invoice.paid',
  'invoice.credited': 'invoice.credit',
  'invoice.cancelled': 'invoice.cancel',
  'invoice.replaced': 'invoice.replace',
  'invoice.reinstated': 'invoice.revive',
  'payment.declared': 'payment.declare',
  'payment.recorded': 'payment.record',
  'payment.confirmed': 'payment.confirm',
  'payment.rejected': 'payment.reject',
  'payment.withdrawn': 'payment.withdraw',
  'payment.reversed': 'payment.reverse',
  'payment.refunded': 'payment.refund',
  'payment.set_off': 'payment.set_off',
  'transfer.recorded': 'transfer.record',
  'transfer.attributed': 'transfer.attribute',
  'transfer.reversed': 'transfer.reverse',
  'verification.created': 'verification.create',
  'verification.document_attached': 'verification.attach',
  'verification.submitted': 'verification.submit',
  'verification.review_started': 'verification.start-review',
  'verification.info_requested': 'verification.request-info',
  'verification.approved': 'verification.approve',
  'verification.rejected': 'verification.reject',
  'verification.revoked': 'verification.revoke',
  'verification.erased': 'verification.forget',
  'document.created': 'document.ready',
  'document.recreated': 'document.redraw',
  'document.failed': 'document.fail',
  'repair.created': 'repair.create',
  'repair.updated': 'repair.update',
  'repair.message_added': 'repair.message',
  'repair.photo_added': 'repair.photo',
  'repair.seen': 'repair.see',
  'repair.planned': 'repair.plan',
  'repair.finished': 'repair.finish',
  'repair.refused': 'repair.refuse',
  'repair.reopened': 'repair.reopen',
  'repair.erased': 'repair.erase',
  'inspection.created': 'inspection.create',
  'inspection.updated': 'inspection.update',
  'inspection.photo_added': 'inspection.photo',
  'inspection.photo_removed': 'inspection.photo_removed',
  'inspection.proposed': 'inspection.propose',
  'inspection.revised': 'inspection.revise',
  'inspection.signed': 'inspection.sign',
  'inspection.signed_copy_attached': 'inspection.signed_copy',
  'inspection.completed': 'inspection.complete',
  'expense.created': 'expense.create',
  'expense.updated': 'expense.update',
  'expense.repeated': 'expense.repeat',
  'expense.continued': 'expense.continue',
  'expense.ended': 'expense.end',
  'expense.charged': 'expense.charge',
  'expense.cancelled': 'expense.cancel',
  'owner_transfer.created': 'owner_transfer.create',
  'owner_transfer.cancelled': 'owner_transfer.cancel',
  'regularisation.issued': 'regularisation.issue',
  'regularisation.cancelled': 'regularisation.cancel',
} as const
export type EventType = keyof typeof ACTION_OF
export const EVENT_TYPES = Object.keys(ACTION_OF) as readonly EventType[]
const typeOf = new Map<string, EventType>(EVENT_TYPES.map((type) => [ACTION_OF[type], type]))
/** The event that tells of an action of the audit trail, if one does. */
export const eventTypeOf = (action: string): EventType | undefined => typeOf.get(action)

/** The test event, which somebody sends to one endpoint: nothing happened, so nobody subscribes to it. */
export const TESTED = 'endpoint.tested'
/** What arrives at an endpoint. */
export type SentType = EventType | typeof TESTED
export const SENT_TYPES: readonly SentType[] = [...EVENT_TYPES, TESTED]

type ObjectOf<Type> = Type extends `${infer Object}.${string}` ? Object : never
/** What an event is about: the word before the dot of its type. */
export type EventObject = ObjectOf<EventType>
export type SentObject = ObjectOf<SentType>
export const objectOf = <Type extends SentType>(type: Type) => type.slice(0, type.indexOf('.')) as ObjectOf<Type>
export const EVENT_OBJECTS: readonly EventObject[] = [...new Set(EVENT_TYPES.map(objectOf))]
export const SENT_OBJECTS: readonly SentObject[] = [...EVENT_OBJECTS, objectOf(TESTED)]

export const ENDPOINT_STATUS = ['ENABLED', 'DISABLED'] as const
export const DELIVERY_STATUS = ['PENDING', 'DELIVERED', 'FAILED'] as const
/** Why an attempt failed; STATUS: the answer was not 2xx. */
export const FAILURES = ['STATUS', 'TIMEOUT', 'DNS', 'PRIVATE_ADDRESS', 'TLS', 'CONNECTION'] as const

/** What an endpoint receives: which object changed and how, but not its contents, which the API gives. */
export type WebhookEvent = {
  readonly type: SentType
  readonly timestamp: string
  readonly data: {
    readonly object: SentObject
    readonly id: string
    readonly status?: string
    readonly orgId: string
    readonly url: string
  }
}

const PATHS: Readonly<Record<SentObject, string>> = {
  booking: 'bookings',
  invoice: 'invoices',
  payment: 'payments',
  transfer: 'transfers',
  verification: 'admin/verification',
  document: 'documents',
  repair: 'requests',
  inspection: 'inspections',
  expense: 'expenses',
  owner_transfer: 'owner-transfers',
  regularisation: 'regularisations',
  endpoint: 'webhook-endpoints',
}
/** The API address of an object; `place`: where it is not the usual one of its kind. */
export const resourceUrl = (publicUrl: string, object: SentObject, id: string, place: unknown = PATHS[object]) =>
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

/** Ms for which a secret that was replaced still signs, and how many of them do so at once. */
const ROTATION_MS = 24 * HOUR * 1000
export const FORMER_SECRETS = 5
/** A secret that was replaced and until when it signs, date-time. */
export type FormerSecret = { readonly version: number; readonly until: string }
/** The former secrets that sign at `wall`, the latest first. */
export const signing = (former: readonly FormerSecret[] | null, wall: number): FormerSecret[] =>
  (former ?? []).filter(({ until }) => Date.parse(until) > wall)
/** A secret that is replaced at `wall`. */
export const replacedAt = (version: number, wall: number): FormerSecret => ({
  version,
  until: new Date(wall + ROTATION_MS).toISOString(),
})

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
export function isAllowedUrl(text: string, reach: Reach): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return false
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false
  if (reach === 'ANY' || (reach === 'LOOPBACK' && isLoopbackHost(url.hostname)))
    return url.protocol === 'https:' || url.protocol === 'http:'
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const closed = isIP(host) === 0 ? /^[^.]*$|\.(localhost|local|internal)$/.test(host) : !isPublicAddress(host)
  return url.protocol === 'https:' && !closed
}
