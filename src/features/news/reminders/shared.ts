import type { Db } from '../../../../db/open.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { PaymentRow } from '../../../../db/schema/payments.ts'
import { DAY_MS, localDate } from '../../../core/dates.ts'
import { paidFor, purposeOf } from '../../../core/purpose.ts'
import { tvaOn } from '../../../core/tva.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { findBooking } from '../../lease/leases/store.ts'
import { claimOf } from '../../money/deposits/service.ts'
import { paymentOfToken, RECEIPT_LINK_DAYS } from '../../money/invoices/rules.ts'
import { getInvoice, paymentsBehind, standingInvoices, waitingOn } from '../../money/invoices/store.ts'
import { landlordOf } from '../../papers/documents/parties.ts'
import { hurry } from '../../papers/documents/queue.ts'
import { DOWNLOAD_SECONDS, type DocumentKind } from '../../papers/documents/rules.ts'
import { standingDocuments } from '../../papers/documents/store.ts'
import { findOrganization, type OrganizationRow } from '../../people/organizations/store.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { payToOf } from '../../property/properties/service.ts'
import { messageOfToken } from './rules.ts'
import { payable } from './service.ts'
import { findLetter, findLinkedPayment, findLinkedRentMessage, type RentMessageRow } from './store.ts'

type Linking = Pick<Deps, 'db' | 'masterKey' | 'clock' | 'store'>
const ALL = { kind: 'all', userId: '' } as const

/** The number of a lease's tenant now: links sent to another number, perhaps a mistyped one, no longer work. */
function numberNow(db: Db, of: { readonly orgId: string; readonly bookingId: string } | undefined) {
  const lease = of && findBooking(db, of.orgId, of.bookingId)
  return lease && findTenant(db, lease.orgId, lease.tenantId)?.phoneNumber
}

/** The message of a link; `open` until the link expires or is revoked. @returns undefined for an invalid token */
export function openLink({ db, masterKey, clock, store }: Linking, token: string) {
  const id = messageOfToken(masterKey, token, (of) => numberNow(db, findLinkedRentMessage(db).get({ id: of })))
  const rentMessage = id === undefined ? undefined : findLinkedRentMessage(db).get({ id })
  if (!rentMessage) return undefined
  store.checkRead(rentMessage.orgId)
  const open = rentMessage.linkRevokedAt === null && Date.parse(rentMessage.linkExpiresAt) > clock.wall()
  return { rentMessage, open }
}

/** The payment of a link; `open` for sixty days after it was confirmed, while it stands. @returns undefined for an invalid token */
export function openReceipt({ db, masterKey, clock, store }: Linking, token: string) {
  const id = paymentOfToken(masterKey, token, (of) => numberNow(db, findLinkedPayment(db).get({ id: of })))
  const payment = id === undefined ? undefined : findLinkedPayment(db).get({ id })
  if (!payment) return undefined
  store.checkRead(payment.orgId)
  const locale = findBooking(db, payment.orgId, payment.bookingId)?.locale
  const until = Date.parse(payment.confirmedAt ?? payment.createdAt) + RECEIPT_LINK_DAYS * DAY_MS
  return { payment, locale, until, open: payment.status === 'CONFIRMED' && until > clock.now() }
}

type Paper = {
  /** Its name below the page's address. */
  readonly file: string
  readonly kind: DocumentKind | 'LETTER' | 'PARTIAL' | 'REFUND'
  readonly number: string
  readonly ready: boolean
  readonly id: string
  readonly of: 'document' | 'letter'
}
type Lease = { readonly orgId: string; readonly bookingId: string }
type Standing = ReturnType<typeof standingDocuments>[number]
const ONES: Partial<Record<Standing['kind'], string>> = {
  INVOICE: 'invoice.pdf',
  LEASE_CONTRACT: 'lease.pdf',
  STATEMENT: 'statement.pdf',
}

/** The papers that stand: those `chosen`, then the lease with its notices and its statement. */
function papersOf(db: Db, { orgId, bookingId }: Lease, chosen: (d: Standing) => boolean): Paper[] {
  const all = standingDocuments(db, orgId, bookingId)
  const papers = [
    ...all
      .filter(({ kind, variant }) => kind === 'INVOICE' && variant !== 'CREDIT_NOTE')
      .filter(chosen)
      .slice(-1),
    ...all.filter((d) => d.kind === 'RECEIPT' && chosen(d)),
    ...all.filter(({ kind }) => kind === 'LEASE_CONTRACT').slice(-1),
    ...all.filter(({ kind }) => kind === 'LEASE_NOTICE'),
    ...all.filter(({ kind }) => kind === 'STATEMENT').slice(-1),
  ]
  hurry(db, orgId, papers)
  return papers.map(({ id, kind, variant, number, status }) => ({
    file: ONES[kind] ?? `${number}.pdf`,
    kind: kind === 'RECEIPT' && variant !== 'FULL' ? (variant === 'REFUND' ? 'REFUND' : 'PARTIAL') : kind,
    number,
    ready: status === 'READY',
    id,
    of: 'document',
  }))
}

/** The invoice that stands in place of a cancelled one: of the same lease, for the same period. */
function replacing(db: Db, { orgId, bookingId, invoiceId }: RentMessageRow): InvoiceRow | undefined {
  const invoice = getInvoice(db, orgId, ALL, invoiceId)
  if (invoice?.status !== 'CANCELLED' || invoice.kind !== 'PERIOD') return undefined
  return standingInvoices(db, orgId, bookingId).find(
    ({ kind, periodStart }) => kind === 'PERIOD' && periodStart === invoice.periodStart,
  )
}

function messagePapers(db: Db, rentMessage: RentMessageRow): Paper[] {
  const { orgId } = rentMessage
  const invoiceId = replacing(db, rentMessage)?.id ?? rentMessage.invoiceId
  const paid = new Set(
    paymentsBehind(db)
      .all({ orgId, targetId: invoiceId })
      .filter(({ amount }) => amount > 0)
      .map(({ id }) => id),
  )
  const letter = findLetter(db, orgId, rentMessage.id)
  return [
    ...(letter
      ? [
          {
            file: 'letter.pdf',
            kind: 'LETTER',
            number: letter.number,
            ready: letter.sha256 !== null,
            id: letter.id,
            of: 'letter',
          } as const,
        ]
      : []),
    ...papersOf(db, rentMessage, (d) => d.invoiceId === invoiceId || paid.has(d.paymentId ?? '')),
  ]
}
const paymentPapers = (db: Db, payment: PaymentRow): Paper[] =>
  papersOf(db, payment, ({ kind, paymentId }) => kind === 'RECEIPT' && paymentId === payment.id)

/** The landlord, with a number to call. */
function contactOf(db: Db, org: OrganizationRow, ownerUserId: string) {
  const { landlord, agent } = landlordOf(db, org, ownerUserId)
  const { name } = agent ?? landlord
  return { name, phoneNumber: agent?.phoneNumber ?? landlord.phoneNumber, agent: agent !== undefined }
}

/**
 * The data of a message's page: the invoice as it is now, what is overdue on its lease, the oldest first, and of the people
 * only the landlord. @throws not_found
 */
export function sharedInvoice({ db, clock }: Pick<Deps, 'db' | 'clock'>, rentMessage: RentMessageRow) {
  const { orgId, invoiceId, linkExpiresAt } = rentMessage
  const invoice = getInvoice(db, orgId, ALL, invoiceId)
  const organization = findOrganization(db, orgId)
  if (!invoice || !organization) throw notFound()
  const { status, grossAmount, amountPaid } = invoice
  const today = localDate(clock.now(), organization.timeZone)
  const instead = replacing(db, rentMessage)
  const { bookingId } = invoice
  const open = standingInvoices(db, orgId, bookingId).filter(payable)
  const isLate = (i: InvoiceRow): boolean => i.dueDate < today
  const lease = { orgId, bookingId }
  const { askedAmount, depositAmount } = claimOf(db, lease, open, (i) => isLate(i) || i.id === invoiceId)
  return {
    askedAmount,
    depositAmount,
    landlord: contactOf(db, organization, invoice.ownerUserId),
    instead: instead && {
      number: instead.number,
      dueDate: instead.dueDate,
      balanceAmount: instead.grossAmount - instead.amountPaid,
    },
    overdue: open
      .filter(isLate)
      .map((i) => ({
        id: i.id,
        number: i.number,
        purpose: purposeOf([i]),
        periodStart: i.periodStart,
        periodEnd: i.periodEnd,
        dueDate: i.dueDate,
        balanceAmount: i.grossAmount - i.amountPaid,
      }))
      .sort((a, b) => (a.dueDate < b.dueDate ? -1 : 1)),
    purpose: purposeOf([invoice]),
    id: invoiceId,
    waitingAmount: waitingOn(db, orgId, invoiceId),
    ...payToOf(db, organization, invoice.propertyId, today),
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
    tvaRegistered: tvaOn(organization, invoice.issuedOn) > 0,
    tvaAmount: invoice.tvaAmount,
    grossAmount,
    creditedAmount: invoice.creditedAmount,
    amountPaid: amountPaid - invoice.creditedAmount,
    balanceAmount: status === 'CANCELLED' ? 0 : grossAmount - amountPaid,
    papers: messagePapers(db, rentMessage),
  }
}

/** The data of a payment's page. @throws not_found */
export function sharedPayment({ db }: Pick<Deps, 'db'>, payment: PaymentRow, until: number) {
  const { orgId, bookingId, amount, method, paidOn, reference, payer, invoiceIds } = payment
  const lease = findBooking(db, orgId, bookingId)
  const organization = findOrganization(db, orgId)
  if (!lease || !organization) throw notFound()
  const invoices = invoiceIds.flatMap((id) => getInvoice(db, orgId, ALL, id) ?? [])
  return {
    landlord: contactOf(db, organization, payment.ownerUserId),
    unit: lease.unitLabel,
    property: lease.propertyName,
    amount,
    method,
    paidOn,
    reference,
    payer,
    paidFor: paidFor(invoices),
    balanceAmount: invoices.reduce((sum, i) => sum + (i.status === 'CANCELLED' ? 0 : i.grossAmount - i.amountPaid), 0),
    linkUntil: localDate(until, organization.timeZone),
    papers: paymentPapers(db, payment),
  }
}

/** A link to a paper that a page shows, for a few minutes and to be shown by the browser; undefined if there is no file (yet). */
function paperLink({ links }: Pick<Deps, 'links'>, papers: readonly Paper[], file: string): string | undefined {
  const paper = papers.find((one) => one.file === file && one.ready)
  if (!paper) return undefined
  return links.sign('GET', '/media-files', paper.id, DOWNLOAD_SECONDS, { of: paper.of, disposition: 'inline' }).url
}
type Papers = Pick<Deps, 'db' | 'links'>
export const messagePaper = (deps: Papers, rentMessage: RentMessageRow, file: string): string | undefined =>
  paperLink(deps, messagePapers(deps.db, rentMessage), file)
export const paymentPaper = (deps: Papers, payment: PaymentRow, file: string): string | undefined =>
  paperLink(deps, paymentPapers(deps.db, payment), file)
