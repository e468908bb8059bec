import type { LongChange } from '../../../adapters/imports/port.ts'
import { type LongWork, writeLong } from '../../../jobs/long.ts'
import type { PropertyPatch } from './model.ts'
import { propertyOf, updateProperty } from './service.ts'
import type { PropertyRow } from './store.ts'

/** `updateProperty` in the thread of long writes. @throws what it throws, and precondition_failed for a version not `seen` */
export const changeProperty = (work: LongWork, change: LongChange): Promise<PropertyRow> =>
  writeLong(work, change, propertyOf, (ctx) => updateProperty(ctx, change.id, change.given as PropertyPatch))
