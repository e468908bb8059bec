import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { change, record, visible } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { adjustment } from '../../../core/adjustments.ts'
import { spanOf } from '../../../core/dates.ts'
import { next, type Transitions } from '../../../core/lifecycle.ts'
import { formatCount } from '../../../core/meters.ts'
import { AppError } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { bookingOf } from '../../lease/leases/service.ts'
import { countBilled } from '../../lease/meters/service.ts'
import { partiesOf } from '../../papers/documents/parties.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { propertyOf } from '../../property/properties/service.ts'
import { reasonOf } from '../adjustments/service.ts'
import { moveMoney, releaseFrom, renewReceipts } from '../allocations/moves.ts'
import { movedSince } from '../allocations/rules.ts'
import { anyPayment, applyCredit, balanceOf, setOff } from '../allocations/service.ts'
import { allocationsOfLease, allocationsTo } from '../allocations/store.ts'
import { broughtUpToDate } from '../billing/service.ts'
import { chargeOn } from '../expenses/service.ts'
import { calculationOf, checkNotSetOff, keepShare } from '../invoices/calculations.ts'
import { requestQuittance, restate } from '../invoices/receipts.ts'
import { cancelInvoice, changePaid, invoiceOf, issueInvoice, reviveInvoice } from '../invoices/service.ts'
import { getInvoice, type ShareRow, sharesOf, standingInvoices } from '../invoices/store.ts'
import { paidOn } from '../leaving/reissue.ts'
import { undoSetOffs } from '../payments/service.ts'
import { exchangedSince, refundedAfter } from '../payments/store.ts'
import { roomForCharges } from './add.ts'
import type { RegularisationGiven } from './model.ts'
import { type Planned, type PlannedShare, plan } from './plans.ts'
import { MOST_A_DAY, type REGULARISATION_STATUS } from './rules.ts'
import {
  getRegularisation,
  insertRegularisation,
  issuedOn,
  type RegularisationRow,
  saveRegularisation,
} from './store.ts'
import { LABELS } from './texts.ts'

const moves: Transitions<(typeof REGULARISATION_STATUS)[number], 'cancel'> = {
  cancel: { from: ['ISSUED'], to: 'CANCELLED' },
}

/** Every figure of a regularisation. It bills what is due first: the write it runs in has to be undone. @throws what `issue` throws */
export const previewed = (ctx: Ctx, propertyId: string, body: RegularisationGiven): Planned =>
  plan(ctx, propertyOf(ctx, propertyId), body)

/**
 * Issues one invoice a lease for what its share is more than its provisions, or credit notes for what it is less; expenses
 * and readings in it are charged on once. @throws not_found, validation_failed, invalid_state, quota_exceeded
 */
export function issueRegularisation(ctx: Ctx, propertyId: string, body: RegularisationGiven): RegularisationRow {
  const property = propertyOf(ctx, propertyId)
  const today = todayOf(ctx)
  if (issuedOn(ctx.tx, property.orgId, propertyId, today) >= MOST_A_DAY)
    throw new AppError('quota_exceeded', {
      en: `A property can have at most ${MOST_A_DAY} regularisations a day. Continue tomorrow.`,
      fr: `Un bien reçoit au plus ${MOST_A_DAY} régularisations par jour. Continuez demain.`,
    })
  const planned = plan(ctx, property, body)
  const { shares, items, periodStart, periodEnd, dueDate, costAmount, chargedAmount, deductedAmount, provisionAmount } =
    planned
  const row: RegularisationRow = {
    id: ctx.newId(),
    orgId: property.orgId,
    propertyId,
    ownerUserId: property.ownerUserId,
    periodStart,
    periodEnd,
    status: 'ISSUED',
    issuedOn: today,
    dueDate,
    items,
    costAmount,
    chargedAmount,
    provisionAmount,
    issuedBy: ctx.caller.userId,
    cancelledAt: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
    deductedAmount,
  }
  insertRegularisation(ctx.tx, row)
  const amount = shares.reduce((sum, { credits }) => credits.reduce((all, one) => all + one.amount, sum), 0)
  const details = amount > 0 ? adjustment('CHARGES_CREDITED', { propertyId, amount }) : undefined
  record(ctx, 'regularisation.issue', { type: 'regularisation', after: row, ...(details && { details }) })
  const readings = new Set<string>()
  for (const share of shares) {
    const readingIds = idsOf(share)
    for (const id of readingIds) readings.add(id)
    const issued = { ...issueShare(ctx, row, share, today), readingIds }
    keepShare(ctx, issued)
    // An invoice that asks for something is announced by its own message.
    const asks = issued.invoiceId !== null && balanceOf(invoiceOf(ctx, issued.invoiceId)) > 0
    if (!asks) enqueue(ctx, 'charges.shared', `${issued.id}:${share.lease.id}`)
    restate(ctx, share.lease.id)
  }
  countBilled(ctx, readings, 1)
  chargeOn(ctx, expensesOf(row), row.id)
  return row
}

const idsOf = ({ items }: PlannedShare): string[] =>
  items.flatMap(({ meters = [] }) => meters.flatMap(({ readings }) => readings.map(({ id }) => id)))

const expensesOf = ({ items }: RegularisationRow): string[] =>
  items.flatMap(({ costs }) => costs.flatMap(({ expenseId = [] }) => expenseId))

/** A lease, and those that hold the credit of what paid these invoices: renewals, and others whose deposit was kept for them. */
function accountsOf(ctx: Ctx, bookingId: string, invoices: readonly { readonly invoiceId: string }[]): Set<string> {
  const { orgId } = ctx.caller
  const paying = invoices.flatMap(({ invoiceId }) => allocationsTo(ctx.tx, orgId, invoiceId))
  const holders = paying.map(({ paymentId }) => anyPayment(ctx, paymentId))
  return new Set([bookingId, ...holders.map((p) => p.creditBookingId ?? p.bookingId)])
}

/** What a lease owes or is given back of a regularisation. */
function issueShare(
  ctx: Ctx,
  { id: regularisationId, orgId, periodStart, periodEnd, dueDate }: RegularisationRow,
  { lease, items, days, amount, provisionAmount, provisions, credits }: PlannedShare,
  today: string,
): Omit<ShareRow, 'readingIds'> {
  const { id: bookingId, unitId, locale } = lease
  const accounts = accountsOf(ctx, bookingId, credits)
  const placed = () => [...accounts].flatMap((account) => allocationsOfLease(ctx.tx, orgId, account))
  const before = placed()
  const touched = new Set<string>()
  let invoiceId: string | null = null
  const set = provisions.map(({ invoiceId: of, number, amount: paid }) => ({ invoiceId: of, number, amount: paid }))
  const calculation = calculationOf({ days, items, amount, provisions: set }, periodStart, periodEnd)
  if (amount > provisionAmount) {
    const t = LABELS[locale]
    const [from, to] = spanOf(periodStart, periodEnd, locale)
    const of = locale === 'fr' ? '\u00a0: ' : ': '
    const lines = [
      ...items
        .filter((item) => item.amount > 0)
        .map(({ label, counted, measure = '', amount: part }) => ({
          kind: 'CHARGE' as const,
          label: `${label}${of}${counted === undefined ? t.share : `${formatCount(counted, locale)}\u00a0${measure}`}`,
          amount: part,
        })),
      ...(provisionAmount > 0
        ? [{ kind: 'CHARGE' as const, label: t.provisions(from, to), amount: -provisionAmount }]
        : []),
    ]
    const dates = { periodStart: today, periodEnd: today, dueDate }
    roomForCharges(ctx, lease, today)
    const issued = applyCredit(ctx, issueInvoice(ctx, lease, { kind: 'CHARGES', ...dates, lines, calculation }, today))
    requestQuittance(ctx, issued)
    invoiceId = issued.id
  }
  const printed = { ...lease, parties: partiesOf(ctx, lease) }
  for (const credit of credits) {
    const invoice = invoiceOf(ctx, credit.invoiceId)
    const released = releaseFrom(ctx, invoice, Math.max(0, credit.amount - balanceOf(invoice)))
    changePaid(ctx, invoice, {
      paid: credit.amount - released,
      credited: credit.amount,
      reason: 'REGULARISED',
      lease: printed,
      calculation,
    })
    touched.add(invoice.id)
  }
  if (credits.length > 0)
    for (const account of accounts) {
      for (const invoice of setOff(ctx, account))
        if (account === bookingId) touched.add(invoice.id)
        else requestQuittance(ctx, invoice)
      if (account !== bookingId) restate(ctx, account)
    }
  const moved = movedSince(before, placed())
  if (credits.length > 0) {
    for (const { paymentId } of moved) touched.add(paymentId)
    renewReceipts(ctx, lease, touched)
  }
  return {
    id: ctx.newId(),
    orgId,
    regularisationId,
    bookingId,
    unitId,
    days,
    items,
    amount,
    provisionAmount,
    invoiceId,
    provisions: set,
    credited: credits,
    moved,
    createdAt: ctx.now,
  }
}

/** A regularisation within the caller's reach. @throws not_found */
const regularisationOf = visible(getRegularisation)

/**
 * Takes all of a regularisation back while nothing was paid on its invoices and nothing of its credit was refunded: invoices
 * are cancelled, credit notes withdrawn, and the money on them is where it was. @throws not_found, invalid_state, validation_failed
 */
export function cancelRegularisation(ctx: Ctx, id: string, input?: string | null): RegularisationRow {
  const before = regularisationOf(ctx, id)
  const step = next(moves, before.status, 'cancel')
  if (step.kind !== 'move') return before
  const shares = sharesOf(ctx.tx, before.orgId, id)
  const moved = shares.flatMap((share) => share.moved)
  for (const share of shares) {
    checkUnpaid(ctx, { ...share, moved })
    // A provision charged on its invoice later may be set off by another one.
    const invoice = share.invoiceId === null ? undefined : invoiceOf(ctx, share.invoiceId)
    if (invoice) checkNotSetOff(ctx.tx, invoice, (one) => invoiceOf(ctx, one).replacedById)
  }
  const { propertyId } = before
  const reason = reasonOf(ctx, propertyOf(ctx, propertyId).ownerUserId, input)
  const others = new Set<string>()
  // The last first: what an earlier one gave back may have paid a later one.
  for (const share of shares.toReversed()) for (const lease of undoShare(ctx, share)) others.add(lease)
  // Only now: earlier, credit could pay an invoice that is about to be cancelled, or be missing where it has to go back to.
  for (const lease of others) {
    for (const invoice of setOff(ctx, lease)) requestQuittance(ctx, invoice)
    restate(ctx, lease)
  }
  countBilled(ctx, new Set(shares.flatMap(({ readingIds }) => readingIds)), -1)
  chargeOn(ctx, expensesOf(before), null)
  const details = adjustment('CHARGES_CANCELLED', { propertyId, reason })
  const cancelled = { status: step.to, cancelledAt: ctx.now }
  return change(ctx, saveRegularisation, before, cancelled, 'regularisation.cancel', details)
}

/** `moved` by any share. @throws invalid_state once money came for a share, or its credit was given back */
function checkUnpaid(ctx: Ctx, { id, orgId, bookingId, regularisationId, invoiceId, moved, credited }: ShareRow): void {
  const refunded = [...accountsOf(ctx, bookingId, credited)].some((account) =>
    refundedAfter(ctx.tx, { orgId, bookingId: account, after: id }),
  )
  const own = new Map<string, number>()
  for (const m of moved) if (m.targetId === invoiceId) own.set(m.paymentId, (own.get(m.paymentId) ?? 0) + m.amount)
  // What other leases gave goes back to them.
  for (const p of exchangedSince(ctx.tx, orgId, bookingId, regularisationId)) own.set(p.id, p.amount)
  const paid =
    invoiceId !== null &&
    allocationsTo(ctx.tx, orgId, invoiceId).some(({ paymentId, amount }) => amount > (own.get(paymentId) ?? 0))
  if (!paid && !(credited.length > 0 && refunded)) return
  throw new AppError(
    'invalid_state',
    {
      en: 'A payment or refund was already recorded for this regularisation. Reverse it first.',
      fr: 'Un paiement ou un remboursement a déjà eu lieu. Annulez-le d’abord.',
    },
    { currentStatus: 'ISSUED', allowed: [] },
  )
}

/** @returns the leases whose credit or debts changed */
function undoShare(ctx: Ctx, share: ShareRow): ReadonlySet<string> {
  const { orgId, bookingId, invoiceId, moved, credited } = share
  const lease: BookingRow = broughtUpToDate(ctx, bookingId)
  const touched = new Set([...moved.map(({ paymentId }) => paymentId), ...credited.map((one) => one.invoiceId)])
  const accounts = accountsOf(ctx, bookingId, credited)
  const others = new Set([...accounts].flatMap((account) => [...undoSetOffs(ctx, account, share.regularisationId)]))
  // Money of another lease, also of a renewal that holds the credit now, becomes credit of that one again.
  for (const { paymentId } of moved) {
    const { creditBookingId, bookingId: paidFor } = anyPayment(ctx, paymentId)
    others.add(creditBookingId ?? paidFor)
  }
  moveMoney(
    ctx,
    moved.map((m) => ({ ...m, amount: -m.amount })),
  )
  const invoice = invoiceId === null ? undefined : getInvoice(ctx.tx, orgId, ctx.caller.scope, invoiceId)
  if (invoice) {
    touched.add(invoice.id)
    cancelInvoice(ctx, invoice, { released: invoice.amountPaid })
  }
  for (const one of credited)
    reviveInvoice(ctx, lease, invoiceOf(ctx, one.invoiceId), paidOn(ctx, one.invoiceId), 'REGULARISED')
  // Debts that its credit paid are owed again.
  for (const one of [...accounts].flatMap((account) => standingInvoices(ctx.tx, orgId, account))) {
    const paid = paidOn(ctx, one.id) + one.creditedAmount - one.amountPaid
    if (paid !== 0) {
      changePaid(ctx, one, { paid })
      touched.add(one.id)
    }
  }
  renewReceipts(ctx, bookingOf(ctx, bookingId), touched)
  return new Set([...accounts, ...others])
}
