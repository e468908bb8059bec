import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { Party } from '../../../adapters/pdf/port.ts'
import type { Ctx } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { organizationOf, tvaToday } from '../../people/organizations/service.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { findUser } from '../../people/users/store.ts'
import { findProperty } from '../../property/properties/store.ts'
import { findUnit } from '../../property/units/store.ts'

type Lease = Pick<BookingRow, 'orgId' | 'propertyId' | 'unitId' | 'tenantId' | 'ownerUserId'>

export const unlessNull = <T>(value: T | null | undefined): T | undefined => value ?? undefined
const nameOf = (first: string | null, last: string | null): string => [first, last].filter((s) => s !== null).join(' ')

/** The owner, through the organization where it has another name. @throws not_found */
export function landlordOf(db: Db, org: OrganizationRow, ownerUserId: string): { landlord: Party; agent?: Party } {
  const owner = findUser(db, org.id, ownerUserId)
  if (!owner) throw notFound()
  const taxed = { address: unlessNull(org.address), niu: unlessNull(org.niu), rccm: unlessNull(org.rccm) }
  const name = nameOf(owner.firstName, owner.lastName) || (org.name ?? owner.username ?? '–')
  // An owner who lets under their own name needs no agent.
  const alone = org.name === null || org.name === name
  const own: Partial<typeof taxed> = alone ? taxed : {}
  return {
    landlord: {
      name,
      phoneNumber: unlessNull((alone && org.phoneNumber) || owner.phoneNumber),
      // The owner's own details come before those of the organization.
      address: unlessNull(owner.address) ?? own.address,
      niu: unlessNull(owner.niu) ?? own.niu,
      rccm: own.rccm,
      idType: unlessNull(owner.idType),
      idNumber: unlessNull(owner.idNumber),
    },
    ...(alone ? {} : { agent: { name: org.name ?? '', phoneNumber: unlessNull(org.phoneNumber), ...taxed } }),
  }
}

/** Landlord, agent, tenant and premises of a lease, as they are now. */
export function partiesOf(ctx: Ctx, lease: Lease) {
  const { tx } = ctx
  const { orgId } = lease
  const tenant = findTenant(tx, orgId, lease.tenantId)
  const property = findProperty(tx, orgId, lease.propertyId)
  const unit = findUnit(tx, orgId, lease.unitId)
  if (!tenant || !property || !unit) throw notFound()
  return {
    ...landlordOf(tx, organizationOf(ctx), lease.ownerUserId),
    ...(tvaToday(ctx) > 0 && { tvaRegistered: true as const }),
    tenant: {
      name: tenant.fullName,
      phoneNumber: unlessNull(tenant.phoneNumber),
      address: unlessNull(tenant.address),
      idType: unlessNull(tenant.idType),
      idNumber: unlessNull(tenant.idNumber),
      niu: unlessNull(tenant.niu),
      ...(tenant.kind === 'COMPANY' && {
        rccm: unlessNull(tenant.rccm),
        representative: { name: tenant.representativeName ?? '', role: unlessNull(tenant.representativeRole) },
      }),
    },
    premises: {
      propertyName: property.name,
      unitLabel: unit.label,
      type: unit.type ?? property.type,
      addressLine: property.addressLine,
      quartier: unlessNull(property.quartier),
      city: property.city,
      province: unlessNull(property.province),
      areaSqm: unlessNull(unit.areaSqm),
      bedrooms: unlessNull(unit.bedrooms),
      bathrooms: unlessNull(unit.bathrooms),
    },
  }
}
