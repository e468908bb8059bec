import type { Schemas } from '../../../shared/api.ts'
import type { Tone } from '../../../shared/tone.ts'

export const TONE: Readonly<Record<Schemas['InvoiceStatus'], Tone>> = {
  OVERDUE: 'bad',
  ISSUED: 'warn',
  PAID: 'good',
  CANCELLED: 'plain',
}
/** Whether a payment may still be recorded on it. */
export const isOpen = ({ status, balanceAmount }: Schemas['Invoice']): boolean =>
  status !== 'CANCELLED' && balanceAmount > 0
