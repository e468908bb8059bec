import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import { type Send, sendAgain } from './again.ts'
import type { components, paths } from './api.gen.ts'

/** A resource of the API by the name of its schema: `Schema<'Invoice'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]
export type Client = FetchClient<paths>

type Options = {
  /** Where Loyer answers: `https://rent.example.cm`. */
  readonly baseUrl: string
  /** An access token, or a function that returns a valid one; it is called before every request. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** The function that sends a request; the runtime's own `fetch` by default. */
  readonly fetch?: Send | undefined
}
/** The server keeps no keys here: a code would be sent twice, or used up by an answer that was lost. */
const WITHOUT_KEY =
  /\/api\/v1\/(registration|account(?!\/recoveries)|setup|sandbox)\b|\/(otp|sign|signatures|recovery-code)$/

/**
 * A client of the API with the types of its OpenAPI document. Every POST gets an `Idempotency-Key` unless it names
 * one, so that it has one effect although it may be sent up to three times, as reads are, when no answer comes or the
 * service asks to come back within 5 seconds. What sends or uses a code is sent once.
 */
export function createClient({ baseUrl, token, fetch = (request) => globalThis.fetch(request) }: Options): Client {
  function send(request: Request): Promise<Response> {
    // The server keeps keys for signed-in callers only.
    const takesKey = request.headers.has('authorization') && !WITHOUT_KEY.test(new URL(request.url).pathname)
    const isRepeatable = request.method === 'GET' || (request.method === 'POST' && takesKey)
    return isRepeatable ? sendAgain(fetch, () => request.clone()) : fetch(request)
  }
  const client = createFetchClient<paths>({ baseUrl, fetch: send })
  client.use({
    async onRequest({ request }) {
      const bearer = typeof token === 'function' ? await token() : token
      if (bearer !== undefined) request.headers.set('authorization', `Bearer ${bearer}`)
      if (request.method === 'POST' && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID())
      return request
    },
  })
  return client
}

/** What a log shows: the code, where a member was refused its path, and the sentence for people. */
function messageOf(status: number, problem: Schema<'Problem'> | undefined): string {
  if (problem === undefined) return `The server answered ${status}.`
  const [first] = problem.errors ?? []
  return first ? `${problem.code} at ${first.path}: ${first.message}` : `${problem.code}: ${problem.detail}`
}

/** A refusal or a failure of the API. `problem` is absent if something else answered, such as a proxy. */
export class ProblemError extends Error {
  readonly status: number
  readonly problem: Schema<'Problem'> | undefined
  /** How long to wait before the next attempt, s; given with 429 and 503. */
  readonly retryAfter: number | undefined
  constructor(status: number, problem: Schema<'Problem'> | undefined, retryAfter?: number) {
    super(messageOf(status, problem))
    this.name = 'ProblemError'
    this.status = status
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

const isProblem = (error: unknown): error is Schema<'Problem'> =>
  typeof error === 'object' && error !== null && 'code' in error && 'requestId' in error

/** The data of an answer. @throws ProblemError for anything but a success */
export function ok<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (!response.ok) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const retryAfter = Number.isFinite(seconds) ? seconds : undefined
    throw new ProblemError(response.status, isProblem(error) ? error : undefined, retryAfter)
  }
  // An answer without content (204) has no type but undefined.
  return data as T
}

type Answer<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never
/** The addresses of lists. */
export type ListPath = {
  [P in keyof paths]: Answer<P> extends readonly unknown[] ? P : never
}[keyof paths]
export type Item<P extends ListPath> = Answer<P> extends readonly (infer Row)[] ? Row : never
type Parameters<P extends ListPath> = paths[P] extends { get: { parameters: infer All } }
  ? Pick<All, Extract<keyof All, 'path' | 'query'>>
  : never
/** A list's answer as openapi-fetch gives it, whichever list it is. */
type Read = (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>

type ListParameters = { path?: object; query?: { cursor?: string }; signal?: AbortSignal | undefined }

/** All entries of a list, page after page, from `cursor` on if there is one. @throws ProblemError */
export async function* list<P extends ListPath>(
  client: Client,
  path: P,
  parameters?: Parameters<P> & { readonly signal?: AbortSignal | undefined },
): AsyncGenerator<Item<P>, void, undefined> {
  const read = client.GET as Read
  const { path: ids, query, signal }: ListParameters = parameters ?? {}
  let cursor = query?.cursor
  do {
    const page = await read(path, { params: { path: ids, query: { ...query, cursor } }, signal })
    yield* ok(page) as Item<P>[]
    const next = /<([^>]+)>;\s*rel="next"/.exec(page.response.headers.get('link') ?? '')?.[1]
    cursor = next && (new URL(next, page.response.url || 'http://localhost').searchParams.get('cursor') ?? undefined)
  } while (cursor)
}
