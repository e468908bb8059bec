import { isDeepStrictEqual } from 'node:util'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { Ctx } from '../../../context.ts'
import { adjustment } from '../../../core/adjustments.ts'
import { localDate } from '../../../core/dates.ts'
import { AppError, refusedAt } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { inviteParties, requestLease } from '../../lease/contracts/service.ts'
import { leaseParties, validSignatures } from '../../lease/contracts/store.ts'
import { bookingOf, putTenant, saveLease } from '../../lease/leases/service.ts'
import { anyRenewalOf, overlapping, rentChangesOf } from '../../lease/leases/store.ts'
import { billingStart, withTerms } from '../../lease/leases/terms.ts'
import { organizationOf, todayOf } from '../../people/organizations/service.ts'
import { checkKnown, introduce, tenantNamed } from '../../people/tenants/service.ts'
import { findTenant, type TenantRow } from '../../people/tenants/store.ts'
import { followBookings } from '../../property/units/service.ts'
import { reasonOfLimited } from '../adjustments/service.ts'
import { billAnew, broughtUpToDate } from '../billing/service.ts'
import { depositMoves } from '../deposits/store.ts'
import { cancelInvoice } from '../invoices/service.ts'
import { standingInvoices } from '../invoices/store.ts'
import type { LeaseCorrection } from './model.ts'
import { lastDayToCorrect } from './rules.ts'
import { hasDealings, hasPayments } from './store.ts'

const no = (row: BookingRow, en: string, fr: string, allowed: readonly string[] = []): AppError =>
  new AppError('invalid_state', { en, fr }, { currentStatus: row.status, allowed })

/** @throws invalid_state where a lease is no longer corrected in place, saying what to do instead */
function checkCorrectable(ctx: Ctx, row: BookingRow): void {
  const { orgId, id, status } = row
  if (status === 'DRAFT' || status === 'PENDING')
    throw no(
      row,
      'This lease is not in force yet. Change its terms instead.',
      'Ce bail n’est pas encore en vigueur\u00a0: modifiez ses conditions.',
      ['PATCH'],
    )
  if (status !== 'ACTIVE')
    throw no(row, 'This lease has ended. Draw up a new one.', 'Ce bail est terminé\u00a0: établissez-en un nouveau.')
  if (
    hasPayments(ctx.tx, { orgId, bookingId: id }) ||
    depositMoves(ctx.tx, orgId, id).length > 0 ||
    row.creditAmount > 0
  )
    throw no(
      row,
      'Money is already recorded on this lease. If a payment was recorded by mistake, reverse it first. Otherwise change the rent from a given day, or end the lease and draw up a new one.',
      'De l’argent est enregistré sur ce bail. Annulez d’abord un paiement saisi par erreur\u00a0; sinon, changez le loyer à partir d’une date, ou mettez fin au bail et établissez-en un nouveau.',
      ['reverse', 'rent-changes', 'terminate'],
    )
  if (row.notice)
    throw no(row, 'Notice to leave was given. Withdraw it first.', 'Un congé a été donné\u00a0: retirez-le d’abord.', [
      'withdraw notice',
    ])
  if (rentChangesOf(ctx.tx, orgId, id).length > 0)
    throw no(
      row,
      'A rent change is recorded. Cancel it first.',
      'Un changement de loyer est inscrit\u00a0: annulez-le d’abord.',
      ['rent-changes/cancel'],
    )
  if (anyRenewalOf(ctx.tx, row))
    throw no(
      row,
      'This lease has a renewal. Cancel the renewal first.',
      'Ce bail a un renouvellement\u00a0: annulez-le d’abord.',
      ['cancel'],
    )
  const charged = standingInvoices(ctx.tx, orgId, id).find(
    ({ kind, lines, creditedAmount }) =>
      kind === 'CHARGES' || creditedAmount > 0 || lines.some((line) => line.kind === 'CHARGE'),
  )
  if (charged)
    throw no(
      row,
      `Invoice ${charged.number} has charges or a credit note. Cancel it first, and charge or waive them again afterwards.`,
      `La facture ${charged.number} porte des charges ou un avoir\u00a0: annulez-la d’abord, puis facturez ou remettez de nouveau.`,
      ['invoices/cancel'],
    )
  const { timeZone } = organizationOf(ctx)
  const last = lastDayToCorrect(row, localDate(Date.parse(row.activatedAt ?? row.createdAt), timeZone))
  if (todayOf(ctx) > last)
    throw no(
      row,
      `A lease can be corrected only until the end of its first period, here ${last}. Change the rent from a given day, or end the lease and draw up a new one.`,
      `Un bail se corrige jusqu’à la fin de sa première période, ici le ${last}. Changez le loyer à partir d’une date, ou mettez fin au bail et établissez-en un nouveau.`,
      ['rent-changes', 'terminate'],
    )
}

/** Another tenant, if the lease names a wrong one. @throws not_found, manager_required, invalid_state, validation_failed */
function tenantMeant(ctx: Ctx, row: BookingRow, { tenantId, tenantUserId, tenantPhoneNumber }: LeaseCorrection) {
  const naming = {
    tenantId: tenantId ?? null,
    tenantUserId: tenantUserId ?? null,
    tenantPhoneNumber: tenantPhoneNumber ?? null,
  }
  if (Object.values(naming).every((value) => value === null)) return undefined
  const tenant: TenantRow = tenantNamed(ctx, naming, row.ownerUserId)
  if (tenant.id === row.tenantId) return undefined
  checkKnown(ctx, tenant.id)
  if (hasDealings(ctx.tx, row.orgId, row.id))
    throw no(
      row,
      'The tenant cannot be replaced: they have signed this lease or declared a payment, or an inspection or a repair names them. End the lease and draw up a new one.',
      'Le locataire a signé ce bail ou déclaré un paiement, ou un état des lieux ou une réparation le nomme\u00a0: mettez fin au bail et établissez-en un nouveau.',
      ['terminate'],
    )
  // A manager who names a person agrees for them, as by submitting a lease.
  return ctx.caller.scope.kind === 'all' && introduce(ctx, tenant.id)
    ? findTenant(ctx.tx, row.orgId, tenant.id)
    : tenant
}

/**
 * Puts a typing error in an ACTIVE lease right, while no money is on it and its first period runs: its invoices and its
 * contract are void and made anew. One that was signed by code goes out for signing again, as nobody signed these terms.
 * @throws not_found, invalid_state, unit_unavailable, manager_required, validation_failed
 */
export function correctBooking(ctx: Ctx, id: string, { reason, ...body }: LeaseCorrection): BookingRow {
  const row = bookingOf(ctx, id)
  const before = row.status === 'ACTIVE' ? broughtUpToDate(ctx, id) : row
  checkCorrectable(ctx, before)
  const tenant = tenantMeant(ctx, before, body)
  const { tenantId: _t, tenantUserId: _u, tenantPhoneNumber: _p, ...patch } = body
  const changed = withTerms(ctx, before, patch)
  if (!tenant && isDeepStrictEqual(changed, before)) return before
  const why = reasonOfLimited(ctx, before.ownerUserId, reason)
  if (overlapping(ctx.tx, before, changed.startDate, changed.endDate)) throw refusedAt('/startDate', 'unit_unavailable')
  for (const invoice of standingInvoices(ctx.tx, before.orgId, id)) cancelInvoice(ctx, invoice)
  const put = tenant ? putTenant(ctx, changed, tenant) : changed
  const signed = validSignatures(ctx.tx, before.orgId, id).length > 0
  const terms: BookingRow = signed
    ? { ...put, status: 'PENDING', activatedAt: null, nextPeriod: 0, nextRunOn: null }
    : { ...put, ...billingStart(ctx, put) }
  const after = saveLease(ctx, 'booking.correct', terms, {
    members: [...Object.keys(patch), ...(tenant ? ['tenantId'] : [])].join(','),
    ...adjustment('LEASE_CORRECTED', { propertyId: before.propertyId, bookingId: id, reason: why }),
  })
  followBookings(ctx, after.unitId)
  requestLease(ctx, after, signed ? 'PROPOSED' : 'UNSIGNED')
  if (signed) inviteParties(ctx, after)
  else billAnew(ctx, after)
  const others = signed ? [] : ['TENANT', ...leaseParties(ctx.tx, after.orgId, id).map((party) => party.id)]
  const recipients = [...others, ...(tenant ? [`WAS_${before.tenantId}`] : []), 'LANDLORD']
  for (const who of recipients)
    enqueue(ctx, 'booking.corrected', `${id}:${after.version}:${who}`, { by: ctx.caller.userId })
  return bookingOf(ctx, id)
}
