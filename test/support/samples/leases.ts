import { uuid } from '../app.ts'
import { cash, code, get, on, type Sample } from '../sample.ts'
import type { World } from '../world.ts'

/** Leases and signatures. */
export function leaseSamples(w: World): Sample[] {
  const { units, bookings } = w
  return [
    { line: 'POST /api/v1/bookings', status: 201, body: { unitId: units.SPARE, startDate: '2026-05-01' } },
    get('/api/v1/bookings'),
    get('/api/v1/bookings/:id', 'booking', bookings.ACTIVE),
    on('PATCH /api/v1/bookings/:id', 'booking', bookings.DRAFT, { dueDay: 5 }),
    on('POST /api/v1/bookings/:id/submit', 'booking', bookings.DRAFT),
    on('POST /api/v1/bookings/:id/activate', 'booking', bookings.PENDING),
    on('POST /api/v1/bookings/:id/cancel', 'booking', bookings.REQUEST),
    on('POST /api/v1/bookings/:id/renew', 'booking', bookings.ENDING, {}, 201),
    on('POST /api/v1/bookings/:id/payments', 'booking', bookings.ENDING, cash(70_000), 201),
    get('/api/v1/bookings/:id/signatures', 'booking', bookings.ENDING),
    get('/api/v1/bookings/:id/parties', 'booking', bookings.ENDING),
    on('PUT /api/v1/bookings/:id/parties', 'booking', bookings.DRAFT, { parties: [] }),
    on('POST /api/v1/bookings/:id/signatures/otp', 'booking', bookings.UNSIGNED),
    {
      ...on('POST /api/v1/bookings/:id/signatures', 'booking', bookings.UNSIGNED, { ...code, fullName: 'X' }, 410),
      code: 'challenge_gone',
    },
    { ...get('/api/v1/bookings/:id/signed-copy', 'booking', bookings.ENDING), status: 404, code: 'not_found' },
    {
      ...on(
        'POST /api/v1/bookings/:id/signed-copy',
        'booking',
        bookings.ENDING,
        { mediaObjectId: uuid('nobody') },
        404,
      ),
      code: 'not_found',
    },
  ]
}
