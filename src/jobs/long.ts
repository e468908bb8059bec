import { createOnce, type Done } from '../../db/idempotency.ts'
import type { LongChange } from '../adapters/imports/port.ts'
import { type Caller, type Ctx, createCtx } from '../context.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'

export type LongWork = Pick<Deps, 'write' | 'newId'>
/** The context of a use case in the thread of long writes. */
const ctxOf = ({ newId }: LongWork, { caller, nowMs, requestId }: LongChange, tx: Ctx['tx']): Ctx => ({
  // The type of the caller was lost on the way between two threads of this program.
  ...createCtx({ clock: { now: () => nowMs }, newId }, tx, caller as Caller, requestId),
  waited: true,
})

/** Runs a use case in one write of that thread. @throws what it throws, and precondition_failed if the version is not `seen` */
export async function writeLong<R extends { readonly version: number }>(
  work: LongWork,
  change: LongChange,
  rowOf: (ctx: Ctx, id: string) => R,
  fn: (ctx: Ctx) => R,
): Promise<R> {
  const { row } = await work.write(change.caller.orgId, (tx) => {
    const ctx = ctxOf(work, change, tx)
    checkSeen(ctx, change, rowOf)
    return { row: fn(ctx) }
  })
  return row
}

type RowOf = (ctx: Ctx, id: string) => { readonly version: number }
function checkSeen(ctx: Ctx, { seen, id }: LongChange, rowOf: RowOf): void {
  if (seen !== undefined && rowOf(ctx, id).version !== seen) throw new AppError('precondition_failed')
}

/**
 * Runs a use case and makes its whole answer in one write of that thread, once for its Idempotency-Key.
 * @throws what it throws, precondition_failed if the version is not `seen`, idempotency_mismatch
 */
export function answerLong<T>(
  work: LongWork & Pick<Deps, 'clock'>,
  change: LongChange,
  rowOf: RowOf,
  fn: (ctx: Ctx) => Done<T>,
): Promise<Done<T>> {
  const { keyed, caller } = change
  const first = (tx: Ctx['tx']): Done<T> => {
    const ctx = ctxOf(work, change, tx)
    checkSeen(ctx, change, rowOf)
    return fn(ctx)
  }
  return keyed ? createOnce(work)(caller, keyed, first) : work.write(caller.orgId, first)
}

/** Shows what a use case would do: its write is undone. @throws what it throws */
export async function undoneLong<T>(work: LongWork, change: LongChange, fn: (ctx: Ctx) => T): Promise<T> {
  const results: T[] = []
  const undo = new Error('undone')
  try {
    await work.write(change.caller.orgId, (tx) => {
      results.push(fn({ ...ctxOf(work, change, tx), undone: true }))
      throw undo
    })
  } catch (e) {
    if (e !== undo) throw e
  }
  const [value] = results
  if (value === undefined) throw new Error('the write did not run')
  return value
}
