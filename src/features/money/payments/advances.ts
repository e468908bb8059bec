import type { PaymentRow } from '../../../../db/schema/payments.ts'
import type { Ctx } from '../../../context.ts'
import { addMonths } from '../../../core/dates.ts'
import { periodAt } from '../../../core/periods.ts'
import { invalid, refused } from '../../../errors.ts'
import { rentSteps } from '../../lease/leases/rent-steps.ts'
import { rentOn } from '../../lease/leases/rules.ts'
import { bookingOf } from '../../lease/leases/service.ts'
import { organizationOf, todayOf } from '../../people/organizations/service.ts'
import type { Door } from '../allocations/rules.ts'
import { broughtUpToDate, MONTHS_AHEAD, payAhead, ratesOf } from '../billing/service.ts'
import { amountsOf, coveredUntil } from '../invoices/rules.ts'
import { standingInvoices } from '../invoices/store.ts'
import type { AdvanceCreate } from './model.ts'
import { confirmByHand, creditReceived, declarationOf, paymentOf, refundCredit } from './service.ts'

type Paid = {
  readonly payment: PaymentRow
  readonly invoiceIds: readonly string[]
  readonly creditAmount: number
  readonly coveredUntil: string | undefined
}

/**
 * Rent in advance: pays what is open, oldest first, then issues and pays the coming periods in order, never past the
 * lease's end; what pays no whole period stays credit, and so does what came after the end. Cash that waits for its
 * receiver's word pays nothing yet. `type: REFUND` gives credit back. @throws invalid_state, duplicate
 */
export function payAdvance(ctx: Ctx, id: string, { type, ...body }: AdvanceCreate & { readonly door?: Door }): Paid {
  const row = broughtUpToDate(ctx, id)
  if (type === 'REFUND') return paid(ctx, id, refundCredit(ctx, row, body), [])
  if (body.reason) throw invalid('/reason', 'Only a refund has a reason.', 'Seul un remboursement a un motif.')
  if (row.status !== 'ACTIVE' && row.status !== 'TERMINATED') throw refused(row.status, [])
  const declared = declarationOf(ctx, body, [{ bookingId: id, amount: body.amount }])
  if (declared) {
    const confirmed = confirmByHand(ctx, declared, body)
    return paid(ctx, id, confirmed, confirmed.invoiceIds)
  }
  const { payment, touched } = creditReceived(ctx, row, body)
  if (payment.status === 'PENDING') return paid(ctx, id, payment, [])
  const ahead = payAhead(ctx, row, payment.id)
  return paid(
    ctx,
    id,
    payment,
    [...touched, ...ahead].map((i) => i.id),
  )
}

/** What so many coming months cost together with all that is open, and until when they cover. */
type Quote = {
  readonly months: number
  readonly openAmount: number
  readonly creditAmount: number
  readonly amount: number
  readonly coveredUntil: string | undefined
}

/**
 * What `payAdvance` needs to pay all that is open and `months` coming periods. It bills what is due first: the write it
 * runs in has to be undone. @returns fewer months where the lease ends before @throws invalid_state
 */
export function quoteAdvance(ctx: Ctx, id: string, months: number): Quote {
  const row = broughtUpToDate(ctx, id)
  if (row.status !== 'ACTIVE' && row.status !== 'TERMINATED') throw refused(row.status, [])
  const standing = standingInvoices(ctx.tx, row.orgId, id)
  const openAmount = standing.reduce((sum, { grossAmount, amountPaid }) => sum + grossAmount - amountPaid, 0)
  let coveredUntil = standing.findLast((i) => i.lines.some((l) => l.kind === 'RENT'))?.periodEnd
  const latest = addMonths(todayOf(ctx), MONTHS_AHEAD)
  const rents = rentSteps(ctx, row)
  const tvaAt = ratesOf(ctx, row, organizationOf(ctx))
  const coming: number[] = []
  while (row.status === 'ACTIVE' && coming.length < months) {
    const period = periodAt(row.anchorDate, row.nextPeriod + coming.length, row.endDate)
    if (!period || period.start > latest) break
    const { gross } = amountsOf(rentOn(rents, row.rentAmount, period.start), period, tvaAt(period.start).tvaBasisPoints)
    if (gross === 0) break
    coming.push(gross)
    coveredUntil = period.end
  }
  const { creditAmount } = row
  const amount = Math.max(0, coming.reduce((sum, gross) => sum + gross, openAmount) - creditAmount)
  return { months: coming.length, openAmount, creditAmount, amount, coveredUntil }
}

function paid(ctx: Ctx, bookingId: string, { id }: PaymentRow, invoiceIds: readonly string[]): Paid {
  const row = bookingOf(ctx, bookingId)
  return {
    payment: paymentOf(ctx, id),
    invoiceIds,
    creditAmount: row.creditAmount,
    coveredUntil: coveredUntil(standingInvoices(ctx.tx, row.orgId, bookingId)),
  }
}
