import type { PaymentRow } from '../../../../db/schema/payments.ts'
import type { LongChange } from '../../../adapters/imports/port.ts'
import type { Ctx } from '../../../context.ts'
import { paidFor } from '../../../core/asked.ts'
import { notFound } from '../../../errors.ts'
import { etagOf } from '../../../http/cache.ts'
import { answerLong } from '../../../jobs/long.ts'
import type { Handlers, JobRow } from '../../../jobs/worker.ts'
import { bookingOf } from '../../lease/leases/service.ts'
import { findBooking } from '../../lease/leases/store.ts'
import { findDocument } from '../../papers/documents/store.ts'
import { tellLandlords } from '../../people/notifications/service.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { findPayment } from '../allocations/store.ts'
import { receiptPath } from '../invoices/rules.ts'
import { getInvoice, partyInvoice } from '../invoices/store.ts'
import { payAdvance } from './advances.ts'
import { type AdvanceCreate, type PaymentCreate, toAdvance, toPayment } from './model.ts'
import type { PaymentAction } from './rules.ts'
import { decidePayment, payInvoice, paymentOf } from './service.ts'
import { listPayments } from './store.ts'
import { TEXTS } from './texts.ts'

type Work = Parameters<typeof answerLong>[0]
/** What the routes answer of a payment. */
function answerOf(ctx: Ctx, { epoch }: LongChange, status: number, row: PaymentRow) {
  const names = listPayments.beside(ctx.tx, ctx.caller, row)
  return { value: { ...toPayment(row), ...names }, status, etag: etagOf(epoch, row.version, names) }
}
// Money that goes on the many invoices of a lease, or off them, in the thread of long writes: each answers what its route
// does, and throws what its use case throws, and precondition_failed for a version not `seen`.
export const payLong = (work: Work, change: LongChange) =>
  answerLong(work, change, invoiceSeen, (ctx) =>
    answerOf(ctx, change, 201, payInvoice(ctx, change.id, change.given as PaymentCreate)),
  )

export const decideLong = (work: Work, change: LongChange) =>
  answerLong(work, change, paymentOf, (ctx) => {
    const { action, note } = change.given as { readonly action: PaymentAction; readonly note?: string | null }
    return answerOf(ctx, change, 200, decidePayment(ctx, change.id, action, note))
  })

function invoiceSeen(ctx: Ctx, id: string) {
  const row = partyInvoice(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id)
  if (!row) throw notFound()
  return row
}

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
      const told = {
        amount: payment.amount,
        how: howPaid(payment.method),
        from: payment.note,
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
        say: (locale) => TEXTS[locale].paymentConfirmed(told),
      })
    },
    'payment.declared': async ({ id, orgId, source }) => {
      const payment = findPayment(deps.db, orgId ?? '', source)
      const booking = payment && findBooking(deps.db, payment.orgId, payment.bookingId)
      if (!booking || payment.status !== 'PENDING') return
      const { amount, recordedBy, ownerUserId, propertyId } = payment
      const url = `${deps.config.publicUrl}/console/payments`
      await tellLandlords(deps, {
        ...{ id, orgId: booking.orgId, ownerUserId, propertyId, kind: 'PAYMENT_DECLARED', by: recordedBy, amount },
        ...(payment.receivedBy === null ? {} : { only: payment.receivedBy }),
        say: (locale) =>
          TEXTS[locale][payment.receivedBy === null ? 'paymentDeclared' : 'cashToConfirm']({ ...booking, amount, url }),
      })
    },
    'payment.reject': (job) => undone(job, 'REJECTED'),
    'payment.reverse': (job) => undone(job, 'REVERSED'),
  }
}

/** `payAdvance` of many months, in the thread of long writes. @throws what it throws, and precondition_failed for a version not `seen` */
export const advanceLong = (work: Parameters<typeof answerLong>[0], change: LongChange) =>
  answerLong(work, change, bookingOf, (ctx) => ({
    value: toAdvance(payAdvance(ctx, change.id, change.given as AdvanceCreate)),
    status: 201,
    etag: undefined,
  }))
