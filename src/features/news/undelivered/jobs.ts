import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import { findOutbound } from '../../people/messages/store.ts'
import { tellLandlords } from '../../people/notifications/service.ts'
import { findNotice } from '../reminders/store.ts'
import { TEXTS } from './texts.ts'

/** Tells the landlords of a message about rent that no vendor could deliver. */
export const undeliveredHandlers = (deps: Parameters<typeof tellLandlords>[0]): Handlers => ({
  'message.undelivered': async ({ id, orgId, source }) => {
    const message = findOutbound(deps.db, source)
    const notice = message && findNotice(deps.db, orgId ?? '', message.insteadOf ?? message.id)
    const lease = notice && findBooking(deps.db, notice.orgId, notice.bookingId)
    if (message?.status !== 'FAILED' || !lease) return
    const { ownerUserId, propertyId } = lease
    await tellLandlords(deps, {
      ...{ id, orgId: lease.orgId, ownerUserId, propertyId, kind: 'MESSAGE_UNDELIVERED' },
      say: (locale) => TEXTS[locale].undelivered({ ...lease, to: message.maskedDestination }),
    })
  },
})
