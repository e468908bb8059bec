// How long the connection of a request may be idle while its answer is made.
const ORIGIN: unique symbol = Symbol('origin')
type Carrier = Request & { [ORIGIN]?: Request }

let waitLonger = (_request: Request): void => {}
/** Sets how the server is told that the connection of a request may be idle for longer. */
export const extendTimeouts = (ask: (request: Request) => void): void => {
  waitLonger = ask
}
/** Remembers the original request, the only one that the server knows, for the request that replaces it. */
export const setOrigin = (request: Carrier, origin: Request): void => {
  request[ORIGIN] = origin
}
/** Allows the connection of this request, which has been read whole, to be idle while a slow answer is made. */
export const takesLong = (request: Carrier): void => waitLonger(request[ORIGIN] ?? request)
