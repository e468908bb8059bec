import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { Listener } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { addDays, minDate } from '../../../core/dates.ts'
import { periodAt } from '../../../core/periods.ts'
import { findBooking } from '../../lease/leases/store.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { applyCredit } from '../allocations/service.ts'
import { requestQuittance } from '../invoices/receipts.ts'
import { issueInvoice } from '../invoices/service.ts'

const OPENING_BALANCE = { fr: 'Solde antérieur', en: 'Balance brought forward' } as const

/** At activation, the opening balance of a lease that was imported gets an invoice of its own. */
export const billOpeningBalance: Listener = {
  types: ['booking'],
  hear(ctx, { action, after }) {
    const row = action === 'booking.activate' ? findBooking(ctx.tx, ctx.caller.orgId, after?.id ?? '') : undefined
    if (row) billOpening(ctx, row)
  },
}

/** Issues an invoice for the debt that the tenant had when the lease was imported, if any. */
export function billOpening(ctx: Ctx, row: BookingRow): void {
  if (!row.openingBalance) return
  const today = todayOf(ctx)
  const periodEnd = addDays(periodAt(row.anchorDate, row.nextPeriod).start, -1)
  const lines = [{ kind: 'OPENING_BALANCE' as const, label: OPENING_BALANCE[row.locale], amount: row.openingBalance }]
  const issued = issueInvoice(
    ctx,
    row,
    {
      periodStart: minDate(row.startDate, periodEnd),
      periodEnd,
      // The debt is older than the import of the lease: it is overdue at once.
      dueDate: minDate(periodEnd, addDays(today, -1)),
      lines,
      tvaBasisPoints: 0,
    },
    today,
  )
  requestQuittance(ctx, applyCredit(ctx, issued))
}
