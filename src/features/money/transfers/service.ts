import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { TransferRow } from '../../../../db/schema/payments.ts'
import { record, visible } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { AppError, refused, type Text } from '../../../errors.ts'
import { learnPayer } from '../../lease/leases/payers.ts'
import { bookingOf, leaseOf } from '../../lease/leases/service.ts'
import { checkCash, reasonOf } from '../adjustments/service.ts'
import { anyPayment, balanceOf, payable } from '../allocations/service.ts'
import { depositsOf, getTransfer, sharesOf } from '../allocations/store.ts'
import { decideTransfer, leaveUnattributed, transferSeen } from '../allocations/transfers.ts'
import { broughtUpToDate } from '../billing/service.ts'
import { receiveDeposit, returnDeposit } from '../deposits/service.ts'
import { getInvoice } from '../invoices/store.ts'
import { postAttributed, postUnattributed, reverse } from '../ledger/service.ts'
import { takenBy } from '../payments/cash-receivers.ts'
import { closeMessage, waitingMessage } from '../payments/mobile-money.ts'
import { isUntraced, referenceOf } from '../payments/rules.ts'
import {
  checkShare,
  confirmByHand,
  decideShare,
  declarationOf,
  enterShare,
  insertTransferred,
  putShares,
  type Share,
} from '../payments/service.ts'
import { overpaid } from '../payments/texts.ts'
import type { TransferAttribution, TransferCreate } from './model.ts'
import { type Part, targetOf } from './rules.ts'
import { NO_DEPOSIT, NO_REST, unequal } from './texts.ts'

/** A transfer all of whose shares the caller sees. @throws not_found */
const transferOf = visible(getTransfer)

type Leases = ReadonlyMap<string, BookingRow>
const wrong = (path: string, message: Text): AppError =>
  new AppError('validation_failed', undefined, { errors: [{ path, message }] })

/** @throws validation_failed, not_found, invalid_state, overpayment for a part that cannot be what it says */
function checkPart(ctx: Ctx, leases: Leases, part: Part, path: string): void {
  const lease = leases.get(part.bookingId)
  if ((part.kind === 'INVOICE') !== Boolean(part.invoiceId))
    throw wrong(`${path}/invoiceId`, {
      en: 'A part of kind INVOICE names its invoice, and no other does.',
      fr: 'Une part INVOICE nomme sa facture, les autres n’en nomment pas.',
    })
  if (part.kind === 'ADVANCE' && lease?.status !== 'ACTIVE' && lease?.status !== 'TERMINATED')
    throw refused(String(lease?.status), [])
  if (!part.invoiceId) return
  const invoice = getInvoice(ctx.tx, ctx.caller.orgId, ctx.caller.scope, part.invoiceId)
  if (invoice?.bookingId !== part.bookingId)
    throw wrong(`${path}/invoiceId`, { en: 'Not an invoice of this lease.', fr: 'Pas une facture de ce bail.' })
  if (!payable(invoice)) throw refused(invoice.status, [])
  // Once a lease has ended, what is more than is owed is credit.
  if (part.amount > balanceOf(invoice) && lease?.status !== 'TERMINATED') {
    const text = overpaid(balanceOf(invoice))
    throw new AppError('overpayment', text, { errors: [{ path: `${path}/amount`, message: text }] })
  }
}

/** The parts, each with its lease. @throws validation_failed for one that names none, and for an invoice out of reach */
const placed = (ctx: Ctx, parts: TransferCreate['parts']): Part[] =>
  parts.map((part, n) => {
    const of = part.invoiceId ? getInvoice(ctx.tx, ctx.caller.orgId, ctx.caller.scope, part.invoiceId) : undefined
    const bookingId = part.bookingId ?? of?.bookingId
    if (bookingId) return { ...part, bookingId }
    throw part.invoiceId
      ? wrong(`/parts/${n}/invoiceId`, { en: 'There is no such invoice.', fr: 'Cette facture n’existe pas.' })
      : wrong(`/parts/${n}/bookingId`, { en: 'Name the lease.', fr: 'Indiquez le bail.' })
  })

/** The leases that the parts name, billed up to today where money is an advance. @throws not_found, validation_failed */
function leasesOf(ctx: Ctx, parts: readonly Part[]): Leases {
  const leases = new Map<string, BookingRow>()
  for (const { bookingId } of parts) if (!leases.has(bookingId)) leases.set(bookingId, bookingOf(ctx, bookingId))
  for (const id of new Set(parts.flatMap(({ kind, bookingId }) => (kind === 'ADVANCE' ? [bookingId] : []))))
    leases.set(id, broughtUpToDate(ctx, id))
  return leases
}

/**
 * Records money that came once and is for several things: a payment for each lease, an entry for each deposit. Cash that
 * waits for its receiver's word has a payment for each part, so that each is known when it counts.
 * @throws not_found, validation_failed, invalid_state, overpayment, duplicate, quota_exceeded
 */
export function recordTransfer(ctx: Ctx, { parts: asked, unattributedAmount, ...body }: TransferCreate): TransferRow {
  const parts = placed(ctx, asked)
  const rest = unattributedAmount ?? 0
  const missing = body.amount - rest - sumOf(parts)
  if (missing !== 0) throw wrong('/parts', unequal(missing))
  checkOnce(parts)
  if (rest > 0) checkWaiting(ctx, body.method)
  const leases = leasesOf(ctx, parts)
  const sums = [...leases.keys()].map((bookingId) => ({
    bookingId,
    amount: parts.reduce((sum, part) => (part.bookingId === bookingId ? sum + part.amount : sum), 0),
  }))
  const isRent = rest === 0 && !parts.some(({ kind }) => kind === 'DEPOSIT')
  const declared = declarationOf(ctx, body, sums, isRent)
  if (declared) {
    const { transfer } = confirmByHand(ctx, declared, body)
    return transferOf(ctx, transferSeen(ctx, transfer ?? 0) ?? '')
  }
  const taken = [...leases.values()].map((lease) => takenBy(ctx, lease, { ...body, declared: false }))
  const waits = taken.some((one) => one.waits)
  if (rest > 0 && waits) throw wrong('/unattributedAmount', NO_REST.WAITS)
  const receivedBy = taken.find((one) => one.receivedBy !== null)?.receivedBy ?? null
  const deposit = parts.findIndex(({ kind }) => kind === 'DEPOSIT')
  if (deposit >= 0 && (waits || body.method === 'WITHHOLDING'))
    throw wrong(`/parts/${deposit}/kind`, waits ? NO_DEPOSIT.WAITS : NO_DEPOSIT.WITHHELD)
  const kind = { type: 'PAYMENT', status: waits ? 'PENDING' : 'CONFIRMED', receivedBy } as const
  const shared = parts.filter((part) => part.kind !== 'DEPOSIT')
  const groups = waits ? shared.map((part) => [part]) : [...Map.groupBy(shared, (part) => part.bookingId).values()]
  for (const [{ bookingId } = { bookingId: '' }] of groups) checkShare(ctx, bookingId, kind.status, body.paidOn)
  const reference = body.reference ? referenceOf(body.method, body.reference) : null
  const message = waitingMessage(ctx, { ...body, reference })
  const payer = body.payer ?? message?.payerName ?? null
  const payerNumber = body.payerNumber ?? message?.payerNumber ?? null
  const transfer = insertTransferred(ctx, { ...body, payer, payerNumber }, { ...kind, unattributedAmount: rest })
  for (const [n, part] of parts.entries()) checkPart(ctx, leases, part, `/parts/${n}`)
  record(ctx, 'transfer.record', { type: 'transfer', after: transfer, details: { parts: parts.length } })
  if (rest > 0) postUnattributed(ctx, transfer, rest)
  const shares = putParts(ctx, transfer, { parts, groups, kind })
  if (message) closeMessage(ctx, message, shares[0]?.payment.id)
  const told = { fullName: payer, phoneNumber: payerNumber }
  for (const lease of leases.values()) learnPayer(ctx, lease, told, message ? 'MESSAGE' : 'PAYMENT')
  return transferOf(ctx, transfer.id)
}

const sumOf = (parts: readonly { readonly amount: number }[]): number =>
  parts.reduce((sum, part) => sum + part.amount, 0)

/** @throws validation_failed for a target that stands twice */
function checkOnce(parts: readonly Part[]): void {
  const targets = parts.map(targetOf)
  const twice = targets.findIndex((target, n) => targets.indexOf(target) < n)
  if (twice >= 0) throw wrong(`/parts/${twice}`, { en: 'Is there twice.', fr: 'Y figure deux fois.' })
}

/** Money of nobody is the organization's to attribute, and no tax. @throws forbidden, validation_failed */
function checkWaiting({ caller }: Ctx, method: TransferRow['method']): void {
  if (caller.scope.kind !== 'all') throw new AppError('forbidden')
  if (method === 'WITHHOLDING') throw wrong('/unattributedAmount', NO_REST.WITHHELD)
}

type Put = {
  readonly parts: readonly Part[]
  /** Those that are one payment together. */
  readonly groups: readonly (readonly Part[])[]
  readonly kind: Omit<Parameters<typeof enterShare>[3], 'amount'>
}
/** Puts parts of a transfer where they say. @returns the payments */
function putParts(ctx: Ctx, transfer: TransferRow, { parts, groups, kind }: Put): readonly Share[] {
  for (const part of parts)
    if (part.kind === 'DEPOSIT') receiveDeposit(ctx, leaseOf(ctx, part.bookingId), transfer, part.amount)
  const shares = groups.map((group) => {
    const lease = leaseOf(ctx, group[0]?.bookingId ?? '')
    const named = group.flatMap(({ invoiceId, amount }) => (invoiceId ? [{ invoiceId, amount }] : []))
    return { payment: enterShare(ctx, lease, transfer, { ...kind, amount: sumOf(group) }), parts: named }
  })
  putShares(ctx, shares)
  return shares
}

/**
 * Says whom a part of a transfer is for that nobody was named for.
 * @throws not_found, validation_failed, invalid_state, overpayment, quota_exceeded
 */
export function attributeTransfer(ctx: Ctx, id: string, { parts: asked }: TransferAttribution): TransferRow {
  const before = transferOf(ctx, id)
  if (before.state !== 'POSTED' || before.unattributedAmount === 0) throw refused(before.state, [])
  const parts = placed(ctx, asked)
  checkOnce(parts)
  const left = before.unattributedAmount - sumOf(parts)
  if (left < 0) throw wrong('/parts', unequal(left))
  const leases = leasesOf(ctx, parts)
  const shared = parts.filter((part) => part.kind !== 'DEPOSIT')
  const groups = [...Map.groupBy(shared, (part) => part.bookingId).values()]
  const kind = { type: 'PAYMENT', status: 'CONFIRMED', receivedBy: null } as const
  for (const [{ bookingId } = { bookingId: '' }] of groups) checkShare(ctx, bookingId, kind.status, before.paidOn)
  for (const [n, part] of parts.entries()) checkPart(ctx, leases, part, `/parts/${n}`)
  leaveUnattributed(ctx, before.row, left)
  postAttributed(ctx, before, sumOf(parts))
  putParts(ctx, before, { parts, groups, kind })
  const after = transferOf(ctx, id)
  record(ctx, 'transfer.attribute', { type: 'transfer', before, after, details: { parts: parts.length } })
  const told = { fullName: before.payerName, phoneNumber: before.payerNumber }
  for (const lease of leases.values()) learnPayer(ctx, lease, told, 'PAYMENT')
  return after
}

/** Reverses all shares of a transfer, or none; doing it twice changes nothing. @throws invalid_state, deposit_exceeded, validation_failed */
export function reverseTransfer(ctx: Ctx, id: string, reason: string | null): TransferRow {
  const before = transferOf(ctx, id)
  if (before.state === 'REVERSED') return before
  if (before.state !== 'POSTED') throw refused(before.state, [])
  for (const entry of depositsOf(ctx.tx, before.row)) {
    if (isUntraced(before.method)) checkCash(ctx, entry)
    returnDeposit(ctx, entry, before, reason)
  }
  // Each as it stands then: what one gives back may pay what another is on.
  for (const share of sharesOf(ctx.tx).all({ transfer: before.row }))
    decideShare(ctx, anyPayment(ctx, share.id), 'reverse', { reason })
  // Nobody owns what waits: whoever takes it back says why.
  if (before.unattributedAmount > 0) reasonOf(ctx, '', reason)
  reverse(ctx, before.id)
  decideTransfer(ctx, before.row, 'REVERSED')
  const after = transferOf(ctx, id)
  record(ctx, 'transfer.reverse', { type: 'transfer', before, after })
  return after
}
