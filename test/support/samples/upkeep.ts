import { REGULARISED } from '../costs.ts'
import { code, get, type Json, on, type Sample } from '../sample.ts'
import type { World } from '../world.ts'

/** Repairs, inspections and expenses. */
export function upkeepSamples({
  bookings,
  properties,
  units,
  repairs,
  inspections,
  expenses,
  transfers,
  meters,
  readings,
  regularisations,
}: World): Sample[] {
  const photo = { place: inspections.DRAFT, mediaObjectId: inspections.DRAFT }
  const refusedOn = (line: string, status: number, problem: string, body?: Json): Sample => ({
    line,
    status,
    code: problem,
    kind: 'inspection',
    mine: inspections.DRAFT,
    ...(body ? { body } : {}),
  })
  const reason = { reason: 'Toujours pas réparé' }
  const propertyId = properties.PUBLISHED
  const transfer = { propertyId, amount: 1_000, method: 'CASH', paidOn: '2026-03-09' }
  return [
    {
      line: 'POST /api/v1/expenses',
      status: 201,
      body: { propertyId, kind: 'TAX', amount: 900, spentOn: '2026-03-09' },
    },
    get('/api/v1/expenses'),
    get('/api/v1/expenses/:id', 'expense', expenses.OWNERS),
    on('PATCH /api/v1/expenses/:id', 'expense', expenses.OWNERS, { amount: 13_000 }),
    on('POST /api/v1/expenses/:id/cancel', 'expense', expenses.OWNERS),
    { line: 'POST /api/v1/owner-transfers', status: 201, body: transfer },
    get('/api/v1/owner-transfers'),
    get('/api/v1/owner-transfers/:id', 'transfer', transfers.MINE),
    on('POST /api/v1/owner-transfers/:id/cancel', 'transfer', transfers.MINE, { reason: 'Erreur' }),
    { line: 'POST /api/v1/meters', status: 201, body: { unitId: units.SPARE, kind: 'POWER' } },
    get('/api/v1/meters'),
    get('/api/v1/meters/:id', 'meter', meters.OURS),
    on('PATCH /api/v1/meters/:id', 'meter', meters.OURS, { number: 'W-1' }),
    { line: 'POST /api/v1/meter-readings', status: 201, body: { meterId: meters.OURS, value: 13 } },
    get('/api/v1/meter-readings'),
    get('/api/v1/meter-readings/:id', 'reading', readings.OURS),
    on('PATCH /api/v1/meter-readings/:id', 'reading', readings.OURS, { value: 12.75 }),
    on('POST /api/v1/meter-readings/:id/cancel', 'reading', readings.OURS),
    on('POST /api/v1/properties/:id/regularisations/preview', 'property', propertyId, REGULARISED),
    on('POST /api/v1/properties/:id/regularisations', 'property', propertyId, REGULARISED, 201),
    get('/api/v1/regularisations'),
    get('/api/v1/regularisations/:id', 'regularisation', regularisations.ISSUED),
    on('POST /api/v1/regularisations/:id/cancel', 'regularisation', regularisations.ISSUED, { reason: 'Erreur' }),
    get('/api/v1/bookings/:id/charge-shares', 'booking', bookings.ACTIVE),
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
    { line: 'POST /api/v1/inspections', status: 201, body: { bookingId: bookings.ACTIVE, kind: 'EXIT' } },
    get('/api/v1/inspections'),
    get('/api/v1/inspections/:id', 'inspection', inspections.PROPOSED),
    on('PATCH /api/v1/inspections/:id', 'inspection', inspections.DRAFT, { keyCount: 3 }),
    refusedOn('POST /api/v1/inspections/:id/photos', 422, 'validation_failed', photo),
    refusedOn('DELETE /api/v1/inspections/:id/photos/:photo', 404, 'not_found'),
    get('/api/v1/inspections/:id/photos', 'inspection', inspections.PROPOSED),
    on('POST /api/v1/inspections/:id/propose', 'inspection', inspections.DRAFT),
    on('POST /api/v1/inspections/:id/signatures/otp', 'inspection', inspections.PROPOSED),
    {
      ...on(
        'POST /api/v1/inspections/:id/signatures',
        'inspection',
        inspections.PROPOSED,
        { ...code, fullName: 'X' },
        410,
      ),
      code: 'challenge_gone',
    },
    {
      ...on(
        'POST /api/v1/inspections/:id/signed-copy',
        'inspection',
        inspections.PROPOSED,
        { mediaObjectId: inspections.DRAFT },
        404,
      ),
      code: 'not_found',
    },
    on('POST /api/v1/inspections/:id/revise', 'inspection', inspections.SENT),
    get('/api/v1/bookings/:id/proposed-deductions', 'booking', bookings.ACTIVE),
  ]
}

/** Who may call these routes, as in the table of all: T, O, M, A. */
export const UPKEEP_ROLES = {
  // inspections: the landlord fills them in, both sign, nobody for the tenant
  'POST /api/v1/inspections': '.OMA',
  'GET /api/v1/inspections': 'TOMA',
  'GET /api/v1/inspections/:id': 'TOMA',
  'PATCH /api/v1/inspections/:id': '.OMA',
  'POST /api/v1/inspections/:id/propose': '.OMA',
  'POST /api/v1/inspections/:id/revise': '.OMA',
  'POST /api/v1/inspections/:id/signed-copy': '.OMA',
  'GET /api/v1/inspections/:id/photos': 'TOMA',
  'POST /api/v1/inspections/:id/photos': '.OMA',
  'DELETE /api/v1/inspections/:id/photos/:photo': '.OMA',
  'GET /api/v1/bookings/:id/proposed-deductions': 'TOMA',
  'POST /api/v1/inspections/:id/signatures/otp': 'TOM.',
  'POST /api/v1/inspections/:id/signatures': 'TOM.',
  // repairs: a tenant asks, writes and opens again; the landlord moves
  'POST /api/v1/requests': 'TOMA',
  'GET /api/v1/requests': 'TOMA',
  'GET /api/v1/requests/:id': 'TOMA',
  'PATCH /api/v1/requests/:id': '.OMA',
  'POST /api/v1/requests/:id/see': '.OMA',
  'POST /api/v1/requests/:id/plan': '.OMA',
  'POST /api/v1/requests/:id/done': '.OMA',
  'POST /api/v1/requests/:id/refuse': '.OMA',
  'POST /api/v1/requests/:id/reopen': 'TOMA',
  'GET /api/v1/requests/:id/entries': 'TOMA',
  'POST /api/v1/requests/:id/entries': 'TOMA',
}
