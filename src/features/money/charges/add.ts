import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { Ctx } from '../../../context.ts'
import { RECORDS } from '../../../core/budgets.ts'
import { addMonths } from '../../../core/dates.ts'
import { MAX_AMOUNT } from '../../../core/money.ts'
import { dueDateOf } from '../../../core/periods.ts'
import { AppError, invalid, refused } from '../../../errors.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { applyCredit } from '../allocations/service.ts'
import { broughtUpToDate } from '../billing/service.ts'
import { requestQuittance, restate } from '../invoices/receipts.ts'
import { chargeLine, issueInvoice } from '../invoices/service.ts'
import { countCharges } from '../invoices/store.ts'
import type { ChargesInvoice } from './model.ts'

/** So many a day of one lease: more are a mistake. */
const MOST_A_DAY = 20

/** How many invoices of charges a lease has, and got on a day. @throws quota_exceeded where it may have no more */
export function roomForCharges(
  { tx }: Ctx,
  { id, orgId, unitLabel }: Pick<BookingRow, 'id' | 'orgId' | 'unitLabel'>,
  day: string,
) {
  const there = countCharges(tx, orgId, id, day)
  if (there.all < RECORDS.charges) return there
  throw new AppError('quota_exceeded', {
    en: `The lease of ${unitLabel} has ${there.all} invoices of charges, including cancelled ones, and cannot have more. Draw up a new lease.`,
    fr: `Le bail de ${unitLabel} compte ${there.all} factures de charges, annulées comprises, et n’en reçoit plus. Établissez un nouveau bail.`,
  })
}

/**
 * Issues an invoice of charges alone, of a running lease or one that has ended, whatever months were paid in advance; it
 * takes credit as any invoice does. @throws not_found, invalid_state, validation_failed, quota_exceeded
 */
export function issueCharges(ctx: Ctx, bookingId: string, body: ChargesInvoice): InvoiceRow {
  const lease = broughtUpToDate(ctx, bookingId)
  if (lease.status !== 'ACTIVE' && lease.status !== 'TERMINATED') throw refused(lease.status, [])
  const today = todayOf(ctx)
  const dueDate = body.dueDate ?? dueDateOf(today, lease.dueDay)
  const latest = addMonths(today, 12)
  if (dueDate < today || dueDate > latest)
    throw invalid('/dueDate', `Must be from ${today} to ${latest}.`, `Doit être du ${today} au ${latest}.`)
  const lines = body.lines.map(chargeLine)
  if (lines.reduce((sum, { amount }) => sum + amount, 0) > MAX_AMOUNT)
    throw invalid('/lines', 'The invoice would become too large.', 'La facture deviendrait trop grande.')
  if (roomForCharges(ctx, lease, today).ofDay >= MOST_A_DAY)
    throw new AppError('quota_exceeded', {
      en: `A lease can have at most ${MOST_A_DAY} invoices of charges a day. Put several lines on one invoice.`,
      fr: `Un bail reçoit au plus ${MOST_A_DAY} factures de charges par jour. Mettez plusieurs lignes sur une seule.`,
    })
  const period = { kind: 'CHARGES', periodStart: today, periodEnd: today } as const
  const issued = applyCredit(ctx, issueInvoice(ctx, lease, { ...period, dueDate, lines }, today))
  requestQuittance(ctx, issued)
  restate(ctx, bookingId)
  return issued
}
