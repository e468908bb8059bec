import type { Schemas } from '../../../shared/api.ts'
import type { Tone } from '../../../shared/tone.ts'

export const TONE: Readonly<Record<Schemas['Verification']['status'], Tone>> = {
  DRAFT: 'plain',
  SUBMITTED: 'warn',
  UNDER_REVIEW: 'brand',
  MORE_INFO_REQUESTED: 'plain',
  APPROVED: 'good',
  REJECTED: 'bad',
  REVOKED: 'bad',
}
/** With the names of people and places, where the answer has them. */
export type Case = Schemas['Verification'] & { readonly subjectName?: string; readonly propertyName?: string }
