import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { findPayment } from '../allocations/store.ts'
import { TEXTS } from './texts.ts'

export const paymentHandlers = (deps: Telling): Handlers => ({
  'payment.confirmed': async ({ id, orgId, source }) => {
    const payment = findPayment(deps.db, orgId ?? '', source)
    const booking = payment && findBooking(deps.db, payment.orgId, payment.bookingId)
    if (!booking || payment.status !== 'CONFIRMED') return
    const { amount } = payment
    const { unitLabel } = booking
    const say = (locale: 'fr' | 'en') =>
      TEXTS[locale][payment.method === 'DEPOSIT' ? 'keptOfDeposit' : 'paymentConfirmed']({ amount, unitLabel })
    await tellTenant(deps, booking, { id, purpose: 'payment_confirmed', say })
  },
})
