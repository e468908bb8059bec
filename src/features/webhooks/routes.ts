import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { readBytes } from '../../http/body.ts'
import { edgeOf } from '../../http/edge.ts'
import type { Http } from '../../http/http.ts'
import { assertEnabled, authenticate, recordReports } from './service.ts'

const LIMIT = 262_144

/** Callbacks of the messaging vendor: not a bearer token but a shared secret proves who calls. */
export const webhooks = (deps: Deps, http: Http) =>
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
      // Read raw, since the signature is over the bytes; so not by the edge's JSON reader.
      parse: 'none',
      problems: ['webhook_disabled', 'unauthorized', 'body_too_large', 'validation_failed', 'storage_unavailable'],
      answers: { 200: Type.Object({ status: Type.String() }) },
      detail: {
        summary: "A delivery report of the messaging vendor, in any vendor's JSON",
        operationId: 'deliveryReport',
        'x-roles': 'public',
        security: [],
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      } as object,
    },
  )
