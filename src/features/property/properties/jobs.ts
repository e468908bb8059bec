import type { PropertyChange } from '../../../adapters/imports/port.ts'
import { type Caller, createCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { PropertyPatch } from './model.ts'
import { propertyOf, updateProperty } from './service.ts'
import type { PropertyRow } from './store.ts'

/** `updateProperty` in the thread of long writes. @throws what it throws, and precondition_failed for a version not `seen` */
export function changeProperty(
  { write, newId }: Pick<Deps, 'write' | 'newId'>,
  change: PropertyChange,
): Promise<PropertyRow> {
  const { requestId, nowMs, id, seen } = change
  // Both lost their types on the way between two threads of this program.
  const caller = change.caller as Caller
  const patch = change.patch as PropertyPatch
  return write(caller.orgId, (tx) => {
    const ctx = createCtx({ clock: { now: () => nowMs }, newId }, tx, caller, requestId)
    if (seen !== undefined && propertyOf(ctx, id).version !== seen) throw new AppError('precondition_failed')
    return updateProperty(ctx, id, patch)
  })
}
