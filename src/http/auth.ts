import { bearer } from '@elysiajs/bearer'
import { Elysia } from 'elysia'
import { NOBODY } from '../context.ts'
import type { Role } from '../core/roles.ts'
import type { Deps } from '../deps.ts'
import { AppError, notFound } from '../errors.ts'
import { asksForPage } from '../web/trouble.ts'
import { admit, refuseTwins } from './admit.ts'
import type { Answers } from './answers.ts'
import { bearerToken, statedToken, withUsualScheme } from './bearer-token.ts'
import { readJson } from './body.ts'
import { edgeOf, setEdge } from './edge.ts'
import { createMeet, inNormalForm, replaced } from './gate.ts'
import type { Limits } from './limits.ts'
import { publicRoutes } from './public-routes.ts'
import { createStepUp } from './step-up.ts'

/** Who may call a route. */
export type RouteAccess = readonly Role[] | 'public'
type Rule =
  | RouteAccess
  | {
      readonly roles: readonly Role[]
      /** Asks for a recent second factor of whom one is asked. */
      readonly stepUp?: true
      /** A DELETE that is confirmed by its body; the body of any other is not read (RFC 9110, 9.3.5). */
      readonly readsBody?: true
    }
type Incoming = { request: Request; params?: Record<string, string> }
type Fetch = (request: Request) => Response | Promise<Response>

/**
 * Bearer tokens (RFC 6750), from the header to the role of the route:
 * 1. `entrance`, which the server calls, has the token verified (adapters/identity/verify.ts: JWKS, RFC 9068) where it is
 *    not known yet, then calls Elysia;
 * 2. so the first hook knows the verdict without waiting: 401 comes before the body is read, before 404 and 405;
 * 3. @elysiajs/bearer gives handlers `bearer`, and this plugin `caller`, who stands behind that token;
 * 4. `access` says on a route whose roles may call.
 * on-error.ts writes the challenges.
 */
export function auth(deps: Deps, limits: Limits, answers: Answers) {
  const { access, config } = deps
  const isPublic = publicRoutes(config.sandbox)
  const meet = createMeet(deps)
  const stepUp = createStepUp(deps)

  const plugin = new Elysia({ name: 'auth' })
    .onRequest(({ request, set }) => {
      const edge = edgeOf(request)
      const { caller, refusal } = edge
      const kept = caller && request.method === 'GET' ? answers.find(request, caller) : undefined
      if (!kept && isPublic(request.method, edge.path)) {
        edge.caller = undefined
        return limits.stranger(edge, request.method)
      }
      if (refusal instanceof AppError && refusal.code === 'unauthorized') limits.badToken(edge)
      if (!caller) throw refusal
      limits.user(caller.userId)
      return kept && answers.again(request, set, kept)
    })
    .use(bearer())
    .derive({ as: 'global' }, ({ bearer, request }) => {
      const { token, caller } = edgeOf(request)
      return { caller: caller && token === bearer ? caller : NOBODY }
    })
    .macro({
      access: (rule: Rule) => {
        const {
          roles,
          stepUp: asksFactor,
          readsBody,
        } = typeof rule === 'object' && 'roles' in rule ? rule : { roles: rule }
        const check = (request: Request, params: Incoming['params']): void => {
          admit(roles, request, params)
          if (asksFactor) stepUp(request)
        }
        return {
          detail: { 'x-roles': roles, ...(asksFactor ? { 'x-step-up': true } : {}) } as object,
          // Members by name: for a hook that takes the context whole, Elysia parses headers, cookies and query.
          parse: ({ request, params }: Incoming) => {
            check(request, params)
            return request.method === 'DELETE' && !readsBody ? {} : readJson(request)
          },
          transform: ({ request, params }: Incoming) => {
            check(request, params)
            refuseTwins(request)
          },
        }
      },
    })

  /** What the server calls: `known(token) ?? await verify(token)`, then Elysia. */
  const entrance =
    (fetch: Fetch): Fetch =>
    (given) => {
      const request = replaced(given, withUsualScheme(inNormalForm(given)))
      const edge = meet(request)
      if (request !== given) setEdge(given, edge)
      const { method } = request
      edge.token = statedToken(request)
      edge.caller = edge.token === undefined ? undefined : access.known(edge.token)
      // If the client disconnects, its address is gone: read it before anything is awaited.
      if (method !== 'GET') edge.readAddress()
      if (edge.caller || method === 'OPTIONS' || isPublic(method, edge.path)) return fetch(request)
      const stated = bearerToken(request)
      if (stated.kind !== 'token') {
        // A person who mistyped an address is told so, not asked for a token that no browser has.
        edge.refusal = asksForPage(request, edge.path) ? notFound() : new AppError('unauthorized')
        return fetch(request)
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
        .then(() => fetch(request))
    }
  return { plugin, entrance }
}
export type Auth = ReturnType<typeof auth>['plugin']
