import type { LongChange } from '../../../adapters/imports/port.ts'
import { localDate } from '../../../core/dates.ts'
import { type LongWork, undoneLong } from '../../../jobs/long.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import type { Settlement } from './model.ts'
import { closingBalance, settlementSeen } from './service.ts'
import { TEXTS } from './texts.ts'

/** `settlementSeen` of a lease with many invoices, in the thread of long writes. @throws what it throws */
export const settlementLong = (work: LongWork, change: LongChange): Promise<Settlement> =>
  undoneLong(work, change, (ctx) => settlementSeen(ctx, change.id, (change.given as { endDate?: string }).endDate))

/** Tells a tenant that the lease has ended, and with what balance. */
export const settlementHandlers = (deps: Telling): Handlers => ({
  'booking.terminated': async ({ id, orgId, source }) => {
    const [bookingId = ''] = source.split(':')
    const lease = findBooking(deps.db, orgId ?? '', bookingId)
    // The end may have been undone meanwhile.
    if (lease?.status !== 'TERMINATED') return
    const { endDate, activatedAt } = lease
    const timeZone = findOrganization(deps.db, lease.orgId)?.timeZone ?? 'UTC'
    // Do not notify about an old lease that had already ended when it was imported.
    if (!endDate || !activatedAt || endDate < localDate(Date.parse(activatedAt), timeZone)) return
    const url = `${deps.config.publicUrl}/portal/lease/${bookingId}`
    const told = { ...lease, endDate, balance: closingBalance(deps.db, lease), url }
    const say = (locale: 'fr' | 'en') => TEXTS[locale].leaseEnded(told)
    await tellTenant(deps, lease, { id, purpose: 'lease_ended', kind: 'LEASE_CHANGED', say })
  },
})
