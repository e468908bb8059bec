import { record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { addDays, addMonths } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { createBooking, moveBooking } from '../../lease/leases/service.ts'
import { createRepair } from '../../lease/repairs/service.ts'
import { payAdvance } from '../../money/payments/advances.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { createTenant } from '../../people/tenants/service.ts'
import { createProperty } from '../../property/properties/service.ts'
import { createUnits } from '../../property/units/service.ts'
import { LABELS, RENT, SAMPLE, SURNAME } from './rules.ts'
import { bookingsOf, dropSamples, readMark, rentedBy, writeMark } from './store.ts'

/** Rents paid by each sample tenant: one ahead, one with a month open, one with nothing but a part. */
const PAID = [3 * RENT, 2 * RENT, RENT / 4]

/** A building of four flats with three tenants and three months of rent, made as its owner, the caller, would. */
export function makeSamples(ctx: Ctx, locale: 'fr' | 'en'): void {
  const { property: name, address: addressLine, people, repair } = SAMPLE[locale]
  const today = todayOf(ctx)
  const startDate = addMonths(`${today.slice(0, 7)}-01`, -2)
  const property = createProperty(ctx, { name, addressLine, city: 'Douala', province: 'Littoral' })
  const units = createUnits(ctx, property.id, { labels: LABELS, rentAmount: RENT, bedrooms: 2 })
  const tenantIds = people.map((first, i) => {
    const unit = units[i]
    if (!unit) throw new Error('there is a flat for each sample tenant')
    const { id: tenantId } = createTenant(ctx, { fullName: `${first} ${SURNAME[locale]}`, locale })
    const endDate = addDays(addMonths(startDate, 12), -1)
    const { id } = createBooking(ctx, { unitId: unit.id, tenantId, startDate, endDate, locale })
    moveBooking(ctx, id, 'submit')
    moveBooking(ctx, id, 'activate')
    payAdvance(ctx, id, { amount: PAID[i] ?? RENT, method: 'CASH', paidOn: today })
    if (i === 0) createRepair(ctx, { bookingId: id, title: repair, category: 'WATER' })
    return tenantId
  })
  writeMark(ctx.tx, ctx.caller.orgId, { propertyId: property.id, tenantIds })
}

export const hasSamples = (deps: Pick<Deps, 'db'>, orgId: string): boolean => readMark(deps.db, orgId) !== undefined

/**
 * Deletes the sample data with everything made from them. @returns the owners of the files to delete
 * @throws not_found without samples; sample_data_in_use if a lease joins a sample with other data
 */
export function removeSamples(ctx: Ctx): ReturnType<typeof dropSamples> {
  const { orgId } = ctx.caller
  const mark = readMark(ctx.tx, orgId)
  if (!mark) throw notFound()
  const mixed =
    bookingsOf(ctx.tx, orgId, mark.propertyId).some(({ tenantId }) => !mark.tenantIds.includes(tenantId ?? '')) ||
    mark.tenantIds.some((id) => rentedBy(ctx.tx, orgId, id).some(({ propertyId }) => propertyId !== mark.propertyId))
  if (mixed) throw new AppError('sample_data_in_use')
  const files = dropSamples(ctx.tx, orgId, mark)
  writeMark(ctx.tx, orgId, undefined)
  record(ctx, 'sample_data.remove', { type: 'organization', after: { id: orgId } })
  return files
}

/** Removes the files of deleted samples, once their rows are gone. */
export async function removeFiles(
  { blobs, documents }: Pick<Deps, 'blobs' | 'documents'>,
  files: ReturnType<typeof dropSamples>,
): Promise<void> {
  for (const id of files.documents) await documents.remove(id)
  for (const id of files.media) await blobs.remove(id)
}
