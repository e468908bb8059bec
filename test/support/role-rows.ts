/** Who may call what changes a running lease: rows of the role matrix. The tenant alone signs a rider. */
export const RUNNING_LEASES = {
  'GET /api/v1/bookings/:id/rent-changes': 'TOMA',
  'POST /api/v1/bookings/:id/rent-changes': '.OMA',
  'GET /api/v1/rent-changes/:id': 'TOMA',
  'POST /api/v1/rent-changes/:id/cancel': '.OMA',
  'POST /api/v1/rent-changes/:id/otp': 'T...',
  'POST /api/v1/rent-changes/:id/sign': 'T...',
  'POST /api/v1/bookings/:id/correct': '.OMA',
  'POST /api/v1/rent-changes/:id/decline': 'T...',
  'POST /api/v1/rent-changes/:id/signed-copy': '.OMA',
  'POST /api/v1/bookings/:id/notice': 'TOMA',
  'DELETE /api/v1/bookings/:id/notice': 'TOMA',
}
/** What properties cost, and what their owners are handed. */
export const COSTS = {
  'POST /api/v1/expenses': '.OMA',
  'GET /api/v1/expenses': '.OMA',
  'GET /api/v1/expenses/:id': '.OMA',
  'PATCH /api/v1/expenses/:id': '.OMA',
  'POST /api/v1/expenses/:id/cancel': '.OMA',
  'POST /api/v1/owner-transfers': '..MA',
  'GET /api/v1/owner-transfers': '.OMA',
  'GET /api/v1/owner-transfers/:id': '.OMA',
  'POST /api/v1/owner-transfers/:id/cancel': '..MA',
}
