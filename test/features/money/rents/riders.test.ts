// A tenant refuses a change of the rent that needs their signature.
import { describe } from 'bun:test'
import { letting, scenario } from '../../../support/scenario.ts'

const CHANGE = 'POST /bookings/{lease}/rent-changes'

describe('the tenant refuses a rider', () => {
  const DECLINE = 'POST /rent-changes/{change}/decline'
  const proposal = [
    'ana',
    CHANGE,
    { from: '2026-04-01', rentAmount: 66_000 },
    201,
    { status: 'PROPOSED' },
    { audit: 'rent_change.create', jobs: 'rent_change.proposed', as: 'change' },
  ] as const
  const declined = { audit: 'rent_change.decline', jobs: 'rent_change.declined' }
  scenario('in words: the rent stays, the landlord is told, and may propose another', { given: letting() }, [
    proposal,
    [
      'tom',
      DECLINE,
      { reason: 'La hausse est trop forte.' },
      200,
      { status: 'CANCELLED', declinedReason: 'La hausse est trop forte.' },
      declined,
    ],
    ['tom', DECLINE, {}, 200, { declinedReason: 'La hausse est trop forte.' }],
    ['ana', 'POST /rent-changes/{change}/cancel', {}, 200, { status: 'CANCELLED' }],
    ['tom', 'POST /rent-changes/{change}/signatures/otp', {}, 409, { code: 'invalid_state' }],
    ['ana', 'GET /bookings/{lease}', undefined, 200, { rentAmount: 60_000 }, { lacks: ['nextRentOn'] }],
    [
      'ana',
      CHANGE,
      { from: '2026-04-01', rentAmount: 63_000 },
      201,
      { status: 'PROPOSED' },
      { ...proposal[5], as: 'next' },
    ],
    ['days', 1, { jobs: 'news.digest', sent: 'rent_answered, rent_proposed' }],
  ])
  scenario('without a word', { given: letting() }, [
    proposal,
    ['tom', DECLINE, {}, 200, { status: 'CANCELLED' }, { ...declined, lacks: ['declinedReason'] }],
  ])
  scenario('nobody refuses for them, nor what needs no agreement', { given: letting({ rentByAgreement: false }) }, [
    [
      'ana',
      CHANGE,
      { from: '2026-04-01', rentAmount: 65_000 },
      201,
      {},
      { audit: 'rent_change.create, booking.rent', jobs: 'rent_change.announced', as: 'change' },
    ],
    ['tom', DECLINE, {}, 409, { code: 'invalid_state' }],
    ['ana', DECLINE, {}, 403],
    ['mia', DECLINE, {}, 403],
    ['tia', DECLINE, {}, 404],
    ['eve', DECLINE, {}, 404],
    ['zoe', DECLINE, {}, 404],
  ])
})
