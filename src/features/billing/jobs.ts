import type { Deps } from '../../deps.ts'
import { type Handlers, systemCtx } from '../../jobs/worker.ts'
import { dueBookings, wakeBookings } from '../bookings/store.ts'
import { sweep } from '../organizations/service.ts'
import { billBooking } from './service.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log'>

const bill = (deps: Work, orgId: string, bookingId: string): Promise<boolean> =>
  deps.write(orgId, (tx) => {
    billBooking(systemCtx(deps, tx, orgId, `billing-${bookingId}`), bookingId)
    return true
  })

/** Brings every lease up to date whose day has come in its own organization's time zone. @returns how many it looked at */
export const billDueBookings = (deps: Work): Promise<number> =>
  sweep(
    deps,
    'billing',
    (timeZone, today, limit) => dueBookings(deps.db, timeZone, today, limit),
    ({ orgId, id }) => bill(deps, orgId, id),
  )

export const billingHandlers = (deps: Work): Handlers => ({
  'booking.activated': async ({ orgId, source }) => void (await bill(deps, orgId ?? '', source)),
  'billing.reschedule': async ({ orgId }) =>
    void (await deps.write(orgId, (tx) => {
      wakeBookings(tx, orgId ?? '')
      return true
    })),
})
