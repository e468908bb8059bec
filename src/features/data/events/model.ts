import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import { Body, DateTime, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import {
  DELIVERY_STATUS,
  ENDPOINT_STATUS,
  EVENT_OBJECTS,
  EVENT_TYPES,
  FAILURES,
  objectOf,
  resourceUrl,
} from './rules.ts'
import type { DeliveryRow, EndpointRow } from './store.ts'

const EventType = oneOf(EVENT_TYPES, {
  $id: 'WebhookEventType',
  description: 'What happened, in the past participle; the audit trail has verbs of its own.',
})
const Events = Type.Array(EventType, {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
  description: 'The events that are sent; all if omitted.',
})
const Url = Type.String({
  maxLength: 2000,
  description: 'An https address on the open internet, without user name, password or fragment.',
})

export const WebhookEndpoint = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    url: Type.String(),
    description: Type.Optional(Type.String()),
    events: Events,
    status: oneOf(ENDPOINT_STATUS, {
      $id: 'WebhookEndpointStatus',
      description: 'DISABLED by hand, or because the address answered 410.',
    }),
    rotatedAt: Type.Optional(DateTime),
    createdAt: DateTime,
  },
  { $id: 'WebhookEndpoint' },
)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const EndpointCreate = Body(
  { url: Url, events: Maybe(Events), description: Maybe(Text({ max: 200 })) },
  { examples: [{ url: 'https://compta.example.cm/loyer', events: ['invoice.issued', 'payment.recorded'] }] },
)
export type EndpointCreate = Static<typeof EndpointCreate>
export const EndpointPatch = Body({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  description: Maybe(Text({ max: 200 })),
  status: Type.Optional(oneOf(ENDPOINT_STATUS)),
})
export type EndpointPatch = Static<typeof EndpointPatch>

export const SecretEndpoint = Type.Object(
  {
    ...WebhookEndpoint.properties,
    secret: Type.String({
      description: 'whsec_ and 32 bytes in base64, as defined by Standard Webhooks; shown only in this answer.',
    }),
  },
  { $id: 'WebhookEndpointWithSecret' },
)

const WebhookEvent = Type.Object(
  {
    type: EventType,
    timestamp: DateTime,
    data: Type.Object({
      object: oneOf(EVENT_OBJECTS, { $id: 'WebhookObject', description: 'The word before the dot of the type.' }),
      id: Uuid,
      status: Type.Optional(Type.String({ description: 'The status of the object at that time.' })),
      orgId: Uuid,
      url: Type.String({ description: 'The address at which the API shows the current object.' }),
    }),
  },
  { $id: 'WebhookEvent', description: 'The body that an endpoint receives.' },
)
export const WebhookDelivery = Type.Object(
  {
    id: Uuid,
    endpointId: Uuid,
    eventId: Type.String({ description: 'The same for each attempt and replay; sent in the header webhook-id.' }),
    type: EventType,
    payload: WebhookEvent,
    status: oneOf(DELIVERY_STATUS),
    attempts: Type.Integer(),
    responseStatus: Type.Optional(
      Type.Integer({ description: 'The HTTP status of the last attempt, if there was an answer.' }),
    ),
    failure: Type.Optional(oneOf(FAILURES, { description: 'Why the last attempt failed.' })),
    nextAttemptAt: Type.Optional(DateTime),
    deliveredAt: Type.Optional(DateTime),
    createdAt: DateTime,
  },
  { $id: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

const EXAMPLE = '0190c3b4-7f5a-7c3e-9d51-2f6b8a1c4e20'
/** The `webhooks` of the OpenAPI document; the schemas of events are those of deliveries. */
export const webhooks = Object.fromEntries(
  EVENT_TYPES.map((type) => [
    type,
    {
      post: {
        summary: type,
        description: 'Sent to the endpoints of the organization that subscribe to this type.',
        tags: ['Webhooks'],
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/WebhookEvent' },
              example: {
                type,
                timestamp: '2026-03-04T10:12:30.000Z',
                data: {
                  object: objectOf(type),
                  id: EXAMPLE,
                  orgId: EXAMPLE,
                  url: resourceUrl('https://loyer.example.cm', objectOf(type), EXAMPLE),
                },
              },
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
