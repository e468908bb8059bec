import { BlockList, isIP } from 'node:net'
import type { Config } from '../config.ts'
import type { Caller } from '../context.ts'
import { isLoopbackAddress, parseRange } from '../core/addresses.ts'
import type { Members } from '../core/body-rules.ts'
import { AppError, type FieldError, invalid } from '../errors.ts'
import { setOrigin } from './timeouts.ts'

/** The OpenID provider's path. It checks methods itself, preflights too. */
export const REALM = '/realms/svc/'
const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/

/** What a proxy adds to the requests that it passes on. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const
/** A proxy adds them to all requests, so that one of many is looked at. */
const LOOKED_AT = 64

/** Creates the Edge of each request as it arrives. `hidden`: called once when a proxy on this machine is not trusted. */
export function createEdge({ config, hidden }: { config: Config; hidden: () => void }) {
  let isReported = false
  let requests = 0
  /** Behind such a proxy everybody has the address of this machine. */
  function lookForProxy(request: Request): void {
    if (isReported || requests++ % LOOKED_AT > 0 || !FORWARDED.some((name) => request.headers.has(name))) return
    const peer = peerOf(request) ?? '127.0.0.1'
    if (!isLoopbackAddress(peer) || isTrusted(peer, config.trustedProxies)) return
    isReported = true
    hidden()
  }
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
    lookForProxy(request)
    const edge = new Edge(requestId, pathOf(request.url), () => addressOf(request))
    setEdge(request, edge)
    return edge
  }
}

/**
 * RFC 3986, 6.2.2.2: a percent-encoded letter equals the plain letter. Checks and router must read the same address, so
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

type BodyRules = (sound: Members, caller: Caller) => readonly FieldError[]
/** What is known of a request before its handler runs, attached to the request. */
export class Edge {
  readonly requestId: string
  readonly path: string
  /** The token in the request, and its caller once known. */
  token: string | undefined
  caller: Caller | undefined
  /** The rules of its body, applied to the members that are valid. */
  bodyRules: BodyRules | undefined
  /** Why the request is refused; the first hook throws it. */
  refusal: unknown
  private readonly ask: () => string
  private knownAddress: string | undefined
  constructor(requestId: string, path: string, ask: () => string) {
    this.requestId = requestId
    this.path = path
    this.token = undefined
    this.caller = undefined
    this.bodyRules = undefined
    this.refusal = undefined
    this.ask = ask
    this.knownAddress = undefined
  }
  /** If the client disconnects, its address is gone: call this before the first await. */
  readAddress(): string {
    this.knownAddress ??= this.ask()
    return this.knownAddress
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

/** 422 if a query parameter is repeated, as its value would be ambiguous. */
export function refuseRepeated(request: Request): void {
  const query = queryOf(request.url)
  const names = isPlainQuery(query)
    ? query.split('&').map((pair) => pair.split('=', 1)[0] ?? '')
    : [...new URLSearchParams(query).keys()]
  const distinct = new Set<string>()
  const twin = names.find((name) => distinct.size === distinct.add(name).size)
  if (twin !== undefined)
    throw invalid(`/${twin}`, 'Give this parameter once only.', 'Ne donnez ce paramètre qu’une fois.')
}
