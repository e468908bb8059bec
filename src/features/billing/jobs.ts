import { addDays, localDate } from '../../core/dates.ts'
import type { Deps } from '../../deps.ts'
import { type Handlers, systemCtx } from '../../jobs/worker.ts'
import { dueBookings, wakeBookings } from '../bookings/store.ts'
import { findOrganization } from '../organizations/store.ts'
import { billBooking } from './service.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId'>
const BATCH = 256

const bill = (deps: Work, orgId: string, bookingId: string, requestId: string): Promise<boolean> =>
  deps.write(orgId, (tx) => {
    billBooking(systemCtx(deps, tx, orgId, requestId), bookingId)
    return true
  })

/** Brings every lease up to date whose day has come in its own organization's time zone. @returns how many it looked at */
export async function billDueBookings(deps: Work): Promise<number> {
  // No place on earth is further ahead of UTC than a day; the organization's own day decides.
  const latest = addDays(new Date(deps.clock.now()).toISOString().slice(0, 10), 1)
  let billed = 0
  for (;;) {
    const due = dueBookings(deps.db, latest, BATCH).filter((row) => {
      const org = findOrganization(deps.db, row.orgId)
      return org !== undefined && (row.nextRunOn ?? '') <= localDate(deps.clock.now(), org.timeZone)
    })
    if (due.length === 0) return billed
    await Promise.all(due.map((row) => bill(deps, row.orgId, row.id, `billing-${row.id}`)))
    billed += due.length
  }
}

export const billingHandlers = (deps: Work): Handlers => ({
  'booking.activated': async ({ orgId, source }) => void (await bill(deps, orgId ?? '', source, `billing-${source}`)),
  'billing.reschedule': async ({ orgId }) =>
    void (await deps.write(orgId, (tx) => (wakeBookings(tx, orgId ?? ''), true))),
})
