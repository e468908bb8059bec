import { Elysia } from 'elysia'
import type { Config } from '../config.ts'
import { notFound } from '../errors.ts'
import { edgeOf, REALM } from './request.ts'
import type { RouteTable } from './route-table.ts'

const EXPOSED = 'Link, ETag, X-Total-Count, X-Request-Id, Idempotency-Replayed, Retry-After'

/** Lets scripts of the pages under CORS_ORIGINS read the answers. */
export function cors({ config }: { config: Pick<Config, 'corsOrigins'> }) {
  const origins = new Set(config.corsOrigins)
  const plugin = new Elysia({ name: 'cors' })
  if (origins.size === 0) return plugin
  return plugin.onRequest(({ request, set }) => {
    set.headers.vary = `${set.headers.vary}, Origin`
    const origin = request.headers.get('origin')
    if (origin === null || !origins.has(origin)) return
    set.headers['access-control-allow-origin'] = origin
    set.headers['access-control-expose-headers'] = EXPOSED
    set.headers['cross-origin-resource-policy'] = 'cross-origin'
  })
}

/**
 * Answers OPTIONS with the methods of a path, and a preflight (which `cors` has seen before) for any path. The provider
 * answers its own. @throws not_found
 */
export const options = (routes: RouteTable) =>
  new Elysia({ name: 'options' }).onRequest(({ request, set }) => {
    const { path } = edgeOf(request)
    if (request.method !== 'OPTIONS' || path.startsWith(REALM)) return undefined
    const isPreflight = request.headers.has('access-control-request-method')
    const methods = routes.methods(path, true)
    if (methods.length === 0 && !isPreflight) throw notFound()
    return new Response(null, {
      status: 204,
      headers: {
        ...(methods.length > 0 ? { allow: [...methods, 'OPTIONS'].join(', ') } : {}),
        ...(isPreflight &&
          set.headers['access-control-allow-origin'] !== undefined && {
            'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
            'access-control-allow-headers':
              'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id',
            'access-control-max-age': '600',
          }),
      },
    })
  })
