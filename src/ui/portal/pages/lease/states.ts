import type { Tone } from '../../../shared/tone.ts'
import type { Lease } from '../../leases.ts'

export const TONE: Readonly<Record<Lease['status'], Tone>> = {
  DRAFT: 'plain',
  PENDING: 'warn',
  ACTIVE: 'good',
  CANCELLED: 'plain',
  TERMINATED: 'plain',
}
/** What a lease is to the one who rents: a draft is a request of theirs, and a cancelled one may have been one. */
export const states = ({ status, requestedBy, submittedAt }: Lease) =>
  status === 'DRAFT'
    ? 'REQUESTED'
    : status === 'CANCELLED' && requestedBy !== undefined && submittedAt === undefined
      ? 'REFUSED'
      : status
