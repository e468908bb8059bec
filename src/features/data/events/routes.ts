import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../../context.ts'
import { TEST_EVENTS } from '../../../core/budgets.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { ListParameters } from '../../../http/paging.ts'
import { edgeOf } from '../../../http/request.ts'
import { EVERYONE, type Http, MANAGERS, section } from '../../../http/routes.ts'
import { Body, someOf } from '../../../http/schema.ts'
import {
  EndpointCreate,
  EndpointPatch,
  endpointView,
  SecretEndpoint,
  toDelivery,
  toEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
} from './model.ts'
import { DELIVERY_STATUS, FORMER_SECRETS, secretOf } from './rules.ts'
import {
  checkUrl,
  createEndpoint,
  endpointOf,
  removeEndpoint,
  replayDelivery,
  rotateSecret,
  sendTest,
  updateEndpoint,
} from './service.ts'
import { findDelivery, findEndpoint, listDeliveries, listEndpoints } from './store.ts'
import { createStreams } from './stream.ts'

export function events(deps: Deps, http: Http) {
  const wall = (): string => new Date(deps.clock.wall()).toISOString()
  /** Added to the answer only, so that no secret is stored for a replay. */
  const withSecret = ({ orgId }: Caller, endpoint: WebhookEndpoint) => {
    const row = findEndpoint(deps.db, orgId, endpoint.id)
    if (!row) throw notFound()
    return { ...endpoint, secret: secretOf(deps.masterKey, row.id, row.secretVersion) }
  }
  return new Elysia({
    prefix: '/api/v1',
    ...section('Webhooks', 'Calls from messaging vendors, and calls to your own systems.'),
  })
    .use(http)
    .post(
      '/webhook-endpoints',
      async ({ body, mutate, caller }) => {
        await checkUrl(deps, body.url)
        return withSecret(
          caller,
          await mutate({ status: 201, body, run: (ctx) => createEndpoint(ctx, body), view: toEndpoint }),
        )
      },
      {
        access: { roles: MANAGERS, stepUp: true },
        body: EndpointCreate,
        problems: ['quota_exceeded'],
        creates: ['/api/v1/webhook-endpoints/{id}'],
        answers: { 201: SecretEndpoint },
        detail: {
          summary: 'Create a webhook endpoint',
          operationId: 'createWebhookEndpoint',
          description:
            'Each event is a POST of a WebhookEvent, signed with the `secret` of this answer according to Standard Webhooks. The headers are `webhook-id`, `webhook-timestamp` and `webhook-signature`. `webhook-id` is the same for each attempt: ignore an event that you have already received. Answer 2xx within 5 seconds. Any other answer, including a redirect, is retried up to eight times within three days. While an address fails, its other events wait, at most a quarter of an hour at a time. 410 disables the endpoint.',
        },
      },
    )
    .get(
      '/webhook-endpoints',
      ({ many, query }) =>
        many({ name: 'webhookEndpoints', query, filters: ['updatedSince'] }, (q) => {
          const page = listEndpoints(deps.db, q)
          return { ...page, rows: page.rows.map(endpointView) }
        }),
      {
        access: MANAGERS,
        query: ListParameters({}),
        answers: { 200: Type.Array(WebhookEndpoint) },
        detail: { summary: 'List webhook endpoints', operationId: 'listWebhookEndpoints' },
      },
    )
    .get(
      '/webhook-endpoints/:id',
      ({ caller, params, one }) => one(findEndpoint(deps.db, caller.orgId, params.id), toEndpoint),
      {
        access: MANAGERS,
        answers: { 200: WebhookEndpoint },
        detail: { summary: 'Read a webhook endpoint', operationId: 'getWebhookEndpoint' },
      },
    )
    .patch(
      '/webhook-endpoints/:id',
      async ({ params, body, mutate, caller }) => {
        if (!findEndpoint(deps.db, caller.orgId, params.id)) throw notFound()
        await checkUrl(deps, body.url)
        return mutate({ body, run: updateEndpoint, view: toEndpoint, current: endpointOf })
      },
      {
        access: { roles: MANAGERS, stepUp: true },
        body: EndpointPatch,
        answers: { 200: WebhookEndpoint },
        detail: { summary: 'Change, disable or enable a webhook endpoint', operationId: 'updateWebhookEndpoint' },
      },
    )
    .delete(
      '/webhook-endpoints/:id',
      async ({ perform }) => {
        while (!(await perform({ status: 204, run: removeEndpoint, current: endpointOf })));
        return new Response(null, { status: 204 })
      },
      {
        access: MANAGERS,
        answers: { 204: Type.Null() },
        detail: { summary: 'Delete a webhook endpoint and its deliveries', operationId: 'deleteWebhookEndpoint' },
      },
    )
    .post(
      '/webhook-endpoints/:id/rotate-secret',
      async ({ body, mutate, caller }) =>
        withSecret(
          caller,
          await mutate({
            body,
            run: (ctx, id) => rotateSecret(ctx, id, deps.clock.wall()),
            view: toEndpoint,
            current: endpointOf,
          }),
        ),
      {
        access: { roles: MANAGERS, stepUp: true },
        body: Body({}),
        answers: { 200: SecretEndpoint },
        detail: {
          summary: 'Rotate the secret of a webhook endpoint',
          description: `The new secret is shown only once. Each secret that it replaces signs for a day more: an event carries a signature of each, of ${FORMER_SECRETS} former ones at most (429 until the oldest ends).`,
          operationId: 'rotateWebhookSecret',
        },
      },
    )
    .post(
      '/webhook-endpoints/:id/test',
      ({ body, mutate }) =>
        mutate({
          status: 201,
          body,
          run: (ctx, id) => sendTest(ctx, id, { wall: deps.clock.wall(), publicUrl: deps.config.publicUrl }),
          view: toDelivery,
          current: endpointOf,
        }),
      {
        access: MANAGERS,
        body: Body({}),
        problems: ['invalid_state'],
        creates: ['/api/v1/webhook-endpoints/:id/deliveries'],
        answers: { 201: WebhookDelivery },
        detail: {
          summary: 'Send a test event to a webhook endpoint',
          description: `An event of type \`endpoint.tested\`, signed, tried again and listed among the deliveries like any other, whatever the endpoint subscribes to. At most ${TEST_EVENTS.most} an hour.`,
          operationId: 'testWebhookEndpoint',
        },
      },
    )
    .get(
      '/webhook-endpoints/:id/deliveries',
      ({ caller, params, many, query }) => {
        if (!findEndpoint(deps.db, caller.orgId, params.id)) throw notFound()
        return many(
          {
            name: 'webhookDeliveries',
            query: { ...query, endpointId: params.id },
            filters: ['endpointId', 'status', 'updatedSince'],
          },
          (q) => listDeliveries(deps.db, q),
        )
      },
      {
        access: MANAGERS,
        query: ListParameters({ status: Type.Optional(someOf(DELIVERY_STATUS)) }),
        answers: { 200: Type.Array(WebhookDelivery) },
        detail: {
          summary: 'List what was sent to an endpoint in the last 30 days',
          operationId: 'listWebhookDeliveries',
        },
      },
    )
    .post(
      '/webhook-deliveries/:id/replay',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => replayDelivery(ctx, id, wall()),
          view: toDelivery,
          current: ({ tx, caller }, id) => findDelivery(tx, caller.orgId, id),
        }),
      {
        access: MANAGERS,
        body: Body({}),
        problems: ['invalid_state'],
        answers: { 200: WebhookDelivery },
        detail: { summary: 'Send a delivery again', operationId: 'replayWebhookDelivery' },
      },
    )
}

/** Tells a page that something in its organization has changed, so that it need not ask again and again. */
export function changes(deps: Deps, http: Http) {
  const streams = createStreams(deps)
  return new Elysia({ tags: ['Service'] }).use(http).get(
    '/api/v1/events',
    ({ caller, request }) => {
      const { token } = edgeOf(request)
      if (token === undefined) throw new AppError('unauthorized')
      // HEAD has no body: it takes no place among the streams.
      return new Response(request.method === 'HEAD' ? null : streams.open(request, caller, token), {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          // Proxies that buffer answers would hold events back.
          'x-accel-buffering': 'no',
        },
      })
    },
    {
      access: EVERYONE,
      problems: ['overloaded'],
      detail: {
        summary: 'Stream a signal whenever something in the organization changes',
        description:
          'Server-sent events, read with the token in the Authorization header (by `fetch`). `event: changed` with `data: {"version": n}` comes at once, and then whenever the organization’s version changes, at most once a second. The number counts the changes of the whole organization, like the ETags of lists, and discloses nothing else; read the lists and resources to see what has changed. A comment every 20 seconds keeps the stream open. The stream ends with its token: when the token expires, and at once when the account signs out or its password, number or roles change. Connect again with a new token. At most four streams for each person.',
        operationId: 'streamChanges',
        responses: {
          200: {
            description: 'The stream, until the token ends.',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
      } as object,
    },
  )
}
