import type { LongChange } from '../../../adapters/imports/port.ts'
import { localDate } from '../../../core/dates.ts'
import { type LongWork, undoneLong } from '../../../jobs/long.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import type { Portal } from '../../people/notifications/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { findDeposit } from '../deposits/store.ts'
import type { Settlement } from './model.ts'
import { closingBalance, settlementSeen } from './service.ts'
import { TEXTS } from './texts.ts'

/** `settlementSeen` of a lease with many invoices, in the thread of long writes. @throws what it throws */
export const settlementLong = (work: LongWork, change: LongChange): Promise<Settlement> =>
  undoneLong(work, change, (ctx) => settlementSeen(ctx, change.id, (change.given as { endDate?: string }).endDate))

/** Tells a tenant that the lease has ended or what was kept of its deposit since, and with what balance. */
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
    const told = { ...lease, endDate, balance: closingBalance(deps.db, lease) }
    const say = (locale: 'fr' | 'en', portal: Portal) =>
      TEXTS[locale].leaseEnded({ ...told, url: portal(`lease/${lease.id}`) })
    await tellTenant(deps, lease, { id, purpose: 'lease_ended', kind: 'LEASE_CHANGED', say })
  },
  'deposit.deducted': async ({ id, orgId, source }) => {
    const entry = findDeposit(deps.db, orgId ?? '', source)
    const lease = entry && findBooking(deps.db, entry.orgId, entry.bookingId)
    // The end may have been undone meanwhile.
    if (!entry || lease?.status !== 'TERMINATED') return
    const told = { ...lease, amount: entry.amount, balance: closingBalance(deps.db, lease) }
    const say = (locale: 'fr' | 'en', portal: Portal) =>
      TEXTS[locale].depositDeducted({ ...told, url: portal(`lease/${lease.id}`) })
    await tellTenant(deps, lease, { id, purpose: 'deposit_deducted', kind: 'LEASE_CHANGED', say })
  },
})
