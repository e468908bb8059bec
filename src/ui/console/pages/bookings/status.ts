import type { Schemas } from '../../../shared/api.ts'
import type { Tone } from '../../../shared/tone.ts'

export const TONE: Readonly<Record<Schemas['BookingStatus'], Tone>> = {
  DRAFT: 'plain',
  PENDING: 'warn',
  ACTIVE: 'good',
  CANCELLED: 'plain',
  TERMINATED: 'plain',
}
const SOON_DAYS = 60
/** The last day that counts as soon. */
export const soon = (today: string): string =>
  new Date(Date.parse(today) + SOON_DAYS * 86_400_000).toISOString().slice(0, 10)
/** Whether a running lease ends within two months, and does not go on by itself. */
export const endsSoon = ({ status, endDate, autoRenew }: Schemas['Booking'], today: string): boolean =>
  status === 'ACTIVE' &&
  endDate !== undefined &&
  !autoRenew &&
  (Date.parse(endDate) - Date.parse(today)) / 86_400_000 <= SOON_DAYS
