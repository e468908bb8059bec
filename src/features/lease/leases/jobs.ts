import { systemCtx } from '../../../context.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { tellLandlords } from '../../people/notifications/service.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { isLeaseSource } from '../contracts/rules.ts'
import { copyLease, refreshInTime } from '../contracts/service.ts'
import { findBooking, pendingLeases } from './store.ts'
import { TEXTS } from './texts.ts'

/**
 * `lease.check`: something that leases mention has changed; each lease out for signing is checked, in a write of its
 * own. `lease.copy`: makes the paper of a lease that was agreed before it was entered. The other jobs notify the
 * tenant.
 */
export const bookingHandlers = (deps: Telling): Handlers => ({
  'lease.check': async ({ id: jobId, orgId, payload }) => {
    const of = String(payload?.of)
    if (orgId === null || !isLeaseSource(of)) return
    const all = of === 'organization' || of === 'lease_template'
    for (const lease of pendingLeases(deps.db).all({ orgId }))
      if (all || lease[of] === payload?.id)
        await deps.write(orgId, (tx) => {
          const row = findBooking(tx, orgId, lease.id)
          return (row?.status === 'PENDING' && refreshInTime(systemCtx(deps, tx, orgId, jobId), row)) || null
        })
  },
  'lease.copy': async ({ id: jobId, orgId, source }) =>
    void (await deps.write(orgId, (tx) => {
      const row = findBooking(tx, orgId ?? '', source)
      return (row && copyLease(systemCtx(deps, tx, row.orgId, jobId), row)) ?? null
    })),
  'booking.requested': async ({ id, orgId, source }) => {
    const booking = findBooking(deps.db, orgId ?? '', source)
    if (booking?.status !== 'DRAFT' || booking.requestedBy === null) return
    const { ownerUserId, propertyId, requestedBy: by } = booking
    const url = `${deps.config.publicUrl}/console/bookings`
    await tellLandlords(deps, {
      ...{ id, orgId: booking.orgId, ownerUserId, propertyId, kind: 'LEASE_REQUESTED', by },
      say: (locale) => TEXTS[locale].requested({ ...booking, url }),
    })
  },
  'booking.changed': async ({ id, orgId, source }) => {
    const lease = findBooking(deps.db, orgId ?? '', source.split(':')[0] ?? '')
    if (lease?.status !== 'ACTIVE' || lease.notice) return
    const say = (locale: 'fr' | 'en') => TEXTS[locale].leaseTerm(lease)
    await tellTenant(deps, lease, { id, purpose: 'lease_changed', kind: 'LEASE_CHANGED', say })
  },
  'booking.reinstated': async ({ id, orgId, source, payload }) => {
    const [bookingId = ''] = source.split(':')
    const booking = findBooking(deps.db, orgId ?? '', bookingId)
    if (booking?.status !== 'ACTIVE') return
    const say = (locale: 'fr' | 'en') =>
      TEXTS[locale].leaseReinstated({ ...booking, endDate: String(payload?.endDate) })
    await tellTenant(deps, booking, { id, purpose: 'lease_reinstated', kind: 'LEASE_CHANGED', say })
  },
})
