import { maxDate, minDate } from '../../../core/dates.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/bookings/store.ts'
import { findDocument } from '../../papers/documents/store.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { findPayment, type PaymentRow } from '../allocations/store.ts'
import { getInvoice } from '../invoices/store.ts'
import { receiptPath } from '../receipts/rules.ts'
import { TEXTS } from './texts.ts'

const ALL = { kind: 'all', userId: '' } as const
const howPaid = (method: PaymentRow['method']): 'RECEIVED' | 'WITHHELD' | 'KEPT' =>
  method === 'WITHHOLDING' ? 'WITHHELD' : method === 'DEPOSIT' ? 'KEPT' : 'RECEIVED'

/** The first and the last day that a payment paid for; undefined where it is on no invoice. */
function spanOf({ db }: Pick<Telling, 'db'>, { orgId, invoiceIds }: PaymentRow) {
  const invoices = invoiceIds.flatMap((id) => getInvoice(db, orgId, ALL, id) ?? [])
  const [first] = invoices
  if (!first) return undefined
  return {
    from: invoices.reduce((from, i) => minDate(from, i.periodStart), first.periodStart),
    to: invoices.reduce((to, i) => maxDate(to, i.periodEnd), first.periodEnd),
  }
}

export const paymentHandlers = (deps: Telling): Handlers => ({
  'payment.confirmed': async ({ id, orgId, source }) => {
    const payment = findPayment(deps.db, orgId ?? '', source)
    const booking = payment && findBooking(deps.db, payment.orgId, payment.bookingId)
    if (!booking || payment.status !== 'CONFIRMED') return
    const { unitLabel, propertyName } = booking
    const receipt = payment.documentId === null ? undefined : findDocument(deps.db, payment.orgId, payment.documentId)
    const told = {
      amount: payment.amount,
      how: howPaid(payment.method),
      unitLabel,
      propertyName,
      span: spanOf(deps, payment),
      full: receipt?.variant === 'FULL',
      link: `${deps.config.publicUrl}${receiptPath(deps.masterKey, payment.id)}`,
    }
    await tellTenant(deps, booking, {
      id,
      purpose: 'payment_confirmed',
      say: (locale) => TEXTS[locale].paymentConfirmed(told),
    })
  },
})
