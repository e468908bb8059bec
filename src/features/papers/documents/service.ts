import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { change, update } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { PAPERS } from '../../../core/budgets.ts'
import { yearOf } from '../../../core/dates.ts'
import { wayPaid } from '../../../core/payment-methods.ts'
import { AppError } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { partiesOf } from './parties.ts'
import {
  ALPHABET,
  CODE_LENGTH,
  type DocumentKind,
  type DocumentVariant,
  type Failure,
  LAST,
  retry,
  SERIES,
  type VoidReason,
} from './rules.ts'
import {
  type DocumentRow,
  findBySource,
  findDocument,
  insertDocument,
  invoiceBehind,
  leaseBehind,
  markVoid,
  markVoidAs,
  markVoidOf,
  nextInSeries,
  redrawnFrom,
  rewriteDocument,
  saveDocument,
  standingDocuments,
  takeOfDay,
  untilRefill,
} from './store.ts'

export type PrintedLease = Pick<
  BookingRow,
  'id' | 'orgId' | 'propertyId' | 'unitId' | 'tenantId' | 'ownerUserId' | 'tenantUserId' | 'locale'
> & {
  /** The parties on its papers, if the caller has read them already: one step may make hundreds. */
  readonly parties?: ReturnType<typeof partiesOf>
}

/** What stands on every paper of a lease. */
export type Head = ReturnType<typeof partiesOf> & {
  readonly locale: 'fr' | 'en'
  readonly number: string
  readonly issuedOn: string
}

type DocumentRequest = {
  readonly kind: DocumentKind
  readonly variant?: DocumentVariant
  /** Names the event: the same one again makes nothing new. */
  readonly source: string
  readonly lease: PrintedLease
  readonly number?: string | undefined
  /** Today where it is not said. */
  readonly issuedOn?: string
  readonly id?: string
  readonly invoiceId?: string
  readonly paymentId?: string
  readonly data: (head: Head) => object
}

const tooManyPapers = (ms: number): AppError =>
  new AppError(
    'too_many_requests',
    {
      en: 'As many papers as a day may have were made. What you entered before stays; go on tomorrow.',
      fr: 'Autant de documents qu’une journée peut en compter ont été faits. Ce qui est déjà saisi reste ; continuez demain.',
    },
    { retryAfter: Math.max(1, Math.ceil(ms / 1000)) },
  )

/** Takes one from a budget of the day. @throws too_many_requests */
function spend({ tx, nowMs: now }: Ctx, budget: string, key: string, most: number): void {
  if (!takeOfDay(tx).get({ budget, key, now, most })) throw tooManyPapers(untilRefill(now))
}
/** Counts a paper that an action of the caller makes; the service's own are free. @throws too_many_requests */
function spendPaper(ctx: Ctx): void {
  const { userId, orgId, scope } = ctx.caller
  if (userId === 'system') return
  spend(ctx, 'papers_person', userId, PAPERS[scope.kind === 'tenant' ? 'tenant' : 'landlord'])
  spend(ctx, 'papers_organization', orgId, PAPERS.organization)
}

/** Counts a contract that is made anew because something that it mentions has changed. @throws too_many_requests */
export const spendRedrawn = (ctx: Ctx, ownerUserId: string): void =>
  spend(ctx, 'papers_redrawn', ownerUserId, PAPERS.redrawn)

/** 130 random bits as 26 characters. */
export const newCode = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(CODE_LENGTH)), (byte) => ALPHABET[byte & 31]).join('')

/**
 * Its place in the queue: papers that somebody waits for, the invoices of the same request, then invoices and receipts that
 * the service makes by itself, thousands in a night.
 */
function placeOf({ caller }: Ctx, kind: DocumentKind): number {
  if (kind !== 'INVOICE' && kind !== 'RECEIPT') return 0
  return caller.userId === 'system' ? LAST : kind === 'INVOICE' ? 1 : 0
}

/**
 * Asks for a document in the transaction of its event: the row and the data it will be drawn from are written here, the
 * file follows by itself. @returns its id, that of the first time when the source was asked for before
 * @throws too_many_requests
 */
export function requestDocument(ctx: Ctx, { kind, source, lease, data, ...rest }: DocumentRequest): string {
  const known = findBySource(ctx.tx).get({ orgId: lease.orgId, source })
  if (known) return known.id
  spendPaper(ctx)
  const issuedOn = rest.issuedOn ?? todayOf(ctx)
  const number = rest.number ?? nextNumberOf(ctx, kind === 'INVOICE' ? '' : SERIES[kind], issuedOn)
  const { locale } = lease
  const row: DocumentRow = {
    id: rest.id ?? ctx.newId(),
    orgId: lease.orgId,
    kind,
    variant: rest.variant ?? null,
    bookingId: lease.id,
    invoiceId: rest.invoiceId ?? null,
    paymentId: rest.paymentId ?? null,
    propertyId: lease.propertyId,
    ownerUserId: lease.ownerUserId,
    tenantUserId: lease.tenantUserId,
    source,
    number,
    locale,
    issuedOn,
    code: newCode(),
    data: data({ ...(lease.parties ?? partiesOf(ctx, lease)), locale, number, issuedOn }) as DocumentRow['data'],
    status: 'PENDING',
    failure: null,
    attempts: 0,
    renderAt: placeOf(ctx, kind),
    templateVersion: null,
    sha256: null,
    sizeBytes: null,
    voidReason: null,
    voidedAt: null,
    createdAt: ctx.now,
    renderedAt: null,
    signedCopyMediaId: null,
    updatedAt: ctx.now,
    version: 1,
  }
  insertDocument(ctx.tx, row)
  return row.id
}

/**
 * The paper of a kind that this same write made for a lease, from a source with the id of its request at the end, gets the
 * data of now, so that it is made once.
 * @returns its id; undefined where this write has made none
 */
export function remake(
  ctx: Ctx,
  { kind, lease, data }: Pick<DocumentRequest, 'kind' | 'lease' | 'data'>,
): string | undefined {
  const standing = standingDocuments(ctx.tx, lease.orgId, lease.id).findLast((d) => d.kind === kind)
  const row = standing && findDocument(ctx.tx, lease.orgId, standing.id)
  // A client may use the id of its request again, but not in the same millisecond, before the paper is drawn.
  if (row?.status !== 'PENDING' || row.createdAt !== ctx.now || !row.source.endsWith(` ${ctx.requestId}`))
    return undefined
  const { locale, number, issuedOn } = row
  rewriteDocument(ctx.tx, row, data({ ...partiesOf(ctx, lease), locale, number, issuedOn }) as DocumentRow['data'])
  return row.id
}

type Standing = ReturnType<typeof standingDocuments>[number]
/** Marks documents of a booking as void. They stay readable, and their verification says that they are void. */
export function voidDocuments(ctx: Ctx, bookingId: string, which: Which, reason: VoidReason): Standing[] {
  const { orgId } = ctx.caller
  const chosen = standingDocuments(ctx.tx, orgId, bookingId).filter(which)
  const ids = chosen.map(({ id }) => id)
  markVoid(ctx.tx, orgId, ids, reason, ctx.now)
  return chosen
}

/** The same for the paper of an invoice, found without reading the lease's other papers. */
export const voidInvoicePaper = (ctx: Ctx, invoiceId: string, reason: VoidReason): void =>
  markVoidOf(ctx.tx, ctx.caller.orgId, `invoice:${invoiceId}`, reason, ctx.now)

/** The same for the credit notes of an invoice. */
export const voidCreditNote = (ctx: Ctx, invoiceId: string, id: string): void =>
  markVoidAs(ctx.tx, ctx.caller.orgId, `credit-note:${invoiceId}:${id}`, 'CANCELLED', ctx.now)

/** The same for the paper that was asked for from a source. */
export const voidPaper = (ctx: Ctx, source: string, reason: VoidReason): void =>
  markVoidAs(ctx.tx, ctx.caller.orgId, source, reason, ctx.now)

/** The next number of a series of papers: `R-2026-000001`. */
export const nextNumberOf = (ctx: Ctx, letters: string, day = todayOf(ctx)): string =>
  nextInSeries(ctx.tx).get({ orgId: ctx.caller.orgId, series: `${letters}-${yearOf(day)}` })?.number ?? ''

type Which = (d: Standing) => boolean
/** A lease or an inspection as it stands was signed by hand: its scan is named with it. */
export function nameSignedCopy(ctx: Ctx, bookingId: string, which: Which, signedCopyMediaId: string): void {
  const standing = standingDocuments(ctx.tx, ctx.caller.orgId, bookingId).findLast(which)
  const row = standing && findDocument(ctx.tx, ctx.caller.orgId, standing.id)
  if (row) update(ctx, saveDocument, row, { signedCopyMediaId })
}

type File = Pick<DocumentRow, 'sha256' | 'sizeBytes' | 'templateVersion'>
/** Records the file once it exists. */
export function keepFile(ctx: Ctx, id: string, file: File): DocumentRow | undefined {
  const before = findDocument(ctx.tx, ctx.caller.orgId, id)
  if (!before || before.status === 'READY') return before
  const ready = { status: 'READY', failure: null, renderAt: null, ...file, renderedAt: ctx.now } as const
  const after = change(ctx, saveDocument, before, ready, 'document.ready')
  if (after.variant === 'PROPOSED') enqueue(ctx, 'lease.proposed', after.bookingId)
  return after
}

/** Records a new file for a paper whose file was lost, unless it was already renewed meanwhile. */
export function renewFile(ctx: Ctx, id: string, was: string, file: File): void {
  const before = findDocument(ctx.tx, ctx.caller.orgId, id)
  if (before?.sha256 !== was) return
  change(ctx, saveDocument, before, file, 'document.redraw', { was, sha256: file.sha256 ?? '' })
}

/** Schedules another try at drawing a paper, at a time of the wall clock (epoch ms). */
export function postpone(ctx: Ctx, id: string, failure: Failure, wall: number): DocumentRow | undefined {
  const before = findDocument(ctx.tx, ctx.caller.orgId, id)
  if (!before || before.status === 'READY') return before
  const attempts = before.attempts + (failure === 'STORAGE' ? 0 : 1)
  const { status, afterMs } = retry(failure, attempts)
  const renderAt = wall + afterMs
  const postponed = { status, failure, attempts, renderAt }
  if (status === before.status) return update(ctx, saveDocument, before, postponed)
  return change(ctx, saveDocument, before, postponed, 'document.fail')
}

const LEASE_STATES = {
  DRAFT: 'PROPOSED',
  PENDING: 'PROPOSED',
  ACTIVE: 'IN_FORCE',
  CANCELLED: 'CANCELLED',
  TERMINATED: 'ENDED',
} as const
/** The public facts of a document, for whoever holds it: nothing about people. Amounts in francs. */
export function factsOf(db: Db, row: DocumentRow) {
  const { kind, variant, number, issuedOn, sha256, data } = row
  const amountOf = {
    LEASE_CONTRACT: 'grossAmount',
    INVOICE: 'grossAmount',
    RECEIPT: 'amount',
    LEASE_NOTICE: 'grossAmount',
    INSPECTION: 'deductionAmount',
  } as const
  const numberIn = (member: string): number => Number(data[member] ?? 0)
  // The balance that the paper says: the deposit that is held counts in it.
  const balance = numberIn('debtAmount') - numberIn('creditAmount') - numberIn('heldAmount')
  const amount = kind === 'STATEMENT' ? balance : numberIn(amountOf[kind])
  const periods = kind === 'RECEIPT' ? (data.invoices as { periodStart: string; periodEnd: string }[]) : []
  const shared = data.calculation as { readonly from: string; readonly to: string } | undefined
  const from =
    kind === 'RECEIPT'
      ? periods[0]?.periodStart
      : (data.periodStart ?? data.startDate ?? data.fromDate ?? data.inspectedOn ?? data.leaveOn ?? shared?.from)
  const to =
    kind === 'RECEIPT'
      ? periods.at(-1)?.periodEnd
      : (data.periodEnd ?? data.endDate ?? data.inspectedOn ?? data.leaveOn ?? shared?.to)
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  const state = stateOf(db, row)
  const replacement = state === 'REPLACED' ? replacementOf(db, row) : undefined
  // A copy of an earlier file of the same paper is genuine too.
  const digests = sha256 === null ? [] : [sha256, ...redrawnFrom(db, row.orgId, row.id)]
  const paysFor = kind === 'INVOICE' && variant === null && row.invoiceId !== null
  const creditedAmount = paysFor ? (invoiceBehind(db, row.orgId, row.invoiceId ?? '')?.creditedAmount ?? 0) : 0
  const span = { from: text(from), to: text(to) }
  // A deposit has no payment, and is received all the same.
  const ofDeposit = variant === 'DEPOSIT' || variant === 'DEPOSIT_RETURNED'
  const method = (data.payment as { method: string } | undefined)?.method
  const way = kind !== 'RECEIPT' ? undefined : ofDeposit ? ('RECEIVED' as const) : wayPaid(method)
  const byOther = kind === 'RECEIPT' && (data.payment as { payer?: string } | undefined)?.payer !== undefined
  const said = { digests, state, replacement, creditedAmount, byOther }
  return { kind, variant, number, issuedOn, amount, way, ...span, ...said }
}

/** Number and date of the paper that stands in the place of another; never its code, which would show its figures to whoever holds the old one. */
function replacementOf(db: Db, { orgId, bookingId, kind, variant, paymentId, invoiceId }: DocumentRow) {
  const newer = standingDocuments(db, orgId, bookingId).findLast(
    (d) =>
      d.kind === kind &&
      (variant === 'CREDIT_NOTE') === (d.variant === 'CREDIT_NOTE') &&
      d.paymentId === paymentId &&
      (paymentId !== null || d.invoiceId === invoiceId),
  )
  const row = newer && findDocument(db, orgId, newer.id)
  return row && { number: row.number, issuedOn: row.issuedOn }
}

function stateOf(db: Db, { orgId, kind, variant, voidReason, bookingId, invoiceId, ...row }: DocumentRow) {
  if (voidReason !== null) return voidReason
  if (kind === 'INVOICE' && variant !== 'CREDIT_NOTE') {
    return invoiceBehind(db, orgId, invoiceId ?? '')?.status ?? 'CANCELLED'
  }
  if (kind === 'LEASE_CONTRACT') return LEASE_STATES[leaseBehind(db, orgId, bookingId)?.status ?? 'CANCELLED']
  const isSigned = variant === 'SIGNED' || row.signedCopyMediaId !== null
  if (kind === 'INSPECTION') return isSigned ? ('VALID' as const) : ('PROPOSED' as const)
  return variant === 'RIDER' ? ('PROPOSED' as const) : ('VALID' as const)
}
