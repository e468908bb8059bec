import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import { findRentChange, type RentChangeRow } from '../../lease/rents/store.ts'
import { inform } from '../../people/notices/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { findUser } from '../../people/users/store.ts'
import { TEXTS } from './texts.ts'

/** Tells the tenant of a lease what becomes of its rent, and the owner when the tenant has signed. */
export function rentChangeHandlers(deps: Telling): Handlers {
  const { db } = deps
  const found = (orgId: string | null, id: string) => {
    const row = findRentChange(db, orgId ?? '', id)
    const lease = row && findBooking(db, row.orgId, row.bookingId)
    return lease?.status === 'ACTIVE' ? { row, lease } : undefined
  }
  const telling =
    (purpose: string, text: 'announced' | 'proposed' | 'cancelled', statuses: readonly RentChangeRow['status'][]) =>
    async ({ id, orgId, source }: { id: string; orgId: string | null; source: string }): Promise<void> => {
      const at = found(orgId, source)
      if (!at?.row || !statuses.includes(at.row.status)) return
      const { row, lease } = at
      const say = (l: 'fr' | 'en') => TEXTS[l][text](lease, row, `${deps.config.publicUrl}/portal/lease/${lease.id}`)
      await tellTenant(deps, lease, { id, purpose, say })
    }
  return {
    'rent_change.announced': telling('rent_changes', 'announced', ['SCHEDULED', 'IN_FORCE']),
    'rent_change.proposed': telling('rent_proposed', 'proposed', ['PROPOSED']),
    'rent_change.cancelled': telling('rent_stays', 'cancelled', ['CANCELLED']),
    'rent_change.agreed': async ({ id, orgId, source }) => {
      const at = found(orgId, source)
      const owner = at && findUser(db, at.lease.orgId, at.lease.ownerUserId)
      if (!at?.row || !owner?.phoneNumber) return
      const { row, lease } = at
      const locale = owner.locale ?? findOrganization(db, lease.orgId)?.locale ?? 'fr'
      const message = {
        id,
        orgId: lease.orgId,
        to: owner.phoneNumber,
        channel: 'WHATSAPP',
        purpose: 'rent_agreed',
        locale,
      } as const
      await inform(deps, { ...message, text: TEXTS[locale].agreed(lease, row) })
    },
  }
}
