// The API as the OpenAPI document types it. Every answer that is no success is thrown as a Trouble.
import type { components } from '../../client/api.gen.ts'
import { createClient } from './client.ts'
import { SignedOut, session } from './session.ts'

/** The shapes of the API: `Schemas['Invoice']`. */
export type Schemas = components['schemas']

/** What went wrong with a request: the server's problem document, or none where no answer came. */
export class Trouble extends Error {
  readonly problem: Schemas['Problem'] | undefined
  constructor(problem?: Schemas['Problem']) {
    super(problem?.detail ?? 'offline')
    this.name = 'Trouble'
    this.problem = problem
  }
  /** What the server says of a member of the body, by its JSON pointer. */
  at(path: string): string | undefined {
    return this.problem?.errors?.find((e) => e.path === path)?.message
  }
}

/** The answer to a question that the page's first script has asked already; good once, and for what is read first. */
function ahead({ method, url }: Request): Promise<Response> | undefined {
  const { ahead } = globalThis.loyer
  if (ahead?.url === url || method !== 'GET') globalThis.loyer.ahead = undefined
  return ahead?.url === url && method === 'GET' ? ahead.answer : undefined
}

async function authorized(request: Request): Promise<Response> {
  const again = request.clone()
  const send = async (r: Request): Promise<Response> => {
    try {
      const early = ahead(r)
      if (early) return await early
      r.headers.set('Authorization', `Bearer ${await session.token()}`)
      r.headers.set('Accept-Language', document.documentElement.lang)
      return await fetch(r)
    } catch (cause) {
      throw cause instanceof SignedOut || request.signal.aborted ? cause : new Trouble()
    }
  }
  const response = await send(request)
  if (response.status !== 401 && response.status !== 403) return response
  const problem = (await response
    .clone()
    .json()
    .catch(() => undefined)) as Schemas['Problem'] | undefined
  const second = problem?.code === 'step_up_required'
  // A change of one's own number takes the password in its form instead.
  if (second || (problem?.code === 'reauthentication_required' && !again.url.includes('/account/phone/')))
    // It comes back to this address, where what was typed waits in its draft.
    return session.signIn(second ? { acr_values: '2', max_age: '840' } : { max_age: '240' })
  if (response.status === 403) return response
  session.forget()
  return send(again)
}

export const api = createClient(async (request) => {
  const response = await authorized(request)
  if (response.ok) return response
  throw new Trouble((await response.json().catch(() => undefined)) as Schemas['Problem'] | undefined)
})

/** The body of a success. The type of reports includes text for spreadsheets, which requests for JSON never get. */
export async function data<T>(call: Promise<{ data?: T }>): Promise<Exclude<T, string | undefined>> {
  return (await call).data as Exclude<T, string | undefined>
}

/** A resource with the version that it has: `etag` goes into If-Match of the change. */
export type Versioned<T> = { readonly value: T; readonly etag: string }
export async function versioned<T>(call: Promise<{ data?: T; response: Response }>): Promise<Versioned<T>> {
  const { data: value, response } = await call
  return { value: value as T, etag: response.headers.get('etag') ?? '*' }
}

export type Page<T> = {
  readonly rows: readonly T[]
  readonly next: string | undefined
  /** How many there are in all; with a plus, at least so many. */
  readonly total: string | undefined
}
/** A page of a list with the cursor of the next one, from the headers. */
export async function page<T>(call: Promise<{ data?: readonly T[]; response: Response }>): Promise<Page<T>> {
  const { data: rows = [], response } = await call
  const link = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  return {
    rows,
    next: link === undefined ? undefined : (new URL(link, location.origin).searchParams.get('cursor') ?? undefined),
    total: response.headers.get('x-total-count') ?? undefined,
  }
}
