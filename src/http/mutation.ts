import type { Db, Tx } from '../../db/open.ts'
import { createOnce, type Done, type Keyed } from '../../db/write/idempotency.ts'
import { type Caller, type Ctx, createCtx } from '../context.ts'
import type { Scope } from '../core/scope.ts'
import type { Deps } from '../deps.ts'
import { AppError, CommitThenFail } from '../errors.ts'
import { etagOf, isKnown } from './etag.ts'

export type Versioned = { readonly version: number }
type UseCase<B, T> = (ctx: Ctx, id: string, body: B) => T | CommitThenFail
/** The row that If-Match is about, as the caller sees it; undefined leaves the use case to say that there is none. */
type Current = (ctx: Ctx, id: string) => Versioned | undefined
export type Read<R = Versioned> = (db: Db, orgId: string, scope: Scope, id: string) => R | undefined
/** Reads the row of the path's id for If-Match, if the caller may see it. */
export const rowOf =
  (read: Read): Current =>
  ({ tx, caller }, id) =>
    read(tx, caller.orgId, caller.scope, id)

/** How a row is answered. `names`: what stands beside its own members and changes without it, as the caller may know it. */
export type View<R, T> = ((row: R) => T) & { readonly names?: Names<R> }
type Names<R> = (db: Db, caller: Caller, row: R) => object
/** A view with such names: its ETag covers them, while If-Match concerns the row alone. */
export const withNames = <R, T>(view: (row: R) => T, names: Names<R>): View<R, T> =>
  Object.assign((row: R) => view(row), { names })
export const joined = <T>(view: T, names: object | undefined): T => (names ? { ...view, ...names } : view)

/** What a use case answers: a value, and the ETag of a row. */
type Answer<T> = { readonly value: T; readonly etag?: string | undefined }
/** A write that answers something else than one row. `status`: 200 if absent; `current` reads the row that If-Match is about. */
export type Performed<B, T> = {
  readonly run: UseCase<B, T>
  readonly current?: Current | undefined
  readonly status?: number | undefined
}
/** A write that answers its row, through `view`. */
export type Mutation<B, R, T> = Performed<B, R> & { readonly view: View<R, T> }
export type Body<B> = B extends undefined ? { readonly body?: B } : { readonly body: B }

/** A write as any thread can make it: who asks for what, under which conditions, once for which Idempotency-Key. */
export type Order<B = unknown> = {
  readonly caller: Caller
  readonly requestId: string
  readonly id: string
  readonly body: B
  /** The If-Match and If-None-Match of the request. */
  readonly conditions: readonly (readonly [string, string])[]
  readonly keyed: Keyed | undefined
}
export const CONDITIONS = ['if-match', 'if-none-match'] as const

/**
 * Makes a write and its answer, once for each Idempotency-Key; before it, in the same write, If-Match is compared with the
 * `current` row. @throws precondition_failed, idempotency_mismatch, and what `run` throws
 */
export function answerOrder<B, T>(
  deps: Pick<Deps, 'write' | 'clock' | 'newId'>,
  epoch: string,
  { caller, requestId, id, body, conditions, keyed }: Order<B>,
  { run, current, status = 200 }: Performed<B, Answer<T>>,
): Promise<Done<T>> {
  const work = (tx: Tx): Done<T> | CommitThenFail => {
    const ctx = createCtx(deps, tx, caller, requestId)
    const row = conditions.length > 0 ? current?.(ctx, id) : undefined
    if (row && isKnown(new Headers(conditions as [string, string][]), etagOf(epoch, row.version)))
      throw new AppError('precondition_failed')
    const done = run(ctx, id, body)
    return done instanceof CommitThenFail ? done : { value: done.value, status, etag: done.etag }
  }
  return keyed ? createOnce(deps)(caller, keyed, work) : deps.write(caller.orgId, work)
}

/** The same mutation as its use case alone, which makes the answer in the write. */
const viewed = <B, R extends Versioned, T>(
  epoch: string,
  { run, view, ...rest }: Mutation<B, R, T>,
): Performed<B, Answer<T>> => ({
  ...rest,
  run: (ctx, id, body) => {
    const row = run(ctx, id, body)
    if (row instanceof CommitThenFail) return row
    const names = view.names?.(ctx.tx, ctx.caller, row)
    return { value: joined(view(row), names), etag: etagOf(epoch, row.version, names) }
  },
})

/** `answerOrder` of a mutation, with its row. */
export const answerMutation = <B, R extends Versioned, T>(
  deps: Parameters<typeof answerOrder>[0],
  epoch: string,
  order: Order<B>,
  mutation: Mutation<B, R, T>,
): Promise<Done<T>> => answerOrder(deps, epoch, order, viewed(epoch, mutation))
