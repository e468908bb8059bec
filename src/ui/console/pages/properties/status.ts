import type { Schemas } from '../../../shared/api.ts'
import type { Tone } from '../../../shared/tone.ts'

export const TONE: Readonly<Record<Schemas['PropertyStatus'], Tone>> = {
  DRAFT: 'plain',
  PUBLISHED: 'good',
  ARCHIVED: 'plain',
}
export const UNIT_TONE: Readonly<Record<Schemas['UnitStatus'], Tone>> = {
  AVAILABLE: 'warn',
  RESERVED: 'brand',
  OCCUPIED: 'good',
  MAINTENANCE: 'plain',
  ARCHIVED: 'plain',
}
