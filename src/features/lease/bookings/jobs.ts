import type { Deps } from '../../../deps.ts'
import { type Handlers, systemCtx } from '../../../jobs/worker.ts'
import { isLeaseSource } from '../contracts/rules.ts'
import { copyLease, refreshLease } from '../contracts/service.ts'
import { findBooking, pendingLeases } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId'>

/**
 * `lease.check`: something that leases name has changed; those that are out for signing are looked at, one write each.
 * `lease.copy`: a lease that was agreed before it was entered gets its paper.
 */
export const bookingHandlers = (deps: Work): Handlers => ({
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
  'lease.copy': async ({ id: jobId, orgId, source }) =>
    void (await deps.write(orgId, (tx) => {
      const row = findBooking(tx, orgId ?? '', source)
      return (row && copyLease(systemCtx(deps, tx, row.orgId, jobId), row)) ?? null
    })),
})
