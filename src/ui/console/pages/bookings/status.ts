import type { Schemas } from '../../../shared/api.ts'
import type { Tone } from '../../../shared/tone.ts'

export const TONE: Readonly<Record<Schemas['BookingStatus'], Tone>> = {
  DRAFT: 'plain',
  PENDING: 'warn',
  ACTIVE: 'good',
  CANCELLED: 'plain',
  TERMINATED: 'plain',
}
