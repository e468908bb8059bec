import type { Tone } from '../../../shared/tone.ts'
import type { Lease } from '../../leases.ts'

export const TONE: Readonly<Record<Lease['status'], Tone>> = {
  DRAFT: 'plain',
  PENDING: 'warn',
  ACTIVE: 'good',
  CANCELLED: 'plain',
  TERMINATED: 'plain',
}
/** The state of a lease for its tenant: a draft is their own request, and a cancelled lease may have been one. */
export const states = ({ status, requestedBy, submittedAt }: Lease) =>
  status === 'DRAFT'
    ? 'REQUESTED'
    : status === 'CANCELLED' && requestedBy !== undefined && submittedAt === undefined
      ? 'REFUSED'
      : status
