import type { Schemas } from '../../../shared/api.ts'
import type { Tone } from '../../../shared/tone.ts'
import { actionOf } from '../../kit/action-words.ts'

export type Endpoint = Schemas['WebhookEndpoint']
type EventType = Schemas['WebhookEventType']
type EventObject = Exclude<Schemas['WebhookObject'], 'endpoint'>
/** Every event type and the action of the audit trail that puts it in words. */
const ACTIONS: Readonly<Record<EventType, string>> = {
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
}
export const EVENT_TYPES = Object.keys(ACTIONS) as readonly EventType[]
const objectOf = (type: EventType) => type.slice(0, type.indexOf('.')) as EventObject
export const eventWords = (type: Schemas['WebhookSentType']): string =>
  actionOf(type === 'endpoint.tested' ? 'webhook_delivery.test' : ACTIONS[type])

const of = (object: EventObject): EventType[] => EVENT_TYPES.filter((type) => objectOf(type) === object)
export const EVENT_OBJECTS: readonly EventObject[] = [...new Set(EVENT_TYPES.map(objectOf))]
/** The objects of which an endpoint receives an event or more. */
export const objectsOf = (events: readonly EventType[]): EventObject[] =>
  EVENT_OBJECTS.filter((object) => events.some((type) => objectOf(type) === object))
/** The types of the chosen objects; of one that was chosen before, the types that were. */
export const typesOf = (chosen: readonly EventObject[], before: readonly EventType[] = []): EventType[] =>
  chosen.flatMap((object) => {
    const chosenBefore = before.filter((type) => objectOf(type) === object)
    return chosenBefore.length > 0 ? chosenBefore : of(object)
  })
export const TONE: Record<Endpoint['status'], Tone> = { ENABLED: 'good', DISABLED: 'plain' }
export const SENT: Record<Schemas['WebhookDeliveryStatus'], Tone> = {
  PENDING: 'warn',
  DELIVERED: 'good',
  FAILED: 'bad',
}
/** What an endpoint is called: as its people call it, else by its host. */
export const nameOf = ({ description, url }: Endpoint): string => description ?? new URL(url).host
