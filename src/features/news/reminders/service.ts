import type { Db } from '../../../../db/open.ts'
import type { LetterData } from '../../../adapters/pdf/port.ts'
import { change, record } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { addDays, localDate, minDate } from '../../../core/dates.ts'
import { maskPhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound, refused } from '../../../errors.ts'
import { bookingOf, leaseOf } from '../../lease/bookings/service.ts'
import { getBooking } from '../../lease/bookings/store.ts'
import { PAYABLE } from '../../money/invoices/rules.ts'
import { invoiceOf } from '../../money/invoices/service.ts'
import { getInvoice, type InvoiceRow, standingInvoices } from '../../money/invoices/store.ts'
import { DOWNLOAD_SECONDS, documentNumber } from '../../papers/documents/rules.ts'
import { partiesOf } from '../../papers/documents/service.ts'
import { findDocument, nextInSeries, standingDocuments } from '../../papers/documents/store.ts'
import { planNews } from '../../people/budgets/service.ts'
import { enqueueMessage } from '../../people/messages/service.ts'
import { organizationOf, todayOf } from '../../people/organizations/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { findUser } from '../../people/users/store.ts'
import type { Remind } from './model.ts'
import { LETTER_DAYS, LINK_DAYS, linkToken, nextStep, noticeOfToken, type Step } from './rules.ts'
import {
  findLetter,
  findLinkedNotice,
  findNotice,
  insertLetter,
  insertNotice,
  type LetterRow,
  type NoticeRow,
  noticesOf,
  saveLetter,
  saveNotice,
} from './store.ts'
import { TEXTS } from './texts.ts'

export type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log' | 'config'>
/** An invoice issued later than this many days after its period began was brought in: nobody is reminded of it by itself. */
const LATE_DAYS = 3

const payable = (row: InvoiceRow): boolean =>
  (PAYABLE as readonly string[]).includes(row.status) && row.grossAmount > row.amountPaid

/** What is to be paid on a lease. */
const openOf = (ctx: Ctx, bookingId: string): InvoiceRow[] =>
  standingInvoices(ctx.tx, ctx.caller.orgId, bookingId).filter(payable)

/** Whether an invoice is one that the service speaks of by itself. */
export const isTimely = (row: InvoiceRow, timeZone: string): boolean =>
  payable(row) && localDate(Date.parse(row.createdAt), timeZone) <= addDays(row.periodStart, LATE_DAYS)

/** Where the invoice of a notice can be seen without an account. */
const linkOf = ({ config, masterKey }: Pick<Work, 'config' | 'masterKey'>, noticeId: string): string =>
  `${config.publicUrl}/i/${linkToken(masterKey, noticeId)}`

type Sending = {
  readonly step: Step
  /** What of the schedule it answers: sent once each. */
  readonly once?: string
  readonly channel?: 'WHATSAPP' | 'SMS' | undefined
}

/**
 * Tells the tenant about an invoice, in their language: the notice, its message and the line of the audit trail stand or
 * fall together. @returns undefined where it was sent already, or the tenant has no number
 */
export function sendNotice(deps: Work, ctx: Ctx, invoice: InvoiceRow, sending: Sending): NoticeRow | undefined {
  const { orgId, bookingId, id: invoiceId } = invoice
  const tenant = findTenant(ctx.tx, orgId, invoice.tenantId)
  if (!tenant?.phoneNumber) return undefined
  const sent = noticesOf(ctx.tx, orgId, invoiceId)
  if (sending.once !== undefined && sent.some(({ once }) => once === sending.once)) return undefined
  const wall = deps.clock.wall()
  const sentOn = todayOf(ctx)
  // A formal notice demands all that is overdue on the lease, as its letter does.
  const formal = sending.step === 'FORMAL_NOTICE'
  const claimed = formal ? openOf(ctx, bookingId).filter((i) => i.dueDate < sentOn) : [invoice]
  const balance = claimed.reduce((sum, i) => sum + i.grossAmount - i.amountPaid, 0)
  const dueDate = claimed.reduce((first, i) => minDate(first, i.dueDate), invoice.dueDate)
  const { locale, phoneNumber } = tenant
  const { withheld, sendAtMs } = planNews(deps, ctx.tx, { orgId, to: phoneNumber })
  const row: NoticeRow = {
    id: ctx.newId(),
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
    linkExpiresAt: new Date(wall + LINK_DAYS * 24 * 3_600_000).toISOString(),
    linkRevokedAt: null,
    withheld,
    sendAfter: sendAtMs === null ? null : new Date(sendAtMs).toISOString(),
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertNotice(ctx.tx, row)
  if (formal) requestLetter(ctx, row)
  const { number, unitLabel } = invoice
  const landlord = organizationOf(ctx).name
  if (withheld === null)
    enqueueMessage(deps, ctx.tx, {
      id: row.id,
      orgId,
      to: phoneNumber,
      channel: sending.channel ?? tenant.channel ?? 'WHATSAPP',
      purpose: sending.step === 'RENT_CALL' ? 'invoice_issued' : `reminder_${sending.step.toLowerCase()}`,
      locale,
      ...(sendAtMs === null ? {} : { sendAtMs }),
      text: TEXTS[locale][sending.step]({ number, unitLabel, dueDate, balance, landlord, link: linkOf(deps, row.id) }),
    })
  const details = { step: row.step, invoiceId, ...(withheld === null ? {} : { withheld }) }
  record(ctx, 'notice.send', { type: 'notice', after: row, details })
  return row
}

/** The letter of a formal notice: all that is overdue on the lease, taken and frozen now; its file follows by itself. */
function requestLetter(ctx: Ctx, { id, orgId, bookingId, locale, sentOn }: NoticeRow): void {
  const owed = openOf(ctx, bookingId).map(({ number, periodStart, periodEnd, dueDate, grossAmount, amountPaid }) => {
    const balanceAmount = grossAmount - amountPaid
    return { number, periodStart, periodEnd, dueDate, grossAmount, amountPaid, balanceAmount }
  })
  const invoices = owed.filter(({ dueDate }) => dueDate < sentOn)
  const series = `N-${sentOn.slice(0, 4)}`
  const number = documentNumber(series, nextInSeries(ctx.tx, orgId, series))
  const data: LetterData = {
    ...partiesOf(ctx, leaseOf(ctx, bookingId)),
    locale,
    number,
    issuedOn: sentOn,
    invoices,
    totalAmount: invoices.reduce((sum, { balanceAmount }) => sum + balanceAmount, 0),
    coming: owed.filter(({ dueDate }) => dueDate >= sentOn),
    days: LETTER_DAYS,
    payBefore: addDays(sentOn, LETTER_DAYS),
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
/** The file of a letter that was gone is another one than it was: only where nobody has renewed it meanwhile. */
export function renewLetter(ctx: Ctx, id: string, was: string, file: LetterFile): void {
  const before = findLetter(ctx.tx, ctx.caller.orgId, id)
  const after = before?.sha256 === was && saveLetter(ctx.tx, before, { ...before, ...file, updatedAt: ctx.now })
  if (!before || !after) return
  record(ctx, 'notice.letter_redraw', {
    type: 'notice',
    before,
    after,
    details: { was, sha256: file.sha256 ?? '' },
  })
}

/** A short-lived link to the letter of a notice. @throws not_found, also for a notice without one; invalid_state until it is drawn */
export function letterLink({ db, links }: Pick<Deps, 'db' | 'links'>, { orgId, scope }: Caller, id: string): string {
  const letter = findLetter(db, orgId, id)
  if (!letter || !getBooking(db, orgId, scope, letter.bookingId)) throw notFound()
  if (letter.sha256 === null) throw refused('PENDING', [])
  return links.sign('GET', '/media-files', id, DOWNLOAD_SECONDS, { of: 'letter' }).url
}

/**
 * Reminds by hand; without a step the next one of the ladder. The same step goes out once a day.
 * @throws not_found, invalid_state, duplicate, no_phone_number
 */
export function remind(deps: Work, ctx: Ctx, invoiceId: string, body: Remind): NoticeRow {
  const invoice = invoiceOf(ctx, invoiceId)
  if (!payable(invoice)) throw refused(invoice.status, [])
  const today = todayOf(ctx)
  const sent = noticesOf(ctx.tx, invoice.orgId, invoiceId)
  const step =
    body.step ??
    nextStep(
      invoice.dueDate,
      today,
      sent.map((n) => n.step),
    )
  if (step === 'FORMAL_NOTICE' && today <= invoice.dueDate) throw refused(invoice.status, [])
  if (sent.some((n) => n.step === step && n.sentOn === today))
    throw new AppError('duplicate', {
      en: 'This reminder went out today already.',
      fr: "Ce rappel est déjà parti aujourd'hui.",
    })
  const row = sendNotice(deps, ctx, invoice, { step, channel: body.channel ?? undefined })
  if (!row) throw new AppError('no_phone_number')
  return row
}

/** A notice, which whoever sees its lease may see. @throws not_found */
export function noticeOf(ctx: Ctx, id: string): NoticeRow {
  const row = findNotice(ctx.tx, ctx.caller.orgId, id)
  if (!row) throw notFound()
  bookingOf(ctx, row.bookingId)
  return row
}

/** Closes the link of a notice; doing it twice changes nothing. @throws not_found */
export function revokeLink(ctx: Ctx, id: string, wall: string): NoticeRow {
  const before = noticeOf(ctx, id)
  if (before.linkRevokedAt !== null) return before
  return change(ctx, saveNotice, before, { linkRevokedAt: wall }, 'notice.revoke_link')
}

const ALL = { kind: 'all', userId: '' } as const

/** The notice whose link somebody opens; `open` until it expires or is revoked. @returns undefined for no token of ours */
export function openLink({ db, masterKey, clock }: Pick<Deps, 'db' | 'masterKey' | 'clock'>, token: string) {
  const id = noticeOfToken(masterKey, token)
  const notice = id === undefined ? undefined : findLinkedNotice(db, id)
  if (!notice) return undefined
  const open = notice.linkRevokedAt === null && Date.parse(notice.linkExpiresAt) > clock.wall()
  return { notice, open }
}

/** The paper of an invoice that stands; undefined for one that is cancelled. */
function invoicePaper(db: Db, { orgId, bookingId, invoiceId }: NoticeRow) {
  const standing = standingDocuments(db, orgId, bookingId).filter((d) => d.invoiceId === invoiceId)
  const id = standing.findLast(({ kind }) => kind === 'INVOICE')?.id
  return id === undefined ? undefined : findDocument(db, orgId, id)
}

/** What the page of a link shows: the invoice as it stands now, and of people the landlord's name alone. @throws not_found */
export function sharedInvoice({ db }: Pick<Deps, 'db'>, notice: NoticeRow) {
  const { orgId, invoiceId, linkExpiresAt } = notice
  const invoice = getInvoice(db, orgId, ALL, invoiceId)
  const organization = findOrganization(db, orgId)
  if (!invoice || !organization) throw notFound()
  const owner = findUser(db, orgId, invoice.ownerUserId)
  const paper = invoicePaper(db, notice)
  const letter = findLetter(db, orgId, notice.id)
  const { status, grossAmount, amountPaid } = invoice
  return {
    landlord: organization.name ?? ([owner?.firstName, owner?.lastName].filter(Boolean).join(' ') || '–'),
    unit: invoice.unitLabel,
    property: invoice.propertyName,
    number: invoice.number,
    status,
    periodStart: invoice.periodStart,
    periodEnd: invoice.periodEnd,
    dueDate: invoice.dueDate,
    linkUntil: localDate(Date.parse(linkExpiresAt), organization.timeZone),
    lines: invoice.lines,
    tvaBasisPoints: invoice.tvaBasisPoints,
    tvaAmount: invoice.tvaAmount,
    grossAmount,
    amountPaid,
    balanceAmount: status === 'CANCELLED' ? 0 : grossAmount - amountPaid,
    papers: { invoice: paper && paper.status === 'READY', letter: letter && letter.sha256 !== null },
  }
}

/** A link to a paper that the page names, made at the moment it is asked for; undefined where there is no file (yet). */
export function sharedPaper({ db, links }: Pick<Deps, 'db' | 'links'>, notice: NoticeRow, file: string) {
  if (file === 'letter.pdf') {
    if (!findLetter(db, notice.orgId, notice.id)?.sha256) return undefined
    return links.sign('GET', '/media-files', notice.id, DOWNLOAD_SECONDS, { of: 'letter' }).url
  }
  const paper = invoicePaper(db, notice)
  if (paper?.status !== 'READY') return undefined
  return links.sign('GET', '/media-files', paper.id, DOWNLOAD_SECONDS, { of: 'document' }).url
}
