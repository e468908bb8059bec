import type { Caller } from '../context.ts'
import { AppError } from '../errors.ts'

/** What is known of a request before its handler runs; the request itself carries it. */
export class Edge {
  readonly requestId: string
  readonly path: string
  /** The token that the request states, and who stands behind it once that is known. */
  token: string | undefined
  caller: Caller | undefined
  /** Why the request may not go on: the first hook throws it. */
  refusal: unknown
  private readonly ask: () => string
  private asked: string | undefined
  constructor(requestId: string, path: string, ask: () => string) {
    this.requestId = requestId
    this.path = path
    this.token = undefined
    this.caller = undefined
    this.refusal = undefined
    this.ask = ask
    this.asked = undefined
  }
  /** If the client disconnects, its address is gone: to be called before anything is awaited. */
  readAddress(): string {
    this.asked ??= this.ask()
    return this.asked
  }
  /** The client's address: the last hop that is no trusted proxy. Most requests never need it. */
  get address(): string {
    return this.readAddress()
  }
}

const EDGE: unique symbol = Symbol('edge')
const PEER: unique symbol = Symbol('peer')
type Carrier = Request & { [EDGE]?: Edge; [PEER]?: string }

let askServer = (_request: Request): string | undefined => undefined
/** The server says which address a request came from; requests made in the process come from loopback. */
export const setPeer = (request: Carrier, address: string): void => {
  request[PEER] = address
}
/** The same for a server that is asked, only when it matters. */
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

/** The path of an absolute URL in its normal form, which a request's is: like `new URL(url).pathname`, at a tenth of the cost. */
export const pathOf = (url: string): string => {
  // A server that could make no address of the Host header hands in the path alone.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', 8)
  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}
