export type BearerToken =
  /** No token: no header, another scheme, an empty one. The challenge names no error (RFC 6750, section 3.1). */
  | { readonly kind: 'none' }
  /** Something sent as a token that cannot be one, or a token in the query: `error="invalid_token"`. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string }

const NONE: BearerToken = Object.freeze({ kind: 'none' })
const MALFORMED: BearerToken = Object.freeze({ kind: 'malformed' })
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i

/**
 * The access token of a request, from the Authorization header only (RFC 6750, section 2.1). A request that carries
 * `access_token` in its query is malformed whatever its header says: the bearer plugin would read it, and addresses
 * end in logs. Two Authorization headers arrive joined by a comma, and are no token either. Never throws, reads no body.
 */
export function bearerToken(request: Request): BearerToken {
  const query = request.url.indexOf('?')
  if (query !== -1 && new URLSearchParams(request.url.slice(query + 1)).has('access_token')) return MALFORMED
  const header = request.headers.get('authorization') ?? ''
  const token = BEARER.exec(header)?.[1]
  if (token !== undefined) return { kind: 'token', token }
  return /^bearer\s+\S/i.test(header) ? MALFORMED : NONE
}
