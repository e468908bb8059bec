import type { LongChange } from '../../../adapters/imports/port.ts'
import { type LongWork, undoneLong } from '../../../jobs/long.ts'
import type { Settlement } from './model.ts'
import { settlementSeen } from './service.ts'

/** `settlementSeen` of a lease with many invoices, in the thread of long writes. @throws what it throws */
export const settlementLong = (work: LongWork, change: LongChange): Promise<Settlement> =>
  undoneLong(work, change, (ctx) => settlementSeen(ctx, change.id, (change.given as { endDate?: string }).endDate))
