import type { LongChange } from '../../../adapters/imports/port.ts'
import { answerLong } from '../../../jobs/long.ts'
import { bookingOf } from '../../lease/bookings/service.ts'
import type { AdvanceCreate } from '../payments/model.ts'
import { toAdvance } from './model.ts'
import { payAdvance } from './service.ts'

/** `payAdvance` of many months, in the thread of long writes. @throws what it throws, and precondition_failed for a version not `seen` */
export const advanceLong = (work: Parameters<typeof answerLong>[0], change: LongChange) =>
  answerLong(work, change, bookingOf, (ctx) => ({
    value: toAdvance(payAdvance(ctx, change.id, change.given as AdvanceCreate)),
    status: 201,
    etag: undefined,
  }))
