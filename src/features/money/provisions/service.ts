import type { Ctx } from '../../../context.ts'
import { sharesOfLease } from '../calculations/store.ts'
import { standingInvoices } from '../invoices/store.ts'

/** Provisions of a lease invoiced in a period, whose invoices no regularisation in force has set off, oldest first. */
export function provisionsOf(
  ctx: Ctx,
  lease: { readonly id: string; readonly orgId: string },
  periodStart: string,
  periodEnd: string,
) {
  const set = new Set(
    sharesOfLease(ctx.tx, lease.orgId, lease.id).flatMap(({ share: { provisions } }) =>
      provisions.map(({ invoiceId }) => invoiceId),
    ),
  )
  return standingInvoices(ctx.tx, lease.orgId, lease.id).flatMap((invoice) => {
    const amount = invoice.lines.reduce((sum, line) => (line.provision ? sum + line.amount : sum), 0)
    if (amount === 0 || set.has(invoice.id)) return []
    // A period that ends later may be cut short by the end of the lease.
    if (invoice.periodEnd < periodStart || invoice.periodEnd > periodEnd) return []
    const { id: invoiceId, number, tvaBasisPoints: basisPoints } = invoice
    const noted = invoice.notedAmount > 0
    const whole = { net: noted ? 0 : invoice.netAmount, gross: noted ? 0 : invoice.grossAmount }
    return [{ invoiceId, number, amount, basisPoints, whole }]
  })
}
