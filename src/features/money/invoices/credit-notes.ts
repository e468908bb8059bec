import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { InvoiceData } from '../../../adapters/pdf/port.ts'
import type { Ctx } from '../../../context.ts'
import type { Calculation } from '../../../core/charge-calculation.ts'
import { AppError } from '../../../errors.ts'
import { leaseOf } from '../../lease/leases/service.ts'
import { nextNumberOf, type PrintedLease, requestDocument, voidCreditNote } from '../../papers/documents/service.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { postNoted } from '../ledger/service.ts'
import { type CreditNoteReason, partBeside } from './rules.ts'
import { type CreditNoteRow, creditNotesOf, insertCreditNote, saveWithdrawn } from './store.ts'

/** The credit notes that stand on an invoice: those for rent and for provisions may stand side by side. */
export const standingNotes = (
  ctx: Ctx,
  { id, orgId, notedAmount }: Pick<InvoiceRow, 'id' | 'orgId' | 'notedAmount'>,
): CreditNoteRow[] =>
  notedAmount === 0
    ? []
    : creditNotesOf(ctx.tx)
        .all({ orgId, invoiceId: id })
        .filter(({ withdrawnOn }) => withdrawnOn === null)

/** Francs of an invoice that the landlord has waived, with TVA. */
export const waivedOn = (ctx: Ctx, invoice: Pick<InvoiceRow, 'id' | 'orgId' | 'notedAmount'>): number =>
  standingNotes(ctx, invoice).reduce((sum, note) => (note.reason === 'WAIVED' ? sum + note.grossAmount : sum), 0)

/** What a credit note says beside its sums. */
export type Noted = {
  readonly reason: CreditNoteReason
  readonly lease?: PrintedLease | undefined
  readonly calculation?: Calculation | undefined
  /** Why something was waived, in the landlord's words. */
  readonly note?: string | undefined
}
/**
 * A credit note for what is taken off an invoice, with its TVA: dated today, so that the month of the invoice stays as it was
 * declared. One for each reason stands on an invoice at a time, but several of what was waived, and none beside that of a
 * cancelled one. @throws invalid_state
 */
export function noteCredit(
  ctx: Ctx,
  invoice: InvoiceRow,
  gross: number,
  { reason, lease, calculation, note }: Noted,
): void {
  const stand = standingNotes(ctx, invoice)
  if (
    (reason !== 'WAIVED' && stand.some((one) => one.reason === reason)) ||
    (reason === 'CANCELLED' && stand.length > 0)
  )
    throw new AppError(
      'invalid_state',
      {
        en: `A regularisation has credited provisions of the invoice ${invoice.number}. Cancel that regularisation first.`,
        fr: `Les provisions de la facture ${invoice.number} ont été régularisées par un avoir. Annulez d’abord cette régularisation.`,
      },
      { currentStatus: invoice.status, allowed: [] },
    )
  const { id: invoiceId, orgId, bookingId, tvaBasisPoints } = invoice
  const number = nextNumberOf(ctx, 'AV')
  const id = ctx.newId()
  const sums = partBeside(invoice, stand, gross)
  const stamps = { withdrawnOn: null, createdAt: ctx.now, updatedAt: ctx.now, version: 1 }
  const row = { id, orgId, invoiceId, bookingId, number, issuedOn: todayOf(ctx), reason, tvaBasisPoints }
  insertCreditNote(ctx.tx, { ...row, ...sums, ...stamps })
  postNoted(ctx, invoice, { id, reason, ...sums })
  requestDocument(ctx, {
    kind: 'INVOICE',
    variant: 'CREDIT_NOTE',
    source: `credit-note:${invoiceId}:${id}`,
    lease: lease ?? leaseOf(ctx, bookingId),
    number,
    invoiceId,
    data: (head): InvoiceData => {
      const whole = gross === invoice.grossAmount
      const label = CREDITED[reason === 'CANCELLED' ? 'ENDED' : reason][head.locale]
      const lines = whole && reason !== 'WAIVED' ? invoice.lines : [{ label, amount: sums.netAmount }]
      const { periodStart, periodEnd } = invoice
      return {
        ...head,
        ...(invoice.kind === 'PERIOD' ? { periodStart, periodEnd } : {}),
        credits: { number: invoice.number, reason, ...(note === undefined ? {} : { note }) },
        lines: lines.map(({ label, amount }) => ({ label, amount })),
        tvaBasisPoints,
        ...sums,
        ...(calculation ? { calculation } : {}),
      }
    },
  })
}
const CREDITED = {
  ENDED: { fr: 'Loyer après la fin du bail', en: 'Rent after the end of the lease' },
  REGULARISED: { fr: 'Provisions pour charges trop perçues', en: 'Provisions for charges paid in excess' },
  WAIVED: { fr: 'Remise', en: 'Waived' },
} as const

/** An invoice's credit note for a reason no longer counts from today on. @returns francs of those that still stand */
export function withdrawNote(ctx: Ctx, invoice: InvoiceRow, reason: CreditNoteReason): number {
  const stand = standingNotes(ctx, invoice)
  for (const note of stand) {
    const { id } = note
    if (note.reason !== reason) continue
    postNoted(ctx, invoice, note, true)
    saveWithdrawn(ctx.tx).run({ orgId: invoice.orgId, id, on: todayOf(ctx), now: ctx.now })
    voidCreditNote(ctx, invoice.id, id)
  }
  return stand.reduce((sum, note) => (note.reason === reason ? sum : sum + note.grossAmount), 0)
}
