import { type BodyRule, type Members, wrongAt } from '../../../core/body-rules.ts'
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

const BUSINESS_TYPES: readonly string[] = ['OFFICE', 'COMMERCIAL', 'SHOP', 'WAREHOUSE']
/** Whether a type of a property or a unit is let under the terms for homes: all but offices, shops and stores. */
export function isHome(type: string): boolean {
  return !BUSINESS_TYPES.includes(type)
}

/** Whether a lease goes on month by month after its end unless agreed otherwise: homes do. */
export function defaultAutoRenew(type: string): boolean {
  return isHome(type)
}

/** TVA in basis points where none is agreed: the landlord's rate for business premises, 0 for homes. */
export function defaultTva(type: string, rate: number): number {
  return isHome(type) ? 0 : rate
}

const TOGETHER = { en: 'Give latitude and longitude together.', fr: 'Donnez latitude et longitude ensemble.' }
/** A place has both of its coordinates. */
export const placeRule = ({ latitude = null, longitude = null }: Members): ReturnType<BodyRule> => {
  if ((latitude === null) === (longitude === null)) return []
  return wrongAt(TOGETHER, latitude === null ? '/latitude' : '/longitude')
}
