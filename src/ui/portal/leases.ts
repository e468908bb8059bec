// The leases of the person who is signed in, also where they are a landlord elsewhere.
import { api, data, type Schemas } from '../shared/api.ts'
import { session } from '../shared/session.ts'
import { userId } from './offline.ts'

export type Lease = Schemas['Booking']

/** Leases to sign first, then running ones, requests, ended ones. */
const ORDER: readonly Lease['status'][] = ['PENDING', 'ACTIVE', 'DRAFT', 'TERMINATED', 'CANCELLED']

/** Leases without the drafts of landlords, which tenants see once they are sent; their own requests are included. */
export async function readLeases(): Promise<readonly Lease[]> {
  // the token says who asks: without one the list would be everybody's for a manager
  await session.token()
  const all = await data(api.GET('/api/v1/bookings', { params: { query: { tenantUserId: userId(), limit: 100 } } }))
  return all
    .filter(({ status, requestedBy }) => status !== 'DRAFT' || requestedBy !== undefined)
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
}
