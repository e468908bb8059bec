import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { systemCtx } from '../../../context.ts'
import { localDate } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { findParty } from '../../lease/contracts/store.ts'
import { isEnding } from '../../lease/leases/rules.ts'
import { findBooking, renewalOf } from '../../lease/leases/store.ts'
import { inform } from '../../people/messages/news.ts'
import { senderOf } from '../../people/notifications/senders.ts'
import { type Portal, tellLandlords } from '../../people/notifications/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { findUser } from '../../people/users/store.ts'
import { findDeposit } from '../deposits/store.ts'
import { carriedOf } from '../invoices/receipts.ts'
import { leave } from './notice.ts'
import { closingBalance } from './settlement.ts'
import { CORRECTION_TEXTS, NOTICE_TEXTS, SETTLEMENT_TEXTS } from './texts.ts'

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
    const facts = { ...lease, endDate, balance: closingBalance(deps.db, lease) }
    const next = lease.settlement === null ? renewalOf(deps.db, lease) : undefined
    const { carriedOut } = carriedOf(deps.db, lease)
    const say = (locale: 'fr' | 'en', portal: Portal) =>
      next
        ? SETTLEMENT_TEXTS[locale].leaseRenewed({
            ...{ ...facts, startDate: next.startDate, url: portal(`lease/${next.id}`) },
            ...{ depositAmount: carriedOut?.depositAmount ?? 0, creditAmount: carriedOut?.creditAmount ?? 0 },
          })
        : SETTLEMENT_TEXTS[locale].leaseEnded({ ...facts, url: portal(`lease/${lease.id}`) })
    await tellTenant(deps, lease, { id, purpose: 'lease_ended', kind: 'LEASE_CHANGED', say })
  },
  'deposit.deducted': async ({ id, orgId, source }) => {
    const entry = findDeposit(deps.db, orgId ?? '', source)
    const lease = entry && findBooking(deps.db, entry.orgId, entry.bookingId)
    // The end may have been undone meanwhile.
    if (!entry || lease?.status !== 'TERMINATED') return
    const facts = { ...lease, amount: entry.amount, balance: closingBalance(deps.db, lease) }
    const say = (locale: 'fr' | 'en', portal: Portal) =>
      SETTLEMENT_TEXTS[locale].depositDeducted({ ...facts, url: portal(`lease/${lease.id}`) })
    await tellTenant(deps, lease, { id, purpose: 'deposit_deducted', kind: 'LEASE_CHANGED', say })
  },
})

const WRONG = 'WAS_'
/** Tells everybody on a lease that a mistake in it was put right: whoever signs again is asked by the contract itself. */
export const correctionHandlers = (deps: Telling): Handlers => ({
  'booking.corrected': async ({ id, orgId, source, payload }) => {
    const { db } = deps
    const [bookingId = '', , who = ''] = source.split(':')
    const lease = findBooking(db, orgId ?? '', bookingId)
    if (!lease || (lease.status !== 'ACTIVE' && lease.status !== 'PENDING')) return
    const purpose = 'lease_corrected'
    const tenantId = who.startsWith(WRONG) ? who.slice(WRONG.length) : lease.tenantId
    if (who === 'TENANT')
      return tellTenant(deps, lease, { id, purpose, say: (l) => CORRECTION_TEXTS[l].corrected(lease) })
    if (who.startsWith(WRONG))
      return tellTenant(deps, { ...lease, tenantId }, { id, purpose, say: (l) => CORRECTION_TEXTS[l].notYours(lease) })
    const owner = who === 'LANDLORD' ? findUser(db, lease.orgId, lease.ownerUserId) : undefined
    if (owner && owner.id === payload?.by) return
    const person = owner ?? findParty(db, lease.orgId, who)
    if (!person?.phoneNumber) return
    const locale = owner ? (owner.locale ?? findOrganization(db, lease.orgId)?.locale ?? 'fr') : lease.locale
    const text = CORRECTION_TEXTS[locale][lease.status === 'PENDING' ? 'toSign' : 'corrected'](lease)
    const message = { id, orgId: lease.orgId, to: person.phoneNumber, channel: 'WHATSAPP', purpose, locale } as const
    await inform(deps, { ...message, text, sender: senderOf(db, lease.orgId, lease.ownerUserId) })
  },
})

/** Ends leases whose notice is over, and tells the other party of a notice and of its withdrawal. */
export function departureHandlers(deps: Telling & Pick<Deps, 'stopping'>): Handlers {
  const { db } = deps
  const activeLease = (orgId: string | null, source: string): BookingRow | undefined => {
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
      const lease = activeLease(orgId, source)
      if (!lease) return
      await deps.write(orgId, (tx) => leave(systemCtx(deps, tx, lease.orgId, id), lease.id) ?? null)
    },
    'booking.noticed': async ({ id, orgId, source }) => {
      const lease = activeLease(orgId, source)
      const notice = lease?.notice
      if (!lease || !notice) return
      const { by, leaveOn, enteredBy } = notice
      if (enteredBy === lease.tenantUserId)
        await tellSide(id, lease, (l) => NOTICE_TEXTS[l].toOwner(lease, leaveOn, lease.tenantName))
      // The landlord's notice is always told.
      else
        await tellTenant(deps, lease, {
          ...{ id, purpose: 'notice_given' },
          say: (l, portal) =>
            (isEnding(notice) ? NOTICE_TEXTS[l].given[by] : NOTICE_TEXTS[l].asked)(
              lease,
              leaveOn,
              portal(`lease/${lease.id}`) !== undefined,
            ),
        })
    },
    'booking.notice_withdrawn': async ({ id, orgId, source, payload }) => {
      const lease = activeLease(orgId, source)
      if (!lease || lease.notice) return
      const say = (l: 'fr' | 'en') => NOTICE_TEXTS[l].withdrawn(lease, String(payload?.leaveOn))
      if (payload?.side === 'TENANT') await tellSide(id, lease, say)
      else await tellTenant(deps, lease, { id, purpose: 'notice_withdrawn', kind: 'LEASE_CHANGED', say })
    },
  }
}
