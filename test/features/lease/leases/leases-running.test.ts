// What a landlord changes of a lease in force by PATCH: whether it goes on by itself, and the end that an open one takes.
import { describe, expect, test } from 'bun:test'
import { type Json, letting, type Person, scenario, stage } from '../../../support/scenario.ts'

const PATCH = 'PATCH /bookings/{lease}'
const changed = { audit: 'booking.update', jobs: 'booking.changed' }
const lease = (terms: Json = {}) => ({ given: letting(terms) })

scenario('it goes on by itself, or does not', lease({ endDate: '2026-03-31' }), [
  ['ana', PATCH, { autoRenew: false }, 200, { autoRenew: false, status: 'ACTIVE' }, changed],
  ['ana', PATCH, { autoRenew: false }, 200, { autoRenew: false }],
  ['days', 22, { audit: 'booking.end', jobs: 'booking.terminated', sent: 'lease_ended' }],
])
scenario('and on again', lease({ endDate: '2026-03-31', autoRenew: false }), [
  ['ana', PATCH, { autoRenew: true }, 200, { autoRenew: true }, changed],
  [
    'days',
    22,
    { audit: 'invoice.issue, booking.extend', jobs: 'invoice.issued', sent: 'lease_changed, invoice_issued' },
  ],
])
scenario('an open lease takes an end', lease({ autoRenew: false }), [
  [
    'ana',
    PATCH,
    { autoRenew: true },
    409,
    {
      detail: 'This lease has no end date, so it continues automatically. Give it an end date, or give notice.',
    },
  ],
  ['ana', PATCH, { endDate: '2026-03-30' }, 422, { errors: [{ path: '/endDate' }] }],
  ['ana', PATCH, { endDate: '2026-04-10' }, 200, { endDate: '2026-04-10' }, changed],
  ['ana', PATCH, { endDate: '2026-04-20' }, 409, { code: 'invalid_state' }],
  ['ana', PATCH, { endDate: null }, 409, { code: 'invalid_state' }],
  ['ana', 'POST /bookings/{lease}/renew', {}, 201, { startDate: '2026-04-11' }, { audit: 'booking.create' }],
  [
    'days',
    33,
    {
      audit: 'invoice.issue, booking.end, invoice.overdue',
      jobs: 'invoice.issued, booking.terminated',
      sent: 'lease_ended',
    },
  ],
  ['invoices', ['2026-03-01..03-31 OVERDUE 0/60000', '2026-04-01..04-10 OVERDUE 0/20000']],
])
scenario('not against a notice, nor anything else that was agreed', lease(), [
  ['ana', PATCH, { rentAmount: 70_000 }, 409, { code: 'invalid_state' }],
  ['ana', PATCH, { autoRenew: false, dueDay: 3 }, 409, { code: 'invalid_state' }],
  [
    'tom',
    'POST /bookings/{lease}/notice',
    { by: 'TENANT', leaveOn: '2026-05-31' },
    200,
    {},
    { audit: 'booking.notice', jobs: 'booking.noticed' },
  ],
  ['ana', PATCH, { autoRenew: true }, 409, { code: 'invalid_state' }],
  ['ana', PATCH, { endDate: '2026-12-31' }, 409, { code: 'invalid_state' }],
])
describe('strangers', () => {
  test.each([
    ['eve', 404],
    ['zoe', 404],
    ['tom', 403],
  ] as [Person, number][])('%s: %i', async (who, status) => {
    const s = await stage(lease({ endDate: '2026-12-31' }))
    const before = s.dump()
    expect((await s.ask(who, PATCH, { autoRenew: false })).status).toBe(status)
    expect(s.dump()).toBe(before)
  })
})
