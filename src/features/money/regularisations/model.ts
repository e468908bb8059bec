import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { regularisationShare } from '../../../../db/schema/regularisations.ts'
import { dto } from '../../../http/cache.ts'
import { toItem, toItemShare, withLandlord } from '../charge-plans/model.ts'
import { invoiceView } from '../invoices/model.ts'
import type { RegularisationRow } from './store.ts'

type ShareRow = typeof regularisationShare.$inferSelect
export const toShare = ({ items, invoiceId, orgId: _o, moved: _m, readingIds: _r, ...share }: ShareRow) => ({
  ...share,
  items: items.map(toItemShare),
  balanceAmount: share.amount - share.provisionAmount,
  ...(invoiceId === null ? {} : { invoiceId }),
})

type Seen = {
  readonly share: ShareRow
  readonly lease: BookingRow
  readonly asked: InvoiceRow | null
}
function seenShare({ share: row, lease, asked }: Seen) {
  const { id: _i, regularisationId: _r, createdAt: _c, ...share } = toShare(row)
  return {
    ...share,
    unitLabel: lease.unitLabel,
    tenantName: lease.tenantName,
    grossAmount: asked?.grossAmount ?? 0,
    creditAmount: row.credited.reduce((sum, { amount }) => sum + amount, 0),
    ...(asked
      ? {
          invoice: {
            number: asked.number,
            status: asked.status,
            grossAmount: asked.grossAmount,
            balanceAmount: invoiceView({ ...asked }).balanceAmount,
          },
        }
      : {}),
  }
}

/** A regularisation with its shares, their leases, and the invoices that ask for them. */
export const toRegularisation = (row: RegularisationRow, shares: readonly Seen[]) => ({
  ...withLandlord(dto(row, 'ownerUserId', 'items', 'updatedAt', 'version')),
  items: row.items.map(toItem),
  shares: shares.map(seenShare),
})
