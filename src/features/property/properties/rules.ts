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
