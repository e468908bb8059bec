import { bearer } from '@elysiajs/bearer'
import { Elysia } from 'elysia'
import type { Claims, Verifier } from '../adapters/identity/verify.ts'
import { type Access, type Caller, NOBODY } from '../context.ts'
import { UUID } from '../core/id.ts'
import { type Role, rolesOfPart } from '../core/roles.ts'
import type { Deps } from '../deps.ts'
import { AppError, notFound } from '../errors.ts'
import { readJson } from './body.ts'
import type { Limits } from './limits.ts'
import { asksForPage } from './pages.ts'
import { callerOf, createEdge, edgeOf, inNormalForm, REALM, refuseRepeated, replaced, setEdge } from './request.ts'
import { createFreshness, createStepUp } from './step-up.ts'

/** The roles that may call a route. */
export type RouteAccess = readonly Role[] | 'public'
export type Rule =
  | RouteAccess
  | {
      readonly roles: readonly Role[]
      /** Not for a manager of some properties only. */
      readonly whole?: true
      /** Requires a recent second factor of those who must have one: always, or where the body has one of these members. */
      readonly stepUp?: true | readonly string[]
      /** Requires a sign-in of the last five minutes of everybody, where the body has one of these members. */
      readonly fresh?: readonly string[]
      /** A DELETE that needs its body as confirmation; other DELETE bodies are not read (RFC 9110, 9.3.5). */
      readonly readsBody?: true
    }
type Incoming = { request: Request; params?: Record<string, string>; body?: unknown }
type Fetch = (request: Request) => Response | Promise<Response>

/**
 * Bearer tokens (RFC 6750), from the header to the role that a route requires:
 * 1. `entrance`, which the server calls, verifies the token if it is not cached (adapters/identity/verify.ts: JWKS,
 *    RFC 9068), then calls Elysia;
 * 2. so the first hook has the result without waiting: 401 comes before the body is read, and before 404 and 405;
 * 3. @elysiajs/bearer reads `bearer`, and this plugin gives handlers `caller`, the user behind that token;
 * 4. the route option `access` names the roles that may call.
 * problems.ts writes the challenges.
 */
export function auth(deps: Deps, limits: Limits) {
  const { access, config, store } = deps
  const isPublic = publicRoutes(config.sandbox)
  const attachEdge = createEdge({ config: deps.config, hidden: deps.observer.untrustedProxy })
  const stepUp = createStepUp(deps)
  const checkFresh = createFreshness(deps)

  const plugin = new Elysia({ name: 'auth' })
    .onRequest(({ request }) => {
      const edge = edgeOf(request)
      const { caller, refusal } = edge
      if (isPublic(request.method, edge.path)) {
        edge.caller = undefined
        return limits.stranger(edge, request.method)
      }
      if (refusal instanceof AppError && refusal.code === 'unauthorized') limits.badToken(edge)
      if (!caller) throw refusal
      store.checkRead(caller.orgId)
      return limits.user(caller.userId)
    })
    // The plugin reads a token after the body and only on a known path, while 401 comes before both: so the entrance reads
    // it first, and the caller is given where both have read the same. That parses all headers and the query: 76,000 short
    // GETs a second in place of 82,000. To ask the plugin first, by an Elysia of its own, costs 1.2 µs a request, not 0.1.
    .use(bearer())
    .derive({ as: 'global' }, ({ bearer, request }) => {
      const { token, caller } = edgeOf(request)
      return { caller: caller && token === bearer ? caller : NOBODY }
    })
    .macro({
      access: (rule: Rule) => {
        const {
          roles,
          whole,
          stepUp: asksFactor,
          fresh,
          readsBody,
        } = typeof rule === 'object' && 'roles' in rule ? rule : { roles: rule }
        const check = (request: Request, params: Incoming['params']): void => {
          admit(roles, request, params, whole)
          if (asksFactor === true) stepUp(request)
        }
        const names = (body: unknown, members: unknown): boolean =>
          Array.isArray(members) && typeof body === 'object' && members.some((name) => name in (body ?? {}))
        return {
          detail: {
            'x-roles': roles,
            ...(asksFactor ? { 'x-step-up': asksFactor } : {}),
            ...(fresh ? { 'x-fresh': fresh } : {}),
            ...(whole ? { 'x-whole': true } : {}),
          } as object,
          // Destructure the context: if a hook takes it whole, Elysia parses headers, cookies and query.
          parse: ({ request, params }: Incoming) => {
            check(request, params)
            return request.method === 'DELETE' && !readsBody ? {} : readJson(request)
          },
          transform: ({ request, params, body }: Incoming) => {
            check(request, params)
            if (names(body, asksFactor)) stepUp(request)
            if (names(body, fresh)) checkFresh(request)
            refuseRepeated(request)
          },
        }
      },
    })

  /** The server's handler: `known(token) ?? await verify(token)`, then Elysia, whose handler changes when routes are added. */
  const entrance =
    (app: { readonly fetch: Fetch }): Fetch =>
    (incoming) => {
      const request = replaced(incoming, withUsualScheme(inNormalForm(incoming)))
      const edge = attachEdge(request)
      if (request !== incoming) setEdge(incoming, edge)
      const { method } = request
      edge.token = statedToken(request)
      edge.caller = edge.token === undefined ? undefined : access.known(edge.token)
      // If the client disconnects, its address is gone: read it before anything is awaited.
      if (method !== 'GET') edge.readAddress()
      if (edge.caller || method === 'OPTIONS' || isPublic(method, edge.path)) return app.fetch(request)
      const stated = bearerToken(request)
      if (stated.kind !== 'token') {
        // A browser cannot send a token, so a person who mistyped an address gets 404 instead of 401.
        edge.refusal = asksForPage(request, edge.path) ? notFound() : new AppError('unauthorized')
        return app.fetch(request)
      }
      edge.readAddress()
      return access
        .verify(stated.token)
        .then(
          (caller) => {
            edge.caller = caller
          },
          (error: unknown) => {
            edge.refusal = error
          },
        )
        .then(() => app.fetch(request))
    }
  return { plugin, entrance }
}
export type Auth = ReturnType<typeof auth>['plugin']

/** Checks the role (403), then path ids (404), then the query's shape (422), all before the body is read. */
function admit(allowed: RouteAccess, request: Request, params: Record<string, string> = {}, whole = false): void {
  if (allowed !== 'public') {
    const caller = callerOf(request)
    if (caller.orgId === '') throw new AppError('organization_required')
    const { roles, scope } = caller
    if (!(scope.kind === 'limited' ? rolesOfPart(roles, whole) : roles).some((r) => allowed.includes(r)))
      throw new AppError('forbidden')
  }
  for (const name in params) if (/id$/i.test(name) && !UUID.test(params[name] ?? '')) throw notFound()
}

type Methods = { readonly includes: (method: string) => boolean }
type PublicRoute = { readonly methods: Methods; readonly path: string; readonly prefix?: boolean }
const GET = ['GET', 'HEAD']
/** The provider itself tells which methods an address takes, whatever the method is. */
const ANY: Methods = { includes: () => true }
const open = (methods: Methods, path: string, prefix = false): PublicRoute => ({ methods, path, prefix })
/** The complete list of what may be reached without a token (interface.md "Authentication", decisions section 2). */
const PUBLIC: readonly PublicRoute[] = [
  open(['POST'], '/api/v1/registration/', true),
  open(['POST'], '/api/v1/account/password-reset/', true),
  open(GET, '/api/v1/legal/', true),
  open(['POST'], '/webhooks/', true),
  open(ANY, REALM, true),
  open(['PUT'], '/media-uploads/', true),
  open(GET, '/media-files/', true),
  open(GET, '/verify'),
  open(GET, '/verify/', true),
  open(GET, '/i/', true),
  open(GET, '/r/', true),
  open(GET, '/p/', true),
  ...['/a/', '/s/', '/u/'].map((path) => open([...GET, 'POST'], path, true)),
  open(GET, '/healthz'),
  open(GET, '/readyz'),
  open(GET, '/metrics'), // loopback or token, judged by its own handler
  open(GET, '/openapi.json'),
  open(GET, '/docs'),
  open(GET, '/docs/', true),
  open(GET, '/'),
  open([...GET, 'POST'], '/setup'),
  open(['POST'], '/api/v1/setup'),
  open([...GET, 'POST'], '/register'),
  open([...GET, 'POST'], '/register/', true),
  open([...GET, 'POST'], '/recover'),
  open([...GET, 'POST'], '/recover/', true),
  open(GET, '/ui/', true),
  open(GET, '/console'),
  open(GET, '/console/', true),
  open(GET, '/portal'),
  open(GET, '/portal/', true),
]
const SANDBOX: readonly PublicRoute[] = [
  open([...GET, 'POST'], '/api/v1/sandbox/', true),
  open([...GET, 'POST'], '/demo'),
]

/** Tells whether a method of a path may be reached without a token. */
function publicRoutes(sandbox: boolean): (method: string, path: string) => boolean {
  const all = sandbox ? [...PUBLIC, ...SANDBOX] : PUBLIC
  const fixed = new Map(all.filter((r) => !r.prefix).map((r) => [r.path, r.methods]))
  const prefixes = all.filter((r) => r.prefix)
  return (method, path) =>
    fixed.get(path)?.includes(method) ?? prefixes.some((r) => path.startsWith(r.path) && r.methods.includes(method))
}

type BearerToken =
  /** No header, another scheme, or an empty token. The challenge then names no error (RFC 6750, section 3.1). */
  | { readonly kind: 'none' }
  /** A malformed token, or a token in the query: `error="invalid_token"`. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string }

const NONE: BearerToken = Object.freeze({ kind: 'none' })
const MALFORMED: BearerToken = Object.freeze({ kind: 'malformed' })
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/
/** RFC 9110, 11.1: the scheme in upper or lower case, then one space. */
const SCHEME = /^bearer /i

const queried = (url: string): boolean => {
  const query = url.indexOf('?')
  // Parsing the query is slow: skip it unless it has this name, or an escape that may stand for it.
  if (query === -1 || !(url.includes('access_token', query) || url.includes('%', query))) return false
  return new URLSearchParams(url.slice(query + 1)).has('access_token')
}

/** The token in the Authorization header, valid or not; undefined also if the query has one. */
function statedToken(request: Request): string | undefined {
  if (queried(request.url)) return undefined
  const header = request.headers.get('authorization') ?? ''
  return SCHEME.test(header) ? header.slice(7) : undefined
}

/**
 * The access token of a request, from the Authorization header only (RFC 6750, section 2.1). A request with
 * `access_token` in its query is malformed whatever its header, because addresses end up in logs. Two Authorization
 * headers arrive joined by a comma, which is no valid token either. Never throws, reads no body.
 */
export function bearerToken(request: Request): BearerToken {
  const token = statedToken(request)
  if (token !== undefined && TOKEN.test(token)) return { kind: 'token', token }
  const malformed = queried(request.url) || /^bearer\s+\S/i.test(request.headers.get('authorization') ?? '')
  return malformed ? MALFORMED : NONE
}

/** @elysiajs/bearer accepts only one spelling of the scheme, so other spellings are rewritten to it. */
function withUsualScheme(request: Request): Request {
  const header = request.headers.get('authorization')
  if (header === null || header.startsWith('Bearer ') || !SCHEME.test(header)) return request
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${header.slice(7)}`)
  return new Request(request, { headers })
}

/** `resolve` finds the caller's rows, and creates them when a valid token is first seen. */
export function createAccess(verifier: Verifier, resolve: (claims: Claims) => Promise<Caller>): Access {
  // Keyed by the verifier's own claims object: when its cache drops a token, the caller goes too.
  const callers = new WeakMap<Claims, Caller>()
  return {
    known(token) {
      const claims = verifier.cached(token)
      return claims && callers.get(claims)
    },
    async verify(token) {
      const claims = await verifier.verify(token)
      const known = callers.get(claims)
      if (known) return known
      const caller = await resolve(claims)
      callers.set(claims, caller)
      return caller
    },
    forget: verifier.forget,
  }
}
