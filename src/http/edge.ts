import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { networkOf } from '../core/network.ts'
import { AppError } from '../errors.ts'
import type { Access } from './access.ts'
import { bearerToken } from './bearer-token.ts'
import type { Caller } from './caller.ts'
import { createLimiter, unlimited } from './limits.ts'
import { isTrusted } from './proxies.ts'

/** What the edge knows of a request before any handler runs. */
export type Edge = {
  readonly requestId: string
  readonly startedAt: number
  /** The client's address: the last hop that is no trusted proxy. */
  readonly address: string
  caller?: Caller
}

const edges = new WeakMap<Request, Edge>()
const peers = new WeakMap<Request, string>()
/** The server says which address a request came from; requests made in the process come from loopback. */
export const setPeer = (request: Request, address: string): void => void peers.set(request, address)

export const edgeOf = (request: Request): Edge => {
  const edge = edges.get(request)
  if (!edge) throw new Error('the edge did not see this request')
  return edge
}
export const edgeIfAny = (request: Request): Edge | undefined => edges.get(request)
export const callerOf = (request: Request): Caller => {
  const caller = edges.get(request)?.caller
  if (!caller) throw new AppError('unauthorized')
  return caller
}

/** The path of an absolute URL in its normal form, which a request's is: like `new URL(url).pathname`, at a tenth of the cost. */
export const pathOf = (url: string): string => {
  const start = url.indexOf('/', 8)
  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

type PublicRoute = { readonly methods: readonly string[]; readonly path: string; readonly prefix?: boolean }
const GET = ['GET', 'HEAD']
const open = (methods: readonly string[], path: string, prefix = false): PublicRoute => ({ methods, path, prefix })
/** The one list of what may be reached without a token (interface.md "Authentication", decisions section 2). */
const PUBLIC: readonly PublicRoute[] = [
  open(['POST'], '/api/v1/registration/', true),
  open(['POST'], '/api/v1/account/password-reset/', true),
  open(GET, '/api/v1/legal/', true),
  open(['POST'], '/webhooks/', true),
  open([...GET, 'POST'], '/realms/svc/', true),
  open(['PUT'], '/media-uploads/', true),
  open(GET, '/media-files/', true),
  open(GET, '/verify/', true),
  open(GET, '/healthz'),
  open(GET, '/readyz'),
  open(GET, '/metrics'), // loopback or token, judged by its own handler
  open(GET, '/openapi.json'),
  open(GET, '/docs'),
  open(GET, '/docs/', true),
  open(GET, '/'),
]
/** Of the OpenID provider all but discovery, certs and the pages' assets counts as a request. */
const COUNTED_REALM = /^\/realms\/svc\/(?!\.well-known\/|resources\/|protocol\/openid-connect\/certs$)/
const SANDBOX: readonly PublicRoute[] = [open([...GET, 'POST'], '/api/v1/sandbox/', true)]

const SECURITY_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
const EXPOSED = 'Link, ETag, X-Total-Count, X-Request-Id, Idempotency-Replayed, Retry-After'
const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/
const LOOPBACK_HOST = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?$/i

type Settable = { headers: Record<string, string | number> }

/**
 * The first thing every request meets: id, headers, host, preflight, token (401), limits (429). Not async: a request
 * with a token seen before goes on in the same turn. Throws what the client is to be told.
 */
export function createEdge(config: Config, access: Access, newRequestId: () => string) {
  const publicHost = new URL(config.publicUrl).host.toLowerCase()
  const origins = new Set(config.corsOrigins)
  const routes = config.sandbox ? [...PUBLIC, ...SANDBOX] : PUBLIC
  const base: Record<string, string> = {
    ...SECURITY_HEADERS,
    vary: origins.size > 0 ? 'Authorization, Origin' : 'Authorization',
    ...(config.publicUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  }
  const limiter = (perSecond: number, burst: number) =>
    config.rateLimits ? createLimiter(perSecond, burst) : unlimited
  const perUser = limiter(20, 60)
  // Whose token is bad is a stranger too, so that guessing is no cheaper than asking.
  const perAddress = limiter(5, 60)
  const signUp = limiter(10 / 60, 10)
  const webhooks = limiter(50, 200)

  const fixed = new Map(routes.filter((r) => !r.prefix).map((r) => [r.path, r.methods]))
  const prefixes = routes.filter((r) => r.prefix)
  const isPublic = (method: string, path: string): boolean =>
    fixed.get(path)?.includes(method) ?? prefixes.some((r) => path.startsWith(r.path) && r.methods.includes(method))

  // What stood in the Host header of requests that were let in; few, as only good ones are kept.
  const ours = new Set<string>()
  function checkHost(url: string): void {
    const authority = url.slice(url.indexOf('//') + 2, url.indexOf('/', 8))
    if (ours.has(authority)) return
    const { host } = new URL(url)
    if (host.toLowerCase() !== publicHost && !LOOPBACK_HOST.test(host)) throw new AppError('misdirected_request')
    if (ours.size < 100) ours.add(authority)
  }

  const spend = (seconds: number): void => {
    if (seconds > 0) throw new AppError('too_many_requests', undefined, { retryAfter: seconds })
  }
  function limitStranger(path: string, address: string): void {
    const network = networkOf(address)
    if (path.startsWith('/webhooks/')) spend(webhooks.take(network))
    else if (path.startsWith('/api/') || COUNTED_REALM.test(path)) {
      if (path.startsWith('/api/v1/registration/') || path.startsWith('/api/v1/account/password-reset/'))
        spend(signUp.take(network))
      spend(perAddress.take(network))
    }
  }

  function addressOf(request: Request): string {
    const peer = peers.get(request) ?? '127.0.0.1'
    if (config.trustedProxies.length === 0 || !isTrusted(peer, config.trustedProxies)) return peer
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((h) => h.trim())
    for (const hop of hops.reverse()) {
      if (isIP(hop) === 0) break
      if (!isTrusted(hop, config.trustedProxies)) return hop
    }
    return peer
  }

  function refused({ address }: Edge, e: unknown): never {
    if (e instanceof AppError && e.code === 'unauthorized') spend(perAddress.take(networkOf(address)))
    throw e
  }

  function admitted(edge: Edge, caller: Caller): undefined {
    edge.caller = caller
    spend(perUser.take(caller.userId))
    return undefined
  }

  return ({ request, set }: { request: Request; set: Settable }): undefined | Response | Promise<undefined> => {
    const given = request.headers.get('x-request-id')
    const edge: Edge = {
      requestId: given !== null && REQUEST_ID.test(given) ? given : newRequestId(),
      startedAt: performance.now(),
      address: addressOf(request),
    }
    edges.set(request, edge)
    set.headers = { ...base, 'x-request-id': edge.requestId }
    checkHost(request.url)
    const origin = request.headers.get('origin')
    if (origin !== null && origins.has(origin))
      Object.assign(set.headers, {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': EXPOSED,
        'cross-origin-resource-policy': 'cross-origin',
      })
    if (request.method === 'OPTIONS') {
      const allowed = origin !== null && origins.has(origin) && request.headers.has('access-control-request-method')
      return new Response(null, {
        status: 204,
        headers: allowed
          ? {
              'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
              'access-control-allow-headers':
                'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id',
              'access-control-max-age': '600',
            }
          : {},
      })
    }
    const path = pathOf(request.url)
    if (isPublic(request.method, path)) {
      limitStranger(path, edge.address)
      return undefined
    }
    const credentials = bearerToken(request)
    if (credentials.kind !== 'token') return refused(edge, new AppError('unauthorized'))
    const known = access.cached(credentials.token)
    if (known) return admitted(edge, known)
    return access.slow(credentials.token).then(
      (caller) => admitted(edge, caller),
      (e: unknown) => refused(edge, e),
    )
  }
}
