import type { PaymentRow } from '../../../../db/schema/payments.ts'
import { paidFor } from '../../../core/purpose.ts'
import type { Handlers, JobRow } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/leases/store.ts'
import { findDocument } from '../../papers/documents/store.ts'
import { tellLandlords } from '../../people/notifications/service.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { findPayment } from '../allocations/store.ts'
import { receiptPath } from '../invoices/rules.ts'
import { getInvoice } from '../invoices/store.ts'
import { waitsForLandlord } from './cash-receivers.ts'
import { TEXTS } from './texts.ts'

const ALL = { kind: 'all', userId: '' } as const
const howPaid = (method: PaymentRow['method']): 'RECEIVED' | 'WITHHELD' | 'KEPT' | 'CREDIT' =>
  method === 'WITHHOLDING' ? 'WITHHELD' : method === 'DEPOSIT' ? 'KEPT' : method === 'SET_OFF' ? 'CREDIT' : 'RECEIVED'

const UNDONE = {
  REJECTED: { kind: 'PAYMENT_REFUSED', purpose: 'payment_refused', text: 'paymentRefused' },
  REVERSED: { kind: 'PAYMENT_REVERSED', purpose: 'payment_reversed', text: 'paymentReversed' },
} as const

export function paymentHandlers(deps: Telling): Handlers {
  /** Tells the tenant that what they declared, or what was received, does not count. */
  async function undone({ id, orgId, source }: JobRow, status: keyof typeof UNDONE): Promise<void> {
    const payment = findPayment(deps.db, orgId ?? '', source)
    const booking = payment && findBooking(deps.db, payment.orgId, payment.bookingId)
    if (!booking || payment.status !== status) return
    if (status === 'REJECTED' && payment.receivedBy !== null) {
      // The tenant declared nothing: who recorded the cash is told.
      await tellLandlords(deps, {
        ...{ id, orgId: booking.orgId, ownerUserId: payment.ownerUserId, propertyId: payment.propertyId },
        kind: 'PAYMENT_DECLARED',
        ...{ only: payment.recordedBy, by: payment.decidedBy, amount: payment.amount },
        say: (locale) => TEXTS[locale].cashRefused({ ...booking, ...payment }),
      })
      return
    }
    const { kind, purpose, text } = UNDONE[status]
    const about = { ...booking, amount: payment.amount, paidOn: payment.paidOn, note: payment.note }
    await tellTenant(deps, booking, { id, purpose, kind, say: (locale) => TEXTS[locale][text](about) })
  }

  return {
    'payment.confirmed': async ({ id, orgId, source }) => {
      const payment = findPayment(deps.db, orgId ?? '', source)
      const booking = payment && findBooking(deps.db, payment.orgId, payment.bookingId)
      if (!booking || payment.status !== 'CONFIRMED') return
      const { unitLabel, propertyName } = booking
      const { orgId: org, tenantId } = booking
      const receipt = payment.documentId === null ? undefined : findDocument(deps.db, payment.orgId, payment.documentId)
      const facts = {
        amount: payment.amount,
        how: howPaid(payment.method),
        from: payment.note,
        payer: payment.payer,
        unitLabel,
        propertyName,
        paidFor: paidFor(payment.invoiceIds.flatMap((invoice) => getInvoice(deps.db, org, ALL, invoice) ?? [])),
        full: receipt?.variant === 'FULL',
        link: `${deps.config.publicUrl}${receiptPath(deps.masterKey, payment.id, findTenant(deps.db, org, tenantId)?.phoneNumber)}`,
      }
      await tellTenant(deps, booking, {
        id,
        purpose: 'payment_confirmed',
        kind: 'PAYMENT_CONFIRMED',
        say: (locale) => TEXTS[locale].paymentConfirmed(facts),
      })
    },
    'payment.declared': async ({ id, orgId, source }) => {
      const payment = findPayment(deps.db, orgId ?? '', source)
      const booking = payment && findBooking(deps.db, payment.orgId, payment.bookingId)
      if (!booking || payment.status !== 'PENDING') return
      const { amount, method, recordedBy, ownerUserId, propertyId } = payment
      const url = `${deps.config.publicUrl}/console/payments`
      const text =
        payment.receivedBy === null ? 'paymentDeclared' : waitsForLandlord(payment) ? 'cashTaken' : 'cashToConfirm'
      await tellLandlords(deps, {
        ...{ id, orgId: booking.orgId, ownerUserId, propertyId, kind: 'PAYMENT_DECLARED', by: recordedBy, amount },
        ...(payment.receivedBy === null || waitsForLandlord(payment) ? {} : { only: payment.receivedBy }),
        say: (locale) => TEXTS[locale][text]({ ...booking, amount, method, url }),
      })
    },
    'payment.reject': (job) => undone(job, 'REJECTED'),
    'payment.reverse': (job) => undone(job, 'REVERSED'),
  }
}
