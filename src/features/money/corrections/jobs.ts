import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { LongChange } from '../../../adapters/imports/port.ts'
import { type LongWork, writeLong } from '../../../jobs/long.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { bookingOf } from '../../lease/bookings/service.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import { findParty } from '../../lease/parties/store.ts'
import { inform } from '../../people/notices/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { senderOf } from '../../people/senders/service.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { findUser } from '../../people/users/store.ts'
import type { LeaseCorrection } from './model.ts'
import { correctBooking } from './service.ts'
import { TEXTS } from './texts.ts'

/** `correctBooking` in the thread of long writes. @throws what it throws, and precondition_failed for a version not `seen` */
export const correctLong = (work: LongWork, change: LongChange): Promise<BookingRow> =>
  writeLong(work, change, bookingOf, (ctx) => correctBooking(ctx, change.id, change.given as LeaseCorrection))

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
    if (who === 'TENANT') return tellTenant(deps, lease, { id, purpose, say: (l) => TEXTS[l].corrected(lease) })
    if (who.startsWith(WRONG))
      return tellTenant(deps, { ...lease, tenantId }, { id, purpose, say: (l) => TEXTS[l].notYours(lease) })
    const owner = who === 'LANDLORD' ? findUser(db, lease.orgId, lease.ownerUserId) : undefined
    if (owner && owner.id === payload?.by) return
    const person = owner ?? findParty(db, lease.orgId, who)
    if (!person?.phoneNumber) return
    const locale = owner ? (owner.locale ?? findOrganization(db, lease.orgId)?.locale ?? 'fr') : lease.locale
    const text = TEXTS[locale][lease.status === 'PENDING' ? 'toSign' : 'corrected'](lease)
    const message = { id, orgId: lease.orgId, to: person.phoneNumber, channel: 'WHATSAPP', purpose, locale } as const
    await inform(deps, { ...message, text, sender: senderOf(db, lease.orgId, lease.ownerUserId) })
  },
})
