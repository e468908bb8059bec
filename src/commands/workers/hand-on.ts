import type { Caller } from '../../context.ts'
import { setPeer } from '../../http/gate.ts'
import { takesLong } from '../../http/patience.ts'
import type { Fetch } from '../listen.ts'
import { type Introduced, introduction } from './callers.ts'

/** Names the worker that hands a request on, and its client; requests from outside cannot reach the socket that reads it. */
const FROM = 'x-loyer-worker'
/** Headers of one connection, which mean nothing on the next. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', FROM]
/** Bodies up to this size are read at once, because a stream costs more. */
const SMALL = 256 * 1024

/** The writer's socket, and the word by which it knows its workers. */
export type Door = { readonly socket: string; readonly secret: string }

/** Address and query as the client wrote them; of several slashes at the beginning the runtime would send one. */
const targetOf = (url: string): string =>
  (url.startsWith('/') ? url : url.slice(url.indexOf('/', 8))).replace(
    /^\/{2,}/,
    (slashes) => `/${'%2F'.repeat(slashes.length - 1)}`,
  )

/** In a worker: hands requests on to the writer. */
export function createHandOn({ socket, secret }: Door) {
  const ask = (target: string, init: BunFetchRequestInit): Promise<Response> =>
    fetch(`http://localhost${target}`, { ...init, unix: socket, redirect: 'manual', decompress: false, timeout: false })

  return {
    /** `address`: of the client's connection. @returns undefined if the writer could not be asked, or did not answer */
    async handOn(request: Request, address: string): Promise<Response | undefined> {
      const headers = new Headers(request.headers)
      const size = Number(headers.get('content-length') ?? Number.NaN)
      for (const name of OF_CONNECTION) headers.delete(name)
      // Without this header the runtime would request a packed answer by itself.
      if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity')
      // It would name a host too, and then the request would pass the check of the host.
      if (!headers.has('host')) headers.set('host', '')
      headers.set(FROM, `${secret} ${address}`)
      try {
        const body = request.body === null ? undefined : size <= SMALL ? await request.arrayBuffer() : request.body
        if (!(body instanceof ReadableStream)) takesLong(request)
        const { method, signal } = request
        return await ask(targetOf(request.url), { method, headers, signal, ...(body && { body }) })
      } catch {
        // A client that cut its request off gets no answer, whatever it says.
        return request.signal.aborted ? new Response(null, { status: 400 }) : undefined
      }
    },
    /** Asks for the caller behind a token; undefined for an invalid one, which the writer has to refuse itself. */
    async introduce(token: string): Promise<Introduced | undefined> {
      const headers = { [FROM]: secret, authorization: `Bearer ${token}` }
      const answer = await ask('/', { headers }).catch(() => undefined)
      return answer?.status === 200 ? ((await answer.json()) as Introduced) : undefined
    },
  }
}

/** In the writer: answers the requests that its workers hand on. */
export function createReception(
  { secret }: Door,
  fetch: Fetch,
  verify: (token: string) => Promise<Caller>,
): (request: Request) => Response | Promise<Response> {
  const introduce = async (request: Request): Promise<Response> => {
    const token = request.headers.get('authorization')?.slice(7) ?? ''
    try {
      return Response.json(introduction(token, await verify(token)))
    } catch {
      return new Response(null, { status: 401 })
    }
  }
  return (request) => {
    const from = request.headers.get(FROM) ?? ''
    if (from === secret) return introduce(request)
    if (!from.startsWith(`${secret} `)) return new Response(null, { status: 403 })
    setPeer(request, from.slice(secret.length + 1))
    return fetch(request)
  }
}
