import { isIP } from 'node:net'
import type { Caller } from '../context.ts'
import { networkOf } from '../core/network.ts'
import type { Deps } from '../deps.ts'
import { AppError, notFound } from '../errors.ts'
import type { Answers } from './answers.ts'
import { bearerToken, statedToken } from './bearer-token.ts'
import { createLimiter, unlimited } from './limits.ts'
import type { RouteTable } from './on-error.ts'
import { isTrusted } from './proxies.ts'
import { publicRoutes, REALM } from './public-routes.ts'

/** What the edge knows of a request before any handler runs. */
export class Edge {
  readonly requestId: string
  readonly path: string
  caller: Caller | undefined
  /** What became of a token that had to be proved first: the request comes in again to be told. */
  proved: { readonly error?: unknown } | undefined
  private readonly ask: () => string
  private asked: string | undefined
  constructor(requestId: string, path: string, ask: () => string) {
    this.requestId = requestId
    this.path = path
    this.caller = undefined
    this.proved = undefined
    this.ask = ask
    this.asked = undefined
  }
  /** The client's address: the last hop that is no trusted proxy. Most requests never need it. */
  get address(): string {
    this.asked ??= this.ask()
    return this.asked
  }
}

const edges = new WeakMap<Request, Edge>()
const peers = new WeakMap<Request, string>()
let peerOf = (_request: Request): string | undefined => undefined
/** The server says which address a request came from; requests made in the process come from loopback. */
export const setPeer = (request: Request, address: string): void => void peers.set(request, address)
/** The same for a server that is asked, only when it matters. */
export const askPeer = (ask: (request: Request) => string | undefined): void => {
  peerOf = ask
}

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
  // A server that could make no address of the Host header hands in the path alone.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', 8)
  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

/** RFC 3986, 6.2.2.2: a letter is the same letter when it is written in percent. Undefined where nothing is to be changed. */
function plainUrl(url: string): string | undefined {
  const path = pathOf(url)
  if (!path.includes('%')) return undefined
  const plain = path.replace(/%(?:2[de]|3\d|[46][1-9a-f]|5[0-9af]|7[0-9ae])/gi, decodeURIComponent)
  return plain === path ? undefined : url.replace(path, () => plain)
}
/** Requests that stand in the place of one with another spelling: what they say is not decoded a second time. */
const normalized = new WeakSet<Request>()

/** Of the OpenID provider all but discovery, certs and the pages' assets counts as a request. */
const COUNTED_REALM = /^\/realms\/svc\/(?!\.well-known\/|resources\/|protocol\/openid-connect\/certs$)/
/** What sends codes to numbers or takes them from strangers. */
const SIGN_UP = /^\/(?:api\/v1\/(?:registration|account\/password-reset)|u)\//

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
 * The first thing every request meets: id, headers, host, preflight, token (401), limits (429). Throws what the client is
 * to be told. A request with a token seen before goes on in the same turn, as nothing here is async; any other waits
 * for its token and comes in `again`.
 */
export function createEdge(
  { config, access, newId }: Pick<Deps, 'config' | 'access' | 'newId'>,
  answers: Pick<Answers, 'find' | 'again'>,
  routes: RouteTable,
  again: (request: Request) => Response | Promise<Response>,
) {
  const publicHost = new URL(config.publicUrl).host.toLowerCase()
  const publicHosts = [publicHost, `${publicHost}:${config.publicUrl.startsWith('https:') ? 443 : 80}`]
  const origins = new Set(config.corsOrigins)
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
  const guesses = limiter(0.5, 30)

  const isPublic = publicRoutes(config.sandbox)

  // What stood in the Host header of requests that were let in; few, as only good ones are kept.
  const ours = new Set<string>()
  /** The header itself is judged too: of two, or of one that is no host, the server may have made any address. */
  function checkHost({ url, headers }: Request): void {
    const given = headers.get('host')
    if (given !== null && ours.has(given)) return
    const address = URL.parse(url)
    const host = (given ?? address?.host ?? '').toLowerCase()
    if (!address || !(publicHosts.includes(host) || LOOPBACK_HOST.test(host))) throw new AppError('misdirected_request')
    if (given !== null && ours.size < 100) ours.add(given)
  }

  const spend = (seconds: number): void => {
    if (seconds > 0) throw new AppError('too_many_requests', undefined, { retryAfter: seconds })
  }
  function limitStranger(edge: Edge, method: string): void {
    const { path } = edge
    const network = networkOf(edge.address)
    if (path.startsWith('/webhooks/')) spend(webhooks.take(network))
    // A code has no dot: what has one is the pages' own stylesheet or script.
    else if (path.startsWith('/verify/')) spend(path.includes('.') ? 0 : guesses.take(network))
    else if (path.startsWith('/api/') || /^\/[iu]\//.test(path) || COUNTED_REALM.test(path)) {
      if (method === 'POST' && SIGN_UP.test(path)) spend(signUp.take(network))
      spend(perAddress.take(network))
    }
  }

  function addressOf(request: Request): string {
    const peer = peers.get(request) ?? peerOf(request) ?? '127.0.0.1'
    if (config.trustedProxies.length === 0 || !isTrusted(peer, config.trustedProxies)) return peer
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((h) => h.trim())
    for (const hop of hops.reverse()) {
      if (isIP(hop) === 0) break
      if (!isTrusted(hop, config.trustedProxies)) return hop
    }
    return peer
  }

  /** What no token of ours comes with counts against its address. */
  function refused({ address }: Edge, e: unknown): never {
    if (e instanceof AppError && e.code === 'unauthorized') spend(perAddress.take(networkOf(address)))
    throw e
  }

  /** The headers that every answer begins with. */
  function headersFor({ requestId }: Edge, origin: string | null): Record<string, string> {
    const headers = { ...base, 'x-request-id': requestId }
    if (origin === null || !origins.has(origin)) return headers
    return {
      ...headers,
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED,
      'cross-origin-resource-policy': 'cross-origin',
    }
  }

  function meet(request: Request): Edge {
    const given = request.headers.get('x-request-id')
    const requestId = given !== null && REQUEST_ID.test(given) ? given : newId()
    const edge = new Edge(requestId, pathOf(request.url), () => addressOf(request))
    edges.set(request, edge)
    return edge
  }

  /** What a path takes; a browser's question whether it may ask is answered for any. @throws not_found */
  function options(request: Request, edge: Edge, origin: string | null): Response {
    const asked = request.headers.has('access-control-request-method')
    const allowed = origin !== null && origins.has(origin) && asked
    const methods = routes.methods(edge.path, true)
    if (methods.length === 0 && !asked) throw notFound()
    return new Response(null, {
      status: 204,
      headers: {
        ...(methods.length > 0 ? { allow: [...methods, 'OPTIONS'].join(', ') } : {}),
        ...(allowed && {
          'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
          'access-control-allow-headers':
            'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id',
          'access-control-max-age': '600',
        }),
      },
    })
  }

  function admit(edge: Edge, caller: Caller): void {
    edge.caller = caller
    spend(perUser.take(caller.userId))
  }

  /** What stands in the way of a request: nothing, an answer, or the proof of a token not seen before. */
  function judge(
    request: Request,
    set: Settable,
    edge: Edge,
    origin: string | null,
  ): undefined | Response | Promise<void> {
    checkHost(request)
    const { method } = request
    if (method === 'OPTIONS' && !edge.path.startsWith(REALM)) return options(request, edge, origin)
    const stated = statedToken(request)
    const known = stated === undefined ? undefined : access.cached(stated)
    const kept = known && method === 'GET' ? answers.find(request, known) : undefined
    if (known && kept) {
      admit(edge, known)
      return answers.again(request, set, kept)
    }
    if (isPublic(method, edge.path)) {
      limitStranger(edge, request.method)
      return undefined
    }
    // Who hangs up has no address any more: what may count by it asks in time.
    if (method !== 'GET') edge.address
    if (known) {
      admit(edge, known)
      return undefined
    }
    const credentials = bearerToken(request)
    if (credentials.kind !== 'token') return refused(edge, new AppError('unauthorized'))
    edge.address
    return access.slow(credentials.token).then(
      (caller) => admit(edge, caller),
      (e: unknown) => refused(edge, e),
    )
  }

  /** The same request at the address in its normal form: the gate and the router read one and the same. */
  function at(request: Request, url: string): Response | Promise<Response> {
    const same = new Request(url, request)
    const peer = peers.get(request) ?? peerOf(request)
    if (peer !== undefined) peers.set(same, peer)
    normalized.add(same)
    const answer = again(same)
    const edge = edges.get(same)
    if (edge) edges.set(request, edge)
    return answer
  }

  function comeAgain(request: Request, edge: Edge, proof: Promise<void>): Promise<Response> {
    const told = (proved: { readonly error?: unknown }): Response | Promise<Response> => {
      edge.proved = proved
      return again(request)
    }
    return proof.then(
      () => told({}),
      (error: unknown) => told({ error }),
    )
  }

  return ({ request, set }: { request: Request; set: Settable }): undefined | Response | Promise<Response> => {
    const origin = request.headers.get('origin')
    const before = edges.get(request)
    const plain = before || normalized.has(request) ? undefined : plainUrl(request.url)
    if (plain !== undefined) return at(request, plain)
    const proved = before?.proved
    const edge = before && proved ? before : meet(request)
    set.headers = headersFor(edge, origin)
    if (proved) {
      edge.proved = undefined
      if (proved.error !== undefined) throw proved.error
      return undefined
    }
    const obstacle = judge(request, set, edge, origin)
    if (!(obstacle instanceof Promise)) return obstacle
    set.headers = {}
    return comeAgain(request, edge, obstacle)
  }
}
