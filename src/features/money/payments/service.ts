import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { PaymentRow, TransferRow } from '../../../../db/schema/payments.ts'
import { record, visible } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { adjustment } from '../../../core/adjustments.ts'
import { addDays, daysBetween } from '../../../core/dates.ts'
import { next } from '../../../core/lifecycle.ts'
import { holds } from '../../../core/scope.ts'
import { AppError, invalid, notFound, refused, refusedAt } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { learnPayer, payerOf } from '../../lease/leases/payers.ts'
import { leaseOf } from '../../lease/leases/service.ts'
import { ownPaper } from '../../papers/media/service.ts'
import { checkCash, reasonOf, reasonOfLimited } from '../adjustments/service.ts'
import { type Door, idOf, traceOf } from '../allocations/rules.ts'
import {
  allocate,
  anyPayment,
  balanceOf,
  changePayment,
  checkPaidOn,
  earmark,
  enterPayment,
  moveBack,
  payable,
  putOn,
  receiptFor,
  refundFrom,
  setOff,
  setOffWithin,
  takeOff,
} from '../allocations/service.ts'
import {
  allocationsOf,
  allocationsTo,
  depositsOf,
  findPayment,
  idOfTransfer,
  paymentsWithRest,
  sharesOf,
  transferWith,
} from '../allocations/store.ts'
import { decideTransfer, enterTransfer, STATE_OF, tellAgain, transferSeen } from '../allocations/transfers.ts'
import { broughtUpToDate, payAhead } from '../billing/service.ts'
import { putBack } from '../deposits/service.ts'
import { requestQuittance, requestRefundReceipt, restate, voidReceipts } from '../invoices/receipts.ts'
import { changePaid, invoiceOf } from '../invoices/service.ts'
import { partyInvoice } from '../invoices/store.ts'
import { type Part, postReceived, postRefunded, reverse } from '../ledger/service.ts'
import { checkReceiver, takenBy } from './cash-receivers.ts'
import type { PaymentCreate, Refund } from './model.ts'
import {
  DAYS_APART,
  isOtherMoney,
  leavesNoTrace,
  MOST_OF_LEASE,
  MOST_WAITING,
  type PaymentAction,
  paymentMoves,
  referenceOf,
} from './rules.ts'
import { countedByOperator, exchangedSince, getPayment, paymentsCounted, waitingPayments } from './store.ts'
import { BY_ITSELF, IS_SHARE, MAYBE_COUNTED, otherSum, overpaid, TOO_MANY, TOO_MANY_WAIT } from './texts.ts'

type Lease = Parameters<typeof enterPayment>[1]

/** A payment within the caller's reach. @throws not_found */
export const paymentOf = visible(getPayment)

/**
 * The caller's own picture or PDF; papers of their identity are shown to reviewers alone, and prove no payment.
 * @throws not_found, validation_failed
 */
function proofOf(ctx: Ctx, id: string): string {
  const { ownerType } = ownPaper(ctx, id, '/proofMediaId')
  if (ownerType === 'VERIFICATION') throw notFound()
  return id
}

/** A payment, and the door that it came through if that was a message. */
type Told = PaymentCreate & { readonly door?: Door }
type Kind = Pick<PaymentRow, 'status' | 'type'> & Partial<Pick<PaymentRow, 'receivedBy' | 'note'>>

/** Whether a lease may have a payment more, of that day. @throws quota_exceeded, validation_failed */
export function checkShare(ctx: Ctx, bookingId: string, status: PaymentRow['status'], paidOn: string): void {
  const { all = 0, waiting = 0 } = paymentsCounted(ctx.tx).get({ orgId: ctx.caller.orgId, bookingId }) ?? {}
  if (status === 'PENDING' && waiting >= MOST_WAITING) throw new AppError('quota_exceeded', TOO_MANY_WAIT)
  if (all >= MOST_OF_LEASE) throw new AppError('quota_exceeded', TOO_MANY)
  checkPaidOn(ctx, bookingId, paidOn)
}

/** Writes down the transfer of money that was received or declared. @throws duplicate, validation_failed, not_found */
export function insertTransferred(
  ctx: Ctx,
  { amount, method, paidOn, ...body }: Told,
  { status, type, receivedBy, unattributedAmount = 0 }: Kind & { readonly unattributedAmount?: number },
): TransferRow {
  return enterTransfer(ctx, {
    ...{ amount, method, paidOn, unattributedAmount },
    payerName: body.payer ?? null,
    payerNumber: body.payerNumber ?? null,
    reference: body.reference ? referenceOf(method, body.reference) : null,
    proofMediaId: body.proofMediaId ? proofOf(ctx, body.proofMediaId) : null,
    door: body.door ?? (status === 'PENDING' && !receivedBy ? 'DECLARED' : 'RECORDED'),
    direction: type === 'REFUND' ? -1 : 1,
    state: STATE_OF[status],
  })
}

/** The share of a transfer that is for one lease. */
export const enterShare = (ctx: Ctx, lease: Lease, transfer: TransferRow, share: Kind & { readonly amount: number }) =>
  enterPayment(ctx, lease, {
    note: null,
    ...share,
    method: transfer.method,
    paidOn: transfer.paidOn,
    reference: transfer.reference,
    proofMediaId: transfer.proofMediaId,
    transfer: transfer.row,
    payer: transfer.payerName && payerOf(ctx, leaseOf(ctx, lease.id), toldOf(transfer)),
  })
const toldOf = ({ payerName: fullName, payerNumber: phoneNumber }: TransferRow) => ({ fullName, phoneNumber })

/**
 * Records money that was received (CONFIRMED) or declared (PENDING), all of it for one lease.
 * @throws duplicate, validation_failed, not_found, quota_exceeded
 */
function insertReceived(ctx: Ctx, lease: Lease, body: Told, kind: Kind): PaymentRow {
  checkShare(ctx, lease.id, kind.status, body.paidOn)
  const transfer = insertTransferred(ctx, body, kind)
  if (transfer.told[0]?.[0] === 'RECORDED') learnPayer(ctx, leaseOf(ctx, lease.id), toldOf(transfer), 'PAYMENT')
  return enterShare(ctx, lease, transfer, { ...kind, amount: body.amount })
}

/** Once a lease has ended, money that came is always written down: what is more than is owed is credit. */
const isEnded = (ctx: Ctx, bookingId: string): boolean => leaseOf(ctx, bookingId).status === 'TERMINATED'

/** Puts money on an invoice; of an ended lease the rest goes to what else is owed, and is credit then. */
function arrived(ctx: Ctx, payment: PaymentRow, invoice: InvoiceRow): PaymentRow {
  if (putOn(ctx, payment, invoice).unallocatedAmount > 0) setOff(ctx, payment.bookingId)
  enqueue(ctx, 'payment.confirmed', payment.id)
  return receiptFor(ctx, anyPayment(ctx, payment.id))
}

const isDeclared = ({ type, status, receivedBy }: PaymentRow): boolean =>
  type === 'PAYMENT' && status === 'PENDING' && receivedBy === null
const traceIn = ({ method, reference }: PaymentRow): string | null =>
  method === 'DEPOSIT' || method === 'SET_OFF' ? null : traceOf(method, reference).trace
type OfLease = { readonly bookingId: string; readonly amount: number }

/**
 * The declaration that money recorded by hand is: by its reference, else as the caller says; undefined where it is new.
 * `isRent`: a deposit is in no part.
 * @throws duplicate where another sum was declared, maybe_known where one that waits on these leases may be the same
 */
export function declarationOf(ctx: Ctx, body: Told, parts: readonly OfLease[], isRent = true): PaymentRow | undefined {
  // What came by a message was asked at its own door.
  if (body.door) return undefined
  const { orgId } = ctx.caller
  const { amount, same, distinct } = body
  if (same && distinct)
    throw invalid('/distinct', 'Say same or distinct, not both.', 'Dites same ou distinct, pas les deux.')
  const trace = traceOf(body.method, body.reference ?? null)
  const known = transferWith(ctx.tx, { orgId, direction: 1 }, trace)
  const isHere = ({ bookingId }: PaymentRow): boolean => isRent && parts.every((part) => part.bookingId === bookingId)
  const [byId] = known
    ? sharesOf(ctx.tx)
        .all({ transfer: known.row })
        .filter((one) => isDeclared(one) && isHere(one))
    : []
  const said = same ? paymentOf(ctx, same) : undefined
  if (said && !isHere(said)) throw invalid('/same', 'It is not for the same.', 'Ce n’est pas pour la même chose.')
  // Known otherwise: it is refused when it is written down.
  if (known && (!byId || (said && said.id !== byId.id))) return undefined
  const declared = byId ?? said
  if (!declared) {
    if (!distinct) checkWaiting(ctx, body, trace.trace, parts)
    return undefined
  }
  if (declared.amount !== amount)
    throw new AppError('duplicate', otherSum(declared.amount, amount), {
      errors: [{ path: '/amount', message: otherSum(declared.amount, amount) }],
      paymentId: declared.id,
    })
  if (!isDeclared(declared)) throw refused(declared.status, [])
  const own = traceIn(declared)
  if (own !== null && trace.trace !== null && own !== trace.trace)
    throw invalid('/same', 'It was declared with another id.', 'Il a été déclaré avec un autre identifiant.')
  return declared
}

/** @throws maybe_known if a declaration of this amount and of these days waits on one of the leases, and one of both has no id */
function checkWaiting(ctx: Ctx, body: Told, trace: string | null, parts: readonly OfLease[]): void {
  const kindOf = (paid: { readonly method: string }): string => (isOtherMoney(paid) ? paid.method : '')
  const likely = parts
    .flatMap(({ bookingId, amount }) =>
      waitingPayments(ctx.tx, ctx.caller.orgId, bookingId).filter(
        (one) => one.amount === amount || one.amount === body.amount,
      ),
    )
    .find(
      (one) =>
        isDeclared(one) &&
        kindOf(one) === kindOf(body) &&
        (trace === null || traceIn(one) === null) &&
        Math.abs(daysBetween(one.paidOn, body.paidOn)) <= DAYS_APART,
    )
  if (likely) throw new AppError('maybe_known', undefined, { paymentId: likely.id })
}

/** Somebody on the landlord's side records what was declared: it is confirmed, with what they say of it. @throws overpayment, forbidden */
export function confirmByHand(
  ctx: Ctx,
  declared: PaymentRow,
  { method, payer, payerNumber, ...body }: Told,
): PaymentRow {
  const reference = body.reference ? referenceOf(method, body.reference) : null
  const told = { fullName: payer ?? null, phoneNumber: payerNumber ?? null }
  tellAgain(ctx, declared, 'RECORDED', { method, reference, payerName: told.fullName, payerNumber: told.phoneNumber })
  learnPayer(ctx, leaseOf(ctx, declared.bookingId), told, 'PAYMENT')
  return decidePayment(ctx, declared.id, 'confirm', { distinct: true })
}

/** Landlords record what they received; a tenant declares what they paid, to be confirmed. @throws invalid_state, overpayment */
export function payInvoice(ctx: Ctx, invoiceId: string, body: Told): PaymentRow {
  const { orgId, scope, userId } = ctx.caller
  const invoice = partyInvoice(ctx.tx, orgId, scope, invoiceId)
  const asTenant = body.as === 'TENANT'
  if (!invoice || (asTenant && invoice.tenantUserId !== userId)) throw notFound()
  if (!payable(invoice)) throw refused(invoice.status, [])
  // An owner may rent from another one, who confirms.
  const declared = asTenant || !holds(scope, invoice)
  const before = declared
    ? undefined
    : declarationOf(ctx, body, [{ bookingId: invoice.bookingId, amount: body.amount }])
  if (before) return confirmByHand(ctx, before, body)
  if (!declared && body.amount > balanceOf(invoice) && !isEnded(ctx, invoice.bookingId))
    throw refusedAt('/amount', 'overpayment', overpaid(balanceOf(invoice)))
  const lease = { ...invoice, id: invoice.bookingId }
  const { receivedBy, waits } = takenBy(ctx, invoice, { ...body, declared })
  const row = insertReceived(ctx, lease, body, { type: 'PAYMENT', status: waits ? 'PENDING' : 'CONFIRMED', receivedBy })
  if (waits) {
    enqueue(ctx, 'payment.declared', row.id)
    return recordChange(ctx, declared ? 'payment.declare' : 'payment.record', undefined, earmark(ctx, row, invoiceId))
  }
  return recordChange(ctx, 'payment.record', undefined, arrived(ctx, row, invoice))
}

/** `distinct`: it is other money than what an operator told of. */
type Said = { readonly reason?: string | null; readonly distinct?: boolean | null }
/**
 * confirm, reject, withdraw (by the tenant) or reverse; doing it twice changes nothing. One word counts for all of the money
 * that came in one transfer, but whoever reverses it is to see all of it.
 */
export function decidePayment(ctx: Ctx, id: string, action: PaymentAction, said: Said = {}): PaymentRow {
  const before = paymentOf(ctx, id)
  const step = next(paymentMoves, before.status, action)
  if (step.kind === 'already') return before
  if (step.kind === 'refused') throw refused(before.status, step.allowed)
  if (before.method === 'SET_OFF')
    throw new AppError('invalid_state', BY_ITSELF, { currentStatus: before.status, allowed: [] })
  const { transfer } = before
  if (transfer === null) return decideShare(ctx, before, action, said)
  const shares = sharesOf(ctx.tx).all({ transfer })
  const { unattributedAmount: waits = 0 } = idOfTransfer(ctx.tx).get({ row: transfer }) ?? {}
  const isShared = waits > 0 || shares.length > 1 || depositsOf(ctx.tx, transfer).length > 0
  if (isShared && action === 'reverse')
    throw new AppError('invalid_state', IS_SHARE, {
      ...{ currentStatus: before.status, allowed: [] },
      transferId: transferSeen(ctx, transfer),
    })
  decideTransfer(ctx, transfer, step.to)
  // Each as it stands then: what one gives back may pay what another is on.
  for (const share of shares) decideShare(ctx, anyPayment(ctx, share.id), action, said)
  return paymentOf(ctx, id)
}

/** @throws maybe_known where money of an operator, of this amount and of these days, counts on the lease: it may be the same */
function checkCounted(ctx: Ctx, declared: PaymentRow): void {
  const { orgId, bookingId, amount, paidOn, receivedBy } = declared
  if (receivedBy !== null || isOtherMoney(declared) || idOf(declared) !== undefined) return
  const days = { from: addDays(paidOn, -DAYS_APART), to: addDays(paidOn, DAYS_APART) }
  const counted = countedByOperator(ctx.tx).get({ orgId, bookingId, amount, ...days })
  if (counted) throw new AppError('maybe_known', MAYBE_COUNTED, { paymentId: counted.id })
}

/** The same for one payment that the action is allowed of. @throws forbidden, validation_failed, overpayment, invalid_state, maybe_known */
export function decideShare(
  ctx: Ctx,
  before: PaymentRow,
  action: PaymentAction,
  { reason = null, distinct = false }: Said,
): PaymentRow {
  const { id } = before
  const { to: status } = paymentMoves[action]
  checkReceiver(ctx, before, action, reason)
  if (action === 'confirm' && !distinct) checkCounted(ctx, before)
  const reverses = action === 'reverse'
  // Money that waited for its word, and that who recorded it takes back: the landlord was told of it.
  const withdraws = action === 'reject' && before.receivedBy !== null && before.recordedBy === ctx.caller.userId
  const asking = reverses ? reasonOf : withdraws ? reasonOfLimited : undefined
  const note = asking ? asking(ctx, before.ownerUserId, reason) : reason
  const decided = { status, decidedBy: ctx.caller.userId, note }
  if (action === 'confirm') return confirm(ctx, before, decided)
  const leases = reverses ? takeBack(ctx, before) : []
  const current = reverses ? anyPayment(ctx, id) : before
  const after = changePayment(ctx, current, { ...decided, closedAt: ctx.now, unallocatedAmount: 0 })
  if (reverses) {
    const others = voidReceipts(ctx, after)
    // Debts and credit that this restored are set off again with other leases.
    for (const lease of leases) for (const invoice of setOff(ctx, lease)) requestQuittance(ctx, invoice)
    for (const other of others) receiptAgain(ctx, other)
  }
  if (action !== 'withdraw' && after.type === 'PAYMENT') enqueue(ctx, `payment.${action}`, id)
  const kind = reverses ? 'PAYMENT_REVERSED' : withdraws ? 'CASH_WITHDRAWN' : undefined
  const details = kind && adjustment(kind, { ...after, reason: note })
  return recordChange(ctx, `payment.${action}`, before, after, { others: leases, ...(details && { details }) })
}

function confirm(ctx: Ctx, before: PaymentRow, decided: Pick<PaymentRow, 'status' | 'decidedBy' | 'note'>): PaymentRow {
  const [invoiceId] = before.invoiceIds
  if (invoiceId === undefined) {
    credited(ctx, 'payment.confirm', before, before, { ...decided, confirmedAt: ctx.now })
    payAhead(ctx, broughtUpToDate(ctx, before.bookingId), before.id)
    return anyPayment(ctx, before.id)
  }
  let invoice = invoiceOf(ctx, invoiceId)
  // The lease's end may have replaced the invoice that the tenant paid.
  while (invoice.replacedById !== null) invoice = invoiceOf(ctx, invoice.replacedById)
  if (!isEnded(ctx, before.bookingId)) {
    if (invoice.status === 'CANCELLED') throw refused(invoice.status, [])
    // This also refuses an invoice that was paid meanwhile, as its balance is 0.
    if (before.amount > balanceOf(invoice)) throw new AppError('overpayment', overpaid(balanceOf(invoice)))
  }
  const confirmed = changePayment(ctx, before, { ...decided, confirmedAt: ctx.now })
  return recordChange(ctx, 'payment.confirm', before, arrived(ctx, confirmed, invoice))
}

/**
 * Undoes what a payment paid: invoices are owed again; a refund's money is credit again, a deduction's in the deposit.
 * @returns the leases whose credit or debts changed: a renewal takes over what is left, but not what was paid before
 */
function takeBack(ctx: Ctx, row: PaymentRow): ReadonlySet<string> {
  const leases = new Set([row.bookingId, row.creditBookingId ?? row.bookingId])
  if (row.type === 'REFUND') {
    const parts = allocationsTo(ctx.tx, row.orgId, row.id)
    reverse(ctx, row.id)
    for (const part of parts) {
      moveBack(ctx, part, part.amount, row.bookingId)
      const { bookingId, creditBookingId } = anyPayment(ctx, part.paymentId)
      leases.add(creditBookingId ?? bookingId)
    }
    return leases
  }
  const parts = allocationsOf(ctx.tx)
    .all({ paymentId: row.id })
    .filter(({ amount }) => amount > 0)
  for (const part of parts) {
    const refund = findPayment(ctx.tx, part.orgId, part.targetId)
    if (refund?.method === 'SET_OFF') {
      for (const lease of undoSetOff(ctx, refund)) leases.add(lease)
      continue
    }
    if (refund)
      throw new AppError(
        'invalid_state',
        {
          en: 'Part of this payment was refunded to the tenant. Reverse the refund first.',
          fr: 'Une partie de ce paiement a été rendue au locataire. Annulez d’abord le remboursement.',
        },
        { currentStatus: row.status, allowed: [] },
      )
    takeOff(ctx, part)
    leases.add(invoiceOf(ctx, part.targetId).bookingId)
  }
  reverse(ctx, row.id)
  if (row.method === 'DEPOSIT') putBack(ctx, row.id)
  return leases
}

/** What one lease gave to another comes back. @returns the leases whose credit or debts changed */
function undoSetOff(ctx: Ctx, half: PaymentRow): Set<string> {
  const leases = new Set<string>()
  // The half that was paid first: what it took is there again for the other to give back.
  const halves = half.type === 'REFUND' ? [half.counterpartId, half.id] : [half.id, half.counterpartId]
  for (const id of halves.map(String)) {
    for (const lease of takeBack(ctx, anyPayment(ctx, id))) leases.add(lease)
    const before = anyPayment(ctx, id)
    const closed = {
      status: 'REVERSED',
      closedAt: ctx.now,
      decidedBy: ctx.caller.userId,
      unallocatedAmount: 0,
    } as const
    const after = changePayment(ctx, before, closed)
    record(ctx, 'payment.reverse', { type: 'payment', before, after })
    for (const other of voidReceipts(ctx, after)) receiptAgain(ctx, other)
    if (after.type === 'PAYMENT') enqueue(ctx, 'payment.reverse', id)
  }
  return leases
}

/** Whatever was set off with a lease since the moment of an id comes back. @returns the leases whose credit or debts changed */
export function undoSetOffs(ctx: Ctx, bookingId: string, since: string): ReadonlySet<string> {
  const leases = new Set<string>()
  for (const { id } of exchangedSince(ctx.tx, ctx.caller.orgId, bookingId, since)) {
    const half = anyPayment(ctx, id)
    // Undoing one may undo another with it.
    if (half.status === 'CONFIRMED') for (const lease of undoSetOff(ctx, half)) leases.add(lease)
  }
  return leases
}

function receiptAgain(ctx: Ctx, paymentId: string): void {
  const payment = anyPayment(ctx, paymentId)
  if (payment.status === 'CONFIRMED') receiptFor(ctx, payment)
}

/**
 * Money received for a booking as a whole: it pays what is open, the rest is credit. Cash may wait for its receiver's word.
 * @returns the invoices that it paid on too
 */
export function creditReceived(ctx: Ctx, lease: Lease, body: Told) {
  const { receivedBy, waits } = takenBy(ctx, lease, { ...body, declared: false })
  const status = waits ? 'PENDING' : 'CONFIRMED'
  const row = insertReceived(ctx, lease, body, { type: 'PAYMENT', status, receivedBy })
  if (status === 'CONFIRMED') return credited(ctx, 'payment.record', undefined, row)
  enqueue(ctx, 'payment.declared', row.id)
  return { payment: recordChange(ctx, 'payment.record', undefined, row), touched: [] }
}

function credited(ctx: Ctx, action: string, before: PaymentRow | undefined, row: PaymentRow, as?: Partial<PaymentRow>) {
  const payment = changePayment(ctx, row, { ...as, unallocatedAmount: row.amount })
  postReceived(ctx, payment)
  record(ctx, action, { type: 'payment', ...(before ? { before } : {}), after: payment })
  const touched = setOffWithin(ctx, row.bookingId)
  restate(ctx, row.bookingId)
  return { payment, touched }
}

/** A share of a transfer, with the invoices that its parts name; what they leave is an advance. */
export type Share = {
  readonly payment: PaymentRow
  readonly parts: readonly { readonly invoiceId: string; readonly amount: number }[]
}

/** Puts the shares of a transfer where their parts say, as far as it is still owed there. Waiting ones only say what they are for. */
export function putShares(ctx: Ctx, shares: readonly Share[]): void {
  const put = shares.map(({ payment, parts }) => {
    if (payment.status === 'PENDING') return parts[0] ? earmark(ctx, payment, parts[0].invoiceId) : payment
    let rest = payment
    let left = payment.amount
    const put: Part[] = []
    for (const part of parts) {
      const invoice = invoiceOf(ctx, part.invoiceId)
      const amount = payable(invoice) ? Math.min(part.amount, balanceOf(invoice)) : 0
      if (amount === 0) continue
      // In memory only, so that it never shows as credit.
      rest = allocate(ctx, { ...rest, unallocatedAmount: amount }, invoice.id, amount)
      changePaid(ctx, invoice, { paid: amount })
      put.push([invoice, amount])
      left -= amount
    }
    postReceived(ctx, payment, put)
    return left === 0 ? rest : changePayment(ctx, rest, { unallocatedAmount: left })
  })
  for (const payment of put) {
    recordChange(ctx, 'payment.record', undefined, payment)
    if (payment.status === 'PENDING') enqueue(ctx, 'payment.declared', payment.id)
    else if (payment.unallocatedAmount > 0) {
      setOffWithin(ctx, payment.bookingId)
      restate(ctx, payment.bookingId)
      payAhead(ctx, leaseOf(ctx, payment.bookingId), payment.id)
    } else {
      receiptFor(ctx, anyPayment(ctx, payment.id))
      enqueue(ctx, 'payment.confirmed', payment.id)
    }
  }
}

/** Gives credit of a booking back to the tenant. @throws refund_exceeds_credit, validation_failed */
export function refundCredit(ctx: Ctx, lease: Lease, { reason, ...body }: Refund): PaymentRow {
  if (body.method === 'WITHHOLDING')
    throw invalid(
      '/method',
      'Withheld tax went to the State and cannot be refunded. Choose the way in which you gave the money back.',
      'L’impôt retenu est allé à l’État\u00a0: dites comment vous avez rendu l’argent.',
    )
  if (body.receivedBy)
    throw invalid(
      '/receivedBy',
      'A refund has no receiver on the landlord’s side. Leave receivedBy out.',
      'L’argent que vous rendez n’a pas de receveur de votre côté.',
    )
  if (body.payer || body.payerNumber)
    throw invalid('/payer', 'A refund has no payer.', 'Un remboursement n’a pas de payeur.')
  const sources = paymentsWithRest(ctx.tx, ctx.caller.orgId, lease.id)
  if (body.amount > sources.reduce((sum, s) => sum + s.unallocatedAmount, 0))
    throw refusedAt('/amount', 'refund_exceeds_credit')
  if (leavesNoTrace(body)) checkCash(ctx, lease)
  const note = reasonOf(ctx, lease.ownerUserId, reason)
  const refund = insertReceived(ctx, lease, body, { type: 'REFUND', status: 'CONFIRMED', note })
  let left = body.amount
  for (const source of sources) {
    const amount = Math.min(left, source.unallocatedAmount)
    if (amount === 0) continue
    if (body.paidOn < source.paidOn)
      throw invalid(
        '/paidOn',
        `The money that is given back came on ${source.paidOn}. The refund cannot be dated before.`,
        `Ce qui est rendu est venu le ${source.paidOn} : la date ne peut pas être antérieure.`,
      )
    refundFrom(ctx, source, refund, amount)
    left -= amount
  }
  postRefunded(ctx, refund)
  const documentId = requestRefundReceipt(ctx, refund)
  const details = adjustment('CREDIT_REFUNDED', { ...refund, reason: note })
  return recordChange(ctx, 'payment.refund', undefined, changePayment(ctx, refund, { documentId }), { details })
}

function recordChange(
  ctx: Ctx,
  action: string,
  before: PaymentRow | undefined,
  after: PaymentRow,
  {
    others = [],
    details,
  }: { readonly others?: Iterable<string>; readonly details?: ReturnType<typeof adjustment> } = {},
): PaymentRow {
  record(ctx, action, { type: 'payment', ...(before ? { before } : {}), after, ...(details && { details }) })
  // Only confirmed payments change a balance.
  if (after.status !== 'CONFIRMED' && before?.status !== 'CONFIRMED') return after
  for (const bookingId of new Set([after.bookingId, after.creditBookingId ?? after.bookingId, ...others]))
    restate(ctx, bookingId)
  return after
}
