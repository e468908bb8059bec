// How long the connection of a request may be idle while its answer is made.
const ORIGIN: unique symbol = Symbol('origin')
type Carrier = Request & { [ORIGIN]?: Request }

let waitLonger = (_request: Request): void => {}
/** Sets how the server is told that the connection of a request may be idle for longer. */
export const askPatience = (ask: (request: Request) => void): void => {
  waitLonger = ask
}
/** Keeps the request as it arrived, which is the one that the server knows, with another that replaces it. */
export const setOrigin = (request: Carrier, origin: Request): void => {
  request[ORIGIN] = origin
}
/** Call it with a request that was read whole and whose answer may take longer than a connection may be idle. */
export const takesLong = (request: Carrier): void => waitLonger(request[ORIGIN] ?? request)
