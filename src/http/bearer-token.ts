export type BearerToken =
  /** No token: no header, another scheme, an empty one. The challenge names no error (RFC 6750, section 3.1). */
  | { readonly kind: 'none' }
  /** Something sent as a token that cannot be one, or a token in the query: `error="invalid_token"`. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string }

const NONE: BearerToken = Object.freeze({ kind: 'none' })
const MALFORMED: BearerToken = Object.freeze({ kind: 'malformed' })
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/
/** RFC 9110, 11.1: the scheme in any spelling, and one blank after it. */
const SCHEME = /^bearer /i

const queried = (url: string): boolean => {
  const query = url.indexOf('?')
  // A parser costs more than the rest; without these letters, or an escape that may stand for them, none is needed.
  if (query === -1 || !(url.includes('access_token', query) || url.includes('%', query))) return false
  return new URLSearchParams(url.slice(query + 1)).has('access_token')
}

/** What the Authorization header states as token, whatever it is made of; undefined also where the query names one. */
export function statedToken(request: Request): string | undefined {
  if (queried(request.url)) return undefined
  const header = request.headers.get('authorization') ?? ''
  return SCHEME.test(header) ? header.slice(7) : undefined
}

/**
 * The access token of a request, from the Authorization header only (RFC 6750, section 2.1). A request that carries
 * `access_token` in its query is malformed whatever its header says: addresses end in logs. Two Authorization headers
 * arrive joined by a comma, and are no token either. Never throws, reads no body.
 */
export function bearerToken(request: Request): BearerToken {
  const token = statedToken(request)
  if (token !== undefined && TOKEN.test(token)) return { kind: 'token', token }
  const malformed = queried(request.url) || /^bearer\s+\S/i.test(request.headers.get('authorization') ?? '')
  return malformed ? MALFORMED : NONE
}

/** @elysiajs/bearer knows one spelling of the scheme: a request with another gets that one. */
export function withUsualScheme(request: Request): Request {
  const header = request.headers.get('authorization')
  if (header === null || header.startsWith('Bearer ') || !SCHEME.test(header)) return request
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${header.slice(7)}`)
  return new Request(request, { headers })
}
