import type { InvoiceLine, InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { InvoiceData } from '../../../adapters/pdf/port.ts'
import { change, record, visible } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { adjustment } from '../../../core/adjustments.ts'
import type { Calculation } from '../../../core/charge-calculation.ts'
import { yearOf } from '../../../core/dates.ts'
import { CURRENCY, MAX_AMOUNT, tvaAmount } from '../../../core/money.ts'
import { AppError, invalid, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { leaseOf } from '../../lease/leases/service.ts'
import { type PrintedLease, requestDocument, voidInvoicePaper } from '../../papers/documents/service.ts'
import { organizationOf, todayOf, tvaToday } from '../../people/organizations/service.ts'
import { payToOf } from '../../property/properties/service.ts'
import { reasonOf } from '../adjustments/service.ts'
import { calculated, checkNotSetOff } from './calculations.ts'
import { type Noted, noteCredit, waivedOn, withdrawNote } from './credit-notes.ts'
import type { Charge } from './model.ts'
import { restate } from './receipts.ts'
import { invoiceNumber, statusAfter } from './rules.ts'
import { findInvoice, getInvoice, insertInvoice, nextNumber, saveInvoice } from './store.ts'

/** The columns of a lease that its invoices copy. */
type Lease = Pick<
  InvoiceRow,
  | 'unitId'
  | 'propertyId'
  | 'ownerUserId'
  | 'tenantId'
  | 'tenantUserId'
  | 'tenantName'
  | 'unitLabel'
  | 'propertyName'
  | 'tvaBasisPoints'
> &
  PrintedLease
type Issue = Pick<InvoiceRow, 'periodStart' | 'periodEnd' | 'dueDate'> & {
  readonly id?: string
  readonly lines: readonly InvoiceLine[]
  readonly kind?: InvoiceRow['kind']
  /** If it differs from the lease's. */
  readonly tvaBasisPoints?: number
  readonly calculation?: Calculation
}

const amounts = (lines: readonly InvoiceLine[], basisPoints: number) => {
  const netAmount = lines.reduce((sum, l) => sum + l.amount, 0)
  const tva = tvaAmount(netAmount, basisPoints)
  return { netAmount, tvaAmount: tva, grossAmount: netAmount + tva }
}

/** An invoice within the caller's reach. @throws not_found */
export const invoiceOf = visible(getInvoice)

/** Makes the invoice's paper; after a charge, the new paper replaces the old one. */
function requestInvoice(
  ctx: Ctx,
  invoice: InvoiceRow,
  lease: PrintedLease,
  calculation = invoice.kind === 'CHARGES' ? calculated(ctx.tx, invoice.orgId, invoice.id) : undefined,
): string {
  voidInvoicePaper(ctx, invoice.id, 'REPLACED')
  const { number, periodStart, periodEnd, dueDate, netAmount, tvaBasisPoints, grossAmount } = invoice
  const { payTo, payToChangedOn } = payToOf(ctx.tx, organizationOf(ctx), invoice.propertyId, todayOf(ctx))
  return requestDocument(ctx, {
    ...{ kind: 'INVOICE', ...(invoice.kind === 'CHARGES' && { variant: 'CHARGES' }) },
    source: `invoice:${invoice.id}:${invoice.version}`,
    lease,
    number,
    issuedOn: invoice.issuedOn,
    invoiceId: invoice.id,
    data: (head): InvoiceData => ({
      ...head,
      // Charges alone are of no period.
      ...(invoice.kind === 'PERIOD' ? { periodStart, periodEnd } : {}),
      dueDate,
      lines: invoice.lines.map(({ label, amount }) => ({ label, amount })),
      netAmount,
      tvaBasisPoints,
      tvaAmount: invoice.tvaAmount,
      grossAmount,
      ...(calculation ? { calculation } : {}),
      ...(payTo.length > 0 ? { payTo, payToChangedOn } : {}),
    }),
  })
}

/** Issues the invoice of one period with the next number of the year; one that asks for nothing is PAID at once. */
export function issueInvoice(
  ctx: Ctx,
  lease: Lease,
  { id = ctx.newId(), kind = 'PERIOD', lines, tvaBasisPoints = lease.tvaBasisPoints, calculation, ...period }: Issue,
  today: string,
): InvoiceRow {
  const sums = amounts(lines, tvaBasisPoints)
  const status = statusAfter({ gross: sums.grossAmount, paid: 0, dueDate: period.dueDate, today, cancelled: false })
  const year = yearOf(today)
  const row = insertInvoice(ctx.tx, {
    id,
    orgId: lease.orgId,
    bookingId: lease.id,
    unitId: lease.unitId,
    propertyId: lease.propertyId,
    ownerUserId: lease.ownerUserId,
    tenantId: lease.tenantId,
    tenantUserId: lease.tenantUserId,
    tenantName: lease.tenantName,
    unitLabel: lease.unitLabel,
    propertyName: lease.propertyName,
    number: invoiceNumber(year, nextNumber(ctx.tx, lease.orgId, year)),
    currency: CURRENCY,
    ...period,
    ...sums,
    tvaBasisPoints,
    // The job makes it OVERDUE later, so that its history shows both states.
    status: status === 'OVERDUE' ? 'ISSUED' : status,
    amountPaid: 0,
    creditedAmount: 0,
    lines,
    replacedById: null,
    createdAt: ctx.now,
    issuedOn: today,
    kind,
    notedAmount: 0,
    paidAt: status === 'PAID' ? ctx.now : null,
    cancelledAt: null,
    updatedAt: ctx.now,
    version: 1,
  })
  record(ctx, 'invoice.issue', { type: 'invoice', after: row })
  requestInvoice(ctx, row, lease, calculation)
  enqueue(ctx, 'invoice.issued', row.id)
  return row
}

/** Adds or takes back what is paid on an invoice; its status follows from the dates. The caller moves the money. */
export function changePaid(
  ctx: Ctx,
  before: InvoiceRow,
  {
    paid,
    credited = 0,
    details,
    ...noted
  }: {
    readonly paid: number
    readonly credited?: number
    readonly details?: ReturnType<typeof adjustment> | undefined
  } & Partial<Noted>,
): InvoiceRow {
  const { reason = 'ENDED' } = noted
  const amountPaid = before.amountPaid + paid
  const status = statusAfter({
    gross: before.grossAmount,
    paid: amountPaid,
    dueDate: before.dueDate,
    today: todayOf(ctx),
    cancelled: before.status === 'CANCELLED',
  })
  const action = credited > 0 ? 'invoice.credit' : status === 'PAID' ? 'invoice.paid' : 'invoice.balance'
  const creditedAmount = before.creditedAmount + credited
  const paidAt = status === 'PAID' ? (before.paidAt ?? ctx.now) : null
  const notedAmount = before.notedAmount + credited
  if (credited > 0) noteCredit(ctx, before, credited, { ...noted, reason })
  const after = { amountPaid, creditedAmount, notedAmount, status, paidAt }
  return change(ctx, saveInvoice, before, after, action, details)
}

/** The line of a charge. */
export const chargeLine = ({
  label,
  amount,
  provision,
}: Pick<Charge, 'label' | 'amount' | 'provision'>): InvoiceLine => ({
  kind: 'CHARGE',
  label,
  amount,
  ...(provision ? { provision } : {}),
})

/** A further line (water, power, guard …) while ISSUED and nothing is paid. @throws invalid_state, validation_failed */
export function addCharge(ctx: Ctx, id: string, charge: Charge): InvoiceRow {
  const before = invoiceOf(ctx, id)
  if (before.status !== 'ISSUED' || before.amountPaid > 0)
    throw refused(before.status, before.amountPaid > 0 ? [] : allowedOf(before))
  const lines: InvoiceLine[] = [...before.lines, chargeLine(charge)]
  const declares = before.tvaBasisPoints > 0 || tvaToday(ctx) > 0
  if (declares && before.issuedOn.slice(0, 7) < todayOf(ctx).slice(0, 7))
    throw new AppError(
      'invalid_state',
      {
        en: 'This invoice belongs to a month whose VAT may already be declared. Issue an invoice of charges instead.',
        fr: 'Cette facture est d’un mois dont la TVA est peut-être déjà déclarée\u00a0: établissez une facture de charges.',
      },
      { currentStatus: before.status, allowed: [] },
    )
  if (before.netAmount + charge.amount > MAX_AMOUNT || lines.length > 50)
    throw invalid('/amount', 'The invoice would become too large.', 'La facture deviendrait trop grande.')
  const after = change(ctx, saveInvoice, before, { ...amounts(lines, before.tvaBasisPoints), lines }, 'invoice.charge')
  requestInvoice(ctx, after, leaseOf(ctx, after.bookingId))
  restate(ctx, after.bookingId)
  return after
}

const allowedOf = (row: InvoiceRow): string[] =>
  row.status === 'PAID' || row.status === 'CANCELLED' || row.amountPaid > 0 ? [] : ['cancel', 'payments']

/**
 * ISSUED or OVERDUE and nothing paid → CANCELLED; the number stays used. `replacedById` names what stands in its place;
 * `released` is what was paid on it and has become credit in the same step. What was waived of it is owed no more either.
 */
export function cancelInvoice(
  ctx: Ctx,
  before: InvoiceRow,
  {
    replacedById = null,
    released = 0,
    lease,
    details,
  }: {
    readonly replacedById?: string | null
    readonly released?: number
    readonly lease?: PrintedLease
    readonly details?: ReturnType<typeof adjustment>
  } = {},
): InvoiceRow {
  if (before.status === 'CANCELLED') return before
  const waived = waivedOn(ctx, before)
  const amountPaid = Math.max(0, before.amountPaid - waived - released)
  if (amountPaid > 0) throw refused(before.status, [])
  voidInvoicePaper(ctx, before.id, 'CANCELLED')
  // What was waived is in the credit note for the whole.
  if (waived > 0) withdrawNote(ctx, before, 'WAIVED')
  if (before.grossAmount > 0) noteCredit(ctx, before, before.grossAmount, { reason: 'CANCELLED', lease })
  return change(
    ctx,
    saveInvoice,
    before,
    {
      status: 'CANCELLED',
      amountPaid,
      creditedAmount: before.creditedAmount - waived,
      paidAt: null,
      cancelledAt: ctx.now,
      notedAmount: before.grossAmount,
      replacedById,
    },
    'invoice.cancel',
    details,
  )
}

/**
 * An invoice as it was before something was taken off it: its credit note for that reason is withdrawn, and what
 * `payments` paid is on it. One that was CANCELLED is owed again, with a new paper.
 */
export function reviveInvoice(
  ctx: Ctx,
  lease: PrintedLease,
  before: InvoiceRow,
  payments: number,
  reason: 'CANCELLED' | 'ENDED' | 'REGULARISED',
): InvoiceRow {
  const creditedAmount = withdrawNote(ctx, before, reason)
  const paid = payments + creditedAmount
  const due = { gross: before.grossAmount, paid, dueDate: before.dueDate, today: todayOf(ctx), cancelled: false }
  const status = statusAfter(due)
  const after = change(
    ctx,
    saveInvoice,
    before,
    {
      status,
      amountPaid: paid,
      creditedAmount,
      notedAmount: creditedAmount,
      replacedById: null,
      cancelledAt: null,
      paidAt: status === 'PAID' ? (before.paidAt ?? ctx.now) : null,
    },
    'invoice.revive',
  )
  if (before.status === 'CANCELLED') requestInvoice(ctx, after, lease)
  return after
}

/** Records which invoice replaces a CANCELLED one. */
export const nameReplacement = (ctx: Ctx, before: InvoiceRow, replacedById: string): InvoiceRow =>
  change(ctx, saveInvoice, before, { replacedById }, 'invoice.replace')

/** Cancels an invoice at its landlord's request, with its charges. @throws invalid_state, validation_failed */
export function cancelByHand(ctx: Ctx, id: string, input?: string | null): InvoiceRow {
  const before = invoiceOf(ctx, id)
  const { status, amountPaid, creditedAmount, propertyId, bookingId, grossAmount: amount } = before
  if (status === 'CANCELLED') return before
  if (status === 'PAID' || amountPaid > creditedAmount) throw refused(status, [])
  checkNotSetOff(ctx.tx, before, (one) => findInvoice(ctx.tx, before.orgId, one)?.replacedById)
  const reason = reasonOf(ctx, before.ownerUserId, input)
  const details = adjustment('INVOICE_CANCELLED', { propertyId, bookingId, amount, reason })
  const after = cancelInvoice(ctx, before, { details })
  restate(ctx, bookingId)
  return after
}

/** The day after its due date an ISSUED invoice is OVERDUE. @returns undefined when it is no longer, or not yet */
export function markOverdue(ctx: Ctx, id: string): InvoiceRow | undefined {
  const before = getInvoice(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id)
  if (before?.status !== 'ISSUED' || before.dueDate >= todayOf(ctx)) return undefined
  return change(ctx, saveInvoice, before, { status: 'OVERDUE' }, 'invoice.overdue')
}
