import type { Config } from '../config.ts'
import { askPeer, setPeer } from '../http/request.ts'
import { extendTimeouts } from '../http/timeouts.ts'
import type { Log } from '../log.ts'

/** After SIGTERM: how long requests in flight may take, ms. */
const REQUESTS_MS = 5_000

/** How long nothing may pass on a connection, and on one whose answer takes long, s. */
const IDLE_S = 30
const LONG_S = 120

/** Bytes of a request's body. */
const LARGEST_BODY = 21 * 1024 * 1024

export type Listening = { readonly port: number; readonly stop: () => Promise<void> }
export type Fetch = (request: Request) => Response | Promise<Response>

/** Listens with the runtime's own server: Bun, or Deno. */
export function listen(config: Config, log: Log, fetch: Fetch): Listening {
  const failed = (e: unknown): Response => {
    log.error('server.failed', e)
    return new Response(
      '{"type":"urn:loyer:problem:internal","title":"Internal Server Error","status":500,"code":"internal"}',
      { status: 500, headers: { 'content-type': 'application/problem+json; charset=utf-8' } },
    )
  }
  /** After the time limit, cuts unfinished requests and logs it. */
  const cutOff = (cut: () => void) =>
    setTimeout(() => {
      log.warn('server.cut_off', { detail: `Requests were unfinished ${REQUESTS_MS / 1000} s after the signal.` })
      cut()
    }, REQUESTS_MS)
  if (typeof Bun !== 'undefined') {
    const server = Bun.serve({
      port: config.port,
      hostname: config.host,
      maxRequestBodySize: LARGEST_BODY,
      idleTimeout: IDLE_S,
      fetch: (request) => fetch(request),
      error: failed,
    })
    askPeer((request) => server.requestIP(request)?.address ?? '')
    extendTimeouts((request) => server.timeout(request, LONG_S))
    return {
      port: server.port ?? config.port,
      async stop() {
        const slow = cutOff(() => void server.stop(true))
        await server.stop()
        clearTimeout(slow)
      },
    }
  }
  const { Deno } = globalThis as unknown as { Deno: DenoServe }
  const cut = new AbortController()
  const server = Deno.serve(
    { port: config.port, hostname: config.host, signal: cut.signal, onListen: () => {}, onError: failed },
    (request, info) => {
      setPeer(request, info.remoteAddr.hostname)
      return fetch(request)
    },
  )
  return {
    port: server.addr.port,
    async stop() {
      const slow = cutOff(() => cut.abort())
      await Promise.race([server.shutdown(), server.finished])
      clearTimeout(slow)
    },
  }
}
type DenoServe = {
  serve: (
    options: {
      port: number
      hostname: string
      signal: AbortSignal
      onListen: () => void
      onError: (e: unknown) => Response
    },
    handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Response | Promise<Response>,
  ) => { addr: { port: number }; finished: Promise<void>; shutdown: () => Promise<void> }
}
