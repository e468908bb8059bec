import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { depositEntry } from '../../../../db/schema/deposits.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { PaymentRow } from '../../../../db/schema/payments.ts'
import type { ReceiptData, StatementData } from '../../../adapters/pdf/port.ts'
import type { Ctx } from '../../../context.ts'
import { depositSums } from '../../../core/deposits.ts'
import { leaseOf } from '../../lease/leases/service.ts'
import { findBooking, renewalOf } from '../../lease/leases/store.ts'
import {
  type Head,
  nextNumberOf,
  remake,
  requestDocument,
  voidDocuments,
  voidPaper,
} from '../../papers/documents/service.ts'
import { findDocument, standingDocuments } from '../../papers/documents/store.ts'
import { waivedOn } from './credit-notes.ts'
import { accountsOf, creditCarried, partsOf, paymentsBehind, receiptedInvoice } from './store.ts'

type Parts = ReturnType<ReturnType<typeof partsOf>['all']>
function receiptLines(ctx: Ctx, parts: Parts): ReceiptData['invoices'] {
  return parts
    .flatMap(({ targetId, amount }) => {
      const invoice = amount > 0 ? receiptedInvoice(ctx.tx, ctx.caller.orgId, targetId) : undefined
      if (!invoice) return []
      const { number, periodStart, periodEnd, grossAmount, amountPaid } = invoice
      const balanceAmount = grossAmount - amountPaid
      return [{ number, periodStart, periodEnd, grossAmount, amount, balanceAmount, ...credits(ctx, invoice) }]
    })
    .sort((a, b) => (a.periodStart < b.periodStart ? -1 : 1))
}
const credits = (ctx: Ctx, invoice: Pick<InvoiceRow, 'id' | 'orgId' | 'notedAmount' | 'creditedAmount'>) => {
  const waivedAmount = waivedOn(ctx, invoice)
  return { creditedAmount: invoice.creditedAmount, ...(waivedAmount > 0 ? { waivedAmount } : {}) }
}
const earlierOf = (ctx: Ctx, invoiceId: string): ReceiptData['earlier'] =>
  paymentsBehind(ctx.tx)
    .all({ orgId: ctx.caller.orgId, targetId: invoiceId })
    .filter(({ amount }) => amount > 0)
    .map(({ paidOn, method, amount }) => ({ paidOn, method, amount }))
const settled = (lines: ReceiptData['invoices']): boolean =>
  lines.length > 0 && lines.every((l) => l.balanceAmount === 0)

const howPaid = ({ method, paidOn, reference, note, payer }: PaymentRow): NonNullable<ReceiptData['payment']> => ({
  method,
  paidOn,
  ...(reference === null ? {} : { reference }),
  ...(payer === null ? {} : { payer }),
  ...(method === 'SET_OFF' && note !== null ? { creditOf: note } : {}),
})

/** The receipt of a refund of a lease's credit, which the tenant signs. */
export const requestRefundReceipt = (ctx: Ctx, refund: PaymentRow): string =>
  requestDocument(ctx, {
    kind: 'RECEIPT',
    variant: 'REFUND',
    source: `refund:${refund.id}`,
    lease: leaseOf(ctx, refund.bookingId),
    paymentId: refund.id,
    data: (head): ReceiptData => ({
      ...head,
      full: false,
      refund: true,
      amount: refund.amount,
      payment: howPaid(refund),
      invoices: [],
      creditAmount: 0,
      earlier: [],
    }),
  })

/** An entry of a deposit, with what is held after it; `transfer`: the row of the transfer that brought it. */
type Moved = Pick<typeof depositEntry.$inferSelect, 'id' | 'type' | 'amount' | 'paidOn' | 'heldAmount' | 'transfer'>
/** A transfer's share in a deposit is known by both, so that the reversal finds its receipt. */
const depositSource = (lease: BookingRow, { id, transfer }: Pick<Moved, 'id' | 'transfer'>): string =>
  `deposit:${lease.id}:${transfer === null ? id : `transfer-${transfer}`}`

/** The receipt of a deposit that came, or the discharge of one that went back, which the tenant signs. */
export const requestDepositReceipt = (ctx: Ctx, lease: BookingRow, entry: Moved): string =>
  requestDocument(ctx, {
    kind: 'RECEIPT',
    variant: entry.type === 'RECEIVED' ? 'DEPOSIT' : 'DEPOSIT_RETURNED',
    source: depositSource(lease, entry),
    lease,
    number: nextNumberOf(ctx, 'D'),
    data: (head): ReceiptData => ({
      ...head,
      full: false,
      deposit: { returned: entry.type === 'RETURNED', on: entry.paidOn, heldAmount: entry.heldAmount },
      ...{ amount: entry.amount, invoices: [], creditAmount: 0, earlier: [] },
    }),
  })
/** Voids the receipt of what a reversed transfer brought into a deposit. */
export const voidDepositReceipt = (ctx: Ctx, lease: BookingRow, transfer: number): void =>
  voidPaper(ctx, depositSource(lease, { id: '', transfer }), 'REVERSED')

/** The receipt of a confirmed payment: a quittance where it settles all that it went to. */
export function requestReceipt(ctx: Ctx, payment: PaymentRow, lease = leaseOf(ctx, payment.bookingId)): string {
  const parts = partsOf(ctx.tx).all({ paymentId: payment.id })
  const invoices = receiptLines(ctx, parts)
  const full = settled(invoices)
  const [only] = parts.filter((p) => p.amount > 0)
  return requestDocument(ctx, {
    kind: 'RECEIPT',
    variant: full ? 'FULL' : 'PARTIAL',
    source: `payment:${payment.id}:${payment.version}`,
    lease,
    paymentId: payment.id,
    ...(invoices.length === 1 && only ? { invoiceId: only.targetId } : {}),
    data: (head): ReceiptData => ({
      ...head,
      full,
      ...(lease.status === 'TERMINATED' ? { ended: true } : {}),
      amount: payment.amount,
      payment: howPaid(payment),
      invoices,
      creditAmount: payment.amount - invoices.reduce((sum, i) => sum + i.amount, 0),
      earlier: invoices.length === 1 && only ? earlierOf(ctx, only.targetId) : [],
    }),
  })
}

/** The quittance of an invoice that credit of earlier payments settled. */
export function requestQuittance(
  ctx: Ctx,
  invoice: InvoiceRow,
  lease = leaseOf(ctx, invoice.bookingId),
): string | undefined {
  if (invoice.status !== 'PAID' || invoice.grossAmount === invoice.creditedAmount) return undefined
  const { id, number, periodStart, periodEnd, grossAmount, creditedAmount } = invoice
  const amount = grossAmount - creditedAmount
  return requestDocument(ctx, {
    kind: 'RECEIPT',
    variant: 'FULL',
    source: `settled:${id}:${invoice.version}`,
    lease,
    invoiceId: id,
    data: (head): ReceiptData => ({
      ...head,
      full: true,
      amount,
      invoices: [{ number, periodStart, periodEnd, grossAmount, amount, balanceAmount: 0, ...credits(ctx, invoice) }],
      creditAmount: 0,
      earlier: earlierOf(ctx, id),
    }),
  })
}

/** Voids receipts and quittances that no longer match where the money is. @returns those that must be made again */
export const replaceReceipts = (ctx: Ctx, bookingId: string, touched: ReadonlySet<string>) =>
  voidDocuments(
    ctx,
    bookingId,
    (d) => d.kind === 'RECEIPT' && d.variant !== 'REFUND' && touched.has(d.paymentId ?? d.invoiceId ?? ''),
    'REPLACED',
  )

/**
 * Voids the receipt of a reversed payment, and the quittances of invoices that are owed again.
 * @returns other payments whose receipts were voided too and must be made again
 */
export function voidReceipts(ctx: Ctx, payment: PaymentRow): string[] {
  const touched = partsOf(ctx.tx)
    .all({ paymentId: payment.id })
    .map((part) => part.targetId)
  const others = new Set(
    touched.flatMap((id) =>
      paymentsBehind(ctx.tx)
        .all({ orgId: payment.orgId, targetId: id })
        .map((other) => other.id),
    ),
  )
  const voided = voidDocuments(
    ctx,
    payment.bookingId,
    ({ kind, variant, paymentId, invoiceId }) =>
      kind === 'RECEIPT' &&
      (paymentId === payment.id ||
        (variant === 'FULL' && (paymentId === null ? touched.includes(invoiceId ?? '') : others.has(paymentId)))),
    'REVERSED',
  )
  return voided.flatMap(({ paymentId }) => (paymentId !== null && paymentId !== payment.id ? [paymentId] : []))
}

/** Makes the statement of an ended lease again. Call it once after each change of the lease's balance. */
export function restate(ctx: Ctx, bookingId: string): void {
  const row = leaseOf(ctx, bookingId)
  if (row.status === 'TERMINATED') requestStatement(ctx, row)
}

/** Makes the statement of an ended lease; it replaces any earlier one, and one of the same write becomes it. */
export function requestStatement(ctx: Ctx, row: BookingRow): string {
  const request = { kind: 'STATEMENT', lease: row, data: statementOf(ctx, row) } as const
  const remade = remake(ctx, request)
  if (remade !== undefined) return remade
  voidDocuments(ctx, row.id, ({ kind }) => kind === 'STATEMENT', 'REPLACED')
  const id = ctx.newId()
  return requestDocument(ctx, { ...request, id, source: `statement:${row.id}:${id} ${ctx.requestId}` })
}

function statementOf(ctx: Ctx, row: BookingRow) {
  const accounts = accountsOf(ctx.tx, row.orgId, row.id)
  const invoices = accounts.invoices.map((i) => ({
    number: i.number,
    periodStart: i.periodStart,
    periodEnd: i.periodEnd,
    grossAmount: i.grossAmount,
    // Leave out what the end of the lease gave back: it did not pay for these days.
    amountPaid: i.amountPaid - i.creditedAmount,
    creditedAmount: i.creditedAmount,
    balanceAmount: i.grossAmount - i.amountPaid,
  }))
  const deposit = depositSums(accounts.deposits.map((e) => ({ ...e, paymentId: e.paymentId ?? null })))
  const debtAmount = invoices.reduce((sum, i) => sum + i.balanceAmount, 0)
  const { carriedIn, carriedOut } = carriedOf(ctx.tx, row)
  return (head: Head): StatementData => ({
    ...head,
    startDate: row.startDate,
    endDate: row.endDate ?? head.issuedOn,
    reason: row.terminationReason ?? undefined,
    invoices,
    payments: accounts.payments.map(({ note, ...p }) => (p.method === 'SET_OFF' ? { ...p, reference: note } : p)),
    depositAmount: row.depositAmount ?? undefined,
    deposits: accounts.deposits.map(({ heldAmount: _h, paymentId: _p, movedBookingId, ...entry }) => ({
      ...entry,
      ...(movedBookingId && { carried: true as const }),
    })),
    heldAmount: accounts.deposits.at(-1)?.heldAmount ?? 0,
    account: {
      receivedAmount: deposit.receivedAmount,
      rentOwedAmount: debtAmount + deposit.paidInvoicesAmount,
      deductedAmount: deposit.deductedAmount,
      returnedAmount: deposit.returnedAmount - (carriedOut?.depositAmount ?? 0),
    },
    debtAmount,
    creditAmount: row.creditAmount,
    ...(carriedIn > 0 && { carriedIn }),
    ...(carriedOut && { carriedOut }),
  })
}

/** What came to a lease as credit of the lease that it renews, and what it handed over to its own renewal, in francs. */
export function carriedOf(db: Db, row: BookingRow): { carriedIn: number; carriedOut?: StatementData['carriedOut'] } {
  const leases = [row.id]
  for (let before = row.renewsBookingId; before !== null; ) {
    leases.push(before)
    before = findBooking(db, row.orgId, before)?.renewsBookingId ?? null
  }
  const carriedIn = leases.length === 1 ? 0 : creditCarried(db, row.orgId, leases.slice(1))
  const { deposits } = accountsOf(db, row.orgId, row.id)
  const moved = deposits.filter(({ type, movedBookingId }) => type === 'RETURNED' && movedBookingId)
  const depositAmount = moved.reduce((sum, { amount }) => sum + amount, 0)
  const creditAmount = creditCarried(db, row.orgId, leases)
  if (depositAmount + creditAmount === 0) return { carriedIn }
  const next = renewalOf(db, row)
  const contract = next && standingDocuments(db, row.orgId, next.id).findLast(({ kind }) => kind === 'LEASE_CONTRACT')
  const lease = contract && findDocument(db, row.orgId, contract.id)?.number
  return { carriedIn, carriedOut: { lease, depositAmount, creditAmount } }
}
