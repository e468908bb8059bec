import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { LetterData } from '../../../adapters/pdf/port.ts'
import { change, record, update } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { addDays, DAY_MS } from '../../../core/dates.ts'
import { maskPhone } from '../../../core/phone.ts'
import { purposeOf } from '../../../core/purpose.ts'
import type { Deps } from '../../../deps.ts'
import { notFound, refused } from '../../../errors.ts'
import { sharerOf } from '../../../jobs/queue.ts'
import { bookingOf, leaseOf } from '../../lease/leases/service.ts'
import { getBooking } from '../../lease/leases/store.ts'
import { claimOf } from '../../money/deposits/service.ts'
import { PAYABLE } from '../../money/invoices/rules.ts'
import { shareOfInvoice, standingInvoices, waitingOn } from '../../money/invoices/store.ts'
import { partiesOf } from '../../papers/documents/parties.ts'
import { DOWNLOAD_SECONDS } from '../../papers/documents/rules.ts'
import { nextNumberOf } from '../../papers/documents/service.ts'
import { planNews } from '../../people/messages/budgets.ts'
import { enqueueMessage } from '../../people/messages/service.ts'
import type { NewsKind } from '../../people/notifications/rules.ts'
import { senderOf } from '../../people/notifications/senders.ts'
import { channelFor } from '../../people/notifications/service.ts'
import { organizationOf, todayOf } from '../../people/organizations/service.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { isHome } from '../../property/properties/rules.ts'
import { payToOf } from '../../property/properties/service.ts'
import { LINK_DAYS, letterTime, linkToken, type Step, wayToPay } from './rules.ts'
import {
  findLetter,
  findRentMessage,
  insertLetter,
  insertRentMessage,
  type LetterRow,
  messagesOf,
  type RentMessageRow,
  saveLetter,
  saveRentMessage,
} from './store.ts'
import { TEXTS } from './texts.ts'

export type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log' | 'config'>
/** An invoice issued more days than this after its period began was imported or issued again: its rent is not called. */
const LATE_DAYS = 3

export const payable = (row: InvoiceRow): boolean =>
  (PAYABLE as readonly string[]).includes(row.status) && row.grossAmount > row.amountPaid

/** The open invoices of a lease. */
const openOf = (ctx: Ctx, bookingId: string): InvoiceRow[] =>
  standingInvoices(ctx.tx, ctx.caller.orgId, bookingId).filter(payable)

/** Whether the tenant is told by itself that an invoice was issued. */
export const isTimely = (row: InvoiceRow): boolean =>
  payable(row) && row.issuedOn <= addDays(row.periodStart, LATE_DAYS)

type Linking = Pick<Work, 'config' | 'masterKey'>
/** The link that shows a message's invoice without an account, while `to` is the tenant's number. */
export const linkOf = ({ config, masterKey }: Linking, messageId: string, to: string | null): string =>
  `${config.publicUrl}/i/${linkToken(masterKey, messageId, to)}`

/** The scheduled messages that a tenant can switch off; late rent is always announced. */
const OPTIONAL: Partial<Record<Step, NewsKind>> = {
  RENT_CALL: 'RENT_CALL',
  UPCOMING: 'RENT_REMINDER',
  DUE: 'RENT_REMINDER',
}

const UNHANDLED = { handling: null, handledAt: null, handledBy: null } as const

export type Sending = {
  readonly step: Step
  /** The scheduled reminder that this is, so that it is sent once. */
  readonly once?: string
  /** NONE: the message is not sent from here. */
  readonly channel?: 'WHATSAPP' | 'SMS' | 'NONE' | undefined
}

/** The share of charges that an invoice asks for. */
const shareIn = ({ tx }: Ctx, { orgId, id, kind }: InvoiceRow) =>
  kind === 'CHARGES' ? shareOfInvoice(tx).get({ orgId, invoiceId: id }) : undefined

/** How long a formal notice of a lease gives to pay, from today on. */
const timeOf = (ctx: Ctx, bookingId: string) =>
  letterTime(isHome(partiesOf(ctx, leaseOf(ctx, bookingId)).premises.type), todayOf(ctx), organizationOf(ctx))

/**
 * What a message claims: the invoice with everything overdue on its lease, less the deposit of one that has ended. Like its
 * letter, a formal notice demands what is overdue alone.
 */
export function claimIn(ctx: Ctx, { id, orgId, bookingId }: InvoiceRow, step: Step) {
  const today = todayOf(ctx)
  const isClaimed = (i: InvoiceRow): boolean => i.dueDate < today || (i.id === id && step !== 'FORMAL_NOTICE')
  return claimOf(ctx.tx, { orgId, bookingId }, openOf(ctx, bookingId), isClaimed)
}

/** What a message claims, what of it the tenant says is paid, and its text. */
export function wordsOf(ctx: Ctx, invoice: InvoiceRow, step: Step, locale: 'fr' | 'en', link: string) {
  const { orgId, bookingId, id, number, unitLabel, propertyName, dueDate } = invoice
  const { owed: debts, askedAmount: balance, depositAmount } = claimIn(ctx, invoice, step)
  const claimed = debts.map((debt) => debt.invoice)
  const owed = {
    number,
    unitLabel,
    propertyName,
    // A new invoice is announced in full even if the deposit covers it.
    open: debts.find((debt) => debt.invoice.id === id)?.amount ?? invoice.grossAmount - invoice.amountPaid,
    dueDate,
    purpose: purposeOf([invoice]),
    balance,
    depositAmount,
    invoices: claimed.length,
    since: claimed[0]?.dueDate ?? dueDate,
    owed: purposeOf(claimed),
    // Only a formal notice gives a time, which the whole lease is read for.
    get time() {
      return timeOf(ctx, bookingId)
    },
    // A formal notice demands what its letter does, whatever was declared.
    declared: step === 'FORMAL_NOTICE' ? 0 : claimed.reduce((sum, one) => sum + waitingOn(ctx.tx, orgId, one.id), 0),
    landlord: senderOf(ctx.tx, orgId, invoice.ownerUserId),
    shared: step === 'RENT_CALL' ? shareIn(ctx, invoice) : undefined,
    way: wayToPay(payToOf(ctx.tx, organizationOf(ctx), invoice.propertyId, todayOf(ctx)).payTo),
    link,
  }
  return { balance, declared: owed.declared, text: TEXTS[locale][step](owed) }
}

/**
 * Tells the tenant about an invoice, in their language; both messages and the audit entry commit together. @returns
 * undefined if it was already sent, the tenant has no number, or there is nothing to ask for
 */
export function sendRentMessage(
  deps: Work,
  ctx: Ctx,
  invoice: InvoiceRow,
  sending: Sending,
): RentMessageRow | undefined {
  const { orgId, bookingId, id: invoiceId } = invoice
  const tenant = findTenant(ctx.tx, orgId, invoice.tenantId)
  if (!tenant?.phoneNumber) return undefined
  const sent = messagesOf(ctx.tx, orgId, invoiceId)
  if (sending.once !== undefined && sent.some(({ once }) => once === sending.once)) return undefined
  const wall = deps.clock.wall()
  const sentOn = todayOf(ctx)
  const { locale, phoneNumber } = tenant
  const id = ctx.newId()
  const { balance, declared, text } = wordsOf(ctx, invoice, sending.step, locale, linkOf(deps, id, phoneNumber))
  // A new invoice is announced in any case.
  if (balance === 0 && sending.step !== 'RENT_CALL') return undefined
  // A tenant who declared all of it waits for the landlord: the schedule sends nothing, a reminder by hand goes out.
  if (sending.once !== undefined && sending.step !== 'RENT_CALL' && declared >= balance) return undefined
  // A reminder by hand is sent in any case.
  const kind = sending.step === 'RENT_CALL' && shareIn(ctx, invoice) ? 'CHARGES_SHARED' : OPTIONAL[sending.step]
  const theirs = channelFor({ db: ctx.tx }, tenant, sending.once === undefined ? undefined : kind)
  if (!theirs) return undefined
  const channel = sending.channel ?? theirs
  const { withheld, sendAtMs } =
    channel === 'NONE'
      ? { withheld: null, sendAtMs: null }
      : planNews(deps, ctx.tx, { orgId, to: phoneNumber, by: sharerOf(ctx.caller) })
  const row: RentMessageRow = {
    id,
    orgId,
    bookingId,
    invoiceId,
    step: sending.step,
    amount: balance,
    currency: invoice.currency,
    locale,
    maskedDestination: maskPhone(phoneNumber),
    once: sending.once ?? null,
    sentBy: ctx.caller.userId === 'system' ? null : ctx.caller.userId,
    sentOn,
    linkExpiresAt: new Date(wall + LINK_DAYS * DAY_MS).toISOString(),
    linkRevokedAt: null,
    withheld,
    sendAfter: sendAtMs === null ? null : new Date(sendAtMs).toISOString(),
    // The text was asked for, to be sent by hand.
    ...(channel === 'NONE' ? { handling: 'OPENED', handledAt: ctx.now, handledBy: ctx.caller.userId } : UNHANDLED),
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertRentMessage(ctx.tx, row)
  if (sending.step === 'FORMAL_NOTICE') requestLetter(ctx, row)
  if (withheld === null && channel !== 'NONE')
    enqueueMessage(deps, ctx.tx, {
      id: row.id,
      orgId,
      to: phoneNumber,
      channel,
      purpose: sending.step === 'RENT_CALL' ? 'invoice_issued' : `reminder_${sending.step.toLowerCase()}`,
      locale,
      ...(sendAtMs === null ? {} : { sendAtMs }),
      text,
    })
  const details = {
    step: row.step,
    invoiceId,
    ...(withheld === null ? {} : { withheld }),
    ...(channel === 'NONE' ? { channel } : {}),
  }
  record(ctx, 'rent_message.send', { type: 'rent_message', after: row, details })
  return row
}

/** Requests the letter of a formal notice with everything overdue on the lease, frozen now; a job draws the file. */
function requestLetter(ctx: Ctx, { id, orgId, bookingId, locale, sentOn }: RentMessageRow): void {
  const owed = openOf(ctx, bookingId).map(({ number, periodStart, periodEnd, dueDate, grossAmount, amountPaid }) => {
    const balanceAmount = grossAmount - amountPaid
    return { number, periodStart, periodEnd, dueDate, grossAmount, amountPaid, balanceAmount }
  })
  const invoices = owed.filter(({ dueDate }) => dueDate < sentOn)
  const { askedAmount, depositAmount } = claimOf(ctx.tx, { orgId, bookingId }, invoices)
  const number = nextNumberOf(ctx, 'N')
  const data: LetterData = {
    ...partiesOf(ctx, leaseOf(ctx, bookingId)),
    locale,
    number,
    issuedOn: sentOn,
    invoices,
    totalAmount: askedAmount,
    ...(depositAmount > 0 ? { depositAmount } : {}),
    coming: owed.filter(({ dueDate }) => dueDate >= sentOn),
    ...timeOf(ctx, bookingId),
  }
  insertLetter(ctx.tx, {
    id,
    orgId,
    bookingId,
    number,
    locale,
    data,
    attempts: 0,
    renderAt: 0,
    templateVersion: null,
    sha256: null,
    sizeBytes: null,
    createdAt: ctx.now,
    renderedAt: null,
    updatedAt: ctx.now,
    version: 1,
  })
}

type LetterFile = Pick<LetterRow, 'sha256' | 'sizeBytes' | 'templateVersion'>
/** Saves the hash of a lost file that was drawn anew and differs, unless somebody else has renewed it meanwhile. */
export function renewLetter(ctx: Ctx, id: string, was: string, file: LetterFile): void {
  const before = findLetter(ctx.tx, ctx.caller.orgId, id)
  if (before?.sha256 !== was) return
  const after = update(ctx, saveLetter, before, file)
  record(ctx, 'rent_message.letter_redraw', {
    type: 'rent_message',
    before,
    after,
    details: { was, sha256: file.sha256 ?? '' },
  })
}

/**
 * A short-lived link to a message's letter. @throws not_found, also if it has no letter; invalid_state until it is
 * drawn
 */
export function letterLink(
  { db, links }: Pick<Deps, 'db' | 'links'>,
  { orgId, scope }: Caller,
  id: string,
  inline: boolean,
): string {
  const letter = findLetter(db, orgId, id)
  if (!letter || !getBooking(db, orgId, scope, letter.bookingId)) throw notFound()
  if (letter.sha256 === null) throw refused('PENDING', [])
  const more = { of: 'letter', ...(inline && { disposition: 'inline' }) }
  return links.sign('GET', '/media-files', id, DOWNLOAD_SECONDS, more).url
}

/** A message, visible to whoever sees its lease. @throws not_found */
export function rentMessageOf(ctx: Ctx, id: string): RentMessageRow {
  const row = findRentMessage(ctx.tx, ctx.caller.orgId, id)
  if (!row) throw notFound()
  bookingOf(ctx, row.bookingId)
  return row
}

/** Revokes the link of a message; repeating it changes nothing. @throws not_found */
export function revokeLink(ctx: Ctx, id: string, wall: string): RentMessageRow {
  const before = rentMessageOf(ctx, id)
  if (before.linkRevokedAt !== null) return before
  return change(ctx, saveRentMessage, before, { linkRevokedAt: wall }, 'rent_message.revoke_link')
}
