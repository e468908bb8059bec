import type { Transitions } from '../../../core/lifecycle.ts'

export const PROPERTY_STATUS = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const
export type PropertyStatus = (typeof PROPERTY_STATUS)[number]
export const PROPERTY_TYPES = ['APARTMENT', 'STUDIO', 'HOUSE', 'VILLA', 'OFFICE', 'COMMERCIAL', 'LAND'] as const
export type PropertyAction = 'publish' | 'archive' | 'restore'

export const propertyMoves: Transitions<PropertyStatus, PropertyAction> = {
  publish: { from: ['DRAFT'], to: 'PUBLISHED' },
  archive: { from: ['DRAFT', 'PUBLISHED'], to: 'ARCHIVED' },
  restore: { from: ['ARCHIVED'], to: 'DRAFT' },
}

const BUSINESS_TYPES: readonly string[] = ['OFFICE', 'COMMERCIAL']
const STANDARD_TVA = 1925

/** Whether a property type is let under the terms for homes: all but OFFICE and COMMERCIAL. */
export function isHome(propertyType: string): boolean {
  return !BUSINESS_TYPES.includes(propertyType)
}

/** Whether a lease goes on month by month after its end unless agreed otherwise: homes do. */
export function defaultAutoRenew(propertyType: string): boolean {
  return isHome(propertyType)
}

/** TVA in basis points where none is agreed: 1925 for business premises of a registered landlord, else 0. */
export function defaultTva(propertyType: string, tvaRegistered: boolean): number {
  return tvaRegistered && !isHome(propertyType) ? STANDARD_TVA : 0
}
