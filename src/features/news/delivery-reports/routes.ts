import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { readBytes } from '../../../http/body.ts'
import { edgeOf } from '../../../http/request.ts'
import type { Http } from '../../../http/routes.ts'
import { assertEnabled, authenticate, recordReports } from './service.ts'

const LIMIT = 262_144
/** Documents the members that are read; never validated, as each vendor has its own shape. */
const DeliveryReport = Type.Object(
  {
    messageId: Type.Optional(Type.String({ description: 'The id that the vendor gave the message.' })),
    status: Type.Optional(
      Type.String({
        description: 'The delivery status, in the words of the vendor: delivered, undelivered, read, expired …',
      }),
    ),
    to: Type.Optional(Type.String({ description: 'The number that the message was sent to.' })),
    channel: Type.Optional(Type.String({ description: 'WhatsApp or SMS.' })),
    timestamp: Type.Optional(Type.String({ description: 'When the status was reached.' })),
  },
  {
    $id: 'DeliveryReport',
    additionalProperties: true,
    description:
      'One report, or several in a list as wrapped by Infobip (`results`), Meta (`entry`) and Orange (`deliveryInfoNotification`); other member names that vendors use are accepted too. At most 256 KiB and 1,000 reports.',
    examples: [
      {
        results: [
          {
            messageId: 'b1f0c7f2-6c0e-4c8a-9a51-2f6f1c7f8a11',
            to: '237677123456',
            status: { groupName: 'DELIVERED' },
            doneAt: '2026-03-04T10:12:30.000+0000',
          },
        ],
      },
    ],
  },
)

/** Callbacks of the messaging vendor, authenticated by a shared secret instead of a bearer token. */
export const deliveryReports = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/webhooks', tags: ['Webhooks'] }).use(http).post(
    '/smsvendor/dlr',
    async ({ request }) => {
      assertEnabled(deps)
      const tokens = new URL(request.url).searchParams.getAll('token')
      const incoming = {
        bytes: await readBytes(request, LIMIT),
        token: tokens.length === 1 ? tokens[0] : undefined,
        signature: request.headers.get(deps.config.webhookSignatureHeader),
        requestId: edgeOf(request).requestId,
        form: /^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''),
      }
      authenticate(deps, incoming)
      await recordReports(deps, incoming)
      return { status: 'accepted' }
    },
    {
      // The signature covers the raw bytes, so the edge's JSON reader is not used.
      parse: 'none',
      problems: [
        'webhook_disabled',
        'unauthorized',
        'body_too_large',
        'unsupported_media_type',
        'validation_failed',
        'storage_unavailable',
      ],
      answers: {
        200: Type.Object({ status: Type.String({ description: 'Always `accepted`.', examples: ['accepted'] }) }),
      },
      detail: {
        summary: 'Receive a delivery report of the messaging vendor',
        operationId: 'deliveryReport',
        'x-roles': 'public',
        description:
          'Accepts the JSON of any vendor. Authenticated by the `token` of the address, by an HMAC-SHA-256 of the body in hex or base64, or by both, as configured; a 401 gives no further reason. A report that was received before changes nothing. If Twilio is the vendor, its reports are accepted as a form.',
        security: [],
        requestBody: { required: true, content: { 'application/json': { schema: DeliveryReport } } },
        'x-parameters': [
          {
            name: 'token',
            in: 'query',
            required: false,
            description: 'The shared secret, if one is configured.',
            schema: { type: 'string' },
          },
          {
            name: deps.config.webhookSignatureHeader,
            in: 'header',
            required: false,
            description: 'The HMAC-SHA-256 of the body, optionally after `sha256=`, if a key is configured.',
            schema: { type: 'string' },
          },
        ],
      } as object,
    },
  )
