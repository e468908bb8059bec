import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking, findRentChange, type RentChangeRow } from '../../lease/leases/store.ts'
import { type Portal, tellLandlords } from '../../people/notifications/service.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { TEXTS } from './texts.ts'

/** Tells the tenant about changes of the rent, and the landlords about the answer of the tenant. */
export function rentChangeHandlers(deps: Telling): Handlers {
  const { db } = deps
  const changeOfLease = (orgId: string | null, id: string) => {
    const row = findRentChange(db, orgId ?? '', id)
    const lease = row && findBooking(db, row.orgId, row.bookingId)
    return lease?.status === 'ACTIVE' ? { row, lease } : undefined
  }
  const telling =
    (
      purpose: string,
      text: 'announced' | 'proposed' | 'cancelled',
      statuses: readonly RentChangeRow['status'][],
      kind?: 'LEASE_CHANGED',
    ) =>
    async ({ id, orgId, source }: { id: string; orgId: string | null; source: string }): Promise<void> => {
      const at = changeOfLease(orgId, source)
      if (!at?.row || !statuses.includes(at.row.status)) return
      const { row, lease } = at
      const say = (l: 'fr' | 'en', portal: Portal) =>
        TEXTS[l][text](lease, row, { url: portal(`lease/${lease.id}`), home: deps.config.publicUrl })
      await tellTenant(deps, lease, { id, purpose, ...(kind && { kind }), say })
    }
  /** Tells the landlords the tenant's answer, unless it is a scan that they uploaded themselves. */
  const answered =
    (text: 'agreed' | 'declined') =>
    async ({ id, orgId, source }: { id: string; orgId: string | null; source: string }): Promise<void> => {
      const at = changeOfLease(orgId, source)
      if (!at?.row) return
      const { row, lease } = at
      const by = text === 'declined' ? lease.tenantUserId : row.signedBy
      const home = deps.config.publicUrl
      const url = `${home}/console/bookings/${lease.id}`
      await tellLandlords(deps, {
        ...{ id, orgId: lease.orgId, ownerUserId: lease.ownerUserId, propertyId: lease.propertyId },
        ...{ kind: 'RENT_ANSWERED', by },
        say: (locale) => TEXTS[locale][text](lease, row, { url, home }),
      })
    }
  return {
    'rent_change.announced': telling('rent_changes', 'announced', ['SCHEDULED', 'IN_FORCE'], 'LEASE_CHANGED'),
    // A change to be signed is always announced.
    'rent_change.proposed': telling('rent_proposed', 'proposed', ['PROPOSED']),
    'rent_change.cancelled': telling('rent_stays', 'cancelled', ['CANCELLED'], 'LEASE_CHANGED'),
    'rent_change.agreed': answered('agreed'),
    'rent_change.declined': answered('declined'),
  }
}
