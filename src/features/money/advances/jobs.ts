import type { LongChange } from '../../../adapters/imports/port.ts'
import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { answerLong } from '../../../jobs/long.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { bookingOf } from '../../lease/bookings/service.ts'
import type { AdvanceCreate } from '../payments/model.ts'
import { toAdvance } from './model.ts'
import { continueAdvance, payAdvance } from './service.ts'

/** `payAdvance` of many months, in the thread of long writes. @throws what it throws, and precondition_failed for a version not `seen` */
export const advanceLong = (work: Parameters<typeof answerLong>[0], change: LongChange) =>
  answerLong(work, change, bookingOf, (ctx) => ({
    value: toAdvance(payAdvance(ctx, change.id, change.given as AdvanceCreate)),
    status: 201,
    etag: undefined,
  }))

export const advanceHandlers = (deps: Pick<Deps, 'write' | 'clock' | 'newId'>): Handlers => ({
  'advance.confirmed': async ({ id, orgId, source }) => {
    const some = () => deps.write(orgId, (tx) => continueAdvance(systemCtx(deps, tx, orgId ?? '', id), source))
    while (await some());
  },
})
