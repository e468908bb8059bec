import { isDeepStrictEqual } from 'node:util'
import { change, record, update } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { CURRENCY } from '../../../core/money.ts'
import { AppError, invalid, notFound, refused } from '../../../errors.ts'
import { checkRoom } from '../../people/organizations/quotas.ts'
import type { PropertyDuplicate } from '../properties/model.ts'
import { copyProperty, propertyOf } from '../properties/service.ts'
import type { PropertyRow } from '../properties/store.ts'
import type { UnitCreate, UnitPatch } from './model.ts'
import { statusOf } from './rules.ts'
import { bookingsOf, findUnit, insertUnit, saveUnit, type UnitRow, unitVisible, usableUnits } from './store.ts'

/** A unit of a property within the caller's reach. @throws not_found */
export function unitOf(ctx: Ctx, id: string): UnitRow {
  const row = findUnit(ctx.tx, ctx.caller.orgId, id)
  if (!row) throw notFound()
  const { status } = propertyOf(ctx, row.propertyId)
  if (!unitVisible(ctx.tx, ctx.caller.scope, status, row)) throw notFound()
  return row
}

const currencyOf = (rentAmount: number | null | undefined): string | null =>
  rentAmount === null || rentAmount === undefined ? null : CURRENCY

/** One unit. @throws as createUnits */
export function createUnit(ctx: Ctx, propertyId: string, body: UnitCreate): UnitRow {
  const [row] = createUnits(ctx, propertyId, body)
  if (!row) throw new AppError('internal')
  return row
}

/** One unit, or many alike: a row for each label. @throws validation_failed unless exactly one of label and labels is given, quota_exceeded */
export function createUnits(ctx: Ctx, propertyId: string, body: UnitCreate): UnitRow[] {
  const property = propertyOf(ctx, propertyId)
  const labels = body.labels ?? (body.label === undefined || body.label === null ? undefined : [body.label])
  if (!labels || (body.labels && body.label))
    throw invalid(
      '/label',
      'Give one label, or several as labels.',
      'Donnez un libellé (label), ou plusieurs (labels).',
    )
  if (property.status === 'ARCHIVED') throw refused(property.status, ['restore'])
  if (new Set(labels).size < labels.length)
    throw invalid('/labels', 'Each label once only.', 'Chaque libellé une seule fois.')
  checkRoom(ctx, 'unit', labels.length)
  return labels.map((label) => {
    const row: UnitRow = {
      id: ctx.newId(),
      orgId: ctx.caller.orgId,
      propertyId,
      label,
      areaSqm: body.areaSqm ?? null,
      bedrooms: body.bedrooms ?? null,
      bathrooms: body.bathrooms ?? null,
      rentAmount: body.rentAmount ?? null,
      rentCurrency: currencyOf(body.rentAmount),
      status: 'AVAILABLE',
      type: body.type ?? null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
      version: 1,
    }
    insertUnit(ctx.tx, row)
    record(ctx, 'unit.create', { type: 'unit', after: row })
    return row
  })
}

/** Units that a property may have for a copy of it to be made in one request. */
const COPIED_UNITS = 200

/**
 * A DRAFT like a property, with units like its own: their rents and rooms, without leases, photos and proofs. Archived
 * units stay behind. @throws not_found, quota_exceeded
 */
export function duplicateProperty(ctx: Ctx, id: string, { name }: PropertyDuplicate): PropertyRow {
  const original = propertyOf(ctx, id)
  const units = usableUnits(ctx.tx, original.orgId, id, COPIED_UNITS + 1)
  if (units.length > COPIED_UNITS)
    throw new AppError('quota_exceeded', {
      en: `A property with more than ${COPIED_UNITS} units cannot be duplicated. Use an import instead.`,
      fr: `Un bien de plus de ${COPIED_UNITS} logements se copie par un import.`,
    })
  checkRoom(ctx, 'unit', units.length)
  const isNew = { orgId: original.orgId, createdAt: ctx.now, updatedAt: ctx.now, version: 1 }
  const copy = copyProperty(ctx, original, name)
  for (const unit of units) {
    const row: UnitRow = { ...unit, ...isNew, id: ctx.newId(), propertyId: copy.id, status: 'AVAILABLE' }
    insertUnit(ctx.tx, row)
    record(ctx, 'unit.create', { type: 'unit', after: row })
  }
  return copy
}

/** Changes the members named; a unit with a PENDING or ACTIVE lease keeps the status that the lease gives it. */
export function updateUnit(ctx: Ctx, id: string, patch: UnitPatch): UnitRow {
  const before = unitOf(ctx, id)
  if (patch.status !== undefined && patch.status !== before.status) {
    const { active, pending } = bookingsOf(ctx.tx, before.orgId, id)
    if (active || pending) throw refused(before.status, [])
  }
  const changed = { ...before, ...patch }
  changed.rentCurrency = currencyOf(changed.rentAmount)
  return isDeepStrictEqual(changed, before) ? before : change(ctx, saveUnit, before, changed, 'unit.update')
}

/** Sets the unit's status to what its bookings say; called in the transaction that moves a booking. */
export function followBookings(ctx: Ctx, unitId: string): void {
  const before = findUnit(ctx.tx, ctx.caller.orgId, unitId)
  if (!before) throw notFound()
  const status = statusOf({ ...bookingsOf(ctx.tx, before.orgId, unitId), current: before.status })
  // The audit entry of the booking covers this change.
  if (status !== before.status) update(ctx, saveUnit, before, { status })
}
