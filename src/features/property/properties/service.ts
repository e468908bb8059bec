import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../../db/open.ts'
import { change, record, visible } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { adjustment } from '../../../core/adjustments.ts'
import { next, type Step } from '../../../core/lifecycle.ts'
import { datedFees, type Fee, type ManagementFee } from '../../../core/management-fees.ts'
import { AppError, hold, invalid, refused } from '../../../errors.ts'
import { checkRoom } from '../../people/organizations/quotas.ts'
import { payToRule, type WhereToPay } from '../../people/organizations/rules.ts'
import { movedPayTo, organizationOf, whereOf } from '../../people/organizations/service.ts'
import { findOrganization, type OrganizationRow } from '../../people/organizations/store.ts'
import { findUser } from '../../people/users/store.ts'
import type { PropertyCreate, PropertyPatch } from './model.ts'
import { type PropertyAction, type PropertyStatus, placeRule, propertyMoves } from './rules.ts'
import {
  findProperty,
  getProperty,
  hasApprovedProof,
  hasLiveBooking,
  hasUsableUnit,
  insertProperty,
  lastTransferOn,
  type PropertyRow,
  saveProperty,
} from './store.ts'

/** A property that the caller may change. @throws not_found */
export const propertyOf = visible(getProperty)

/** Where the rent of a property is paid, the organization's ways unless it has its own; empty where nobody said. */
export function payToOf(db: Db, org: OrganizationRow, propertyId: string, today: string): WhereToPay {
  return whereOf(org, findProperty(db, org.id, propertyId), today)
}

/** Managers may hand a property to an OWNER of the organization; an owner keeps their own. */
function ownerFor(ctx: Ctx, wanted: string | null | undefined, current: string): string {
  if (wanted === undefined || wanted === null || wanted === current) return current
  if (ctx.caller.scope.kind !== 'all') throw new AppError('forbidden')
  const owner = findUser(ctx.tx, ctx.caller.orgId, wanted)
  if (!owner?.roles.includes('OWNER') || owner.status !== 'ACTIVE')
    throw invalid(
      '/ownerUserId',
      'There is no owner with this id in your organization.',
      'Aucun propriétaire de votre organisation n’a cet identifiant.',
    )
  return wanted
}

/** The fees of a property's management in the order of their days, with their TVA. */
export function managementFeesOf(db: Db, orgId: string, propertyId: string): Fee[] {
  const org = findOrganization(db, orgId)
  return org ? datedFees(findProperty(db, orgId, propertyId)?.managementFees ?? null, org) : []
}

type NewFees = NonNullable<PropertyPatch['managementFees']>
// An owner's account begins with the first fee, and is read month by month.
const FIRST_FEE = '2000-01-01'

/** The fees of a property's management in the order of their days; null for none. @throws forbidden, validation_failed */
function feesOf(ctx: Ctx, before: PropertyRow, fees: NewFees): readonly ManagementFee[] | null {
  if (ctx.caller.scope.kind !== 'all') throw new AppError('forbidden')
  fees.forEach((fee, n) => {
    if ((fee.basisPoints === undefined) === (fee.monthlyAmount === undefined))
      throw invalid(
        `/managementFees/${n}`,
        'Give either basisPoints or monthlyAmount.',
        'Donnez soit basisPoints, soit monthlyAmount.',
      )
    if (fee.from < FIRST_FEE)
      throw invalid(`/managementFees/${n}/from`, `From ${FIRST_FEE} on.`, `À partir du ${FIRST_FEE}.`)
    if (fees.findIndex(({ from }) => from === fee.from) < n)
      throw invalid(
        `/managementFees/${n}/from`,
        'Another fee begins on this day.',
        'D’autres honoraires commencent ce jour-là.',
      )
  })
  checkSettled(ctx, before, fees)
  return fees.length === 0 ? null : fees.toSorted((a, b) => (a.from < b.from ? -1 : 1))
}

/**
 * Fees up to the last transfer to the owner are settled with them, and stay unless the owner changes them.
 * @throws validation_failed
 */
function checkSettled(ctx: Ctx, { orgId, id, ownerUserId, managementFees }: PropertyRow, fees: NewFees): void {
  const settled = lastTransferOn(ctx.tx, orgId, id)
  if (settled === undefined || ctx.caller.userId === ownerUserId) return
  const agreed = (managementFees ?? []).filter(({ from }) => from <= settled)
  const isAgreed = (fee: ManagementFee): boolean => agreed.some((one) => isDeepStrictEqual(one, fee))
  const early = fees.filter(({ from }) => from <= settled)
  if (early.length === agreed.length && early.every(isAgreed)) return
  const n = fees.findIndex((fee) => fee.from <= settled && !isAgreed(fee))
  throw invalid(
    n < 0 ? '/managementFees' : `/managementFees/${n}/from`,
    `Money was transferred to the owner on ${settled}: fees up to that day are settled with them. Let the other fee begin after it.`,
    `Un versement au propriétaire date du ${settled}\u00a0: les honoraires jusqu’à ce jour sont réglés avec lui. Faites commencer les autres après.`,
  )
}

/** A new DRAFT of type APARTMENT. @throws validation_failed for a coordinate alone or an unknown owner, quota_exceeded */
export function createProperty(ctx: Ctx, body: PropertyCreate): PropertyRow {
  if ('latitude' in body || 'longitude' in body) hold(placeRule(body))
  checkRoom(ctx, 'property')
  const row: PropertyRow = {
    id: ctx.newId(),
    orgId: ctx.caller.orgId,
    ownerUserId: ownerFor(ctx, body.ownerUserId, ctx.caller.userId),
    name: body.name,
    addressLine: body.addressLine,
    city: body.city,
    province: body.province ?? null,
    quartier: body.quartier ?? null,
    latitude: body.latitude ?? null,
    longitude: body.longitude ?? null,
    amenities: body.amenities ?? [],
    type: 'APARTMENT',
    status: 'DRAFT',
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
    payTo: null,
    managementFees: null,
    payToChangedAt: null,
  }
  insertProperty(ctx.tx, row)
  record(ctx, 'property.create', { type: 'property', after: row })
  return row
}

/** A DRAFT like another property, but for its units. @throws quota_exceeded */
export function copyProperty(ctx: Ctx, original: PropertyRow, name: string | null | undefined): PropertyRow {
  checkRoom(ctx, 'property')
  const row: PropertyRow = {
    ...original,
    id: ctx.newId(),
    name: name ?? `${[...original.name].slice(0, 196).join('')} (2)`,
    status: 'DRAFT',
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
    payToChangedAt: null,
  }
  insertProperty(ctx.tx, row)
  record(ctx, 'property.create', { type: 'property', after: row, details: { copiedFrom: original.id } })
  return row
}

/** Changes the members named; leases, invoices and payments follow a new owner or name by trigger. */
export function updateProperty(ctx: Ctx, id: string, { managementFees: fees, ...patch }: PropertyPatch): PropertyRow {
  const before = propertyOf(ctx, id)
  // A limited manager must not redirect the rent to a number of their own.
  if (patch.payTo !== undefined && ctx.caller.scope.kind === 'limited') throw new AppError('forbidden')
  const changed: PropertyRow = {
    ...before,
    ...patch,
    ...(fees === undefined ? {} : { managementFees: feesOf(ctx, before, fees ?? []) }),
    amenities: patch.amenities === null ? [] : (patch.amenities ?? before.amenities),
    ownerUserId: ownerFor(ctx, patch.ownerUserId, before.ownerUserId),
  }
  if (patch.payTo?.length === 0) changed.payTo = null
  hold([...placeRule(changed), ...payToRule(patch)])
  const common = organizationOf(ctx).payTo
  Object.assign(
    changed,
    movedPayTo(ctx, { place: before, before: before.payTo ?? common, after: changed.payTo ?? common }),
  )
  if (isDeepStrictEqual(changed, before)) return before
  const feesChanged = !isDeepStrictEqual(changed.managementFees, before.managementFees)
  const details = feesChanged ? adjustment('FEES_CHANGED', { propertyId: id }) : undefined
  return change(ctx, saveProperty, before, changed, 'property.update', details)
}

/** publish, archive or restore; doing it twice changes nothing. */
export function moveProperty(ctx: Ctx, id: string, action: PropertyAction): PropertyRow {
  const before = propertyOf(ctx, id)
  const step: Step<PropertyStatus> = next(propertyMoves, before.status, action)
  if (step.kind === 'already') return before
  if (step.kind === 'refused') throw refused(before.status, step.allowed)
  if (action === 'publish') {
    if (!hasUsableUnit(ctx.tx, { orgId: before.orgId, propertyId: id })) throw new AppError('units_required')
    if (organizationOf(ctx).requireProof && !hasApprovedProof(ctx.tx, { orgId: before.orgId, propertyId: id }))
      throw new AppError('proof_required')
  }
  if (action === 'archive' && hasLiveBooking(ctx.tx, { orgId: before.orgId, propertyId: id }))
    throw new AppError(
      'invalid_state',
      {
        en: 'A lease of this property is running or waiting for signature. End or cancel it first.',
        fr: 'Un bail de ce bien est en cours ou en attente de signature. Terminez-le ou annulez-le d’abord.',
      },
      { currentStatus: before.status, allowed: [] },
    )
  return change(ctx, saveProperty, before, { status: step.to }, `property.${action}`)
}
