import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../../db/open.ts'
import { change, record, visible } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { next, type Step } from '../../../core/lifecycle.ts'
import { AppError, hold, invalid, refused } from '../../../errors.ts'
import { checkRoom } from '../../people/organizations/quotas.ts'
import { type PayInstruction, payToRule } from '../../people/organizations/rules.ts'
import { organizationOf } from '../../people/organizations/service.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import { findUser } from '../../people/users/store.ts'
import type { PropertyCreate, PropertyPatch } from './model.ts'
import { type ManagementFee, type PropertyAction, type PropertyStatus, placeRule, propertyMoves } from './rules.ts'
import {
  findProperty,
  getProperty,
  hasApprovedProof,
  hasLiveBooking,
  hasUsableUnit,
  insertProperty,
  type PropertyRow,
  saveProperty,
} from './store.ts'

/** A property that the caller may change. @throws not_found */
export const propertyOf = visible(getProperty)

/** Where the rent of a property is paid, the organization's ways unless it has its own; empty where nobody said. */
export function payToOf(db: Db, org: OrganizationRow, propertyId: string): readonly PayInstruction[] {
  return findProperty(db, org.id, propertyId)?.payTo ?? org.payTo ?? []
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

// An owner's account begins with the first fee, and is read month by month.
const FIRST_FEE = '2000-01-01'

/** The fees of a property's management in the order of their days; null for none. @throws forbidden, validation_failed */
function feesOf(ctx: Ctx, given: NonNullable<PropertyPatch['managementFees']>): readonly ManagementFee[] | null {
  if (ctx.caller.scope.kind !== 'all') throw new AppError('forbidden')
  given.forEach((fee, n) => {
    if ((fee.basisPoints === undefined) === (fee.monthlyAmount === undefined))
      throw invalid(
        `/managementFees/${n}`,
        'Give either basisPoints or monthlyAmount.',
        'Donnez soit basisPoints, soit monthlyAmount.',
      )
    if (fee.from < FIRST_FEE)
      throw invalid(`/managementFees/${n}/from`, `From ${FIRST_FEE} on.`, `À partir du ${FIRST_FEE}.`)
    if (given.findIndex(({ from }) => from === fee.from) < n)
      throw invalid(
        `/managementFees/${n}/from`,
        'Another fee begins on this day.',
        'D’autres honoraires commencent ce jour-là.',
      )
  })
  return given.length === 0 ? null : given.toSorted((a, b) => (a.from < b.from ? -1 : 1))
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
    ...(fees === undefined ? {} : { managementFees: feesOf(ctx, fees ?? []) }),
    amenities: patch.amenities === null ? [] : (patch.amenities ?? before.amenities),
    ownerUserId: ownerFor(ctx, patch.ownerUserId, before.ownerUserId),
  }
  if (patch.payTo?.length === 0) changed.payTo = null
  hold([...placeRule(changed), ...payToRule(patch)])
  return isDeepStrictEqual(changed, before) ? before : change(ctx, saveProperty, before, changed, 'property.update')
}

/** publish, archive or restore; doing it twice changes nothing. */
export function moveProperty(ctx: Ctx, id: string, action: PropertyAction): PropertyRow {
  const before = propertyOf(ctx, id)
  const step: Step<PropertyStatus> = next(propertyMoves, before.status, action)
  if (step.kind === 'already') return before
  if (step.kind === 'refused') throw refused(before.status, step.allowed)
  if (action === 'publish') {
    if (!hasUsableUnit(ctx.tx, before.orgId, id)) throw new AppError('units_required')
    if (organizationOf(ctx).requireProof && !hasApprovedProof(ctx.tx, before.orgId, id))
      throw new AppError('proof_required')
  }
  if (action === 'archive' && hasLiveBooking(ctx.tx, before.orgId, id))
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
