import { isDeepStrictEqual } from 'node:util'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { change, existing, record, update, visible } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { OPEN_REQUESTS } from '../../../core/budgets.ts'
import { addDays, maxDate } from '../../../core/dates.ts'
import { next } from '../../../core/lifecycle.ts'
import { CURRENCY } from '../../../core/money.ts'
import { isUnnamed } from '../../../core/phone.ts'
import { isPart } from '../../../core/scope.ts'
import { tvaChangesOf } from '../../../core/tva.ts'
import { AppError, invalid, refused, refusedAt } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { checkRoom } from '../../people/organizations/quotas.ts'
import { organizationOf, todayOf, tvaToday } from '../../people/organizations/service.ts'
import { checkKnown, introduce, tenantNamed, tenantOfUser } from '../../people/tenants/service.ts'
import type { TenantRow } from '../../people/tenants/store.ts'
import { defaultAutoRenew, defaultTva } from '../../property/properties/rules.ts'
import { propertyOf } from '../../property/properties/service.ts'
import type { PropertyRow } from '../../property/properties/store.ts'
import { followBookings, unitOf } from '../../property/units/service.ts'
import type { UnitRow } from '../../property/units/store.ts'
import { copyParties } from '../contracts/parties.ts'
import { type Agreed, cancelLease, inviteParties, requestLease, requestSigned } from '../contracts/service.ts'
import type { BookingCreate, BookingPatch, Renew } from './model.ts'
import { copyPayers } from './payers.ts'
import { type BookingAction, bookingMoves, endedLately } from './rules.ts'
import {
  type AgreedTerms,
  anyRenewalOf,
  findBooking,
  getBooking,
  insertBooking,
  nameTenant,
  openRequests,
  overlapping,
  saveBooking,
} from './store.ts'
import {
  billingStart,
  checkTerms,
  defaultBillFrom,
  isOfRunning,
  newTerm,
  renewalStart,
  rentFrom,
  withTerms,
} from './terms.ts'

const REQUEST_MEMBERS = ['unitId', 'startDate', 'endDate']

/** A booking within the caller's reach. @throws not_found */
export const bookingOf = visible(getBooking)

/** The lease that an invoice or a payment is of, whoever asks. @throws not_found */
export const leaseOf = existing(findBooking)

/** A DRAFT lease by a landlord, or a tenant's request for a free unit of a published property: it reserves nothing. */
export function createBooking(ctx: Ctx, body: BookingCreate): BookingRow {
  const requested = ctx.caller.scope.kind === 'tenant'
  if (requested)
    for (const [member, value] of Object.entries(body))
      if (!REQUEST_MEMBERS.includes(member) && value !== null && value !== undefined)
        throw invalid(
          `/${member}`,
          'A request can name only the unit and the dates.',
          'Une demande ne donne que le logement et les dates.',
        )
  const unit = unitOf(ctx, body.unitId)
  const property = propertyOf(ctx, unit.propertyId)
  const { ownerUserId } = property
  const tenant = requested ? tenantOfUser(ctx, ctx.caller.userId, ownerUserId) : tenantNamed(ctx, body, ownerUserId)
  checkLettable(property, unit)
  if (requested) {
    if (property.status !== 'PUBLISHED') throw refused(property.status, [])
    if (unit.status !== 'AVAILABLE') throw refusedAt('/unitId', 'unit_unavailable')
    if (openRequests(ctx.tx, ctx.caller.orgId, ctx.caller.userId) >= OPEN_REQUESTS)
      throw new AppError('too_many_open_requests')
  }
  const rentAmount = body.rentAmount ?? unit.rentAmount
  if (rentAmount === null)
    throw requested
      ? invalid('/unitId', 'This unit has no rent yet.', 'Ce logement n’a pas encore de loyer.')
      : invalid(
          '/rentAmount',
          'The unit has no rent. Give a rent here.',
          'Le logement n’a pas de loyer : indiquez-le ici.',
        )
  const org = organizationOf(ctx)
  const type = unit.type ?? property.type
  return insert(ctx, {
    unitId: unit.id,
    propertyId: property.id,
    ownerUserId,
    tenantId: tenant.id,
    tenantUserId: tenant.userId,
    tenantName: tenant.fullName,
    unitLabel: unit.label,
    propertyName: property.name,
    startDate: body.startDate,
    endDate: body.endDate ?? null,
    rentAmount,
    depositAmount: body.depositAmount ?? null,
    tvaBasisPoints: body.tvaBasisPoints ?? defaultTva(type, tvaToday(ctx)),
    noticeMonths: body.noticeMonths ?? null,
    dueDay: body.dueDay ?? org.dueDay,
    autoRenew: body.autoRenew ?? defaultAutoRenew(type),
    billFrom: body.billFrom ?? null,
    openingBalance: body.openingBalance ?? null,
    locale: body.locale ?? tenant.locale,
    requestedBy: requested ? ctx.caller.userId : null,
    renewsBookingId: null,
    vouched: !isPart(ctx.caller.scope),
    tvaFollowed: tvaChangesOf(org).filter(({ from }) => from <= todayOf(ctx)).length,
    rentByAgreement: body.rentByAgreement ?? null,
    trade: body.trade ?? null,
    reviewClause: body.reviewClause ?? null,
  })
}

function insert(ctx: Ctx, lease: AgreedTerms): BookingRow {
  checkTerms(ctx, lease)
  checkRoom(ctx, 'booking')
  const row: BookingRow = {
    ...lease,
    billFrom: lease.billFrom ?? defaultBillFrom(ctx, { ...lease, createdAt: ctx.now }),
    id: ctx.newId(),
    orgId: ctx.caller.orgId,
    rentCurrency: CURRENCY,
    depositCurrency: lease.depositAmount === null ? null : CURRENCY,
    status: 'DRAFT',
    terminationReason: null,
    creditAmount: 0,
    anchorDate: lease.startDate,
    nextPeriod: 0,
    nextRunOn: null,
    createdAt: ctx.now,
    submittedAt: null,
    activatedAt: null,
    terminatedAt: null,
    cancelledAt: null,
    settlement: null,
    notice: null,
    nextRentOn: null,
    nextRentAmount: null,
    updatedAt: ctx.now,
    version: 1,
  }
  insertBooking(ctx.tx, row)
  record(ctx, 'booking.create', { type: 'booking', after: row })
  if (row.requestedBy !== null) enqueue(ctx, 'booking.requested', row.id)
  return row
}

/** Changes a DRAFT or PENDING lease; of an ACTIVE one its renewal, and the end of an open one. @throws invalid_state, unit_unavailable, validation_failed */
export function updateBooking(ctx: Ctx, id: string, patch: BookingPatch): BookingRow {
  const before = bookingOf(ctx, id)
  if (before.status === 'ACTIVE') {
    if (isOfRunning(patch)) return updateRunning(ctx, before, patch)
    throw new AppError(
      'invalid_state',
      {
        en: 'This lease is in force. You can correct a typing error in its first period, or change its rent from a given day. For anything else, end it and draw up a new one.',
        fr: 'Ce bail est en vigueur. Corrigez une erreur de saisie pendant sa première période, ou changez le loyer à partir d’une date\u00a0; pour le reste, mettez-y fin et établissez-en un nouveau.',
      },
      { currentStatus: before.status, allowed: allowedOf(before) },
    )
  }
  if (before.status !== 'DRAFT' && before.status !== 'PENDING') throw refused(before.status, allowedOf(before))
  const changed = withTerms(ctx, before, patch)
  if (before.status === 'PENDING' && overlapping(ctx.tx, before, changed.startDate, changed.endDate))
    throw refusedAt('/startDate', 'unit_unavailable')
  if (isDeepStrictEqual(changed, before)) return before
  const after = change(ctx, saveBooking, before, changed, 'booking.update')
  if (after.status === 'PENDING') requestLease(ctx, after, 'PROPOSED')
  return after
}

/** Whether a lease in force goes on past its end, and the end that an open one takes: the tenant is told. */
function updateRunning(ctx: Ctx, before: BookingRow, patch: Pick<BookingPatch, 'autoRenew' | 'endDate'>): BookingRow {
  const term = newTerm(before, patch, todayOf(ctx))
  if (!term) return before
  const after = change(ctx, saveBooking, before, { ...before, ...term, nextRunOn: todayOf(ctx) }, 'booking.update')
  enqueue(ctx, 'booking.changed', `${after.id}:${after.version}`)
  return after
}

// A lease agreed BEFORE needs no proposal on paper, and a job makes its copy: thousands may be imported at once.
/**
 * submit, activate or cancel; twice changes nothing. `agreed`: how a lease was signed; BLANK: it goes out without the
 * tenant's name, to be written by hand. The others: see endings.
 */
export function moveBooking(
  ctx: Ctx,
  id: string,
  action: Exclude<BookingAction, 'terminate' | 'reinstate'>,
  agreed?: Agreed | { readonly how: 'BEFORE' | 'BLANK' },
): BookingRow {
  const row = bookingOf(ctx, id)
  const step = next(bookingMoves, row.status, action)
  if (step.kind === 'already') return row
  if (step.kind === 'refused') throw refused(row.status, step.allowed)
  if (action === 'submit') {
    if (!row.vouched && row.requestedBy === null) checkKnown(ctx, row.tenantId)
    checkFree(ctx, followingOn(ctx, row))
  }
  const named = ctx.caller.scope.kind === 'all' || row.requestedBy !== null
  const before = action !== 'cancel' && named && introduce(ctx, row.tenantId) ? bookingOf(ctx, id) : row
  const unnamed = action === 'submit' && isUnnamed(before.tenantName)
  if (unnamed && agreed === undefined) throw refusedAt('/blanks', 'tenant_unnamed')
  const changed = { ...before, status: step.to }
  if (action === 'submit') Object.assign(changed, followingOn(ctx, before), { status: step.to, submittedAt: ctx.now })
  if (action === 'cancel') changed.cancelledAt = ctx.now
  if (action === 'activate') Object.assign(changed, { activatedAt: ctx.now, ...billingStart(ctx, before) })
  const blanks = unnamed ? { blanks: true } : undefined
  const signed = action === 'activate' ? { signed: agreed?.how ?? 'NOT' } : blanks
  const after = change(ctx, saveBooking, before, changed, `booking.${action}`, signed)
  followBookings(ctx, before.unitId)
  if (action === 'submit' && agreed?.how !== 'BEFORE') {
    requestLease(ctx, after, 'PROPOSED')
    inviteParties(ctx, after)
  }
  if (action === 'cancel') cancelLease(ctx, id)
  if (action !== 'activate') return after
  if (agreed?.how === 'ELECTRONICALLY') requestSigned(ctx, after, agreed)
  else if (agreed?.how === 'BEFORE') enqueue(ctx, 'lease.copy', id)
  else requestLease(ctx, after, 'UNSIGNED')
  enqueue(ctx, 'booking.activated', id, agreed?.how === 'BEFORE' ? {} : { waited: true })
  return after
}

function checkLettable(property: Pick<PropertyRow, 'status'>, unit: Pick<UnitRow, 'status'>): void {
  if (property.status === 'ARCHIVED') throw refused(property.status, ['restore'])
  if (unit.status === 'MAINTENANCE' || unit.status === 'ARCHIVED') throw refused(unit.status, [])
}

/** @throws invalid_state where the unit cannot be let, unit_unavailable where another lease has it */
export function checkFree(ctx: Ctx, row: BookingRow): void {
  checkLettable(propertyOf(ctx, row.propertyId), unitOf(ctx, row.unitId))
  if (overlapping(ctx.tx, row, row.startDate, row.endDate)) throw new AppError('unit_unavailable')
}

/** A renewal that is sent out late begins after its lease, which has gone on by itself meanwhile. @throws validation_failed */
function followingOn(ctx: Ctx, row: BookingRow): BookingRow {
  const last = row.renewsBookingId === null ? undefined : findBooking(ctx.tx, row.orgId, row.renewsBookingId)
  if (last?.status !== 'ACTIVE' || last.endDate === null || last.endDate < row.startDate) return row
  const startDate = addDays(last.endDate, 1)
  const billFrom = row.billFrom !== defaultBillFrom(ctx, row) && row.billFrom !== null ? row.billFrom : startDate
  const moved = { ...row, startDate, anchorDate: startDate, billFrom: maxDate(billFrom, startDate) }
  checkTerms(ctx, moved)
  return moved
}

/** A linked DRAFT from the day after this lease's end, of one that ended lately too. @throws invalid_state, duplicate */
export function renewBooking(ctx: Ctx, id: string, body: Renew): BookingRow {
  const before = bookingOf(ctx, id)
  if (before.status !== 'ACTIVE' && !endedLately(before, todayOf(ctx))) throw refused(before.status, allowedOf(before))
  const startDate = renewalStart(before, anyRenewalOf(ctx.tx, before) !== undefined)
  const renewal = insert(ctx, {
    ...before,
    startDate,
    endDate: body.endDate ?? null,
    rentAmount: body.rentAmount ?? rentFrom(before, startDate),
    depositAmount: body.depositAmount ?? before.depositAmount,
    billFrom: null,
    openingBalance: null,
    requestedBy: null,
    renewsBookingId: id,
  })
  copyParties(ctx, before, renewal)
  copyPayers(ctx, before, renewal)
  return renewal
}

const allowedOf = (row: BookingRow): string[] =>
  Object.entries(bookingMoves).flatMap(([action, t]) => (t.from.includes(row.status) ? [action] : []))

/** A lease with another tenant in the place of one who was named by mistake. */
export function putTenant(ctx: Ctx, row: BookingRow, { id: tenantId, userId, fullName }: TenantRow): BookingRow {
  const named = { tenantId, tenantUserId: userId, tenantName: fullName, requestedBy: null }
  nameTenant(ctx.tx, { ...row, ...named, updatedAt: ctx.now })
  return { ...row, ...named }
}

type Said = Readonly<Record<string, string | number>>
/** Saves a lease. Payments may have changed its credit meanwhile, so the credit is read again. */
export function saveLease(ctx: Ctx, action: string | undefined, row: BookingRow, details?: Said): BookingRow {
  const current = findBooking(ctx.tx, row.orgId, row.id)
  if (!current) throw new AppError('precondition_failed')
  const { creditAmount: _, ...terms } = row
  return action === undefined
    ? update(ctx, saveBooking, current, terms)
    : change(ctx, saveBooking, current, terms, action, details)
}
