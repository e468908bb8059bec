import { isDeepStrictEqual } from 'node:util'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { PaymentRow, TransferRow } from '../../../../db/schema/payments.ts'
import type { Ctx } from '../../../context.ts'
import {
  ACCOUNT,
  type AccountKind,
  accountOf,
  dayOf,
  ENTRY,
  type EntryKind,
  firstOpenAfter,
  kindOf,
  moneyOf,
  POSTINGS,
} from '../../../core/accounts.ts'
import { addMonths, firstOfMonth, minDate } from '../../../core/dates.ts'
import { feeOn, monthlyFees } from '../../../core/management-fees.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { managementFeesOf } from '../../property/properties/service.ts'
import { bookOf, holderOf, insertEntry, type Posted, paymentsSince, postedFor } from './store.ts'

/** Whose account it is (an organization, a property or a lease), and of which kind. */
export type Account = readonly [of: string, kind: AccountKind]
type Invoice = Pick<InvoiceRow, 'row'>
/** Moves an amount of francs from the account that is credited to the one that is debited; one below 0 moves back. */
type Move = readonly [debit: Account, credit: Account, amount: number, invoice?: Invoice]
type Happened<Day> = {
  readonly kind: EntryKind
  /** The local day; one of a closed month becomes the first that is open. */
  readonly on: Day
  /** The id of the document behind it. */
  readonly source?: string
}

/** Writes an entry of the journal: the only way into it. Moves of nothing are left out. */
export function post(ctx: Ctx, happened: Happened<string>, moves: readonly Move[]): void {
  const id = ([ref, kind]: Account): number => accountOf(holderOf(ctx.tx, ctx.caller.orgId, ref), kind)
  const postings = moves.flatMap(([debit, credit, amount, invoice]): Posted[] => {
    if (amount === 0) return []
    const [to, from] = amount > 0 ? [debit, credit] : [credit, debit]
    return [{ debit: id(to), credit: id(from), amount: Math.abs(amount), invoice: invoice?.row ?? null }]
  })
  postBetween(ctx, { ...happened, on: dayOf(happened.on) }, postings)
}

/** The same between accounts by their ids. */
function postBetween(ctx: Ctx, { kind, on, source }: Happened<number>, postings: readonly Posted[]): void {
  if (postings.length === 0) return
  const { orgId } = ctx.caller
  const book = holderOf(ctx.tx, orgId, orgId)
  const { lastSeq = 0, closedOn = 0 } = bookOf(ctx.tx).get({ id: book }) ?? {}
  const day = on > closedOn ? on : firstOpenAfter(closedOn)
  for (let n = 0; n < postings.length; n += POSTINGS) {
    const seq = lastSeq + 1 + n / POSTINGS
    const head = { book, seq, day, kind, at: ctx.nowMs, source: source ?? null }
    insertEntry(ctx.tx, head, postings.slice(n, n + POSTINGS))
  }
}

/**
 * Turns all that was posted for a document, the newest first, each on its own day: so no account is below nothing on the
 * way. What was turned before is left alone.
 */
export function reverse(ctx: Ctx, source: string): void {
  const standing: (Posted & { readonly day: number })[] = []
  for (const one of postedFor(ctx.tx).all({ source })) {
    const last = standing.at(-1)
    if (last && isDeepStrictEqual(one, { ...last, debit: last.credit, credit: last.debit })) standing.pop()
    else standing.push(one)
  }
  let back: Posted[] = []
  for (const [n, { day, debit, credit, ...moved }] of standing.toReversed().entries()) {
    back.push({ ...moved, debit: credit, credit: debit })
    if (standing.at(-n - 2)?.day === day) continue
    postBetween(ctx, { kind: ENTRY.REVERSAL, on: day, source }, back)
    back = []
  }
}

const { RECEIVABLE, ADVANCE, DEPOSIT, WITHHELD, RENT, WAIVER, TVA, OPENING, FEE, MANAGEMENT } = ACCOUNT
type Billed = Pick<InvoiceRow, 'row' | 'bookingId' | 'lines' | 'netAmount' | 'tvaAmount'>
const openingIn = ({ lines }: Billed): number =>
  lines.reduce((sum, { kind, amount }) => (kind === 'OPENING_BALANCE' ? sum + amount : sum), 0)

/** What an invoice asks for, or asks for more than `before`. */
export function postIssued(ctx: Ctx, after: Billed, before?: Billed): void {
  const { bookingId: lease, netAmount, tvaAmount } = after
  const claim: Account = [lease, RECEIVABLE]
  const opening = openingIn(after)
  const rent = netAmount - opening - (before ? before.netAmount - openingIn(before) : 0)
  post(ctx, { kind: ENTRY.ISSUE, on: todayOf(ctx) }, [
    [claim, [lease, RENT], rent, after],
    [claim, [lease, OPENING], before ? 0 : opening, after],
    [claim, [lease, TVA], tvaAmount - (before?.tvaAmount ?? 0), after],
  ])
}

type Note = Pick<Billed, 'netAmount' | 'tvaAmount'> & { readonly id: string; readonly reason: string }
/** A credit note takes its sums off an invoice today, or no more where it is withdrawn. */
export function postNoted(
  ctx: Ctx,
  invoice: Billed,
  { id, reason, netAmount, tvaAmount }: Note,
  isWithdrawn = false,
): void {
  const { bookingId: lease } = invoice
  const claim: Account = [lease, RECEIVABLE]
  const sign = isWithdrawn ? -1 : 1
  post(ctx, { kind: isWithdrawn ? ENTRY.REVERSAL : ENTRY.CREDIT_NOTE, on: todayOf(ctx), source: id }, [
    [[lease, reason === 'WAIVED' ? WAIVER : openingIn(invoice) > 0 ? OPENING : RENT], claim, sign * netAmount, invoice],
    [[lease, TVA], claim, sign * tvaAmount, invoice],
  ])
}

/** Where money of a payment comes from. */
const sourceOf = ({ method, bookingId, orgId }: PaymentRow): Account =>
  method === 'DEPOSIT'
    ? [bookingId, DEPOSIT]
    : method === 'WITHHOLDING'
      ? [bookingId, WITHHELD]
      : [orgId, moneyOf(method)]
const KIND_OF: Readonly<Partial<Record<PaymentRow['method'], EntryKind>>> = {
  SET_OFF: ENTRY.APPLY,
  DEPOSIT: ENTRY.DEPOSIT,
}
/** The lease whose advance holds what a payment left over. */
const holding = ({ creditBookingId, bookingId }: PaymentRow): Account => [creditBookingId ?? bookingId, ADVANCE]

/** Money of a payment on an invoice, francs. */
export type Part = readonly [invoice: InvoiceRow, amount: number]
/**
 * Money that came, or was kept of a deposit, set off or withheld: its parts go on invoices, the rest to the advance of its
 * lease, with the management fee on it. What is dated before its invoice waits for it in the advance.
 */
export function postReceived(
  ctx: Ctx,
  payment: PaymentRow,
  parts: readonly Part[] = [],
  from = sourceOf(payment),
): void {
  const { id: source, paidOn: on, method, amount, bookingId } = payment
  const moves: Move[] = []
  const later: Part[] = []
  let rest = amount
  for (const [invoice, part] of parts) {
    rest -= part
    const waits = invoice.issuedOn > on
    if (waits) later.push([invoice, part])
    moves.push(
      waits ? [from, [invoice.bookingId, ADVANCE], part] : [from, [invoice.bookingId, RECEIVABLE], part, invoice],
    )
  }
  post(ctx, { kind: KIND_OF[method] ?? ENTRY.TRANSFER, on, source }, [...moves, [from, [bookingId, ADVANCE], rest]])
  for (const [invoice, part] of later) {
    const { bookingId: lease, issuedOn } = invoice
    post(ctx, { kind: ENTRY.APPLY, on: issuedOn, source }, [[[lease, ADVANCE], [lease, RECEIVABLE], part, invoice]])
  }
  postFeeOn(ctx, payment)
}

/** Credit that a payment left pays an invoice; an amount below 0 is credit again. */
export const postApplied = (ctx: Ctx, payment: PaymentRow, invoice: InvoiceRow, amount: number): void =>
  post(ctx, { kind: ENTRY.APPLY, on: todayOf(ctx), source: payment.id }, [
    [holding(payment), [invoice.bookingId, RECEIVABLE], amount, invoice],
  ])

/** Credit that a payment left goes from one lease to another. */
export const postCarried = (ctx: Ctx, { id: source }: PaymentRow, from: string, to: string, amount: number): void =>
  post(ctx, { kind: ENTRY.CARRY, on: todayOf(ctx), source }, [[[from, ADVANCE], [to, ADVANCE], amount]])

type Waiting = Pick<TransferRow, 'id' | 'orgId' | 'method' | 'paidOn'>
const unattributed = ({ id: source, orgId, method, paidOn: on }: Waiting, amount: number) =>
  [{ on, source }, [[orgId, moneyOf(method)], [orgId, ACCOUNT.SUSPENSE], amount]] as const
/** Money of a transfer came, and nobody is named for this much of it. */
export function postUnattributed(ctx: Ctx, transfer: Waiting, amount: number): void {
  const [happened, move] = unattributed(transfer, amount)
  post(ctx, { kind: ENTRY.TRANSFER, ...happened }, [move])
}
/** Somebody is named for so much of it: what it pays is entered as any money that came. */
export function postAttributed(ctx: Ctx, transfer: Waiting, amount: number): void {
  const [happened, move] = unattributed(transfer, -amount)
  post(ctx, { kind: ENTRY.ATTRIBUTE, ...happened }, [move])
}

/** Credit of a lease is given back to its tenant. */
export function postRefunded(ctx: Ctx, refund: PaymentRow): void {
  const { id: source, paidOn: on, amount, bookingId } = refund
  post(ctx, { kind: ENTRY.TRANSFER, on, source }, [[[bookingId, ADVANCE], sourceOf(refund), amount]])
  postFeeOn(ctx, refund)
}

type Document = { readonly on: string; readonly source: string }
/** Enters what a property's management is due of one document; below 0, what it is due no more. */
const postFee = (ctx: Ctx, propertyId: string, document: Document, amount: number): void =>
  post(ctx, { kind: ENTRY.FEE, ...document }, [[[propertyId, FEE], [propertyId, MANAGEMENT], amount]])
const withTva = ({ net, tva }: { readonly net: number; readonly tva: number }): number => net + tva
const feesIn = (postings: readonly Posted[]): number =>
  postings.reduce((sum, { debit, credit, amount }) => {
    if (kindOf(debit) === FEE) return sum + amount
    return kindOf(credit) === FEE ? sum - amount : sum
  }, 0)

/** The fee on a payment that was not entered before. */
function postFeeOn(ctx: Ctx, payment: PaymentRow): void {
  const { id: source, orgId, propertyId, paidOn: on } = payment
  postFee(ctx, propertyId, { on, source }, withTva(feeOn(managementFeesOf(ctx.tx, orgId, propertyId), payment)))
}

/** The management fees of a property from a day on are as agreed: on its payments, and by the month up to today. */
export function followFees(ctx: Ctx, propertyId: string, since: string): void {
  const { orgId } = ctx.caller
  const fees = managementFeesOf(ctx.tx, orgId, propertyId)
  const follow = (document: Document, due: number, posted: number): void =>
    postFee(ctx, propertyId, document, due - posted)
  for (const payment of paymentsSince(ctx.tx, orgId, propertyId, since)) {
    const { id: source, paidOn: on } = payment
    follow({ on, source }, withTva(feeOn(fees, payment)), feesIn(postedFor(ctx.tx).all({ source })))
  }
  const { closedOn = 0 } = bookOf(ctx.tx).get({ id: holderOf(ctx.tx, orgId, orgId) }) ?? {}
  const today = todayOf(ctx)
  const posted = postedFor(ctx.tx).all({ source: propertyId })
  // From the first one on: a service that was off has entered none meanwhile.
  for (let on = firstOfMonth(minDate(fees[0]?.from ?? since, since)); on <= today; on = addMonths(on, 1)) {
    const day = dayOf(on)
    if (day <= closedOn) continue
    const ofDay = feesIn(posted.filter((one) => one.day === day))
    follow({ on, source: propertyId }, withTva(monthlyFees(fees, on, on)), ofDay)
  }
}
