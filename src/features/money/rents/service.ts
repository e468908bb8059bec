import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { LeaseNoticeData, Signature } from '../../../adapters/pdf/port.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { adjustment } from '../../../core/adjustments.ts'
import { addMonths } from '../../../core/dates.ts'
import { tvaAmount } from '../../../core/money.ts'
import { AppError, invalid, notFound, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { RentChangeCreate } from '../../lease/leases/model.ts'
import { addRentChange, moveRentChange, rentAt, rentSteps } from '../../lease/leases/rent-steps.ts'
import { isEnding, rentOn, risesByAgreement } from '../../lease/leases/rules.ts'
import { bookingOf, saveLease } from '../../lease/leases/service.ts'
import {
  findRentChange,
  partyBooking,
  type RentChangeRow,
  rentChangesCounted,
  rentChangesOf,
} from '../../lease/leases/store.ts'
import { partiesOf, unlessNull } from '../../papers/documents/parties.ts'
import { requestDocument, voidDocuments } from '../../papers/documents/service.ts'
import { findDocument } from '../../papers/documents/store.ts'
import { organizationOf, todayOf } from '../../people/organizations/service.ts'
import { isHome } from '../../property/properties/rules.ts'
import { reasonOfLimited } from '../adjustments/service.ts'
import { broughtUpToDate, nextRun } from '../billing/service.ts'
import { standingInvoices } from '../invoices/store.ts'
import { isRent, reissue } from '../leaving/reissue.ts'
import { openPeriodOf, periodAround } from './rules.ts'

const YEARS_AHEAD = 5
/** Changes of a lease in all, cancelled ones included: each makes a paper and a message. */
const MOST = 100

/** A change of the rent of a lease that the caller is a party of. */
export function readRentChange(db: Db, { orgId, scope }: Caller, id: string): RentChangeRow | undefined {
  const row = findRentChange(db, orgId, id)
  return row && partyBooking(db, orgId, scope, row.bookingId) && row
}

/** The same. @throws not_found */
export function rentChangeOf(ctx: Ctx, id: string): RentChangeRow {
  const row = readRentChange(ctx.tx, ctx.caller, id)
  if (!row) throw notFound()
  return row
}

/** Rent invoices of periods from a day on: those that are paid keep their rent, the others follow the change. */
function invoicesFrom(ctx: Ctx, { orgId, id }: BookingRow, day: string): { paid: InvoiceRow[]; open: InvoiceRow[] } {
  const rents = standingInvoices(ctx.tx, orgId, id).filter((i) => i.periodStart >= day && isRent(i))
  return { paid: rents.filter((i) => i.status === 'PAID'), open: rents.filter((i) => i.status !== 'PAID') }
}

/** @throws validation_failed unless a rent period of the lease begins on the day: the one that runs, or a later one */
function checkDay(row: BookingRow, from: string, today: string): void {
  const earliest = openPeriodOf(row, today)
  const latest = addMonths(today, 12 * YEARS_AHEAD)
  if (from < earliest || from > latest)
    throw invalid('/from', `Must be from ${earliest} to ${latest}.`, `Doit être du ${earliest} au ${latest}.`)
  const around = periodAround({ ...row, goesOn: row.autoRenew && !isEnding(row.notice) }, from)
  if (!around) throw invalid('/from', `The lease ends on ${row.endDate}.`, `Le bail prend fin le ${row.endDate}.`)
  const { starts, before, after } = around
  if (!starts)
    throw invalid(
      '/from',
      `Must be the first day of a rent period: ${before} or ${after}.`,
      `Doit être le premier jour d’une période de loyer : ${before} ou ${after}.`,
    )
}

/**
 * Changes the rent of an ACTIVE lease from a day on. A rise that needs the tenant's agreement is PROPOSED and counts once
 * they sign; anything else counts from its day. @throws invalid_state, duplicate, quota_exceeded, validation_failed
 */
export function changeRent(ctx: Ctx, bookingId: string, body: RentChangeCreate): RentChangeRow {
  const lease = broughtUpToDate(ctx, bookingId)
  if (lease.status !== 'ACTIVE') throw refused(lease.status, [])
  const all = rentChangesOf(ctx.tx, lease.orgId, bookingId)
  if (all.some(({ status }) => status === 'PROPOSED'))
    throw new AppError('duplicate', {
      en: 'A rent change waits for the tenant’s signature. Cancel it first.',
      fr: 'Un changement de loyer attend la signature du locataire. Annulez-le d’abord.',
    })
  if (rentChangesCounted(ctx.tx, lease.orgId, bookingId) >= MOST)
    throw new AppError('quota_exceeded', {
      en: `A lease can have at most ${MOST} rent changes. Draw up a new one.`,
      fr: `Un bail compte au plus ${MOST} changements de loyer. Établissez-en un nouveau.`,
    })
  const today = todayOf(ctx)
  checkDay(lease, body.from, today)
  const last = all.at(-1)
  if (last && body.from <= last.fromDate)
    throw invalid(
      '/from',
      `The rent already changes on ${last.fromDate}. Choose a later day, or cancel that change.`,
      `Le loyer change déjà le ${last.fromDate} : donnez une date plus tardive, ou annulez ce changement.`,
    )
  const previousAmount = rentOn(all, lease.rentAmount, body.from)
  if (body.rentAmount === previousAmount)
    throw invalid('/rentAmount', 'This is the rent already.', 'C’est déjà le loyer.')
  const { paid } = invoicesFrom(ctx, lease, body.from)
  if (paid.length > 0 && body.confirm !== true) {
    const numbers = paid.map(({ number }) => number).join(', ')
    throw invalid(
      '/confirm',
      `These invoices are already paid and keep the rent that was paid: ${numbers}. To confirm this, send confirm: true.`,
      `Déjà payé, et laissé au loyer qui a été payé : ${numbers}. Donnez confirm true si c’est bien voulu.`,
    )
  }
  const lowered = previousAmount - body.rentAmount
  const reason = lowered > 0 ? reasonOfLimited(ctx, lease.ownerUserId, body.reason) : (body.reason ?? null)
  const home = isHome(partiesOf(ctx, lease).premises.type)
  const rises = body.rentAmount > previousAmount
  const needsAgreement = rises && risesByAgreement(lease, home, body.from, today)
  // A rise of business premises that nobody signs stands on the clause that the parties signed.
  const clause = rises && !needsAgreement && !home ? lease.reviewClause : null
  const row: RentChangeRow = {
    id: ctx.newId(),
    orgId: lease.orgId,
    bookingId,
    fromDate: body.from,
    rentAmount: body.rentAmount,
    previousAmount,
    reason,
    status: needsAgreement ? 'PROPOSED' : body.from <= today ? 'IN_FORCE' : 'SCHEDULED',
    needsAgreement,
    documentId: '',
    createdBy: ctx.caller.userId,
    signedBy: null,
    signedName: null,
    signedAt: null,
    channel: null,
    maskedNumber: null,
    mediaObjectId: null,
    createdAt: ctx.now,
    cancelledAt: null,
    declinedAt: null,
    declinedReason: null,
    updatedAt: ctx.now,
    version: 1,
  }
  const { tvaBasisPoints } = lease
  const tva = tvaAmount(row.rentAmount, tvaBasisPoints)
  const documentId = requestDocument(ctx, {
    kind: 'LEASE_NOTICE',
    variant: needsAgreement ? 'RIDER' : 'RENT_CHANGE',
    source: `rent-change:${row.id}`,
    lease,
    data: (head): LeaseNoticeData => ({
      ...head,
      leaseStart: lease.startDate,
      subject: needsAgreement ? 'RIDER' : 'RENT_CHANGE',
      fromDate: row.fromDate,
      previousAmount,
      rentAmount: row.rentAmount,
      tvaBasisPoints,
      tvaAmount: tva,
      grossAmount: row.rentAmount + tva,
      ...(clause ? { clause } : {}),
      reason: unlessNull(row.reason),
      paid: paid.map(({ number, periodStart, periodEnd }) => ({ number, periodStart, periodEnd })),
      signatures: [],
    }),
  })
  const about = { propertyId: lease.propertyId, amount: lowered, reason }
  const details = lowered > 0 ? adjustment('RENT_LOWERED', about) : {}
  const written = addRentChange(ctx, { ...row, documentId }, details)
  if (!needsAgreement) follow(ctx, lease, row.fromDate, today)
  enqueue(ctx, needsAgreement ? 'rent_change.proposed' : 'rent_change.announced', row.id)
  return written
}

/** The lease, and its invoices from a day on that are not paid, follow the changes that count now. */
function follow(ctx: Ctx, lease: BookingRow, from: string, today: string): BookingRow {
  const steps = rentSteps(ctx, lease)
  const row = rentAt(lease, steps, today)
  const rentOf = ({ periodStart }: InvoiceRow) => rentOn(steps, row.rentAmount, periodStart)
  reissue(ctx, row, rentOf, invoicesFrom(ctx, row, from).open, today)
  return saveLease(ctx, 'booking.rent', { ...row, nextRunOn: nextRun(row, organizationOf(ctx)) })
}

/** The tenant has signed: the change counts. @throws invalid_state where it is not PROPOSED, or its period is over */
export function agreeRent(
  ctx: Ctx,
  before: RentChangeRow,
  signed: Partial<Pick<RentChangeRow, 'signedBy' | 'signedName' | 'signedAt' | 'channel' | 'maskedNumber'>> & {
    readonly mediaObjectId?: string
  },
): RentChangeRow {
  const lease = broughtUpToDate(ctx, before.bookingId)
  const today = todayOf(ctx)
  checkOpen(lease, before, today)
  const paper = findDocument(ctx.tx, before.orgId, before.documentId)
  if (!paper) throw notFound()
  const { signedName: name, signedAt, channel, maskedNumber } = signed
  const byCode: Signature[] =
    name && signedAt
      ? [{ party: 'TENANT', name, signedAt, evidence: `${channel === 'SMS' ? 'SMS' : 'WhatsApp'} ${maskedNumber}` }]
      : []
  const documentId =
    byCode.length === 0
      ? before.documentId
      : requestDocument(ctx, {
          kind: 'LEASE_NOTICE',
          variant: 'RIDER_SIGNED',
          source: `rent-change:${before.id}:signed`,
          lease,
          number: paper.number,
          // The exact text that was signed, with the evidence.
          data: () => ({
            ...paper.data,
            signatures: byCode,
            timeZone: organizationOf(ctx).timeZone,
            signedSha256: unlessNull(paper.sha256),
          }),
        })
  if (documentId !== before.documentId) voidDocuments(ctx, lease.id, ({ id }) => id === before.documentId, 'REPLACED')
  const status = before.fromDate <= today ? 'IN_FORCE' : 'SCHEDULED'
  const after = moveRentChange(ctx, before, 'agree', { ...signed, status, documentId })
  follow(ctx, lease, after.fromDate, today)
  enqueue(ctx, 'rent_change.agreed', after.id)
  return after
}

/** @throws invalid_state unless the change waits for a signature and its first period is not over */
export function checkOpen(lease: BookingRow, row: RentChangeRow, today: string): void {
  if (lease.status !== 'ACTIVE') throw refused(lease.status, [])
  if (row.status !== 'PROPOSED') throw refused(row.status, [])
  if (row.fromDate < openPeriodOf(lease, today))
    throw new AppError(
      'invalid_state',
      {
        en: 'The first period of this rent change is over. Ask for a new rent change.',
        fr: 'La première période de ce changement est passée. Demandez-en un nouveau.',
      },
      { currentStatus: row.status, allowed: ['cancel'] },
    )
}

/**
 * Cancels a change that waits for its signature, or the last one that counts and has not begun: the rent stays as it was.
 * Twice changes nothing. @throws invalid_state once it has begun, another follows it, or a period is paid at its rent
 */
export function cancelRent(ctx: Ctx, id: string): RentChangeRow {
  const before = rentChangeOf(ctx, id)
  const { bookingId } = before
  bookingOf(ctx, bookingId)
  if (before.status === 'CANCELLED') return before
  const lease = broughtUpToDate(ctx, bookingId)
  const row = rentChangeOf(ctx, id)
  if (row.status === 'IN_FORCE') throw refused(row.status, [])
  const counted = row.status === 'SCHEDULED'
  const no = (en: string, fr: string) =>
    new AppError('invalid_state', { en, fr }, { currentStatus: row.status, allowed: [] })
  if (counted && rentChangesOf(ctx.tx, row.orgId, bookingId).some(({ fromDate }) => fromDate > row.fromDate))
    throw no(
      'A later rent change follows this one. Cancel the later one first.',
      'Un changement ultérieur le suit. Annulez-le d’abord.',
    )
  const paid = counted ? invoicesFrom(ctx, lease, row.fromDate).paid.map(({ number }) => number) : []
  if (paid.length > 0)
    throw no(
      `These invoices are already paid at the new rent: ${paid.join(', ')}. Reverse the payment first.`,
      `Déjà payé au nouveau loyer : ${paid.join(', ')}. Annulez d’abord le paiement.`,
    )
  const after = moveRentChange(ctx, row, 'cancel', { status: 'CANCELLED', cancelledAt: ctx.now })
  voidDocuments(ctx, bookingId, ({ id: paper }) => paper === row.documentId, 'CANCELLED')
  if (counted && lease.status === 'ACTIVE') follow(ctx, lease, row.fromDate, todayOf(ctx))
  enqueue(ctx, 'rent_change.cancelled', row.id)
  return after
}
