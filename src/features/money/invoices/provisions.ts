import type { Ctx } from '../../../context.ts'
import { setOffsOf } from './calculations.ts'
import { standingNotes } from './credit-notes.ts'
import { provisionsIn } from './rules.ts'
import { findInvoice, standingInvoices } from './store.ts'

/** Provisions of a lease invoiced in a period, as far as no regularisation in force has set them off, oldest first. */
export function provisionsOf(
  ctx: Ctx,
  lease: { readonly id: string; readonly orgId: string },
  periodStart: string,
  periodEnd: string,
) {
  const set = setOffsOf(ctx.tx, lease, (id) => findInvoice(ctx.tx, lease.orgId, id)?.replacedById)
  return standingInvoices(ctx.tx, lease.orgId, lease.id).flatMap((invoice) => {
    const amount = provisionsIn(invoice) - (set.get(invoice.id) ?? 0)
    if (amount === 0) return []
    // A period that ends later may be cut short by the end of the lease.
    if (invoice.periodEnd < periodStart || invoice.periodEnd > periodEnd) return []
    const { id: invoiceId, number, tvaBasisPoints: basisPoints } = invoice
    const notes = standingNotes(ctx, invoice)
    const left = (of: 'netAmount' | 'grossAmount') => notes.reduce((sum, note) => sum - note[of], invoice[of])
    const noted = notes.some(({ reason }) => reason === 'REGULARISED')
    const whole = noted ? { net: 0, gross: 0 } : { net: left('netAmount'), gross: left('grossAmount') }
    return [{ invoiceId, number, amount, basisPoints, whole }]
  })
}
