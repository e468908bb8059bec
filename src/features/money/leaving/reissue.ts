import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { Ctx } from '../../../context.ts'
import { daysInclusive, maxDate, minDate } from '../../../core/dates.ts'
import { prorate } from '../../../core/money.ts'
import { rentSteps } from '../../lease/leases/rent-steps.ts'
import { rentBehind } from '../../lease/leases/rules.ts'
import type { RentChangeRow } from '../../lease/leases/store.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { moveMoney, releaseFrom, renewReceipts } from '../allocations/moves.ts'
import { applyCredit, setOff } from '../allocations/service.ts'
import { allocationsTo } from '../allocations/store.ts'
import { checkNotSetOff } from '../invoices/calculations.ts'
import { waivedOn } from '../invoices/credit-notes.ts'
import { requestQuittance } from '../invoices/receipts.ts'
import { lastDayOf, provisionsIn, rentLine } from '../invoices/rules.ts'
import { cancelInvoice, invoiceOf, issueInvoice, nameReplacement, reviveInvoice } from '../invoices/service.ts'
import { standingInvoices } from '../invoices/store.ts'
import { carryWaiver } from '../waivers/service.ts'

/**
 * The last day of the full rent period that an invoice is of. Those from before a renewal in mid-period have the old grid,
 * which began with the lease; the anchor never moves again.
 */
const lastDay = ({ startDate, anchorDate }: BookingRow, { periodStart, periodEnd }: InvoiceRow): string =>
  maxDate(periodEnd, lastDayOf(periodStart < anchorDate ? startDate : anchorDate, periodStart))

/** The net rent of a full period that an invoice was made out at; `amount`: that of its own days. */
export function fullRentOf(
  row: BookingRow,
  steps: readonly RentChangeRow[],
  invoice: InvoiceRow,
  amount: number,
): number {
  const { periodStart: start, periodEnd } = invoice
  const daysInPeriod = daysInclusive(start, lastDay(row, invoice))
  return rentBehind(steps, row.rentAmount, { start, amount, days: daysInclusive(start, periodEnd), daysInPeriod })
}

/** Whether an invoice asks for rent. */
export const isRent = ({ lines }: InvoiceRow): boolean => lines.some(({ kind }) => kind === 'RENT')

/**
 * Puts invoices of the lease as it stands now, with its end, in the place of these; `rentOf` is the net rent of a full
 * period. Charges go along, and so does the money, whose receipts are made out anew. Numbers of the old ones stay used.
 */
export function reissue(
  ctx: Ctx,
  row: BookingRow,
  rentOf: (invoice: InvoiceRow) => number,
  invoices: readonly InvoiceRow[],
  today: string,
): void {
  const touched = new Set<string>()
  const fresh = invoices.map((invoice) => {
    const { periodStart, dueDate, tvaBasisPoints } = invoice
    for (const { paymentId, amount } of allocationsTo(ctx.tx, row.orgId, invoice.id))
      if (amount > 0) touched.add(paymentId)
    const last = lastDay(row, invoice)
    // One for time after a notice's day stays as it was agreed without the notice, until the end settles it.
    const isAfter = row.endDate !== null && row.endDate < periodStart
    const endDate = isAfter ? (row.notice?.endDate ?? null) : row.endDate
    const periodEnd = endDate === null || endDate < periodStart ? last : minDate(last, endDate)
    const days = daysInclusive(periodStart, periodEnd)
    const net = prorate(rentOf(invoice), days, daysInclusive(periodStart, last))
    const rent = rentLine(row, { start: periodStart, end: periodEnd }, net)
    const lines = [rent, ...invoice.lines.filter(({ kind }) => kind !== 'RENT')]
    const id = ctx.newId()
    // Cancel the old invoice first: the (booking, period) index allows only one.
    const released = releaseFrom(ctx, invoice, invoice.amountPaid)
    const waived = waivedOn(ctx, invoice)
    cancelInvoice(ctx, invoice, { released, replacedById: id })
    const issue = { id, periodStart, periodEnd, dueDate, lines, tvaBasisPoints }
    return carryWaiver(ctx, waived, issueInvoice(ctx, row, issue, today))
  })
  for (const invoice of fresh) requestQuittance(ctx, applyCredit(ctx, invoice), row)
  // Any rest pays older debts.
  for (const { id } of setOff(ctx, row.id)) touched.add(id)
  renewReceipts(ctx, row, touched)
}

/** A lease goes on past the day on which it was to end: an invoice that ends on that day gets its whole period. */
export function stretch(ctx: Ctx, row: BookingRow, end: string, today: string): void {
  const cut = standingInvoices(ctx.tx, row.orgId, row.id).filter(
    (i) => isRent(i) && i.periodEnd === end && lastDay(row, i) > end && (row.endDate === null || row.endDate > end),
  )
  if (cut.length === 0) return
  const steps = rentSteps(ctx, row)
  // One that was paid before a change of the rent keeps the rent that was paid.
  const rentOf = (i: InvoiceRow) => fullRentOf(row, steps, i, i.lines.find(({ kind }) => kind === 'RENT')?.amount ?? 0)
  reissue(ctx, row, rentOf, cut, today)
}

/** A notice whose day is over is gone when the end is undone. */
export const withoutNotice = ({ notice }: BookingRow, today: string): Partial<BookingRow> =>
  notice && notice.leaveOn < today ? { notice: null, endDate: notice.endDate, autoRenew: notice.autoRenew } : {}

/** Francs of payments on an invoice. */
export const paidOn = (ctx: Ctx, invoiceId: string): number =>
  allocationsTo(ctx.tx, ctx.caller.orgId, invoiceId).reduce((sum, { amount }) => sum + amount, 0)

/**
 * Restores an invoice that the end cancelled, and cancels its replacement. @returns the payments made on the replacement
 * @throws invalid_state where provisions that the replacement alone asked for were set off or given back since
 */
export function reviveCancelled(ctx: Ctx, lease: BookingRow, old: InvoiceRow): string[] {
  if (old.replacedById === null) {
    reviveInvoice(ctx, lease, old, paidOn(ctx, old.id), 'CANCELLED')
    return []
  }
  const stood = invoiceOf(ctx, old.replacedById)
  checkNotSetOff(ctx.tx, stood, (one) => invoiceOf(ctx, one).replacedById, provisionsIn(old))
  const since = allocationsTo(ctx.tx, old.orgId, stood.id).filter((a) => a.amount > 0)
  const off = since.map(({ paymentId, amount }) => ({ paymentId, targetId: stood.id, amount: -amount }))
  moveMoney(ctx, off)
  for (const { paymentId, amount } of since) {
    const room = old.grossAmount - paidOn(ctx, old.id)
    moveMoney(ctx, [{ paymentId, targetId: old.id, amount: Math.min(amount, room) }])
  }
  const standing = stood.status !== 'CANCELLED'
  const waived = waivedOn(ctx, stood)
  // Cancel the standing invoice first: the (booking, period) index allows only one.
  if (standing) cancelInvoice(ctx, stood, { released: stood.amountPaid, replacedById: old.id })
  else nameReplacement(ctx, stood, old.id)
  carryWaiver(ctx, waived, reviveInvoice(ctx, lease, old, paidOn(ctx, old.id), 'CANCELLED'))
  const isCharge = ({ kind }: InvoiceRow['lines'][number]): boolean => kind !== 'RENT'
  // What was charged since has an invoice of its own: the one from before stays as it was declared.
  const lines = standing ? stood.lines.filter(isCharge).slice(old.lines.filter(isCharge).length) : []
  const today = todayOf(ctx)
  const { tvaBasisPoints } = stood
  const own = { kind: 'CHARGES', periodStart: today, periodEnd: today, dueDate: maxDate(today, stood.dueDate) } as const
  if (lines.length > 0) issueInvoice(ctx, lease, { ...own, lines, tvaBasisPoints }, today)
  return since.map(({ paymentId }) => paymentId)
}
