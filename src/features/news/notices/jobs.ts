import { localDate } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import type { Handlers, JobRow } from '../../../jobs/worker.ts'
import { type BookingRow, findBooking } from '../../lease/bookings/store.ts'
import { findPayment } from '../../money/payments/store.ts'
import { findCase } from '../../papers/verification/store.ts'
import { inform } from '../../people/notices/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { findUser } from '../../people/users/store.ts'
import { getProperty } from '../../property/properties/store.ts'
import { TEXTS } from './texts.ts'

const ALL = { kind: 'all', userId: '' } as const

/** Tells tenants, in their language, what happened to their lease. */
type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log' | 'config'>

export function noticeHandlers(deps: Work): Handlers {
  const { db } = deps
  async function tell(
    id: string,
    booking: BookingRow | undefined,
    purpose: string,
    text: (t: (typeof TEXTS)['fr' | 'en']) => string,
  ): Promise<void> {
    const tenant = booking && findTenant(db, booking.orgId, booking.tenantId)
    if (!booking || !tenant?.phoneNumber) return
    await inform(deps, {
      id,
      orgId: booking.orgId,
      to: tenant.phoneNumber,
      channel: tenant.channel ?? 'WHATSAPP',
      purpose,
      locale: tenant.locale,
      text: text(TEXTS[tenant.locale]),
    })
  }
  const dayOf = (orgId: string, ms: number): string => localDate(ms, findOrganization(db, orgId)?.timeZone ?? 'UTC')

  /** Tells the subject of a verification, in their language or their organization's. */
  async function tellSubject(
    { id, orgId, payload }: JobRow,
    purpose: string,
    text: (t: (typeof TEXTS)['fr' | 'en'], c: Parameters<(typeof TEXTS)['fr']['verificationExpiring']>[0]) => string,
  ): Promise<void> {
    const found = findCase(db, orgId ?? '', String(payload?.caseId))
    const subject = found && findUser(db, found.orgId, found.subjectUserId)
    if (!found || !subject?.phoneNumber) return
    const property = found.propertyId === null ? undefined : getProperty(db, found.orgId, ALL, found.propertyId)
    const locale = subject.locale ?? findOrganization(db, found.orgId)?.locale ?? 'fr'
    const named = { kind: found.kind, propertyName: property?.name ?? '', note: String(payload?.note ?? '') }
    await inform(deps, {
      id,
      orgId: found.orgId,
      to: subject.phoneNumber,
      channel: 'WHATSAPP',
      purpose,
      locale,
      text: text(TEXTS[locale], named),
    })
  }

  return {
    'verification.decided': (job) =>
      tellSubject(job, 'verification_decided', (t, c) =>
        t.verificationDecided[String(job.payload?.status) as keyof typeof t.verificationDecided](c),
      ),
    'verification.expiring': (job) =>
      tellSubject(job, 'verification_expiring', (t, c) => t.verificationExpiring(c, String(job.payload?.expiresOn))),
    'payment.confirmed': async ({ id, orgId, source }) => {
      const payment = findPayment(db, orgId ?? '', source)
      if (payment?.status !== 'CONFIRMED') return
      const booking = findBooking(db, payment.orgId, payment.bookingId)
      await tell(id, booking, 'payment_confirmed', (t) =>
        t.paymentConfirmed({ amount: payment.amount, unitLabel: booking?.unitLabel ?? '' }),
      )
    },
    'booking.terminated': async ({ id, orgId, source }) => {
      const [bookingId = ''] = source.split(':')
      const booking = findBooking(db, orgId ?? '', bookingId)
      // Its end may have been undone meanwhile.
      if (booking?.status !== 'TERMINATED') return
      const { endDate, activatedAt } = booking
      // An old lease that was over when it was brought in is no news.
      if (!endDate || !activatedAt || endDate < dayOf(booking.orgId, Date.parse(activatedAt))) return
      await tell(id, booking, 'lease_ended', (t) => t.leaseEnded({ unitLabel: booking.unitLabel, endDate }))
    },
    'booking.reinstated': async ({ id, orgId, source, payload }) => {
      const [bookingId = ''] = source.split(':')
      const booking = findBooking(db, orgId ?? '', bookingId)
      if (booking?.status !== 'ACTIVE') return
      await tell(id, booking, 'lease_reinstated', (t) =>
        t.leaseReinstated({ unitLabel: booking.unitLabel, endDate: String(payload?.endDate) }),
      )
    },
  }
}
