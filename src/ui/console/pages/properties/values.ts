import type { Schemas } from '../../../shared/api.ts'

/** Degrees as people type them, `9,7679` or `-9.7`; what is no number stays as typed, for the server to judge. */
function degrees(text: string): number | null {
  const plain = text.trim().replace(',', '.').replace('−', '-')
  if (plain === '') return null
  return (/^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text) as number
}

/** A property as its form holds it. */
export const valuesOf = (property?: Schemas['Property']) => ({
  name: property?.name ?? '',
  type: property?.type ?? ('APARTMENT' as const),
  addressLine: property?.addressLine ?? '',
  quartier: property?.quartier ?? '',
  city: property?.city ?? '',
  province: property?.province ?? '',
  latitude: String(property?.latitude ?? ''),
  longitude: String(property?.longitude ?? ''),
  amenities: property?.amenities.join(', ') ?? '',
  ownerUserId: property?.ownerUserId ?? '',
})
export type PropertyValues = ReturnType<typeof valuesOf>

/** An empty field clears its member. */
export const bodyOf = ({
  name,
  addressLine,
  city,
  quartier,
  province,
  latitude,
  longitude,
  amenities,
  ownerUserId,
}: PropertyValues) => ({
  name: name.trim(),
  addressLine: addressLine.trim(),
  city: city.trim(),
  quartier: quartier.trim() || null,
  province: province.trim() || null,
  latitude: degrees(latitude),
  longitude: degrees(longitude),
  amenities: amenities
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
  ...(ownerUserId && { ownerUserId }),
})
