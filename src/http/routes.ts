import type { TSchema } from '@sinclair/typebox'
import { Elysia, type ElysiaCustomStatusResponse } from 'elysia'
import type { ListQuery, Scope } from '../../db/list.ts'
import type { Db, Tx } from '../../db/open.ts'
import { type Caller, type Ctx, createCtx } from '../context.ts'
import type { Given } from '../core/judging.ts'
import type { Deps } from '../deps.ts'
import { AppError, CommitThenFail, type ErrorCode, type FieldError, notFound } from '../errors.ts'
import type { Auth } from './auth.ts'
import { type Answers, answerJson, digestOf, etagOf, isKnown } from './cache.ts'
import { callerOf, edgeOf } from './gate.ts'
import { createOnce, type Done } from './idempotency.ts'
import { createSpending, createTurns, sizeOf } from './limits.ts'
import { createPaging } from './paging.ts'
import type { Problem, ProblemStatus } from './problems.ts'

export const EVERYONE = ['TENANT', 'OWNER', 'MANAGER', 'ADMIN'] as const
export const LANDLORDS = ['OWNER', 'MANAGER', 'ADMIN'] as const
export const MANAGERS = ['MANAGER', 'ADMIN'] as const
export const ADMINS = ['ADMIN'] as const

/** Days begin on a quarter of an hour in every time zone. */
const SPAN_MS = 900_000
type Out = { headers: Record<string, string | number>; status?: number | string }
type Versioned = { readonly version: number }
/** The row that If-Match is about, as the caller sees it; undefined leaves the use case to say that there is none. */
type Current = (ctx: Ctx) => Versioned | undefined
type Read = (db: Db, orgId: string, scope: Scope, id: string) => Versioned | undefined
/** Reads the row of the path's id for If-Match, if the caller may see it. */
export const rowOf =
  (read: Read, id: string): Current =>
  ({ tx, caller }) =>
    read(tx, caller.orgId, caller.scope, id)

type Listing<K extends string, T> = (q: ListQuery<K> & { count: boolean }) => {
  readonly rows: readonly T[]
  readonly next?: readonly string[] | undefined
  readonly total?: number | undefined
}

/** How a row is answered. `names`: what stands beside its own members and changes without it, as the caller may know it. */
type View<R, T> = ((row: R) => T) & { readonly names?: Names<R> }
type Names<R> = (db: Db, caller: Caller, row: R) => object
/** A view with names beside the row: its ETag covers them, If-Match asks for the row alone. */
export const withNames = <R, T>(view: (row: R) => T, names: Names<R>): View<R, T> =>
  Object.assign((row: R) => view(row), { names })
const joined = <T>(shown: T, names: object | undefined): T => (names ? { ...shown, ...names } : shown)

/** A caller changes what they have read, or what is not what they know: else 412. */
function expectVersion(headers: Headers, epoch: string, version: number): void {
  if (isKnown(headers, etagOf(epoch, version))) throw new AppError('precondition_failed')
}

/** What any route may answer instead, for its type: problems.ts writes it. */
type Refusal = { [S in ProblemStatus]: ElysiaCustomStatusResponse<S, Problem> }[ProblemStatus]

/**
 * What every feature starts with. `.use(http)` gives its handlers `caller`, `mutate` (a write, once per
 * Idempotency-Key), `one` (ETag, 304), `kept` (the same for rows of the organization, cached) and `many` (a keyset
 * list; `seenAs` if it differs by person). It gives its routes the options `access` (who may call), `problems` (codes
 * of the route's own rules, for OpenAPI) and `answers` (status → body).
 */
export function createHttp(deps: Deps, answers: Answers, auth: Auth) {
  const spend = createSpending(deps)
  const once = createOnce(deps)
  const { epoch } = deps.store
  const page = createPaging(deps)
  const inTurn = createTurns()

  /**
   * Runs `fn` in one write of the caller's organization, once for each Idempotency-Key. In the same write, before `fn`,
   * If-Match is held against the `current` row. @throws precondition_failed
   */
  async function perform<T>(
    request: Request,
    set: Out,
    status: number,
    body: unknown,
    fn: (ctx: Ctx) => T | CommitThenFail,
    current?: Current,
  ): Promise<T> {
    const caller = callerOf(request)
    const { requestId } = edgeOf(request)
    const { headers } = request
    spend(request, caller, sizeOf(request, body))
    const work = (tx: Tx): Done<T> | CommitThenFail => {
      const nowMs = deps.clock.now()
      const now = new Date(nowMs).toISOString()
      const ctx: Ctx = { tx, caller, nowMs, now, newId: deps.newId, requestId, waited: true }
      const row = headers.has('if-match') || headers.has('if-none-match') ? current?.(ctx) : undefined
      if (row) expectVersion(headers, epoch, row.version)
      const value = fn(ctx)
      return value instanceof CommitThenFail ? value : { value, status, etag: set.headers.etag }
    }
    const key = request.method === 'POST' ? headers.get('idempotency-key') : null
    const done = await (key === null ? deps.write(caller.orgId, work) : once(key, request, body, work))
    set.status = done.status
    if (done.replayed) set.headers['idempotency-replayed'] = 'true'
    if (done.etag !== undefined) set.headers.etag = done.etag
    return done.value
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

  /** What a handler gets of its request. */
  const forRequest = (request: Request, set: Out) => ({
    /**
     * Runs a use case in one write and answers its row through `view`; `current` reads the row that If-Match is about.
     */
    mutate: <R extends Versioned, T>(
      status: number,
      body: unknown,
      fn: (ctx: Ctx) => R | CommitThenFail,
      view: View<R, T>,
      current?: Current,
    ): Promise<T> =>
      perform(
        request,
        set,
        status,
        body,
        (ctx) => {
          const row = fn(ctx)
          if (row instanceof CommitThenFail) return row
          const names = view.names?.(ctx.tx, ctx.caller, row)
          set.headers.etag = etagOf(epoch, row.version, names)
          return joined(view(row), names)
        },
        current,
      ),
    /** Runs costly work; each caller may have only a few such operations at once. */
    inTurn: <T>(work: () => Promise<T>): Promise<T> => inTurn(callerOf(request).userId, work),
    /** Like `mutate`, for answers that are not a single resource. */
    perform: <T>(status: number, body: unknown, fn: (ctx: Ctx) => T | CommitThenFail, current?: Current): Promise<T> =>
      perform(request, set, status, body, fn, current),
    /** What a use case would come to: it runs in a write that is undone, and not at all where the caller has the answer. */
    undone: async <T>(fn: (ctx: Ctx) => T): Promise<T> => {
      const caller = callerOf(request)
      const { orgId, userId, roles } = caller
      const span = Math.floor(deps.clock.now() / SPAN_MS)
      const etag = etagOf(epoch, digestOf([deps.store.orgVersion(orgId), span, userId, roles, request.url]))
      const work = (tx: Tx) => ({
        value: fn({ ...createCtx(deps, tx, caller, edgeOf(request).requestId), undone: true }),
      })
      // whether there is anything that `*` could name is known only afterwards
      const isHad = request.headers.get('if-none-match')?.trim() !== '*' && isKnown(request.headers, etag)
      const value = isHad ? undefined : (await deps.write(orgId, work, undefined, true)).value
      return answers.one(request, set, etag, () => value, false) as T
    },
    /** A write too long for the main thread, which `work` does in another; it gets the version that If-Match asks for. */
    inThread: async <R extends Versioned, T>(
      body: unknown,
      { version }: R,
      work: (change: { caller: Caller; requestId: string; seen: number | undefined }) => Promise<R>,
      view: (row: R) => T,
    ): Promise<T> => {
      const caller = callerOf(request)
      spend(request, caller, sizeOf(request, body))
      expectVersion(request.headers, epoch, version)
      const seen = request.headers.has('if-match') ? version : undefined
      const after = await work({ caller, requestId: edgeOf(request).requestId, seen })
      set.headers.etag = etagOf(epoch, after.version)
      return view(after)
    },
    one: <R extends Versioned, T>(row: R | undefined, view: View<R, T>): T => single(request, set, row, view, false),
    kept: <R extends Versioned, T>(row: R | undefined, view: View<R, T>): T => single(request, set, row, view, true),
    many: <K extends string, T>(
      name: string,
      query: Readonly<Record<string, unknown>>,
      names: readonly K[],
      run: Listing<K, T>,
      seenAs?: string,
    ): T[] => {
      const read = () => page(name, callerOf(request), query, names, run)
      // At runtime this is the Response with these rows; the route's type expects the rows.
      return answers.many(request, set, read, seenAs) as unknown as T[]
    },
    /** Like `many`, for rows that pass by themselves, such as links: `seenAs` names their span of time too. */
    passing: <K extends string, T>(
      name: string,
      query: Readonly<Record<string, unknown>>,
      names: readonly K[],
      run: Listing<K, T>,
      seenAs: string,
    ): T[] => {
      const read = () => page(name, callerOf(request), query, names, run)
      return answers.many(request, set, read, seenAs, false) as unknown as T[]
    },
  })

  const http = new Elysia({ name: 'http' })
    .use(auth)
    .mapResponse({ as: 'scoped' }, answerJson)
    .resolve({ as: 'scoped' }, ({ request, set }): ReturnType<typeof forRequest> | Refusal => forRequest(request, set))
    .macro({
      /**
       * The address of what a 201 created, from `{member}` of the answer and `:name` of the path; the first complete
       * one is used.
       */
      creates: (places: readonly string[]) => ({
        detail: { 'x-creates': places } as object,
        afterHandle: ({ params, set, response }: { params: object; set: Out; response: unknown }) => {
          if (set.status === 201) set.headers.location = locationOf(places, response, params)
        },
      }),
      /** What the rules of a body say of its sound members, to be told beside the faults of the others. */
      judges: (judge: (given: Given, caller: Caller) => readonly FieldError[]) => ({
        transform: ({ request }: { request: Request }): void => {
          edgeOf(request).judge = judge
        },
      }),
      problems: (codes: readonly ErrorCode[]) => ({ detail: { 'x-problems': codes } as object }),
      answers: (map: Readonly<Record<number, TSchema>>) => ({
        detail: { 'x-answers': map } as object,
        ...(deps.checkAnswers ? { response: map as never } : {}),
      }),
    })
  return http
}

/** @throws Error if the answer fits no address: every 201 must have a Location */
function locationOf(places: readonly string[], answer: unknown, params: object): string {
  for (const place of places) {
    let missing = false
    const member = (from: unknown, path: string): string => {
      const found = path.split('.').reduce<unknown>((at, key) => Object(at)[key], from)
      missing ||= typeof found !== 'string'
      return String(found)
    }
    const path = place.replace(/\{([\w.]+)\}|:(\w+)/g, (_m, inAnswer?: string, inPath = '') =>
      inAnswer === undefined ? member(params, inPath) : member(answer, inAnswer),
    )
    if (!missing) return path
  }
  throw new Error(`nothing of ${places} fits the answer`)
}

export type Http = ReturnType<typeof createHttp>
