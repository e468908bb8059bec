import type { Ctx } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { sharesOfLease } from '../calculations/store.ts'
import { findInvoice, type InvoiceRow, standingInvoices } from '../invoices/store.ts'

type Lease = { readonly id: string; readonly orgId: string }

/** Francs that regularisations in force have set off, by the invoice that asks for them now: one may stand for another. */
function setOffs(ctx: Ctx, { id, orgId }: Lease): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { share } of sharesOfLease(ctx.tx, orgId, id))
    for (const { invoiceId, amount } of share.provisions) {
      let standing = invoiceId
      let by = findInvoice(ctx.tx, orgId, standing)?.replacedById
      while (by) {
        standing = by
        by = findInvoice(ctx.tx, orgId, standing)?.replacedById
      }
      sums.set(standing, (sums.get(standing) ?? 0) + amount)
    }
  return sums
}

/** Provisions of a lease invoiced in a period, as far as no regularisation in force has set them off, oldest first. */
export function provisionsOf(ctx: Ctx, lease: Lease, periodStart: string, periodEnd: string) {
  const set = setOffs(ctx, lease)
  return standingInvoices(ctx.tx, lease.orgId, lease.id).flatMap((invoice) => {
    const asked = invoice.lines.reduce((sum, line) => (line.provision ? sum + line.amount : sum), 0)
    const amount = asked - (set.get(invoice.id) ?? 0)
    if (amount === 0) return []
    // A period that ends later may be cut short by the end of the lease.
    if (invoice.periodEnd < periodStart || invoice.periodEnd > periodEnd) return []
    const { id: invoiceId, number, tvaBasisPoints: basisPoints } = invoice
    const noted = invoice.notedAmount > 0
    const whole = { net: noted ? 0 : invoice.netAmount, gross: noted ? 0 : invoice.grossAmount }
    return [{ invoiceId, number, amount, basisPoints, whole }]
  })
}

/** @throws invalid_state where provisions of an invoice were set off: cancelled, they would be given away */
export function checkNotSetOff(ctx: Ctx, { id, orgId, bookingId, number, status, lines }: InvoiceRow): void {
  if (!lines.some((line) => line.provision) || !setOffs(ctx, { id: bookingId, orgId }).has(id)) return
  throw new AppError(
    'invalid_state',
    {
      en: `Provisions of the invoice ${number} were set off by a regularisation. Cancel that regularisation first.`,
      fr: `Les provisions de la facture ${number} ont été déduites d’une régularisation. Annulez d’abord cette régularisation.`,
    },
    { currentStatus: status, allowed: [] },
  )
}
