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
