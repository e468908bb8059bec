import type { Saving } from '../../db/rows.ts'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { type Recorded, record } from './record.ts'

type Row = NonNullable<Recorded['before']>
type Changeable = { readonly updatedAt: string }

/** What may be changed of a row by such a `save`. */
export type Patch<S extends (...args: never) => unknown> = Partial<Parameters<S>[2]>

/** Writes the members of `patch` without a line in the trail. @throws precondition_failed when the row has changed since it was read */
export function update<C extends Changeable, R extends C>(
  ctx: Ctx,
  save: Saving<C, R>,
  before: R,
  patch: Partial<C>,
): R {
  const after = save(ctx.tx, before, { ...before, ...patch, updatedAt: ctx.now })
  if (!after) throw new AppError('precondition_failed')
  return after
}

/** Writes the members of `patch` and records it. @throws precondition_failed when the row has changed since it was read */
export function change<C extends Changeable, R extends C & Row>(
  ctx: Ctx,
  save: Saving<C, R>,
  before: R,
  patch: Partial<C>,
  action: string,
  details?: Recorded['details'],
): R {
  const after = update(ctx, save, before, patch)
  record(ctx, action, { type: save.type, before, after, ...(details && { details }) })
  return after
}
