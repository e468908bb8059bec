// The leases of the person who is signed in, also where they are a landlord elsewhere.
import { api, data, type Schemas } from '../shared/api.ts'
import { session } from '../shared/session.ts'
import { userId } from './offline.ts'

export type Lease = Schemas['Booking']

/** What is to be done first, then what runs, what was asked for, what is over. */
const ORDER: readonly Lease['status'][] = ['PENDING', 'ACTIVE', 'DRAFT', 'TERMINATED', 'CANCELLED']

/** Drafts of a landlord are none of the tenant's business before they are sent; requests of their own are. */
export async function readLeases(): Promise<readonly Lease[]> {
  // the token says who asks: without one the list would be everybody's for a manager
  await session.token()
  const all = await data(api.GET('/api/v1/bookings', { params: { query: { tenantUserId: userId(), limit: 100 } } }))
  return all
    .filter(({ status, requestedBy }) => status !== 'DRAFT' || requestedBy !== undefined)
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
}
