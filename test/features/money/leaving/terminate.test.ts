// The end of a lease undone: everything as it was before, its papers void; refused where that can no longer be.
import { describe, expect, test } from 'bun:test'
import { imbalances } from '../../../support/ledger.ts'
import { cash, type Json, letting, type Stage, scenario, stage } from '../../../support/scenario.ts'

const since = (startDate: string, more: object = {}) => ({
  given: letting({ startDate, billFrom: startDate, ...more }),
})
const ended = (...of: string[]) => [...of, 'booking.terminate'].join(', ')
const END = 'POST /bookings/{lease}/terminate'
const UNDO = 'POST /bookings/{lease}/reinstate'

/** All that the end of a lease may move: the money, the invoices that are not replaced, the lease and its unit. */
const state = (s: Stage): Json => ({
  bookings: s.rows(
    'select id, status, start_date, end_date, credit_amount, anchor_date, next_period, next_run_on, terminated_at, termination_reason, settlement from booking order by id',
  ),
  invoices: s.rows(
    `select id, number, status, period_start, period_end, due_date, gross_amount, net_amount, tva_amount, amount_paid, credited_amount, lines, paid_at, cancelled_at, replaced_by_id
     from invoice where status <> 'CANCELLED' order by id`,
  ),
  payments: s.rows('select id, status, unallocated_amount from payment order by id'),
  allocations: s.rows('select payment_id, target_id, amount from allocation where amount > 0 order by 1, 2'),
  units: s.rows('select id, status from unit order by id'),
  papers: s.rows(
    `select kind, variant, invoice_id, payment_id, count(*) n from document
     where voided_at is null and kind in ('INVOICE', 'STATEMENT') and variant is not 'CREDIT_NOTE' group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  ),
})

type World = readonly [name: string, options: Parameters<typeof stage>[0], rows: readonly (readonly [string, Json])[]]
const WORLDS: readonly World[] = [
  ['nothing paid', since('2026-02-01'), []],
  ['paid in part', since('2026-03-01'), [['POST /invoices/{i1}/payments', cash(20_000)]]],
  ['paid', since('2026-03-01'), [['POST /invoices/{i1}/payments', cash(60_000)]]],
  [
    'paid by two payments, more than the days',
    since('2026-03-01'),
    [
      ['POST /invoices/{i1}/payments', cash(15_000)],
      ['POST /invoices/{i1}/payments', cash(10_000)],
    ],
  ],
  ['months in advance, and credit', since('2026-03-01'), [['POST /bookings/{lease}/payments', cash(200_000)]]],
  [
    'a debt before, and credit that it does not have',
    since('2026-02-01'),
    [
      ['POST /bookings/{lease}/payments', cash(60_000)],
      ['POST /bookings/{lease}/payments', cash(70_000)],
      ['POST /payments/{p1}/reverse', {}],
    ],
  ],
  [
    'charges on a coming month, with TVA',
    { settings: { issueDaysBefore: 30 }, given: letting({ startDate: '2026-03-01', tvaBasisPoints: 1925 }) },
    [
      ['POST /invoices/{i2}/charges', { label: 'Eau', amount: 4_500 }],
      ['POST /invoices/{i2}/payments', cash(2_000)],
    ],
  ],
  ['an agreed end', since('2026-02-01', { endDate: '2026-12-31' }), [['POST /invoices/{i2}/payments', cash(1)]]],
  [
    'not yet begun',
    { settings: { issueDaysBefore: 30 }, given: letting({ startDate: '2026-04-01' }) },
    [['POST /bookings/{lease}/payments', cash(70_000)]],
  ],
]

describe.each(WORLDS)('%s', (_name, options, rows) => {
  test.each(['today', 'a past day'])('as before: %s', async (how) => {
    const s = await stage(options)
    for (const [request, body] of rows) await s.make('ana', request, body)
    const before = state(s)
    const body = how === 'a past day' ? { endDate: '2026-03-02' } : {}
    const answer = await s.ask('ana', END, body)
    // A lease that has not begun ends at its start.
    if (answer.status !== 200) return expect(answer.status).toBe(422)
    expect(imbalances(s.t)).toEqual([])
    await s.make('ana', UNDO)
    expect(imbalances(s.t)).toEqual([])
    expect(state(s)).toEqual(before)
    // And again, by another hand.
    await s.make('mia', END, body)
    await s.make('mia', UNDO)
    expect(imbalances(s.t)).toEqual([])
    expect(state(s)).toEqual(before)
  })
})

scenario('who may, and when', since('2026-02-01'), [
  ['ana', UNDO, {}, 200, { status: 'ACTIVE' }],
  [
    'ana',
    END,
    {},
    200,
    {},
    { audit: ended('invoice.cancel', 'invoice.issue'), jobs: 'invoice.issued, booking.terminated' },
  ],
  ['tom', UNDO, {}, 403],
  ['eve', UNDO, {}, 404],
  ['zoe', UNDO, {}, 404],
  ['ana', UNDO, { reason: 'Erreur' }, 422],
  ['ana', UNDO, { endDate: '2026-03-10' }, 422],
  [
    'ana',
    UNDO,
    {},
    200,
    { status: 'ACTIVE' },
    {
      audit: 'invoice.cancel, invoice.revive, booking.reinstate',
      jobs: 'booking.reinstated',
      lacks: ['endDate', 'terminatedAt', 'terminationReason', 'settlement'],
    },
  ],
  ['ana', UNDO, {}, 200, { status: 'ACTIVE' }],
  [
    'invoices',
    ['2026-02-01..02-28 OVERDUE 0/60000', '2026-03-01..03-31 OVERDUE 0/60000', '2026-03-01..03-10 CANCELLED 0/19355'],
  ],
  ['ana', 'GET /units/{a1}', undefined, 200, { status: 'OCCUPIED' }],
  // The end was never told: it was undone before that.
  ['days', 0, { sent: 'lease_reinstated' }],
  ['days', 22, { audit: 'invoice.issue', jobs: 'invoice.issued', sent: 'invoice_issued' }],
])

scenario('not once credit was given back, until that is reversed', since('2026-03-01'), [
  [
    'ana',
    'POST /invoices/{i1}/payments',
    cash(60_000),
    201,
    {},
    { audit: 'invoice.paid, payment.record', jobs: 'payment.confirmed' },
  ],
  ['ana', END, {}, 200, { creditAmount: 40_645 }, { audit: ended('invoice.credit'), jobs: 'booking.terminated' }],
  ['ana', 'POST /bookings/{lease}/payments', cash(1, { type: 'REFUND' }), 201, {}, { audit: 'payment.refund' }],
  ['ana', UNDO, {}, 409, { code: 'invalid_state', currentStatus: 'TERMINATED' }],
  ['ana', 'POST /payments/{p2}/reverse', {}, 200, {}, { audit: 'payment.reverse' }],
  [
    'ana',
    UNDO,
    {},
    200,
    { creditAmount: 0 },
    { audit: 'invoice.revive, booking.reinstate', jobs: 'booking.reinstated' },
  ],
  ['invoices', ['2026-03-01..03-31 PAID 60000/60000']],
])

scenario('not once the unit is let again', since('2026-03-01'), [
  [
    'ana',
    END,
    {},
    200,
    {},
    { audit: ended('invoice.cancel', 'invoice.issue'), jobs: 'invoice.issued, booking.terminated' },
  ],
  [
    'ana',
    'POST /bookings',
    { unitId: '{a1}', tenantUserId: '{tia}', startDate: '2026-03-11' },
    201,
    {},
    { audit: 'tenant.create, booking.create', as: 'next' },
  ],
  ['ana', 'POST /bookings/{next}/submit', {}, 200, {}, { audit: 'booking.submit' }],
  ['ana', UNDO, {}, 409, { code: 'unit_unavailable' }],
  ['ana', 'POST /bookings/{next}/cancel', {}, 200, {}, { audit: 'booking.cancel' }],
  [
    'ana',
    UNDO,
    {},
    200,
    {},
    { audit: 'invoice.cancel, invoice.revive, booking.reinstate', jobs: 'booking.reinstated' },
  ],
])

scenario(
  'not where the lease ended by its date, or never ran',
  since('2026-03-01', { endDate: '2026-03-20', autoRenew: false }),
  [
    ['days', 11, { audit: 'booking.end', jobs: 'booking.terminated', sent: 'lease_ended' }],
    ['ana', UNDO, {}, 409, { currentStatus: 'TERMINATED', allowed: [] }],
  ],
)
scenario('a draft has no end', { given: letting({}, 'DRAFT') }, [['ana', UNDO, {}, 409, { currentStatus: 'DRAFT' }]])

scenario('what was paid and charged since goes along', since('2026-03-01', { dueDay: 28 }), [
  ['tom', 'POST /invoices/{i1}/payments', cash(30_000), 201, {}, { audit: 'payment.declare' }],
  [
    'ana',
    END,
    {},
    200,
    {},
    { audit: ended('invoice.cancel', 'invoice.issue'), jobs: 'invoice.issued, booking.terminated' },
  ],
  ['ana', 'POST /invoices/{i2}/charges', { label: 'Eau', amount: 4_500 }, 200, {}, { audit: 'invoice.charge' }],
  [
    'ana',
    'POST /invoices/{i2}/payments',
    cash(10_000),
    201,
    {},
    { audit: 'invoice.balance, payment.record', jobs: 'payment.confirmed' },
  ],
  [
    'ana',
    UNDO,
    {},
    200,
    { creditAmount: 0 },
    {
      audit: 'invoice.cancel, invoice.revive, invoice.issue, booking.reinstate',
      jobs: 'invoice.issued, booking.reinstated',
    },
  ],
  // The invoice from before stays as it was declared: what was charged since has its own.
  [
    'invoices',
    ['2026-03-01..03-31 ISSUED 10000/60000', '2026-03-01..03-10 CANCELLED 0/23855', '2026-03-10..03-10 ISSUED 0/4500'],
  ],
  [
    'ana',
    'POST /payments/{p1}/confirm',
    {},
    200,
    {},
    { audit: 'invoice.balance, payment.confirm', jobs: 'payment.confirmed' },
  ],
  [
    'invoices',
    ['2026-03-01..03-31 ISSUED 40000/60000', '2026-03-01..03-10 CANCELLED 0/23855', '2026-03-10..03-10 ISSUED 0/4500'],
  ],
])

scenario('a payment that bounced since stays away', since('2026-03-01'), [
  [
    'ana',
    'POST /invoices/{i1}/payments',
    cash(60_000),
    201,
    {},
    { audit: 'invoice.paid, payment.record', jobs: 'payment.confirmed' },
  ],
  ['ana', END, {}, 200, {}, { audit: ended('invoice.credit'), jobs: 'booking.terminated' }],
  ['ana', 'POST /payments/{p1}/reverse', {}, 200, {}, { audit: 'invoice.balance, payment.reverse' }],
  [
    'ana',
    UNDO,
    {},
    200,
    { creditAmount: 0 },
    { audit: 'invoice.revive, booking.reinstate', jobs: 'booking.reinstated' },
  ],
  ['invoices', ['2026-03-01..03-31 OVERDUE 0/60000']],
])
