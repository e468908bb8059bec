import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { LeaseNoticeData } from '../../../adapters/pdf/port.ts'
import { type Caller, type Ctx, systemCaller } from '../../../context.ts'
import { RECORDS } from '../../../core/budgets.ts'
import { countryOf } from '../../../core/countries/countries.ts'
import { valueOn } from '../../../core/countries/country.ts'
import { addMonths, formatDate, maxDate } from '../../../core/dates.ts'
import { numberInWords } from '../../../core/numbers-in-words.ts'
import { AppError, invalid, notFound, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { NoticeCreate } from '../../lease/leases/model.ts'
import { isEnding, type StandingNotice } from '../../lease/leases/rules.ts'
import { moveBooking, saveLease } from '../../lease/leases/service.ts'
import { anyRenewalOf, findBooking, getBooking, overlapping, partyBooking } from '../../lease/leases/store.ts'
import { partiesOf, unlessNull } from '../../papers/documents/parties.ts'
import { requestDocument, voidDocuments } from '../../papers/documents/service.ts'
import { countDocuments } from '../../papers/documents/store.ts'
import { organizationOf, todayOf } from '../../people/organizations/service.ts'
import { isHome } from '../../property/properties/rules.ts'
import { broughtUpToDate, nextRun } from '../billing/service.ts'
import { stretch } from './reissue.ts'
import { terminateBooking } from './terminate.ts'

const YEARS_AHEAD = 5

type Side = StandingNotice['by']
/** The side of a lease that the caller is on. @throws not_found, forbidden for who only asked for the unit */
function sideOf(ctx: Ctx, id: string): Side {
  const { orgId, scope, userId } = ctx.caller
  if (scope.kind !== 'tenant' && getBooking(ctx.tx, orgId, scope, id)) return 'LANDLORD'
  const row = partyBooking(ctx.tx, orgId, scope, id)
  if (!row) throw notFound()
  if (row.tenantUserId !== userId) throw new AppError('forbidden')
  return 'TENANT'
}

/** The lease with everything due by now billed, whichever side asks. */
function upToDate(ctx: Ctx, id: string): BookingRow {
  return broughtUpToDate({ ...ctx, caller: systemCaller(ctx.caller.orgId) }, id)
}

/** @throws validation_failed unless the lease can end on the day */
function checkDay({ startDate, endDate, autoRenew }: BookingRow, leaveOn: string, today: string): void {
  const first = maxDate(startDate, today)
  const last = endDate === null || autoRenew ? addMonths(today, 12 * YEARS_AHEAD) : endDate
  if (leaveOn < first || leaveOn > last)
    throw invalid('/leaveOn', `Must be from ${first} to ${last}.`, `Doit être du ${first} au ${last}.`)
}

/**
 * A notice to leave: the lease ends by itself on `leaveOn`, and a renewal that is not signed is cancelled. A notice shorter
 * than the one agreed is recorded, and says so; one shorter than the law allows needs `confirm`, and ends nothing by itself.
 * The same notice again changes nothing.
 * @throws not_found, forbidden, invalid_state, duplicate, quota_exceeded, validation_failed
 */
export function giveNotice(ctx: Ctx, id: string, { by, leaveOn, reason, confirm }: NoticeCreate): BookingRow {
  const side = sideOf(ctx, id)
  if (side === 'TENANT' && by === 'LANDLORD')
    throw invalid(
      '/by',
      'A tenant can give only their own notice: use TENANT.',
      'Le locataire donne congé pour lui-même : TENANT.',
    )
  const row = upToDate(ctx, id)
  if (row.status !== 'ACTIVE') throw refused(row.status, [])
  const { notice: stands } = row
  if (stands?.by === by && stands.leaveOn === leaveOn) return row
  if (stands)
    throw new AppError('duplicate', {
      en: `Notice was already given for ${stands.leaveOn}. Withdraw it first.`,
      fr: `Un congé a déjà été donné, pour le ${stands.leaveOn}. Retirez-le d’abord.`,
    })
  const times = countDocuments(ctx.tx, row.orgId, `leave:${id}`)
  if (times >= RECORDS.leaving[side])
    throw new AppError('quota_exceeded', {
      en: `Notice was given ${times} times for this lease and cannot be given again here. Agree on the end date together.`,
      fr: `Un congé a été donné ${times} fois pour ce bail et ne peut plus l’être ici. Convenez ensemble de la fin du bail.`,
    })
  const today = todayOf(ctx)
  checkDay(row, leaveOn, today)
  const { noticeMonths, endDate, autoRenew } = row
  const legal = by === 'LANDLORD' ? legalNotice(ctx, row, today) : undefined
  const tooShort = legal !== undefined && leaveOn < legal.earliest
  if (tooShort && confirm !== true) throw invalid('/confirm', legal.words.en, legal.words.fr)
  yieldRenewal(ctx, row)
  const agreed = noticeMonths === null ? null : addMonths(today, noticeMonths)
  const notice: StandingNotice = {
    by,
    enteredBy: ctx.caller.userId,
    givenOn: today,
    leaveOn,
    reason: reason ?? null,
    noticeMonths,
    earliestLeaveOn: legal ? maxDate(legal.earliest, agreed ?? legal.earliest) : agreed,
    endDate,
    autoRenew,
    ...(tooShort ? { tooShort } : {}),
  }
  // A lease that goes on past its end is extended month by month until the day to leave.
  const later = endDate !== null && leaveOn > endDate
  const noticed: BookingRow =
    later || tooShort ? { ...row, notice } : { ...row, notice, endDate: leaveOn, autoRenew: false }
  const after = saveLease(ctx, 'booking.notice', { ...noticed, nextRunOn: nextRun(noticed, organizationOf(ctx)) })
  requestDocument(ctx, {
    kind: 'LEASE_NOTICE',
    variant: 'LEAVE',
    source: `leave:${id}:${after.version}`,
    lease: after,
    data: (head): LeaseNoticeData => ({
      ...head,
      leaseStart: row.startDate,
      subject: 'LEAVE',
      by,
      givenOn: today,
      leaveOn,
      ...(tooShort ? { tooShort } : {}),
      reason: unlessNull(notice.reason),
      noticeMonths: unlessNull(noticeMonths),
      earliestLeaveOn: unlessNull(notice.earliestLeaveOn),
      signatures: [],
    }),
  })
  enqueue(ctx, 'booking.noticed', `${id}:${after.version}`)
  return after
}

/**
 * The first day for which the law lets the landlord end an open-ended business lease, and its sentence; undefined for other
 * leases.
 */
function legalNotice(ctx: Ctx, row: BookingRow, today: string) {
  const isOpen = row.endDate === null || row.autoRenew
  if (!isOpen || isHome(partiesOf(ctx, row).premises.type)) return undefined
  const law = valueOn(countryOf(organizationOf(ctx).country), 'NOTICE_BUSINESS_OPEN', today)
  if (!law?.value || !law.source) return undefined
  const { value, source } = law
  const earliest = addMonths(today, value)
  return {
    earliest,
    words: {
      en: `A business lease without a fixed end is ended by notice of at least ${numberInWords(value, 'en')} months (${source.short}, art. ${source.article}), which is ${formatDate(earliest, 'en')}. With confirm: true the notice is recorded, and the lease does not end by itself.`,
      fr: `Un bail professionnel sans terme fixé prend fin par congé donné au moins ${numberInWords(value, 'fr')} mois d’avance (${source.short}, art. ${source.article}), soit le ${formatDate(earliest, 'fr')}. Avec confirm true, le congé est enregistré et le bail ne prend pas fin de lui-même.`,
    },
  }
}

/** A renewal that is not signed gives way to a notice. @throws invalid_state for one that is in force */
function yieldRenewal(ctx: Ctx, row: BookingRow): void {
  const renewal = anyRenewalOf(ctx.tx, row)
  if (!renewal) return
  if (renewal.status === 'ACTIVE')
    throw new AppError(
      'invalid_state',
      {
        en: 'The renewal of this lease is in force. End the renewal first.',
        fr: 'Le renouvellement de ce bail est en vigueur : mettez-y d’abord fin.',
      },
      { currentStatus: row.status, allowed: [] },
    )
  moveBooking({ ...ctx, caller: systemCaller(row.orgId) }, renewal.id, 'cancel')
}

/** Tenants withdraw their own notice, even if a landlord recorded it; landlords those of their side. @throws forbidden */
function checkMine(
  { userId }: Caller,
  side: Side,
  { by, enteredBy }: StandingNotice,
  { tenantUserId }: BookingRow,
): void {
  const mine = side === 'TENANT' ? by === 'TENANT' : enteredBy !== tenantUserId || enteredBy === userId
  if (!mine) throw new AppError('forbidden')
}

/**
 * Takes a notice back until its day: the lease goes on as it was agreed, and the invoice of its last days is replaced by one
 * of the whole period. Without a notice it changes nothing. @throws not_found, forbidden, invalid_state, unit_unavailable
 */
export function withdrawNotice(ctx: Ctx, id: string): BookingRow {
  const side = sideOf(ctx, id)
  const row = upToDate(ctx, id)
  if (row.status !== 'ACTIVE') throw refused(row.status, [])
  const { notice } = row
  if (!notice) return row
  checkMine(ctx.caller, side, notice, row)
  const today = todayOf(ctx)
  // Its day is over: the job ends the lease at any moment.
  if (isEnding(notice) && notice.leaveOn < today) throw refused(row.status, [])
  const { leaveOn, endDate, autoRenew } = notice
  const open: BookingRow =
    isEnding(notice) && row.endDate === leaveOn
      ? { ...row, notice: null, endDate, autoRenew }
      : { ...row, notice: null }
  if (overlapping(ctx.tx, open, open.startDate, open.endDate)) throw new AppError('unit_unavailable')
  stretch({ ...ctx, caller: systemCaller(row.orgId) }, open, leaveOn, today)
  const after = saveLease(ctx, 'booking.notice_withdrawn', { ...open, nextRunOn: nextRun(open, organizationOf(ctx)) })
  voidDocuments(ctx, id, ({ variant }) => variant === 'LEAVE', 'CANCELLED')
  enqueue(ctx, 'booking.notice_withdrawn', `${id}:${after.version}`, { leaveOn, side })
  return after
}

/** Ends a lease whose notice is over, with the settlement of `terminate`. @returns undefined where there is nothing to do */
export function leave(ctx: Ctx, id: string): BookingRow | undefined {
  const row = findBooking(ctx.tx, ctx.caller.orgId, id)
  const notice = row?.notice
  if (
    row?.status !== 'ACTIVE' ||
    !notice ||
    !isEnding(notice) ||
    row.endDate !== notice.leaveOn ||
    notice.leaveOn >= todayOf(ctx)
  )
    return undefined
  return terminateBooking(ctx, id, { endDate: notice.leaveOn, reason: notice.reason, confirm: true })
}
