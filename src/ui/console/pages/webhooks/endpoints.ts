import type { Schemas } from '../../../shared/api.ts'
import type { Tone } from '../../../shared/tone.ts'

export type Endpoint = Schemas['WebhookEndpoint']
export const EVENTS = [
  'booking',
  'invoice',
  'payment',
  'verification',
  'document',
  'repair',
  'inspection',
  'expense',
  'regularisation',
  'owner_transfer',
] as const
export const TONE: Record<Endpoint['status'], Tone> = { ENABLED: 'good', DISABLED: 'plain' }
export const SENT: Record<Schemas['WebhookDeliveryStatus'], Tone> = {
  PENDING: 'warn',
  DELIVERED: 'good',
  FAILED: 'bad',
}
/** What an endpoint is called: as its people call it, else by its host. */
export const nameOf = ({ description, url }: Endpoint): string => description ?? new URL(url).host
