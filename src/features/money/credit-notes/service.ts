import type { InvoiceData } from '../../../adapters/pdf/port.ts'
import type { Ctx } from '../../../context.ts'
import { leaseOf } from '../../lease/bookings/service.ts'
import { nextNumberOf, type PrintedLease, requestDocument, voidCreditNotes } from '../../papers/documents/service.ts'
import { todayOf } from '../../people/organizations/service.ts'
import type { InvoiceRow } from '../invoices/store.ts'
import { partOf } from './rules.ts'
import { type CreditNoteRow, insertCreditNote, saveWithdrawn } from './store.ts'

/**
 * A credit note for what is taken off an invoice, with its TVA: dated today, so that the month of the invoice stays as it was
 * declared.
 */
export function noteCredit(
  ctx: Ctx,
  invoice: InvoiceRow,
  gross: number,
  reason: CreditNoteRow['reason'],
  lease?: PrintedLease,
): void {
  if (ctx.undone) return
  const { id: invoiceId, orgId, bookingId, tvaBasisPoints } = invoice
  const number = nextNumberOf(ctx, 'AV')
  const id = ctx.newId()
  const sums = partOf(invoice, gross)
  const stamps = { withdrawnOn: null, createdAt: ctx.now, updatedAt: ctx.now, version: 1 }
  const row = { id, orgId, invoiceId, bookingId, number, issuedOn: todayOf(ctx), reason, tvaBasisPoints }
  insertCreditNote(ctx.tx, { ...row, ...sums, ...stamps })
  requestDocument(ctx, {
    kind: 'INVOICE',
    variant: 'CREDIT_NOTE',
    source: `credit-note:${invoiceId}:${id}`,
    lease: lease ?? leaseOf(ctx, bookingId),
    number,
    invoiceId,
    data: (head): InvoiceData => {
      const whole = gross === invoice.grossAmount
      const lines = whole ? invoice.lines : [{ label: CREDITED[head.locale], amount: sums.netAmount }]
      const { periodStart, periodEnd } = invoice
      return {
        ...head,
        ...(invoice.kind === 'PERIOD' ? { periodStart, periodEnd } : {}),
        credits: { number: invoice.number, reason },
        lines: lines.map(({ label, amount }) => ({ label, amount })),
        tvaBasisPoints,
        ...sums,
      }
    },
  })
}
const CREDITED = { fr: 'Loyer après la fin du bail', en: 'Rent after the end of the lease' } as const

/** The credit note of an invoice no longer counts from today on: the invoice is owed again. */
export function withdrawNote(ctx: Ctx, invoiceId: string): void {
  saveWithdrawn(ctx.tx, { orgId: ctx.caller.orgId, invoiceId, on: todayOf(ctx), now: ctx.now })
  voidCreditNotes(ctx, invoiceId)
}
