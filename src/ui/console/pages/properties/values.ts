import type { Schemas } from '../../../shared/api.ts'

/** A property as its form holds it. */
export const valuesOf = (property?: Schemas['Property']) => ({
  name: property?.name ?? '',
  type: property?.type ?? ('APARTMENT' as const),
  addressLine: property?.addressLine ?? '',
  quartier: property?.quartier ?? '',
  city: property?.city ?? '',
  province: property?.province ?? '',
  amenities: property?.amenities.join(', ') ?? '',
  ownerUserId: property?.ownerUserId ?? '',
})
export type PropertyValues = ReturnType<typeof valuesOf>

/** An empty field clears its member. */
export const bodyOf = ({ name, addressLine, city, quartier, province, amenities, ownerUserId }: PropertyValues) => ({
  name: name.trim(),
  addressLine: addressLine.trim(),
  city: city.trim(),
  quartier: quartier.trim() || null,
  province: province.trim() || null,
  amenities: amenities
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
  ...(ownerUserId && { ownerUserId }),
})
