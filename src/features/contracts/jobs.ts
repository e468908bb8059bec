import type { Deps } from '../../deps.ts'
import { type Handlers, systemCtx } from '../../jobs/worker.ts'
import { findBooking, pendingLeases } from '../bookings/store.ts'
import { isLeaseSource } from './rules.ts'
import { refreshLease } from './service.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId'>

/** Something that leases name has changed: those that are out for signing are looked at, one write each. */
export const contractHandlers = (deps: Work): Handlers => ({
  'lease.check': async ({ id: jobId, orgId, payload }) => {
    const of = String(payload?.of)
    if (orgId === null || !isLeaseSource(of)) return
    const all = of === 'organization' || of === 'lease_template'
    for (const lease of pendingLeases(deps.db, orgId))
      if (all || lease[of] === payload?.id)
        await deps.write(orgId, (tx) => {
          const row = findBooking(tx, orgId, lease.id)
          return (row?.status === 'PENDING' && refreshLease(systemCtx(deps, tx, orgId, jobId), row)) || null
        })
  },
})
