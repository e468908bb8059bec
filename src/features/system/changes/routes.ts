import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { edgeOf } from '../../../http/gate.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { createStreams } from './service.ts'

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
        summary: 'A stream that says when something in the organization has changed',
        description:
          'Server-sent events, to be read with the token in the Authorization header (by `fetch`). `event: changed` with `data: {"version": n}` comes at once, and then whenever the version of the organization is another, at most once a second. The number counts the changes of the organization, those of others too, as the ETags of lists do, and nothing more is told: what has changed is for the lists and resources to tell to who may read them. A comment every 20 seconds keeps the stream open. It ends with its token: when that expires, and at once when the account signs out or its password, number or roles change; connect again with a new one. Four streams a person at most.',
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
