import { BlockList, isIP } from 'node:net'
import { Elysia } from 'elysia'
import type { Config } from '../config.ts'
import type { Caller } from '../context.ts'
import { parseRange } from '../core/addresses.ts'
import type { Given } from '../core/judging.ts'
import { AppError, type FieldError, invalid, notFound } from '../errors.ts'
import { setOrigin } from './patience.ts'
import type { RouteTable } from './route-table.ts'

/** The OpenID provider's path. It checks methods itself, preflights too. */
export const REALM = '/realms/svc/'
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
/** What may be reached before the server is set up. */
const FIRST_RUN =
  /^\/(?:$|setup$|api\/v1\/setup$|healthz$|readyz$|metrics$|ui\/setup\/|verify\/page\.|realms\/svc\/resources\/)/
/** Names of this machine for itself, with any port. */
export const LOOPBACK_HOST = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?$/i

/** Creates the Edge of each request as it arrives. */
export function createMeet({ config }: { config: Config }) {
  function addressOf(request: Request): string {
    const peer = peerOf(request) ?? '127.0.0.1'
    if (config.trustedProxies.length === 0 || !isTrusted(peer, config.trustedProxies)) return peer
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((h) => h.trim())
    for (const hop of hops.reverse()) {
      if (isIP(hop) === 0) break
      if (!isTrusted(hop, config.trustedProxies)) return hop
    }
    return peer
  }
  return (request: Request): Edge => {
    const header = request.headers.get('x-request-id')
    const requestId = header !== null && REQUEST_ID.test(header) ? header : crypto.randomUUID()
    const edge = new Edge(requestId, pathOf(request.url), () => addressOf(request))
    setEdge(request, edge)
    return edge
  }
}

/**
 * RFC 3986, 6.2.2.2: a percent-encoded letter equals the plain letter. Gate and router must read the same address, so
 * a request with another spelling is replaced by its normal form, which is not decoded again.
 */
export function inNormalForm(request: Request): Request {
  const path = pathOf(request.url)
  if (!path.includes('%')) return request
  const plain = path.replace(/%(?:2[de]|3\d|[46][1-9a-f]|5[0-9af]|7[0-9ae])/gi, decodeURIComponent)
  return plain === path
    ? request
    : new Request(
        request.url.replace(path, () => plain),
        request,
      )
}

/** Carries the client's address over to a request that replaces another. */
export function replaced(request: Request, by: Request): Request {
  if (by === request) return by
  setOrigin(by, request)
  const peer = peerOf(request)
  if (peer !== undefined) setPeer(by, peer)
  return by
}

type FirstRun = { readonly isOpen: () => boolean } | undefined
/** What runs first for every request: response headers, host check (421), preflight. */
export function gate({ config, setup }: { config: Config; setup?: FirstRun }, routes: RouteTable) {
  const publicHost = new URL(config.publicUrl).host.toLowerCase()
  const isSecure = config.publicUrl.startsWith('https:')
  const publicHosts = [publicHost, `${publicHost}:${isSecure ? 443 : 80}`]
  const origins = new Set(config.corsOrigins)
  const base: Record<string, string> = {
    ...SECURITY_HEADERS,
    vary: `Authorization, Accept-Encoding${origins.size > 0 ? ', Origin' : ''}`,
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }

  // Host headers that passed the check; only valid ones are kept, so there are few.
  const ours = new Set<string>()
  /** Checks the header itself too: from two, or from an invalid one, the server may have built any address. */
  function checkHost({ url, headers }: Request): void {
    const hostHeader = headers.get('host')
    if (hostHeader !== null && ours.has(hostHeader)) return
    const address = URL.parse(url)
    const host = (hostHeader ?? address?.host ?? '').toLowerCase()
    if (!address || !(publicHosts.includes(host) || LOOPBACK_HOST.test(host))) throw new AppError('misdirected_request')
    if (hostHeader !== null && ours.size < 100) ours.add(hostHeader)
  }

  /** The headers common to all answers. */
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

  /** Answers OPTIONS with the methods of a path; a preflight is answered for any path. @throws not_found */
  function options(request: Request, edge: Edge, origin: string | null): Response {
    const isPreflight = request.headers.has('access-control-request-method')
    const allowed = origin !== null && origins.has(origin) && isPreflight
    const methods = routes.methods(edge.path, true)
    if (methods.length === 0 && !isPreflight) throw notFound()
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

  return new Elysia({ name: 'gate' }).onRequest(({ request, set }) => {
    const edge = edgeOf(request)
    const origin = request.headers.get('origin')
    set.headers = headersFor(edge, origin)
    const lang = request.method === 'GET' && !API.test(edge.path) ? languageAsked(request) : undefined
    if (lang !== undefined) set.headers['set-cookie'] = `loyer_lang=${lang}; Path=/; Max-Age=31536000; SameSite=Lax`
    checkHost(request)
    if (setup?.isOpen() && !FIRST_RUN.test(edge.path)) throw new AppError('not_set_up')
    if (request.method === 'OPTIONS' && !edge.path.startsWith(REALM)) return options(request, edge, origin)
    return undefined
  })
}

type Judged = (sound: Given, caller: Caller) => readonly FieldError[]
/** What is known of a request before its handler runs, attached to the request. */
export class Edge {
  readonly requestId: string
  readonly path: string
  /** The token in the request, and its caller once known. */
  token: string | undefined
  caller: Caller | undefined
  /** The rules of its body, applied to the members that are valid. */
  judge: Judged | undefined
  /** Why the request is refused; the first hook throws it. */
  refusal: unknown
  private readonly ask: () => string
  private asked: string | undefined
  constructor(requestId: string, path: string, ask: () => string) {
    this.requestId = requestId
    this.path = path
    this.token = undefined
    this.caller = undefined
    this.judge = undefined
    this.refusal = undefined
    this.ask = ask
    this.asked = undefined
  }
  /** If the client disconnects, its address is gone: call this before the first await. */
  readAddress(): string {
    this.asked ??= this.ask()
    return this.asked
  }
  /** The client's address: the last hop that is not a trusted proxy. It is computed only when needed. */
  get address(): string {
    return this.readAddress()
  }
}

const EDGE: unique symbol = Symbol('edge')
const PEER: unique symbol = Symbol('peer')
type Carrier = Request & { [EDGE]?: Edge; [PEER]?: string }

let askServer = (_request: Request): string | undefined => undefined
/** Sets the address that the server names for a request; requests made inside the process come from loopback. */
export const setPeer = (request: Carrier, address: string): void => {
  request[PEER] = address
}
/** Asks the server for that address only when it is needed. */
export const askPeer = (ask: (request: Request) => string | undefined): void => {
  askServer = ask
}
export const peerOf = (request: Carrier): string | undefined => request[PEER] ?? askServer(request)

export const setEdge = (request: Carrier, edge: Edge): void => {
  request[EDGE] = edge
}
export const edgeIfAny = (request: Carrier): Edge | undefined => request[EDGE]
export const edgeOf = (request: Carrier): Edge => {
  const edge = request[EDGE]
  if (!edge) throw new Error('the edge did not see this request')
  return edge
}
export const callerOf = (request: Request): Caller => {
  const { caller } = edgeOf(request)
  if (!caller) throw new AppError('unauthorized')
  return caller
}

/** What follows the question mark of a URL; empty if there is none. */
export const queryOf = (url: string): string => {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}
/** Whether a query has only `name=value` pairs that need no decoding: it is then read at a tenth of the cost. */
export const isPlainQuery = (query: string): boolean => /^[\w.~:-]+=[\w.~:-]*(&[\w.~:-]+=[\w.~:-]*)*$/.test(query)

/** The path of an absolute URL in normal form, like `new URL(url).pathname` at a tenth of the cost. */
export const pathOf = (url: string): string => {
  // If the server cannot build a URL from the Host header, it passes only the path.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', 8)
  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

/** Path and query of a URL. */
export const targetOf = (url: string): string => (url.startsWith('/') ? url : url.slice(url.indexOf('/', 8)))

const lists = new WeakMap<readonly string[], BlockList>()

/** Whether an address belongs to the operator's proxies, which are given as addresses or CIDR ranges. */
export function isTrusted(address: string, proxies: readonly string[]): boolean {
  let list = lists.get(proxies)
  if (!list) {
    list = new BlockList()
    for (const entry of proxies) {
      const range = parseRange(entry)
      if (range) list.addSubnet(range.address, range.prefix, range.family)
    }
    lists.set(proxies, list)
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(plain)
  return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}

/** Addresses printed on papers and in messages. */
const ON_PAPER = /^\/(?:verify|i|p|s|u)\//
/** Where browsers sign in and out, by link or by form. */
const SIGNING_IN = /^\/realms\/svc\/(?:protocol\/openid-connect\/(?:auth|logout)(?:\/|$)|login-actions\/)/

/** Pages with forms that work without scripts. */
const DOORS = /^\/(?:setup|demo|register|recover)(?:\/|$)/
const HANDBOOK = /^\/docs\/handbook(?:\/|$)/
const API = /^\/(?:api|webhooks|media-uploads|media-files|realms)\//
/** Whether a browser requests an address as a page. */
export const asksForPage = ({ method, headers }: Request, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && !API.test(path) && (headers.get('accept') ?? '').includes('text/html')

/** Whether a person asked for a page, so that this status is answered with one. */
export function isForPeople(request: Request, path: string, status: number, code: string): boolean {
  const { method, headers } = request
  const reads = method === 'GET' || method === 'HEAD'
  if ((reads && ON_PAPER.test(path)) || (method === 'POST' && /^\/[su]\//.test(path)))
    return status === 404 || status === 429 || status >= 500
  if ((status === 404 || code === 'not_set_up') && asksForPage(request, path)) return true
  const browser = (reads || method === 'POST') && (headers.get('accept') ?? '').includes('text/html')
  return browser && (SIGNING_IN.test(path) || HANDBOOK.test(path) || DOORS.test(path))
}

const asLanguage = (found: RegExpExecArray | null): 'fr' | 'en' | undefined =>
  found?.[1] === 'fr' || found?.[1] === 'en' ? found[1] : undefined
/** The language that the address asks for. */
export const languageAsked = ({ url }: Request): 'fr' | 'en' | undefined =>
  asLanguage(/[?&]lang=(fr|en)(?:&|$)/.exec(url))
/** The language that the reader of a page chose: now, or on a page before. */
export const languageChosen = (request: Request): 'fr' | 'en' | undefined =>
  languageAsked(request) ?? asLanguage(/(?:^|;\s*)loyer_lang=(fr|en)(?:;|$)/.exec(request.headers.get('cookie') ?? ''))

/** The better of French and English by Accept-Language; `otherwise` where it says neither. */
export function languageOf(request: Request, otherwise: 'fr' | 'en' = 'en'): 'fr' | 'en' {
  const header = request.headers.get('accept-language')
  if (!header) return otherwise
  let best: { language: 'fr' | 'en'; q: number } = { language: otherwise, q: 0 }
  for (const part of header.slice(0, 200).split(',')) {
    const match = /^\s*(fr|en)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*$/i.exec(part)
    const q = Number(match?.[2] ?? 1)
    if (match && q > best.q) best = { language: match[1]?.toLowerCase() === 'fr' ? 'fr' : 'en', q }
  }
  return best.language
}

/** 422 if a query parameter is repeated, as its value would be ambiguous. */
export function refuseTwins(request: Request): void {
  const query = queryOf(request.url)
  const names = isPlainQuery(query)
    ? query.split('&').map((pair) => pair.split('=', 1)[0] ?? '')
    : [...new URLSearchParams(query).keys()]
  const distinct = new Set<string>()
  const twin = names.find((name) => distinct.size === distinct.add(name).size)
  if (twin !== undefined)
    throw invalid(`/${twin}`, 'Give this parameter once only.', 'Ne donnez ce paramètre qu’une fois.')
}
