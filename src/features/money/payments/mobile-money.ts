import type { Db } from '../../../../db/open.ts'
import type { PaymentRow } from '../../../../db/schema/payments.ts'
import { change, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { CURRENCY, formatMoney } from '../../../core/money.ts'
import { AppError, invalid, notFound, refused, refusedAt, type Text } from '../../../errors.ts'
import { leasesOfCoTenant } from '../../lease/contracts/store.ts'
import { bookingOf } from '../../lease/leases/service.ts'
import { getBooking, leasesOf } from '../../lease/leases/store.ts'
import { checkRoom } from '../../people/organizations/quotas.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { seesTenant, tenantsNamed, tenantsWithPhone } from '../../people/tenants/store.ts'
import { findUserByPhone } from '../../people/users/store.ts'
import { findPayment } from '../allocations/store.ts'
import { depositMoves } from '../deposits/store.ts'
import { standingInvoices } from '../invoices/store.ts'
import { payAdvance } from './advances.ts'
import { type Credit, readCredit, sameEvent, sameName, type Unreadable } from './messages.ts'
import type { Candidate, MessageAssign, MessageTake, ParsedMessage } from './model.ts'
import { OPERATORS } from './rules.ts'
import { payInvoice } from './service.ts'
import {
  findByTransaction,
  findMessage,
  getPayment,
  insertMessage,
  type MoneyMessageRow,
  messagesOf,
  paymentWith,
  saveMessage,
} from './store.ts'

const UNREADABLE: Readonly<Record<Unreadable, Text>> = {
  not_credit: {
    en: 'This is not a message of MTN MoMo or Orange Money about money received.',
    fr: 'Ce n’est pas un message MTN MoMo ou Orange Money annonçant une somme reçue.',
  },
  no_amount: {
    en: 'The amount cannot be read. Record the payment by hand.',
    fr: 'Le montant est illisible : enregistrez le paiement à la main.',
  },
  no_transaction: {
    en: 'The message has no transaction id. Copy the whole message.',
    fr: 'Le message n’a pas d’identifiant de transaction : copiez-le en entier.',
  },
  inconsistent: {
    en: 'The message contradicts itself, or several messages stand on one line. Look the transaction up in your account before you record it by hand.',
    fr: 'Le message se contredit, ou plusieurs messages tiennent sur une ligne. Vérifiez la transaction dans votre compte avant de l’enregistrer à la main.',
  },
}

function read(ctx: Ctx, text: string): Credit {
  const credit = readCredit(text)
  const why = typeof credit === 'string' ? credit : isOutgoing(ctx, credit) ? 'not_credit' : undefined
  if (why === undefined && typeof credit !== 'string') return credit
  const said = UNREADABLE[why ?? 'not_credit']
  throw new AppError('message_unreadable', said, { errors: [{ path: '/text', message: said }] })
}

/**
 * Whether the message reports outgoing money: sent by the organization, or to a tenant. The sender's copy looks like
 * the receiver's.
 */
function isOutgoing({ tx, caller: { orgId, scope } }: Ctx, { payerNumber, payeeNumber }: Credit): boolean {
  const lets = (number: string | undefined): boolean =>
    number !== undefined && (findUserByPhone(tx, orgId, number)?.roles.some((role) => role !== 'TENANT') ?? false)
  if (lets(payerNumber)) return true
  if (payeeNumber === undefined || lets(payeeNumber)) return false
  return (
    tenantsWithPhone(tx, orgId, payeeNumber).some((row) => seesTenant(tx, scope, row)) ||
    leasesOfCoTenant(tx, orgId, payeeNumber).some((id) => getBooking(tx, orgId, scope, id))
  )
}

/** The leases that a credit may be for, within the caller's reach; by the payer's number first, then by name. */
function candidatesFor({ tx, caller: { orgId, scope } }: Ctx, credit: Credit): Candidate[] {
  const { payerNumber, payerName = '' } = credit
  const matches = new Map<string, 'PHONE' | 'NAME'>()
  const match = (by: 'PHONE' | 'NAME', bookingId: string): void => {
    if (!matches.has(bookingId)) matches.set(bookingId, by)
  }
  const ofTenant = (by: 'PHONE' | 'NAME', tenantId: string): void => {
    for (const { id } of leasesOf(tx, orgId, tenantId, 20)) match(by, id)
  }
  if (payerNumber) {
    for (const { id } of tenantsWithPhone(tx, orgId, payerNumber)) ofTenant('PHONE', id)
    for (const id of leasesOfCoTenant(tx, orgId, payerNumber)) match('PHONE', id)
  }
  const [longest = ''] = payerName.split(' ').sort((a, b) => b.length - a.length)
  if (longest.length > 2)
    for (const { id, fullName } of tenantsNamed(tx, orgId, longest, 50))
      if (sameName(payerName, fullName)) ofTenant('NAME', id)
  return [...matches].flatMap(([bookingId, by]): Candidate[] => {
    const lease = getBooking(tx, orgId, scope, bookingId)
    if (!lease) return []
    const open = openInvoices(tx, orgId, bookingId)
    if (lease.status !== 'ACTIVE' && open.length === 0) return []
    const exact = open.find(({ balance }) => balance === credit.amount)
    return [
      {
        bookingId,
        tenantId: lease.tenantId,
        tenantName: lease.tenantName,
        unitLabel: lease.unitLabel,
        propertyName: lease.propertyName,
        by,
        openAmount: open.reduce((sum, { balance }) => sum + balance, 0),
        ...(exact ? { invoiceId: exact.id } : {}),
      },
    ]
  })
}

const openInvoices = (tx: Db, orgId: string, bookingId: string) =>
  standingInvoices(tx, orgId, bookingId).flatMap(({ id, grossAmount, amountPaid }) =>
    grossAmount > amountPaid ? [{ id, balance: grossAmount - amountPaid }] : [],
  )

const creditView = ({ operator, transactionId, amount, payerNumber, payerName, paidOn }: Credit) => ({
  operator,
  transactionId,
  amount,
  currency: CURRENCY,
  ...(payerNumber === undefined ? {} : { payerNumber }),
  ...(payerName === undefined ? {} : { payerName }),
  ...(paidOn === undefined ? {} : { paidOn }),
})

/** Reads a message and finds the leases that it may belong to, without recording anything. @throws message_unreadable */
export function parseMessage(ctx: Ctx, text: string): ParsedMessage {
  const credit = read(ctx, text)
  const { orgId, scope } = ctx.caller
  const recorded = byHand(ctx, credit)
  const paymentId = recorded && getPayment(ctx.tx, orgId, scope, recorded)?.id
  return { ...creditView(credit), ...(paymentId ? { paymentId } : {}), candidates: candidatesFor(ctx, credit) }
}

/** The payment with this transaction id, even if it was recorded under the other operator by mistake. */
const byHand = ({ tx, caller: { orgId } }: Ctx, { transactionId }: Credit): string | undefined =>
  OPERATORS.map((operator) => paymentWith(tx, orgId, operator, transactionId)).find((id) => id !== undefined)

/** Owners see what they entered themselves. */
const seen = (ctx: Ctx, row: MoneyMessageRow): boolean =>
  ctx.caller.scope.kind === 'all' || row.recordedBy === ctx.caller.userId

/** Where the money goes: an invoice, or a lease as a whole. */
type Target = { readonly invoiceId: string } | { readonly bookingId: string }
function targetOf({ invoiceId, bookingId }: MessageAssign): Target | undefined {
  if (invoiceId && bookingId)
    throw invalid(
      '/bookingId',
      'Name invoiceId or bookingId, not both.',
      'Indiquez invoiceId ou bookingId, pas les deux.',
    )
  return invoiceId ? { invoiceId } : bookingId ? { bookingId } : undefined
}

/**
 * If the payer's number belongs to one lease only: its invoice of exactly this amount, else the lease itself. Not while
 * its deposit is not received and more came than is open: a part may be the deposit.
 */
function sureTarget(ctx: Ctx, candidates: readonly Candidate[], amount: number): Target | undefined {
  const byPhone = candidates.filter(({ by }) => by === 'PHONE')
  const exact = byPhone.filter(({ invoiceId }) => invoiceId !== undefined)
  const [one, ...others] = exact.length > 0 ? exact : byPhone
  if (!one || others.length > 0) return undefined
  if (amount > one.openAmount && isDepositMissing(ctx, one.bookingId)) return undefined
  return one.invoiceId === undefined ? { bookingId: one.bookingId } : { invoiceId: one.invoiceId }
}

function isDepositMissing(ctx: Ctx, bookingId: string): boolean {
  const { depositAmount, status } = bookingOf(ctx, bookingId)
  if (!depositAmount || status !== 'ACTIVE') return false
  const received = depositMoves(ctx.tx, ctx.caller.orgId, bookingId).reduce(
    (sum, { type, amount }) => (type === 'RECEIVED' ? sum + amount : type === 'RETURNED' ? sum - amount : sum),
    0,
  )
  return received < depositAmount
}

function pay(ctx: Ctx, row: MoneyMessageRow, target: Target): PaymentRow {
  const body = { amount: row.amount, method: row.operator, paidOn: row.paidOn, reference: row.transactionId }
  if ('invoiceId' in target) return payInvoice(ctx, target.invoiceId, body)
  const lease = bookingOf(ctx, target.bookingId)
  if (lease.status === 'ACTIVE') return payAdvance(ctx, lease.id, body).payment
  // An ended lease accepts no advance: use its oldest debt that is large enough.
  const debt = standingInvoices(ctx.tx, lease.orgId, lease.id).find((i) => i.grossAmount - i.amountPaid >= row.amount)
  if (!debt) throw refused(lease.status, [])
  return payInvoice(ctx, debt.id, body)
}

/**
 * Records the payment that a credit message tells of: on the invoice or lease named, else where the payer's number
 * leads without doubt; else the message waits. A transaction is taken once.
 * @throws message_unreadable, duplicate, overpayment, invalid_state, not_found
 */
export function takeMessage(ctx: Ctx, body: MessageTake): MoneyMessageRow {
  const credit = read(ctx, body.text)
  const named = targetOf(body)
  const { orgId, userId } = ctx.caller
  const today = todayOf(ctx)
  const paidOn = credit.paidOn ?? body.paidOn ?? today
  if (paidOn > today)
    throw invalid(credit.paidOn ? '/text' : '/paidOn', 'Its date is in the future.', 'Sa date est dans le futur.')
  if (body.paidOn && body.paidOn !== paidOn)
    throw invalid('/paidOn', `The message says ${paidOn}.`, `Le message dit ${paidOn}.`)
  const known = findByTransaction(ctx.tx).get({ orgId, operator: credit.operator, transactionId: credit.transactionId })
  if (known) {
    if (named && seen(ctx, known) && isFree(ctx, known)) return assign(ctx, known, named)
    throw known.amount === credit.amount || !seen(ctx, known) ? taken() : differs(known.amount)
  }
  if (byHand(ctx, credit)) throw taken()
  const { payerNumber, amount } = credit
  if (payerNumber && messagesOf(ctx.tx, orgId, payerNumber).some((m) => sameEvent(m, { ...credit, paidOn })))
    throw refusedAt('/text', 'duplicate', {
      en: 'A message of the same payer and time is already recorded with another transaction id, so one of the two was changed. Check your account; if it shows both payments, record this one by hand.',
      fr: 'Un message du même payeur et de la même heure est enregistré sous un autre identifiant : l’un des deux a été modifié. Vérifiez votre compte ; si les deux y figurent, saisissez celui-ci à la main.',
    })
  checkRoom(ctx, 'money_message')
  const row: MoneyMessageRow = {
    id: ctx.newId(),
    orgId,
    operator: credit.operator,
    transactionId: credit.transactionId,
    amount,
    currency: CURRENCY,
    payerNumber: payerNumber ?? null,
    payerName: credit.payerName ?? null,
    paidOn,
    time: credit.time ?? null,
    status: 'UNMATCHED',
    paymentId: null,
    recordedBy: userId,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
    balance: credit.balance ?? null,
  }
  insertMessage(ctx.tx, row)
  record(ctx, 'money_message.take', { type: 'money_message', after: row })
  const target = named ?? sureTarget(ctx, candidatesFor(ctx, credit), amount)
  return target ? assign(ctx, row, target) : row
}

const taken = (): AppError =>
  refusedAt('/text', 'duplicate', {
    en: 'This transaction is already recorded.',
    fr: 'Cette transaction est déjà enregistrée.',
  })

const differs = (amount: number): AppError =>
  refusedAt('/text', 'duplicate', {
    en: `This transaction is already recorded with another amount: ${formatMoney(amount, 'en')}. One of the two messages was changed. Check your account.`,
    fr: `Cette transaction est déjà enregistrée, avec un autre montant : ${formatMoney(amount, 'fr')}. L’un des deux messages a été modifié : vérifiez votre compte.`,
  })

/** Whether no valid payment was made from the message. */
function isFree(ctx: Ctx, row: MoneyMessageRow): boolean {
  const payment = row.paymentId === null ? undefined : findPayment(ctx.tx, row.orgId, row.paymentId)
  return payment === undefined || payment.status === 'REVERSED'
}

/** @throws not_found */
export function messageOf(ctx: Ctx, id: string): MoneyMessageRow {
  const row = findMessage(ctx.tx, ctx.caller.orgId, id)
  if (!row || !seen(ctx, row)) throw notFound()
  return row
}

/** Puts a waiting message on an invoice or lease. @throws duplicate, overpayment, invalid_state, not_found */
export function assignMessage(ctx: Ctx, id: string, body: MessageAssign): MoneyMessageRow {
  const row = messageOf(ctx, id)
  const target = targetOf(body)
  if (!target) throw invalid('/bookingId', 'Name invoiceId or bookingId.', 'Indiquez invoiceId ou bookingId.')
  if (!isFree(ctx, row)) throw taken()
  return assign(ctx, row, target)
}

/** Dismisses a message that is no rent; its transaction id stays used. @throws invalid_state if it is a payment already */
export function dismissMessage(ctx: Ctx, id: string): MoneyMessageRow {
  const row = messageOf(ctx, id)
  if (row.status === 'DISMISSED') return row
  if (row.status === 'MATCHED') throw refused(row.status, [])
  return change(ctx, saveMessage, row, { status: 'DISMISSED', paymentId: null }, 'money_message.dismiss')
}

function assign(ctx: Ctx, row: MoneyMessageRow, target: Target): MoneyMessageRow {
  const payment = pay(ctx, row, target)
  return change(ctx, saveMessage, row, { status: 'MATCHED', paymentId: payment.id }, 'money_message.match')
}
