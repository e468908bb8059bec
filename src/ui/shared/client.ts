// Sends requests as openapi-fetch types them; its own code would be a twelfth of what a phone has to fetch.
import type { Client } from 'openapi-fetch'
import type { paths } from '../../client/api.gen.ts'

type Options = {
  readonly params?: {
    readonly path?: Readonly<Record<string, unknown>>
    readonly query?: Readonly<Record<string, unknown>>
    readonly header?: Readonly<Record<string, unknown>>
  }
  readonly body?: unknown
  readonly signal?: AbortSignal | null
  readonly parseAs?: 'json' | 'text' | 'blob'
}

const present = (members: Readonly<Record<string, unknown>> = {}): [string, string][] =>
  Object.entries(members).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )

/** `send` makes the call and throws what is no success. */
export function createClient(send: (request: Request) => Promise<Response>): Client<paths> {
  const method =
    (name: string) =>
    async (template: string, { params = {}, body, signal, parseAs = 'json' }: Options = {}) => {
      const path = template.replace(/\{(\w+)\}/g, (_, member: string) =>
        encodeURIComponent(String(params.path?.[member])),
      )
      const query = new URLSearchParams(present(params.query)).toString()
      const headers = new Headers(present(params.header))
      if (body !== undefined) headers.set('Content-Type', 'application/json')
      const response = await send(
        new Request(location.origin + path + (query === '' ? '' : `?${query}`), {
          method: name,
          headers,
          signal: signal ?? null,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
      const empty = response.status === 204 || response.headers.get('content-length') === '0'
      return { data: empty ? undefined : await response[parseAs](), response }
    }
  // parsed by the server's document, which the types are made from
  return {
    GET: method('GET'),
    POST: method('POST'),
    PUT: method('PUT'),
    PATCH: method('PATCH'),
    DELETE: method('DELETE'),
  } as unknown as Client<paths>
}
