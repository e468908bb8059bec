import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { hurryPapers } from '../../papers/documents/store.ts'
import { sweep } from '../../people/organizations/service.ts'
import { catchUp } from './service.ts'
import { dueBookings, wakeBookings } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'stopping'>

/** Bills every lease that is due today in its organization's time zone. @returns how many leases it checked */
export const billDueBookings = (deps: Work): Promise<number> =>
  sweep(
    deps,
    'billing',
    (timeZone, today, limit) => dueBookings(deps.db).all({ timeZone, today, limit }),
    ({ orgId, id }) => catchUp(deps, orgId, id),
  )

export const billingHandlers = (deps: Work): Handlers => ({
  'booking.activated': async ({ orgId, source, payload }) => {
    await catchUp(deps, orgId ?? '', source)
    if (payload?.waited === true) await deps.write(orgId, (tx) => hurryPapers(tx, orgId ?? '', source))
  },
  'billing.reschedule': async ({ orgId }) => {
    const wakeAfter = (after: string) => deps.write(orgId, (tx) => wakeBookings(tx, orgId ?? '', after))
    for (let last = await wakeAfter(''); last !== undefined; ) last = await wakeAfter(last)
  },
})
