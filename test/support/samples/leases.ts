import { uuid } from '../app.ts'
import { cash, code, get, on, type Sample } from '../sample.ts'
import type { World } from '../world.ts'

/** Leases and signatures. */
export function leaseSamples(w: World): Sample[] {
  const { units, bookings, rentChange } = w
  return [
    { line: 'POST /api/v1/bookings', status: 201, body: { unitId: units.SPARE, startDate: '2026-05-01' } },
    get('/api/v1/bookings'),
    get('/api/v1/bookings/:id', 'booking', bookings.ACTIVE),
    on('PATCH /api/v1/bookings/:id', 'booking', bookings.DRAFT, { dueDay: 5 }),
    { ...on('POST /api/v1/bookings/:id/correct', 'booking', bookings.DRAFT, {}, 409), code: 'invalid_state' },
    on('POST /api/v1/bookings/:id/submit', 'booking', bookings.DRAFT),
    on('POST /api/v1/bookings/:id/activate', 'booking', bookings.PENDING),
    on('POST /api/v1/bookings/:id/cancel', 'booking', bookings.REQUEST),
    on('POST /api/v1/bookings/:id/renew', 'booking', bookings.ENDING, {}, 201),
    on('POST /api/v1/bookings/:id/payments', 'booking', bookings.ENDING, cash(70_000), 201),
    get('/api/v1/bookings/:id/signatures', 'booking', bookings.ENDING),
    get('/api/v1/bookings/:id/parties', 'booking', bookings.ENDING),
    on('PUT /api/v1/bookings/:id/parties', 'booking', bookings.DRAFT, { parties: [] }),
    get('/api/v1/bookings/:id/payers', 'booking', bookings.ENDING),
    on('PUT /api/v1/bookings/:id/payers', 'booking', bookings.ENDING, { payers: [{ phoneNumber: '+237699123456' }] }),
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
    get('/api/v1/bookings/:id/rent-changes', 'booking', bookings.ACTIVE),
    on(
      'POST /api/v1/bookings/:id/rent-changes',
      'booking',
      bookings.ENDING,
      { from: '2026-04-01', rentAmount: 1 },
      201,
    ),
    on('POST /api/v1/bookings/:id/notice', 'booking', bookings.ACTIVE, { by: 'TENANT', leaveOn: '2026-05-01' }),
    on('DELETE /api/v1/bookings/:id/notice', 'booking', bookings.ACTIVE),
    get('/api/v1/rent-changes/:id', 'rentChange', rentChange),
    on('POST /api/v1/rent-changes/:id/signatures/otp', 'rentChange', rentChange),
    {
      ...on('POST /api/v1/rent-changes/:id/signatures', 'rentChange', rentChange, { ...code, fullName: 'X' }, 410),
      code: 'challenge_gone',
    },
    {
      ...on(
        'POST /api/v1/rent-changes/:id/signed-copy',
        'rentChange',
        rentChange,
        { mediaObjectId: uuid('nobody') },
        404,
      ),
      code: 'not_found',
    },
    on('POST /api/v1/rent-changes/:id/decline', 'rentChange', rentChange),
    on('POST /api/v1/rent-changes/:id/cancel', 'rentChange', rentChange),
  ]
}
