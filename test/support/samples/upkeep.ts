import { get, on, type Sample } from '../sample.ts'
import type { World } from '../world.ts'

/** Repairs and inspections. */
export function upkeepSamples({ bookings, repairs }: World): Sample[] {
  const reason = { reason: 'Toujours pas réparé' }
  return [
    { line: 'POST /api/v1/requests', status: 201, body: { bookingId: bookings.ACTIVE, title: 'Serrure' } },
    get('/api/v1/requests'),
    get('/api/v1/requests/:id', 'repair', repairs.OPEN),
    on('PATCH /api/v1/requests/:id', 'repair', repairs.OPEN, { urgency: 'LOW' }),
    on('POST /api/v1/requests/:id/see', 'repair', repairs.OPEN),
    on('POST /api/v1/requests/:id/plan', 'repair', repairs.OPEN, { plannedOn: '2026-03-12' }),
    on('POST /api/v1/requests/:id/done', 'repair', repairs.OPEN),
    on('POST /api/v1/requests/:id/refuse', 'repair', repairs.NEW, reason),
    on('POST /api/v1/requests/:id/reopen', 'repair', repairs.DONE, reason),
    get('/api/v1/requests/:id/entries', 'repair', repairs.DONE),
    on('POST /api/v1/requests/:id/entries', 'repair', repairs.OPEN, { text: 'Samedi ?' }, 201),
  ]
}
