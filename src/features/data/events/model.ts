import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import { CreatedAt, Id, OrgId } from '../../../http/members.ts'
import { As, Body, DateTime, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import {
  DELIVERY_STATUS,
  ENDPOINT_STATUS,
  EVENT_TYPES,
  FAILURES,
  objectOf,
  resourceUrl,
  SENT_OBJECTS,
  SENT_TYPES,
  type SentObject,
  type SentType,
  TESTED,
  type WebhookEvent,
} from './rules.ts'
import type { DeliveryRow, EndpointRow } from './store.ts'

const Description = Text({ max: 200, description: 'A note of your own.' })

const EventType = oneOf(EVENT_TYPES, {
  $id: 'WebhookEventType',
  description: 'What happened, in the past participle; the audit trail has verbs of its own.',
  examples: ['invoice.paid'],
})
const SentTypes = oneOf(SENT_TYPES, {
  $id: 'WebhookSentType',
  description:
    'What arrives: the types that an endpoint subscribes to, and `endpoint.tested`, which is sent to one endpoint by its operation `test` whatever it subscribes to.',
  examples: ['invoice.paid'],
})
const Events = Type.Array(EventType, {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
  description: 'The events that are sent; all if omitted.',
})
const Url = Type.String({
  maxLength: 2000,
  description:
    'An https address on the open internet, without user name, password or fragment. A sandbox on your own machine takes `http://localhost:PORT` too.',
  examples: ['https://compta.example.cm/loyer'],
})

export const WebhookEndpoint = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    url: Type.String({
      description: 'The address that events are sent to.',
      examples: ['https://compta.example.cm/loyer'],
    }),
    description: Type.Optional(Type.String({ description: 'A note of your own.' })),
    events: Events,
    status: oneOf(ENDPOINT_STATUS, {
      $id: 'WebhookEndpointStatus',
      description: 'DISABLED by hand, or because the address answered 410.',
    }),
    rotatedAt: Type.Optional({
      ...DateTime,
      description: 'When the secret was last changed; the previous one stays valid for a day.',
    }),
    createdAt: CreatedAt,
  },
  { $id: 'WebhookEndpoint' },
)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const EndpointCreate = Body(
  { url: Url, events: Maybe(Events), description: Maybe(Description) },
  { examples: [{ url: 'https://compta.example.cm/loyer', events: ['invoice.issued', 'payment.recorded'] }] },
)
export type EndpointCreate = Static<typeof EndpointCreate>
export const EndpointPatch = Body({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  description: Maybe(Description),
  status: Type.Optional(oneOf(ENDPOINT_STATUS, { description: 'ENABLED starts again with the events from now on.' })),
})
export type EndpointPatch = Static<typeof EndpointPatch>

export const SecretEndpoint = Type.Object(
  {
    ...WebhookEndpoint.properties,
    secret: Type.String({
      description: 'whsec_ and 32 bytes in base64, as defined by Standard Webhooks; shown only in this answer.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDpYYO1CcgLsQ='],
    }),
  },
  { $id: 'WebhookEndpointWithSecret' },
)

const EventBody = Type.Object(
  {
    type: SentTypes,
    timestamp: { ...DateTime, description: 'When it happened.' },
    data: Type.Object(
      {
        object: oneOf(SENT_OBJECTS, {
          $id: 'WebhookObject',
          description: 'The word before the dot of the type.',
          examples: ['invoice'],
        }),
        id: Id,
        status: Type.Optional(
          Type.String({ description: 'The status of the object at that time.', examples: ['PAID'] }),
        ),
        orgId: OrgId,
        url: Type.String({
          description: 'The address at which the API shows the current object.',
          examples: ['https://loyer.example.cm/api/v1/invoices/01985f3a-7c00-7000-8000-000000000014'],
        }),
      },
      { description: 'The object of the event.' },
    ),
  },
  { $id: 'WebhookEvent', description: 'The body that an endpoint receives.' },
)
export const WebhookDelivery = Type.Object(
  {
    id: Id,
    endpointId: { ...Uuid, description: 'The webhook endpoint.' },
    eventId: Type.String({
      description: 'The same for each attempt and replay; sent in the header webhook-id.',
      examples: ['01985f3a-7c00-7000-8000-000000000041'],
    }),
    type: SentTypes,
    payload: As(EventBody, 'The body that is sent.'),
    status: oneOf(DELIVERY_STATUS, { description: 'PENDING until it is delivered or given up.' }),
    attempts: Type.Integer({ description: 'The number of attempts.', examples: [1] }),
    responseStatus: Type.Optional(
      Type.Integer({ description: 'The HTTP status of the last attempt, if there was an answer.' }),
    ),
    failure: Type.Optional(oneOf(FAILURES, { description: 'Why the last attempt failed.' })),
    nextAttemptAt: Type.Optional({ ...DateTime, description: 'When the next attempt is due.' }),
    deliveredAt: Type.Optional({ ...DateTime, description: 'When it was delivered.' }),
    createdAt: CreatedAt,
  },
  { $id: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

/** The status that an object most often has when an event tells of it, and where a type of event has another. */
const STATUS: Readonly<Record<SentObject, string>> & { readonly [type in SentType]?: string } = {
  booking: 'ACTIVE',
  'booking.created': 'DRAFT',
  'booking.updated': 'DRAFT',
  'booking.submitted': 'PENDING',
  'booking.signed': 'PENDING',
  'booking.signed_copy_attached': 'PENDING',
  'booking.cancelled': 'CANCELLED',
  'booking.ended': 'TERMINATED',
  'booking.terminated': 'TERMINATED',
  invoice: 'ISSUED',
  'invoice.balance_changed': 'OVERDUE',
  'invoice.overdue': 'OVERDUE',
  'invoice.paid': 'PAID',
  'invoice.credited': 'PAID',
  'invoice.cancelled': 'CANCELLED',
  'invoice.replaced': 'CANCELLED',
  payment: 'CONFIRMED',
  'payment.declared': 'PENDING',
  'payment.rejected': 'REJECTED',
  'payment.withdrawn': 'REJECTED',
  'payment.reversed': 'REVERSED',
  transfer: 'POSTED',
  'transfer.reversed': 'REVERSED',
  verification: 'DRAFT',
  'verification.submitted': 'SUBMITTED',
  'verification.review_started': 'UNDER_REVIEW',
  'verification.info_requested': 'MORE_INFO_REQUESTED',
  'verification.approved': 'APPROVED',
  'verification.rejected': 'REJECTED',
  'verification.revoked': 'REVOKED',
  document: 'READY',
  'document.failed': 'FAILED',
  repair: 'OPEN',
  'repair.seen': 'SEEN',
  'repair.planned': 'PLANNED',
  'repair.finished': 'DONE',
  'repair.refused': 'REFUSED',
  'repair.erased': 'DONE',
  inspection: 'DRAFT',
  'inspection.proposed': 'PROPOSED',
  'inspection.signed': 'PROPOSED',
  'inspection.signed_copy_attached': 'SIGNED',
  'inspection.completed': 'SIGNED',
  expense: 'RECORDED',
  'expense.cancelled': 'CANCELLED',
  owner_transfer: 'RECORDED',
  'owner_transfer.cancelled': 'CANCELLED',
  regularisation: 'ISSUED',
  'regularisation.cancelled': 'CANCELLED',
  endpoint: 'ENABLED',
}
const ID = '0190c3b4-7f5a-7c3e-9d51-2f6b8a1c4e20'
/** An event as an endpoint receives it. */
function exampleOf(type: SentType): WebhookEvent {
  const object = objectOf(type)
  const url = resourceUrl('https://loyer.example.cm', object, ID)
  const data = { object, id: ID, status: STATUS[type] ?? STATUS[object], orgId: '0190c3b4-7f5a-7c3e-9d51-2f6b8a1c4e01' }
  return { type, timestamp: '2026-03-04T10:12:30.000Z', data: { ...data, url } }
}

/** The `webhooks` of the OpenAPI document; the schemas of events are those of deliveries. */
export const webhooks = Object.fromEntries(
  SENT_TYPES.map((type) => [
    type,
    {
      post: {
        summary: type,
        description:
          type === TESTED
            ? 'Sent by `POST /webhook-endpoints/{id}/test` to that endpoint, whatever it subscribes to.'
            : 'Sent to the endpoints of the organization that subscribe to this type.',
        tags: ['Webhooks'],
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/WebhookEvent' },
              example: exampleOf(type),
            },
          },
        },
        responses: {
          '2XX': { description: 'Received.' },
          410: { description: 'No more events are wanted: the endpoint is disabled.' },
        },
      },
    },
  ]),
)

export const endpointView = <T extends Pick<EndpointRow, 'events'>>(row: T) => ({ ...row, events: [...row.events] })
export const toEndpoint = ({
  secretVersion: _s,
  formerSecrets: _h,
  failures: _f,
  pausedUntil: _p,
  createdBy: _c,
  updatedAt: _u,
  version: _v,
  ...row
}: EndpointRow): WebhookEndpoint => ({ ...dto(row), events: [...row.events] })
export const toDelivery = ({
  orgId: _o,
  triedUntil: _t,
  updatedAt: _u,
  version: _v,
  ...row
}: DeliveryRow): WebhookDelivery => dto(row)
