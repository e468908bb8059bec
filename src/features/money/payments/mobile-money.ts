import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { PaymentRow } from '../../../../db/schema/payments.ts'
import { change, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { sameName } from '../../../core/case-folding.ts'
import { daysBetween } from '../../../core/dates.ts'
import { CURRENCY, formatMoney } from '../../../core/money.ts'
import { holds } from '../../../core/scope.ts'
import { AppError, invalid, notFound, refused, refusedAt, type Text } from '../../../errors.ts'
import { leasesOfCoTenant } from '../../lease/contracts/store.ts'
import { learnPayer } from '../../lease/leases/payers.ts'
import { bookingOf, leaseOf } from '../../lease/leases/service.ts'
import { findBooking, getBooking, leasesOf, leasesPaidFrom } from '../../lease/leases/store.ts'
import { checkRoom } from '../../people/organizations/quotas.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { seesTenant, tenantsNamed, tenantsWithPhone } from '../../people/tenants/store.ts'
import { findUserByPhone } from '../../people/users/store.ts'
import { idOf, traceOf } from '../allocations/rules.ts'
import { findPayment } from '../allocations/store.ts'
import { paymentWith, tellAgain } from '../allocations/transfers.ts'
import { depositMoves } from '../deposits/store.ts'
import { invoiceOf } from '../invoices/service.ts'
import { standingInvoices } from '../invoices/store.ts'
import { payAdvance } from './advances.ts'
import { type Credit, messagesIn, readCredit, sameEvent } from './messages.ts'
import type { Candidate, MessageAssign, MessageTake, ParsedMessage } from './model.ts'
import { DAYS_APART, isOtherMoney, MOST_MESSAGES, OPERATORS, type Unreadable } from './rules.ts'
import { decidePayment, payInvoice, paymentOf } from './service.ts'
import {
  findByTransaction,
  findMessage,
  getPayment,
  insertMessage,
  type MoneyMessageRow,
  messagesOf,
  saveMessage,
  waitingPayments,
} from './store.ts'

const SENTENCES: Readonly<Record<Unreadable, Text>> = {
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

const unreadable = (said: Text): AppError => refusedAt('/text', 'message_unreadable', said)

function read(ctx: Ctx, text: string): Credit | Unreadable {
  const credit = readCredit(text)
  return typeof credit !== 'string' && isOutgoing(ctx, credit) ? 'not_credit' : credit
}

/** What the one message of a text says. @throws message_unreadable */
function creditOf(ctx: Ctx, text: string): Credit {
  if (messagesIn(text).length > 1)
    throw unreadable({
      en: 'These are several messages. Take them one at a time.',
      fr: 'Il y a plusieurs messages. Reprenez-les un par un.',
    })
  const credit = read(ctx, text)
  if (typeof credit === 'string') throw unreadable(SENTENCES[credit])
  return credit
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

type Match = {
  readonly by: Candidate['by']
  readonly lease: BookingRow
  readonly open: ReturnType<typeof openInvoices>
}
/** The leases of the organization that a credit may be for; by the payer's number first, then by name. */
function matchesFor({ tx, caller: { orgId } }: Ctx, { payerNumber, payerName = '' }: Credit): Match[] {
  const matches = new Map<string, Candidate['by']>()
  const match = (by: Candidate['by'], bookingId: string): void => {
    if (!matches.has(bookingId)) matches.set(bookingId, by)
  }
  const ofTenant = (by: 'PHONE' | 'NAME', tenantId: string): void => {
    for (const { id } of leasesOf(tx, orgId, tenantId, 20)) match(by, id)
  }
  if (payerNumber) {
    for (const { id } of tenantsWithPhone(tx, orgId, payerNumber)) ofTenant('PHONE', id)
    for (const id of leasesOfCoTenant(tx, orgId, payerNumber)) match('PHONE', id)
    for (const { bookingId } of leasesPaidFrom(tx, orgId, payerNumber)) match('KNOWN_PAYER', bookingId)
  }
  const [longest = ''] = payerName.split(' ').sort((a, b) => b.length - a.length)
  if (longest.length > 2)
    for (const { id, fullName } of tenantsNamed(tx, orgId, longest, 50))
      if (sameName(payerName, fullName)) ofTenant('NAME', id)
  return [...matches].flatMap(([bookingId, by]): Match[] => {
    const lease = findBooking(tx, orgId, bookingId)
    if (!lease) return []
    const open = openInvoices(tx, orgId, bookingId)
    return lease.status === 'ACTIVE' || open.length > 0 ? [{ by, lease, open }] : []
  })
}

/** Those within the caller's reach. */
const candidatesIn = ({ caller: { scope } }: Ctx, matches: readonly Match[], amount: number): Candidate[] =>
  matches
    .filter(({ lease }) => holds(scope, lease))
    .map(({ by, lease, open }) => {
      const exact = open.find(({ balance }) => balance === amount)
      return {
        bookingId: lease.id,
        tenantId: lease.tenantId,
        tenantName: lease.tenantName,
        unitLabel: lease.unitLabel,
        propertyName: lease.propertyName,
        by,
        openAmount: open.reduce((sum, { balance }) => sum + balance, 0),
        ...(exact ? { invoiceId: exact.id } : {}),
      }
    })

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

/**
 * Reads the messages of a paste and finds the leases that they may belong to, without recording anything: the first that
 * can be read, with the others beside it. @throws message_unreadable if none can, validation_failed for too many
 */
export function parseMessages(ctx: Ctx, paste: string): ParsedMessage {
  const texts = messagesIn(paste)
  if (texts.length === 1) return parsed(ctx, creditOf(ctx, paste))
  if (texts.length > MOST_MESSAGES)
    throw invalid(
      '/text',
      `These are ${texts.length} messages. Give ${MOST_MESSAGES} at most at a time.`,
      `Il y a ${texts.length} messages. Donnez-en ${MOST_MESSAGES} au plus à la fois.`,
    )
  const messages = texts.map((text) => {
    const credit = read(ctx, text)
    return typeof credit === 'string' ? { text, unreadable: credit } : { text, message: parsed(ctx, credit) }
  })
  const first = messages.find(({ message }) => message)
  if (!first?.message) throw unreadable(SENTENCES[messages[0]?.unreadable ?? 'not_credit'])
  return { ...first.message, text: first.text, others: messages.filter((one) => one !== first) }
}

function parsed(ctx: Ctx, credit: Credit): ParsedMessage {
  const { orgId, scope } = ctx.caller
  const recorded = recordedWith(ctx, credit)
  const payment = recorded && getPayment(ctx.tx, orgId, scope, recorded)
  return {
    ...creditView(credit),
    ...(payment ? { paymentId: payment.id, paymentStatus: payment.status } : {}),
    candidates: candidatesIn(ctx, matchesFor(ctx, credit), credit.amount),
  }
}

type Told = Pick<Credit, 'transactionId'>
/** The payment with this transaction id, even if it was recorded under the other operator by mistake. */
const recordedWith = ({ tx, caller: { orgId } }: Ctx, { transactionId }: Told): string | undefined =>
  OPERATORS.map((operator) => paymentWith(tx, orgId, operator, transactionId)).find((id) => id !== undefined)

type Sum = Pick<MoneyMessageRow, 'amount' | 'paidOn'>
/** @throws maybe_known if a declaration of this amount and of these days waits on one of the leases, without an id */
function checkDeclared(ctx: Ctx, { amount, paidOn }: Sum, leases: readonly string[]): void {
  const likely = leases
    .flatMap((bookingId) => waitingPayments(ctx.tx, ctx.caller.orgId, bookingId))
    .find(
      (declared) =>
        declared.amount === amount &&
        declared.receivedBy === null &&
        !isOtherMoney(declared) &&
        idOf(declared) === undefined &&
        Math.abs(daysBetween(declared.paidOn, paidOn)) <= DAYS_APART,
    )
  if (likely) throw naming(refusedAt('/text', 'maybe_known'), likely.id)
}

/** Confirms what was declared before its message came, and gives it the message's id. @throws duplicate, invalid_state, overpayment */
function confirmDeclared(
  ctx: Ctx,
  row: MoneyMessageRow,
  payment: PaymentRow,
  { same, invoiceId, bookingId }: MessageAssign,
): MoneyMessageRow {
  const { amount, operator, transactionId, payerName, payerNumber } = row
  if (payment.amount !== amount) throw differsFromDeclared(payment, amount)
  if (payment.type !== 'PAYMENT' || payment.status !== 'PENDING') throw refused(payment.status, [])
  const id = idOf(payment)
  if (id !== undefined && id !== traceOf(operator, transactionId).trace)
    throw invalid('/same', 'It was declared with another id.', 'Il a été déclaré avec un autre identifiant.')
  tellAgain(ctx, payment, 'MESSAGE', { method: operator, reference: transactionId, payerName, payerNumber })
  decidePayment(ctx, payment.id, 'confirm', { distinct: true })
  // A tenant who declares another's money with its id teaches nothing: somebody on the landlord's side names the lease.
  if (same || invoiceId || bookingId) learn(ctx, row, payment.bookingId)
  return change(ctx, saveMessage, row, { status: 'MATCHED', paymentId: payment.id }, 'money_message.match')
}

/** The lease that the money is meant for. @throws not_found */
const leaseIn = (ctx: Ctx, target: Target): string =>
  'bookingId' in target ? bookingOf(ctx, target.bookingId).id : invoiceOf(ctx, target.invoiceId).bookingId

/** The declaration that the caller says this is, if any. @throws not_found, validation_failed */
function declaredIn(ctx: Ctx, { same, distinct }: MessageAssign, target: Target | undefined): PaymentRow | undefined {
  if (!same) return undefined
  if (distinct) throw invalid('/distinct', 'Say same or distinct, not both.', 'Dites same ou distinct, pas les deux.')
  const payment = paymentOf(ctx, same)
  if (target && leaseIn(ctx, target) !== payment.bookingId)
    throw invalid('/same', 'It is of another lease.', 'Il est d’un autre bail.')
  return payment
}

/** The declaration that a message tells of: by its id, else as the caller says. @throws duplicate where the id is known otherwise */
function declarationOf(
  ctx: Ctx,
  message: Told,
  body: MessageAssign,
  target: Target | undefined,
): PaymentRow | undefined {
  const recorded = recordedWith(ctx, message)
  const byId = recorded ? getPayment(ctx.tx, ctx.caller.orgId, ctx.caller.scope, recorded) : undefined
  const said = declaredIn(ctx, body, target)
  const elsewhere = byId && target && leaseIn(ctx, target) !== byId.bookingId
  if (recorded && (byId?.status !== 'PENDING' || elsewhere || (said && said.id !== byId.id))) throw taken(byId?.id)
  return byId ?? said
}

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

/** Whether a number says nothing of whose money it is: a kiosk's, or one that somebody else pays from for several leases. */
function isShared({ tx, caller: { orgId } }: Ctx, payerNumber: string | undefined, matches: readonly Match[]): boolean {
  const byNumber = matches.filter(({ by }) => by !== 'NAME')
  const isKiosk = payerNumber !== undefined && leasesPaidFrom(tx, orgId, payerNumber).some(({ kiosk }) => kiosk)
  return isKiosk || (byNumber.length > 1 && byNumber.some(({ by }) => by === 'KNOWN_PAYER'))
}

/**
 * If the payer's number belongs to one lease only: its invoice of exactly this amount, else the lease itself. Not while
 * its deposit is not received and more came than is open: a part may be the deposit.
 */
function sureTarget(ctx: Ctx, candidates: readonly Candidate[], amount: number): Target | undefined {
  const byNumber = candidates.filter(({ by }) => by !== 'NAME')
  const exact = byNumber.filter(({ invoiceId }) => invoiceId !== undefined)
  const [one, ...others] = exact.length > 0 ? exact : byNumber
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
  const { amount, operator: method, paidOn, transactionId: reference, payerName: payer, payerNumber } = row
  const body = { amount, method, paidOn, reference, payer, payerNumber, door: 'MESSAGE' } as const
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
  const credit = creditOf(ctx, body.text)
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
    const isSaid = named || body.same || recordedWith(ctx, credit)
    if (isSaid && seen(ctx, known) && isFree(ctx, known)) return assign(ctx, known, body)
    throw known.amount === credit.amount || !seen(ctx, known) ? taken() : differs(known.amount)
  }
  const declared = declarationOf(ctx, credit, body, named)
  const { payerNumber, amount } = credit
  if (payerNumber && messagesOf(ctx.tx, orgId, payerNumber).some((m) => sameEvent(m, { ...credit, paidOn })))
    throw refusedAt('/text', 'duplicate', {
      en: 'A message of the same payer and time is already recorded with another transaction id, so one of the two was changed. Check your account; if it shows both payments, record this one by hand.',
      fr: 'Un message du même payeur et de la même heure est enregistré sous un autre identifiant : l’un des deux a été modifié. Vérifiez votre compte ; si les deux y figurent, saisissez celui-ci à la main.',
    })
  const matches = declared || named ? [] : matchesFor(ctx, credit)
  const candidates = candidatesIn(ctx, matches, amount)
  if (!declared && !body.distinct)
    checkDeclared(ctx, { amount, paidOn }, named ? [leaseIn(ctx, named)] : candidates.map((c) => c.bookingId))
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
  if (declared) return confirmDeclared(ctx, row, declared, body)
  const target = named ?? (isShared(ctx, payerNumber, matches) ? undefined : sureTarget(ctx, candidates, amount))
  return target ? put(ctx, row, target, named !== undefined) : row
}

/** A 409 that names the payment it speaks of, where the caller sees that. */
const naming = ({ code, text, details }: AppError, paymentId: string | undefined): AppError =>
  new AppError(code, text, { ...details, paymentId })

const taken = (paymentId?: string): AppError =>
  naming(
    refusedAt('/text', 'duplicate', {
      en: 'This transaction is already recorded.',
      fr: 'Cette transaction est déjà enregistrée.',
    }),
    paymentId,
  )

const differsFromDeclared = (declared: PaymentRow, amount: number): AppError =>
  naming(
    refusedAt('/text', 'duplicate', {
      en: `The tenant declared ${formatMoney(declared.amount, 'en')}, and the message says ${formatMoney(amount, 'en')}. Refuse the declaration, then take the message.`,
      fr: `Le locataire a déclaré ${formatMoney(declared.amount, 'fr')} et le message dit ${formatMoney(amount, 'fr')}. Refusez la déclaration, puis reprenez le message.`,
    }),
    declared.id,
  )

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
  if (!isFree(ctx, row)) throw taken(row.paymentId ?? undefined)
  return assign(ctx, row, body)
}

/** Dismisses a message that is no rent; its transaction id stays used. @throws invalid_state if it is a payment already */
export function dismissMessage(ctx: Ctx, id: string): MoneyMessageRow {
  const row = messageOf(ctx, id)
  if (row.status === 'DISMISSED') return row
  if (row.status === 'MATCHED') throw refused(row.status, [])
  return change(ctx, saveMessage, row, { status: 'DISMISSED', paymentId: null }, 'money_message.dismiss')
}

function assign(ctx: Ctx, row: MoneyMessageRow, body: MessageAssign): MoneyMessageRow {
  const target = targetOf(body)
  const declared = declarationOf(ctx, row, body, target)
  if (declared) return confirmDeclared(ctx, row, declared, body)
  if (!target) throw invalid('/bookingId', 'Name invoiceId or bookingId.', 'Indiquez invoiceId ou bookingId.')
  if (!body.distinct) checkDeclared(ctx, row, [leaseIn(ctx, target)])
  return put(ctx, row, target, true)
}

/** The payer of a message that somebody put on a lease is known there from now on. */
const learn = (ctx: Ctx, { payerName: fullName, payerNumber: phoneNumber }: MoneyMessageRow, bookingId: string): void =>
  learnPayer(ctx, leaseOf(ctx, bookingId), { fullName, phoneNumber }, 'MESSAGE')

/** `byHand`: somebody named the target. */
function put(ctx: Ctx, row: MoneyMessageRow, target: Target, byHand: boolean): MoneyMessageRow {
  const payment = pay(ctx, row, target)
  if (byHand) learn(ctx, row, payment.bookingId)
  return change(ctx, saveMessage, row, { status: 'MATCHED', paymentId: payment.id }, 'money_message.match')
}

type Announced = {
  readonly method: string
  readonly reference: string | null
  readonly amount: number
}
/** The message that told of a transfer and waits for its lease. @throws duplicate if it told of another sum */
export function waitingMessage(ctx: Ctx, { method, reference, amount }: Announced): MoneyMessageRow | undefined {
  const { orgId } = ctx.caller
  const operator = OPERATORS.find((one) => one === method)
  if (!operator || reference === null) return undefined
  const message = findByTransaction(ctx.tx).get({ orgId, operator, transactionId: reference })
  if (message?.status !== 'UNMATCHED') return undefined
  if (message.amount === amount) return message
  throw refusedAt('/amount', 'duplicate', {
    en: `The message of this transaction tells of ${formatMoney(message.amount, 'en')}. Check your account.`,
    fr: `Le message de cette transaction annonce ${formatMoney(message.amount, 'fr')}\u00a0: vérifiez votre compte.`,
  })
}

/** A message waits no longer: its payment is named, unless all of it became a deposit, which is no payment. */
export function closeMessage(ctx: Ctx, row: MoneyMessageRow, paymentId: string | undefined): void {
  if (paymentId) change(ctx, saveMessage, row, { status: 'MATCHED', paymentId }, 'money_message.match')
  else change(ctx, saveMessage, row, { status: 'DISMISSED', paymentId: null }, 'money_message.dismiss')
}
