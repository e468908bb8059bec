// Lists of what happened in a lease.
import type { List } from './lists.ts'

const OF_LEASE: Omit<List, 'line' | 'table'> = {
  of: (w) => w.bookings.ACTIVE,
  parent: 'booking_id',
  who: ['ana', 'mia', 'ada', 'tom'],
  filters: (w) => [[`bookingId=${w.hers.booking}`, '1']],
}
const TABLES = ['signature', 'invoice', 'payment', 'rent_message', 'document', 'repair']
const HAPPENED = `(${TABLES.map((table) => `select id, org_id, booking_id from ${table}`).join(' union all ')})`

export const LEASE_LISTS: readonly List[] = [
  { ...OF_LEASE, line: 'GET /api/v1/bookings/:id/messages', table: 'rent_message' },
  { ...OF_LEASE, line: 'GET /api/v1/bookings/:id/rent-changes', table: 'rent_change' },
  { ...OF_LEASE, line: 'GET /api/v1/bookings/:id/timeline', table: HAPPENED },
]
