import type { TSchema } from '@sinclair/typebox'
import { Elysia, type ElysiaCustomStatusResponse } from 'elysia'
import type { ListQuery } from '../../db/list/spec.ts'
import type { Tx } from '../../db/open.ts'
import { type Done, type Keyed, keyedOf } from '../../db/write/idempotency.ts'
import { type Caller, type Ctx, createCtx } from '../context.ts'
import type { Members } from '../core/body-rules.ts'
import type { Deps } from '../deps.ts'
import { CommitThenFail, type ErrorCode, type FieldError, notFound } from '../errors.ts'
import type { Answers, Exchange, Sharing } from './answers.ts'
import type { Auth } from './auth.ts'
import { digestOf, etagOf, isKnown } from './etag.ts'
import { answerJson, locations, type Out } from './json.ts'
import { createSpending, createTelling, createTurns, sizeOf } from './limits.ts'
import {
  answerMutation,
  answerOrder,
  type Body,
  CONDITIONS,
  joined,
  type Mutation,
  type Order,
  type Performed,
  type Read,
  type Versioned,
  type View,
} from './mutation.ts'
import { createPaging, type ListRequest } from './paging.ts'
import type { Problem, ProblemStatus } from './problems.ts'
import { callerOf, edgeOf, pathOf } from './request.ts'
import { copiesOf } from './schema.ts'
import { takesLong } from './timeouts.ts'

export const EVERYONE = ['TENANT', 'OWNER', 'MANAGER', 'ADMIN'] as const
export const LANDLORDS = ['OWNER', 'MANAGER', 'ADMIN'] as const
/** Landlords, except managers of some properties only. */
export const OF_WHOLE = { roles: LANDLORDS, whole: true } as const
export const MANAGERS = ['MANAGER', 'ADMIN'] as const
export const ADMINS = ['ADMIN'] as const

/** The section of the OpenAPI document that a feature's operations stand in, with what it says of them. */
export const section = (name: string, description: string) => ({
  tags: [name],
  detail: { 'x-section': { name, description } } as object,
})

/** Days begin on a quarter of an hour in every time zone. */
const SPAN_MS = 900_000
type Listing<K extends string, T> = (q: ListQuery<K> & { count: boolean }) => {
  readonly rows: readonly T[]
  readonly next?: readonly string[] | undefined
  readonly total?: string | undefined
}

/** The refusals that any route may answer, for its type; problems.ts writes them. */
type Refusal = { [S in ProblemStatus]: ElysiaCustomStatusResponse<S, Problem> }[ProblemStatus]

/**
 * What every feature starts with. `.use(http)` gives its handlers `caller`, `mutate` (a write, once per
 * Idempotency-Key), `one` (ETag, 304), `cached` (the same for the row of the path's id, from a cache) and `many` (a keyset
 * list; `seenAs` if it differs by person or by span of time, `keep: false` if its rows pass by themselves). It gives its
 * routes the options `access` (who may call) and `answers` (status → body), and for OpenAPI `problems` (codes of the
 * route's own rules) and `shows` (members of the example answer).
 */
export function createHttp(deps: Deps, answers: Answers, auth: Auth) {
  const spend = createSpending(deps)
  const telling = createTelling(deps)
  const { epoch } = deps.store
  const page = createPaging(deps)
  const inTurn = createTurns()

  /** A request's order, once the day's budget has room for it. @throws too_many_requests, storage_unavailable */
  function orderOf<B>(request: Request, id: string, body: B): Order<B> {
    const caller = callerOf(request)
    spend(request, caller, sizeOf(request, body))
    const conditions = CONDITIONS.flatMap((name) => {
      const value = request.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    return { caller, requestId: edgeOf(request).requestId, id, body, conditions, keyed: keyOf(request, body) }
  }

  function keyOf(request: Request, body: unknown): Keyed | undefined {
    const { method, headers } = request
    const key = method === 'POST' ? headers.get('idempotency-key') : null
    if (key === null) return undefined
    return keyedOf(callerOf(request), { method, path: pathOf(request.url), key, body }, deps.config.rateLimits)
  }

  /** Answers what a write returned, now or earlier for the same key. */
  async function respond<T>(request: Request, set: Out, work: () => Promise<Done<T>>): Promise<T> {
    const { value, status, etag, replayed } = await telling(callerOf(request), work)
    set.status = status
    if (replayed) set.headers['idempotency-replayed'] = 'true'
    if (etag !== undefined) set.headers.etag = etag
    return value
  }

  /** Answers one row. @throws not_found */
  function single<R extends Versioned, T>(to: Exchange, row: R | undefined, view: View<R, T>, keep: boolean): T {
    if (!row) throw notFound()
    const names = view.names?.(deps.db, callerOf(to.request), row)
    return answers.one(to, etagOf(epoch, row.version, names), () => joined(view(row), names), keep) as T
  }

  /** What a handler gets for its request; `id` is that of its path, '' if it has none. */
  const forRequest = (request: Request, set: Out, id: string) => ({
    /**
     * Runs a use case in one write, and answers its row. `aside`: the name under which jobs/asides.ts has the same mutation,
     * for one that takes long by nature: a thread runs it where there is one.
     */
    mutate: <B extends object | undefined, R extends Versioned, T>({
      body,
      aside,
      ...mutation
    }: Mutation<B, R, T> & Body<B> & { readonly aside?: string | undefined }): Promise<T> =>
      respond(request, set, () => {
        const order = orderOf(request, id, body as B)
        if (aside === undefined || !deps.aside) return answerMutation(deps, epoch, order, mutation)
        takesLong(request)
        return deps.aside.run(aside, { epoch, order }, { by: order.caller }) as Promise<Done<T>>
      }),
    /** Like `mutate`, for answers that are not a single resource. */
    perform: <B extends object | undefined, T>({ body, run, ...how }: Performed<B, T> & Body<B>): Promise<T> =>
      respond(request, set, () =>
        answerOrder(deps, epoch, orderOf(request, id, body as B), {
          ...how,
          run: (ctx, id, body) => {
            const value = run(ctx, id, body)
            return value instanceof CommitThenFail ? value : { value }
          },
        }),
      ),
    /** Shows what a use case would do, in a write that is undone; nothing runs if the caller already has the answer. */
    preview: async <T>(run: (ctx: Ctx) => T): Promise<T> => {
      const caller = callerOf(request)
      const { orgId, userId, roles } = caller
      const work = (tx: Tx) => ({ value: run(createCtx(deps, tx, caller, edgeOf(request).requestId)) })
      const preview = async (): Promise<T> => (await deps.write(orgId, work, { undo: true })).value
      if (request.method === 'POST') return preview()
      const span = Math.floor(deps.clock.now() / SPAN_MS)
      const etag = etagOf(epoch, digestOf([deps.store.orgVersion(orgId), span, userId, roles, request.url]))
      // Whether a row exists that `*` could match is known only afterwards.
      const isHad = request.headers.get('if-none-match')?.trim() !== '*' && isKnown(request.headers, etag)
      const value = isHad ? undefined : await preview()
      return answers.one({ request, set }, etag, () => value, false) as T
    },
    /** Runs costly work; each caller may have only a few such operations at once. */
    inTurn: <T>(work: () => Promise<T>): Promise<T> => inTurn(callerOf(request).userId, work),
    one: <R extends Versioned, T>(row: R | undefined, view: View<R, T>): T =>
      single({ request, set }, row, view, false),
    cached: <R extends Versioned, T>(read: Read<R>, view: View<R, T>): T => {
      const { orgId, scope } = callerOf(request)
      return single({ request, set }, read(deps.db, orgId, scope, id), view, true)
    },
    many: <K extends string, T>(list: ListRequest<K>, run: Listing<K, T>, sharing?: Sharing): T[] => {
      const read = () => page(callerOf(request), list, run)
      // At runtime this is the Response with these rows; the route's type expects the rows.
      return answers.many({ request, set }, read, sharing) as unknown as T[]
    },
  })

  const http = new Elysia({ name: 'http' })
    .use(auth)
    .mapResponse({ as: 'scoped' }, answerJson)
    .resolve({ as: 'scoped' }, ({ request, set, params }): ReturnType<typeof forRequest> | Refusal =>
      forRequest(request, set, (params as { readonly id?: string } | undefined)?.id ?? ''),
    )
    .macro({
      /**
       * The address of what a 201 created, from `{member}` of the answer and `:name` of the path; the first complete
       * one is used.
       */
      creates: (places: readonly string[]) => {
        const afterHandle = locations(places)
        return { detail: { 'x-creates': places } as object, afterHandle }
      },
      /** The rules of a body for its valid members, whose errors appear beside those of the others. */
      rules: (rules: (body: Members, caller: Caller) => readonly FieldError[]) => ({
        transform: ({ request }: { request: Request }): void => {
          edgeOf(request).bodyRules = rules
        },
      }),
      problems: (codes: readonly ErrorCode[]) => ({ detail: { 'x-problems': codes } as object }),
      /** How the operation leaves the resource, where that differs from the example of its model. */
      shows: (members: Readonly<Record<string, unknown>>) => ({ detail: { 'x-shows': members } as object }),
      answers: (map: Readonly<Record<number, TSchema>>) => ({
        // Without it Elysia would write all schemas as JSON to tell one use of this option from another.
        seed: 'answers',
        detail: { 'x-answers': map } as object,
        ...(deps.checkAnswers ? { response: copiesOf(map) as never } : {}),
      }),
    })
  return http
}

export type Http = ReturnType<typeof createHttp>
