import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import { tellLandlords } from '../../people/notifications/service.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { leave } from './service.ts'
import { TEXTS } from './texts.ts'

/** Ends leases whose notice is over, and tells the other party of a notice and of its withdrawal. */
export function departureHandlers(deps: Telling & Pick<Deps, 'stopping'>): Handlers {
  const { db } = deps
  const found = (orgId: string | null, source: string): BookingRow | undefined => {
    const lease = findBooking(db, orgId ?? '', source.split(':')[0] ?? '')
    return lease?.status === 'ACTIVE' ? lease : undefined
  }
  const tellSide = (
    id: string,
    { orgId, ownerUserId, propertyId, tenantUserId: by }: BookingRow,
    say: (l: 'fr' | 'en') => string,
  ) => tellLandlords(deps, { id, orgId, ownerUserId, propertyId, kind: 'NOTICE_GIVEN', by, say })
  return {
    'booking.leave': async ({ id, orgId, source }) => {
      const lease = found(orgId, source)
      if (!lease) return
      await deps.write(orgId, (tx) => leave(systemCtx(deps, tx, lease.orgId, id), lease.id) ?? null)
    },
    'booking.noticed': async ({ id, orgId, source }) => {
      const lease = found(orgId, source)
      const notice = lease?.notice
      if (!lease || !notice) return
      const { by, leaveOn, enteredBy } = notice
      if (enteredBy === lease.tenantUserId)
        await tellSide(id, lease, (l) => TEXTS[l].toOwner(lease, leaveOn, lease.tenantName))
      // The landlord's notice is always told.
      else
        await tellTenant(deps, lease, {
          ...{ id, purpose: 'notice_given' },
          say: (l, portal) => TEXTS[l].given[by](lease, leaveOn, portal(`lease/${lease.id}`) !== undefined),
        })
    },
    'booking.notice_withdrawn': async ({ id, orgId, source, payload }) => {
      const lease = found(orgId, source)
      if (!lease || lease.notice) return
      const say = (l: 'fr' | 'en') => TEXTS[l].withdrawn(lease, String(payload?.leaveOn))
      if (payload?.side === 'TENANT') await tellSide(id, lease, say)
      else await tellTenant(deps, lease, { id, purpose: 'notice_withdrawn', kind: 'LEASE_CHANGED', say })
    },
  }
}
