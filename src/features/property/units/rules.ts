export const UNIT_STATUS = ['AVAILABLE', 'RESERVED', 'OCCUPIED', 'MAINTENANCE', 'ARCHIVED'] as const
export type UnitStatus = (typeof UNIT_STATUS)[number]

/**
 * What a unit is; a unit without a type of its own is what its property is. More than the types of a property: mixed
 * buildings have shops on the ground floor and rooms let one by one.
 */
export const UNIT_TYPES = [
  'APARTMENT',
  'STUDIO',
  'ROOM',
  'HOUSE',
  'VILLA',
  'SHOP',
  'OFFICE',
  'COMMERCIAL',
  'WAREHOUSE',
  'LAND',
] as const

/** What a person may set; RESERVED and OCCUPIED only follow bookings. */
export const MANUAL_UNIT_STATUS = ['AVAILABLE', 'MAINTENANCE', 'ARCHIVED'] as const satisfies readonly UnitStatus[]

/**
 * The status of a unit after its bookings changed. `active`, `pending`: it has an ACTIVE (also a later) or PENDING
 * booking; `current`: the stored status. MAINTENANCE and ARCHIVED stay until a person ends them:
 * pass AVAILABLE then.
 */
export function statusOf(unit: { active: boolean; pending: boolean; current: UnitStatus }): UnitStatus {
  if (unit.current === 'MAINTENANCE' || unit.current === 'ARCHIVED') return unit.current
  if (unit.active) return 'OCCUPIED'
  return unit.pending ? 'RESERVED' : 'AVAILABLE'
}
