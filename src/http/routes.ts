import type { TSchema } from '@sinclair/typebox'
import { Elysia, type ElysiaCustomStatusResponse } from 'elysia'
import { createOnce, type Done, type Keyed, keyedOf } from '../../db/idempotency.ts'
import type { WrittenRows } from '../../db/json.ts'
import type { ListQuery } from '../../db/list-spec.ts'
import type { Db, Tx } from '../../db/open.ts'
import type { LongChange } from '../adapters/imports/port.ts'
import { type Caller, type Ctx, createCtx, TooLong } from '../context.ts'
import type { Given } from '../core/judging.ts'
import type { Scope } from '../core/reach.ts'
import type { Deps } from '../deps.ts'
import { AppError, CommitThenFail, type ErrorCode, type FieldError, notFound } from '../errors.ts'
import type { Auth } from './auth.ts'
import { type Answers, answerJson, digestOf, etagOf, isKnown, locations, type Out } from './cache.ts'
import { callerOf, edgeOf, pathOf } from './gate.ts'
import { createSpending, createTelling, createTurns, sizeOf } from './limits.ts'
import { createPaging } from './paging.ts'
import { takesLong } from './patience.ts'
import type { Problem, ProblemStatus } from './problems.ts'
import { copiesOf } from './schema.ts'
import { createTogether } from './together.ts'

export const EVERYONE = ['TENANT', 'OWNER', 'MANAGER', 'ADMIN'] as const
export const LANDLORDS = ['OWNER', 'MANAGER', 'ADMIN'] as const
/** Landlords, except managers of some properties only. */
export const OF_WHOLE = { roles: LANDLORDS, whole: true } as const
export const MANAGERS = ['MANAGER', 'ADMIN'] as const
export const ADMINS = ['ADMIN'] as const

/** Days begin on a quarter of an hour in every time zone. */
const SPAN_MS = 900_000
type Versioned = { readonly version: number }
/** A request with the id of its path, '' if that has none. */
type Asked = { readonly request: Request; readonly set: Out; readonly id: string }
type UseCase<B, T> = (ctx: Ctx, id: string, body: B) => T | CommitThenFail
/** The row that If-Match is about, as the caller sees it; undefined leaves the use case to say that there is none. */
type Current = (ctx: Ctx, id: string) => Versioned | undefined
type Read<R = Versioned> = (db: Db, orgId: string, scope: Scope, id: string) => R | undefined
/** Reads the row of the path's id for If-Match, if the caller may see it. */
export const rowOf =
  (read: Read): Current =>
  ({ tx, caller }, id) =>
    read(tx, caller.orgId, caller.scope, id)

type Listing<K extends string, T> = (q: ListQuery<K> & { count: boolean }) => {
  readonly rows: readonly T[] | WrittenRows<T>
  readonly next?: readonly string[] | undefined
  readonly total?: number | undefined
}

/** How a row is answered. `names`: what stands beside its own members and changes without it, as the caller may know it. */
type View<R, T> = ((row: R) => T) & { readonly names?: Names<R> }
type Names<R> = (db: Db, caller: Caller, row: R) => object
/** A view with such names: its ETag covers them, while If-Match concerns the row alone. */
export const withNames = <R, T>(view: (row: R) => T, names: Names<R>): View<R, T> =>
  Object.assign((row: R) => view(row), { names })
const joined = <T>(shown: T, names: object | undefined): T => (names ? { ...shown, ...names } : shown)
/** A change needs the version that the caller has read: otherwise 412. */
function expectVersion(headers: Headers, epoch: string, version: number): void {
  if (isKnown(headers, etagOf(epoch, version))) throw new AppError('precondition_failed')
}

/** Answers what a write returned, now or earlier for the same key. */
function answered<T>(set: Out, { value, status, etag, replayed }: Done<T>): T {
  set.status = status
  if (replayed) set.headers['idempotency-replayed'] = 'true'
  if (etag !== undefined) set.headers.etag = etag
  return value
}

/** A change for the thread of long writes: its object, and the body or the query. */
type Long = Pick<LongChange, 'kind' | 'id' | 'given'>
/** The refusals that any route may answer, for its type; problems.ts writes them. */
type Refusal = { [S in ProblemStatus]: ElysiaCustomStatusResponse<S, Problem> }[ProblemStatus]

/**
 * What every feature starts with. `.use(http)` gives its handlers `caller`, `mutate` (a write, once per
 * Idempotency-Key), `one` (ETag, 304), `cached` (the same for the row of the path's id, from a cache) and `many` (a keyset
 * list; `seenAs` if it differs by person or by span of time, `keep: false` if its rows pass by themselves). It gives its
 * routes the options `access` (who may call), `problems` (codes of the route's own rules, for OpenAPI) and `answers`
 * (status → body).
 */
export function createHttp(deps: Deps, answers: Answers, auth: Auth) {
  const spend = createSpending(deps)
  const telling = createTelling(deps)
  const once = createOnce(deps)
  const { epoch } = deps.store
  const page = createPaging(deps)
  const together = createTogether(once, keyOf, spend)
  const inTurn = createTurns()
  const ctxOf = (request: Request, tx: Tx) => createCtx(deps, tx, callerOf(request), edgeOf(request).requestId)

  /**
   * Runs `fn` in one write of the caller's organization, once for each Idempotency-Key. In the same write, before `fn`,
   * If-Match is compared with the `current` row. If `fn` throws TooLong, another thread does the work, named by `long`. @throws precondition_failed
   */
  const perform = <B extends object | undefined, T>(...given: Parameters<typeof write<B, T>>): Promise<T> =>
    telling(callerOf(given[0].request), () => write<B, T>(...given))
  async function write<B extends object | undefined, T>(
    { request, set, id }: Asked,
    status: number,
    body: B,
    fn: UseCase<B, T>,
    current?: Current,
    kind?: Long['kind'],
    more?: object,
  ): Promise<T> {
    const long = kind && { kind, id, given: { ...(body ?? {}), ...more } }
    const caller = callerOf(request)
    const { headers } = request
    spend(request, caller, sizeOf(request, body))
    const brief = long !== undefined && deps.importThread !== undefined
    let expected: number | undefined
    const work = (tx: Tx): Done<T> | CommitThenFail => {
      const ctx: Ctx = { ...ctxOf(request, tx), waited: true, brief }
      const row = headers.has('if-match') || headers.has('if-none-match') ? current?.(ctx, id) : undefined
      if (row) expectVersion(headers, epoch, row.version)
      expected = headers.has('if-match') ? row?.version : undefined
      const value = fn(ctx, id, body)
      return value instanceof CommitThenFail ? value : { value, status, etag: set.headers.etag }
    }
    const keyed = keyOf(request, body)
    try {
      return answered(set, await (keyed ? once(caller, keyed, work) : deps.write(caller.orgId, work)))
    } catch (e) {
      if (!(e instanceof TooLong) || !long) throw e
      return answered(set, await elsewhere<Done<T>>(request, long, expected, keyed))
    }
  }

  function keyOf(request: Request, body: unknown): Keyed | undefined {
    const { method, headers } = request
    const key = method === 'POST' ? headers.get('idempotency-key') : null
    if (key === null) return undefined
    return keyedOf(callerOf(request), { method, path: pathOf(request.url), key, body }, deps.config.rateLimits)
  }

  /** The result of a change in the thread of long writes: a row, a preview, or the whole answer. */
  function elsewhere<T>(request: Request, long: Long, seen?: number, keyed?: Keyed): Promise<T> {
    const { requestId } = edgeOf(request)
    const by = { caller: callerOf(request), requestId, nowMs: deps.clock.now(), seen, keyed, epoch }
    if (!deps.importThread) throw new AppError('overloaded', undefined, { retryAfter: 5 })
    takesLong(request)
    return deps.importThread.change({ ...by, ...long }) as Promise<T>
  }

  /** Answers one row. @throws not_found */
  function single<R extends Versioned, T>(
    request: Request,
    set: Out,
    row: R | undefined,
    view: View<R, T>,
    keep: boolean,
  ): T {
    if (!row) throw notFound()
    const names = view.names?.(deps.db, callerOf(request), row)
    return answers.one(request, set, etagOf(epoch, row.version, names), () => joined(view(row), names), keep) as T
  }

  /** What a handler gets for its request. */
  const forRequest = ({ request, set, id }: Asked) => ({
    /**
     * Runs a use case in one write and answers its row through `view`; `current` reads the row that If-Match is about.
     * `long` names the change for the thread of long writes, `more` is added to its body.
     */
    mutate: <B extends object | undefined, R extends Versioned, T>(
      status: number,
      body: B,
      fn: UseCase<B, R>,
      view: View<R, T>,
      current?: Current,
      long?: Long['kind'],
      more?: object,
    ): Promise<T> =>
      perform(
        { request, set, id },
        status,
        body,
        (ctx) => {
          const row = fn(ctx, id, body)
          if (row instanceof CommitThenFail) return row
          const names = view.names?.(ctx.tx, ctx.caller, row)
          set.headers.etag = etagOf(epoch, row.version, names)
          return joined(view(row), names)
        },
        current,
        long,
        more,
      ),
    /** Runs costly work; each caller may have only a few such operations at once. */
    inTurn: <T>(work: () => Promise<T>): Promise<T> => inTurn(callerOf(request).userId, work),
    /** Like `mutate`, for answers that are not a single resource. */
    perform: <B extends object | undefined, T>(
      status: number,
      body: B,
      fn: UseCase<B, T>,
      current?: Current,
      long?: Long['kind'],
    ): Promise<T> => perform({ request, set, id }, status, body, fn, current, long),
    /**
     * Shows what a use case would do, in a write that is undone; nothing runs if the caller already has the answer.
     * `long` has another thread run it.
     */
    undone: async <T>(fn: (ctx: Ctx) => T, long?: Long): Promise<T> => {
      const { orgId, userId, roles } = callerOf(request)
      const span = Math.floor(deps.clock.now() / SPAN_MS)
      const etag = etagOf(epoch, digestOf([deps.store.orgVersion(orgId), span, userId, roles, request.url]))
      const work = (tx: Tx) => ({
        value: fn({ ...ctxOf(request, tx), undone: true }),
      })
      const run = async (): Promise<T> =>
        long ? elsewhere<T>(request, long) : (await deps.write(orgId, work, undefined, true)).value
      if (request.method === 'POST') return run()
      // Whether a row exists that `*` could match is known only afterwards.
      const isHad = request.headers.get('if-none-match')?.trim() !== '*' && isKnown(request.headers, etag)
      const value = isHad ? undefined : await run()
      return answers.one(request, set, etag, () => value, false) as T
    },
    /** Hands a write that is too long for the main thread to another thread. */
    inThread: async <R extends Versioned & { readonly id: string }, T>(
      kind: Long['kind'],
      { id, version }: R,
      body: object,
      view: (row: R) => T,
    ): Promise<T> => {
      const work = async (): Promise<Done<T>> => {
        expectVersion(request.headers, epoch, version)
        const expected = request.headers.has('if-match') ? version : undefined
        const after = await elsewhere<R>(request, { kind, id, given: body }, expected)
        return { value: view(after), status: 200, etag: etagOf(epoch, after.version) }
      }
      return answered(set, await together(request, body, work))
    },
    /** Runs independent acts, some of them in each write, then answers with `all`. */
    inParts: async <I, T>(
      status: number,
      body: unknown,
      parts: readonly I[],
      act: (ctx: Ctx, part: I) => void,
      all: () => T,
    ): Promise<T> => {
      const { orgId } = callerOf(request)
      const work = async (): Promise<Done<T>> => {
        for (const part of parts) await deps.write(orgId, (tx) => act({ ...ctxOf(request, tx), waited: true }, part))
        return { value: all(), status, etag: undefined }
      }
      return answered(set, await together(request, body, work))
    },
    one: <R extends Versioned, T>(row: R | undefined, view: View<R, T>): T => single(request, set, row, view, false),
    cached: <R extends Versioned, T>(read: Read<R>, view: View<R, T>): T => {
      const { orgId, scope } = callerOf(request)
      return single(request, set, read(deps.db, orgId, scope, id), view, true)
    },
    many: <K extends string, T>(
      name: string,
      query: Readonly<Record<string, unknown>>,
      names: readonly K[],
      run: Listing<K, T>,
      seenAs?: string,
      keep = true,
    ): T[] => {
      const read = () => page(name, callerOf(request), query, names, run)
      // At runtime this is the Response with these rows; the route's type expects the rows.
      return answers.many(request, set, read, seenAs, keep) as unknown as T[]
    },
  })

  const http = new Elysia({ name: 'http' })
    .use(auth)
    .mapResponse({ as: 'scoped' }, answerJson)
    .resolve({ as: 'scoped' }, ({ request, set, params }): ReturnType<typeof forRequest> | Refusal =>
      forRequest({ request, set, id: (params as { readonly id?: string } | undefined)?.id ?? '' }),
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
      judges: (judge: (given: Given, caller: Caller) => readonly FieldError[]) => ({
        transform: ({ request }: { request: Request }): void => {
          edgeOf(request).judge = judge
        },
      }),
      problems: (codes: readonly ErrorCode[]) => ({ detail: { 'x-problems': codes } as object }),
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
