// Notice to leave: the lease ends by itself on its day with the settlement of `terminate`, and until then it is taken back.
import { describe, expect, test } from 'bun:test'
import { imbalances } from '../../../support/ledger.ts'
import { cash, type Json, letting, type Person, scenario, stage } from '../../../support/scenario.ts'

const NOTICE = 'POST /bookings/{lease}/notice'
const WITHDRAW = 'DELETE /bookings/{lease}/notice'
const given = { audit: 'booking.notice', jobs: 'booking.noticed' }
const lease = (terms: Json = {}) => ({ given: letting(terms) })

scenario(
  'a tenant leaves in mid-month: the last days are billed alone, and the lease ends by itself',
  lease({ noticeMonths: 1 }),
  [
    [
      'tom',
      NOTICE,
      { by: 'TENANT', leaveOn: '2026-04-15', reason: 'Mutation' },
      200,
      {
        status: 'ACTIVE',
        endDate: '2026-04-15',
        autoRenew: false,
        notice: {
          by: 'TENANT',
          givenOn: '2026-03-10',
          leaveOn: '2026-04-15',
          reason: 'Mutation',
          noticeMonths: 1,
          earliestLeaveOn: '2026-04-10',
          inTime: true,
        },
      },
      given,
    ],
    ['tom', NOTICE, { by: 'TENANT', leaveOn: '2026-04-15' }, 200, { endDate: '2026-04-15' }],
    ['ana', NOTICE, { by: 'LANDLORD', leaveOn: '2026-04-30' }, 409, { code: 'duplicate' }],
    ['ana', 'POST /bookings/{lease}/renew', {}, 409, { code: 'invalid_state' }],
    ['days', 22, { audit: 'invoice.issue', jobs: 'invoice.issued, news.digest', sent: 'notice_given, invoice_issued' }],
    ['invoices', ['2026-03-01..03-31 OVERDUE 0/60000', '2026-04-01..04-15 ISSUED 0/30000']],
    ['days', 14, { audit: 'invoice.overdue', sent: 'news_digest' }],
    ['ana', 'GET /bookings/{lease}', undefined, 200, { status: 'ACTIVE' }],
    ['days', 1, { audit: 'booking.terminate', jobs: 'booking.leave, booking.terminated', sent: 'lease_ended' }],
    [
      'ana',
      'GET /bookings/{lease}',
      undefined,
      200,
      { status: 'TERMINATED', endDate: '2026-04-15', terminationReason: 'Mutation' },
    ],
    ['invoices', ['2026-03-01..03-31 OVERDUE 0/60000', '2026-04-01..04-15 OVERDUE 0/30000']],
  ],
)

scenario('what was paid for time after the end is credit', lease(), [
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(180_000),
    201,
    { coveredUntil: '2026-05-31' },
    {
      audit: 'payment.record, invoice.paid, invoice.issue, invoice.paid, invoice.issue, invoice.paid',
      jobs: 'invoice.issued ×2, payment.confirmed',
    },
  ],
  [
    'ana',
    NOTICE,
    { by: 'LANDLORD', leaveOn: '2026-04-15' },
    200,
    { notice: { by: 'LANDLORD' } },
    { ...given, lacks: ['noticeMonths'] },
  ],
  ['days', 36, { sent: 'payment_confirmed, notice_given' }],
  [
    'days',
    1,
    {
      audit: 'invoice.credit ×2, booking.terminate',
      jobs: 'booking.leave, booking.terminated',
      sent: 'lease_ended',
    },
  ],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { status: 'TERMINATED', creditAmount: 90_000 }],
  [
    'ana',
    'GET /bookings/{lease}/settlement',
    undefined,
    200,
    { creditAmount: 90_000, owedAmount: 0, endDate: '2026-04-15' },
  ],
])

scenario('taken back: the month is billed whole again, money goes along', lease({ dueDay: 28 }), [
  ['ana', NOTICE, { by: 'TENANT', leaveOn: '2026-04-15' }, 200, {}, given],
  [
    'days',
    22,
    { audit: 'invoice.issue, invoice.overdue', jobs: 'invoice.issued', sent: 'notice_given, invoice_issued' },
  ],
  [
    'ana',
    'POST /invoices/{i2}/payments',
    cash(30_000),
    201,
    {},
    { audit: 'invoice.paid, payment.record', jobs: 'payment.confirmed' },
  ],
  [
    'tom',
    WITHDRAW,
    undefined,
    200,
    { status: 'ACTIVE', autoRenew: true },
    {
      audit: 'invoice.cancel, invoice.issue, invoice.balance, booking.notice_withdrawn',
      jobs: 'invoice.issued, booking.notice_withdrawn',
      lacks: ['notice', 'endDate'],
    },
  ],
  [
    'invoices',
    [
      '2026-03-01..03-31 OVERDUE 0/60000',
      '2026-04-01..04-15 CANCELLED 0/30000',
      '2026-04-01..04-30 ISSUED 30000/60000',
    ],
  ],
  ['tom', WITHDRAW, undefined, 200, { status: 'ACTIVE' }],
  [
    'days',
    30,
    {
      audit: 'invoice.issue, invoice.overdue',
      jobs: 'invoice.issued, news.digest',
      sent: 'payment_confirmed, invoice_issued, notice_given, invoice_issued',
    },
  ],
])

describe('the unit is let from the day after', () => {
  const next = { unitId: '{a1}', tenantUserId: '{tia}', startDate: '2026-04-16' }
  scenario('not before, and then no way back', lease(), [
    ['ana', NOTICE, { by: 'TENANT', leaveOn: '2026-04-15' }, 200, {}, given],
    [
      'ana',
      'POST /bookings',
      { ...next, startDate: '2026-04-15' },
      201,
      {},
      { audit: 'tenant.create, booking.create', as: 'early' },
    ],
    ['ana', 'POST /bookings/{early}/submit', {}, 409, { code: 'unit_unavailable' }],
    ['ana', 'POST /bookings', next, 201, {}, { audit: 'booking.create', as: 'next' }],
    ['ana', 'POST /bookings/{next}/submit', {}, 200, { status: 'PENDING' }, { audit: 'booking.submit' }],
    ['tom', WITHDRAW, undefined, 409, { code: 'unit_unavailable' }],
  ])
})

describe('renewal yields', () => {
  scenario('a draft is cancelled', lease({ endDate: '2026-08-31' }), [
    ['ana', 'POST /bookings/{lease}/renew', {}, 201, {}, { audit: 'booking.create', as: 'next' }],
    [
      'tom',
      NOTICE,
      { by: 'TENANT', leaveOn: '2026-05-31' },
      200,
      { endDate: '2026-05-31' },
      {
        audit: 'booking.cancel, booking.notice',
        jobs: 'booking.noticed',
      },
    ],
    ['ana', 'GET /bookings/{next}', undefined, 200, { status: 'CANCELLED' }],
  ])
  scenario(
    'a lease that goes on by itself does so until the day to leave, and not a day longer',
    lease({ endDate: '2026-03-31' }),
    [
      ['tom', NOTICE, { by: 'TENANT', leaveOn: '2026-05-10' }, 200, { endDate: '2026-03-31', autoRenew: true }, given],
      [
        'days',
        22,
        {
          audit: 'invoice.issue, booking.extend',
          jobs: 'invoice.issued, news.digest',
          sent: 'notice_given, invoice_issued',
        },
      ],
      [
        'days',
        30,
        {
          audit: 'invoice.issue, booking.extend, invoice.overdue',
          jobs: 'invoice.issued',
          sent: 'invoice_issued, news_digest',
        },
      ],
      ['ana', 'GET /bookings/{lease}', undefined, 200, { endDate: '2026-05-10', autoRenew: false }],
      [
        'days',
        10,
        { audit: 'invoice.overdue, booking.terminate', jobs: 'booking.leave, booking.terminated', sent: 'lease_ended' },
      ],
      [
        'invoices',
        ['2026-03-01..03-31 OVERDUE 0/60000', '2026-04-01..04-30 OVERDUE 0/60000', '2026-05-01..05-10 OVERDUE 0/19355'],
      ],
    ],
  )
})

describe('refused', () => {
  const BODIES: [name: string, by: Person, body: Json, status: number, more: Json][] = [
    ['a day that is over', 'tom', { by: 'TENANT', leaveOn: '2026-03-09' }, 422, { errors: [{ path: '/leaveOn' }] }],
    [
      'in more than five years',
      'tom',
      { by: 'TENANT', leaveOn: '2031-03-11' },
      422,
      { errors: [{ path: '/leaveOn' }] },
    ],
    [
      'in the name of the landlord',
      'tom',
      { by: 'LANDLORD', leaveOn: '2026-04-30' },
      422,
      { errors: [{ path: '/by' }] },
    ],
    ['by another tenant', 'tia', { by: 'TENANT', leaveOn: '2026-04-30' }, 404, {}],
    ['by another owner', 'eve', { by: 'LANDLORD', leaveOn: '2026-04-30' }, 404, {}],
    ['from elsewhere', 'zoe', { by: 'LANDLORD', leaveOn: '2026-04-30' }, 404, {}],
    ['without a day', 'tom', { by: 'TENANT' }, 422, {}],
  ]
  test.each(BODIES)('%s', async (_name, by, body, status, more) => {
    const s = await stage(lease())
    const before = s.dump()
    const answer = await s.ask(by, NOTICE, body)
    expect([answer.status, answer.body]).toMatchObject([status, more])
    expect(s.dump()).toBe(before)
    if (status === 404) expect((await s.ask(by, WITHDRAW)).status).toBe(404)
  })
  scenario(
    'after the end of a lease that does not go on; of a draft',
    lease({ endDate: '2026-05-31', autoRenew: false }),
    [['tom', NOTICE, { by: 'TENANT', leaveOn: '2026-06-01' }, 422, { errors: [{ path: '/leaveOn' }] }]],
  )
  scenario('of a draft', { given: letting({}, 'DRAFT') }, [
    ['ana', NOTICE, { by: 'LANDLORD', leaveOn: '2026-06-01' }, 409, { code: 'invalid_state' }],
  ])
  scenario('nobody takes back what the other side gave', lease(), [
    ['tom', NOTICE, { by: 'TENANT', leaveOn: '2026-04-15' }, 200, {}, given],
    ['ana', WITHDRAW, undefined, 403],
    ['mia', WITHDRAW, undefined, 403],
  ])
  scenario('a tenant does not take back the landlord’s; but what was recorded in their name', lease(), [
    ['ana', NOTICE, { by: 'LANDLORD', leaveOn: '2026-04-15' }, 200, {}, given],
    ['tom', WITHDRAW, undefined, 403],
    ['mia', WITHDRAW, undefined, 200, {}, { audit: 'booking.notice_withdrawn', jobs: 'booking.notice_withdrawn' }],
    ['ana', NOTICE, { by: 'TENANT', leaveOn: '2026-04-15' }, 200, {}, given],
    ['tom', WITHDRAW, undefined, 200, {}, { audit: 'booking.notice_withdrawn', jobs: 'booking.notice_withdrawn' }],
  ])
})

test('too short a notice is recorded and said, on its paper too; the paper is void once it is taken back', async () => {
  const s = await stage(lease({ noticeMonths: 3 }))
  const { body } = await s.ask('tom', NOTICE, { by: 'TENANT', leaveOn: '2026-04-15' })
  expect(body.notice).toMatchObject({ noticeMonths: 3, earliestLeaveOn: '2026-06-10', inTime: false })
  const papers = () => s.rows("select variant, void_reason v, data from document where kind = 'LEASE_NOTICE'")
  expect(JSON.parse(String(papers()[0]?.data))).toMatchObject({
    by: 'TENANT',
    leaveOn: '2026-04-15',
    earliestLeaveOn: '2026-06-10',
  })
  const [listed = {}] = (await s.ask('ana', 'GET /bookings?status=ACTIVE')).body as unknown as Json[]
  expect(listed.notice).toEqual(body.notice)
  await s.ask('tom', WITHDRAW)
  expect(papers()).toMatchObject([{ variant: 'LEAVE', v: 'CANCELLED' }])
})

test('an end by notice is undone like any other: whole months again, and no notice', async () => {
  const s = await stage(lease())
  await s.make('tom', NOTICE, { by: 'TENANT', leaveOn: '2026-04-15' })
  s.advance(40)
  await s.work()
  s.nameAll()
  expect((await s.ask('ana', 'GET /bookings/{lease}')).body.status).toBe('TERMINATED')
  const { body } = await s.ask('ana', 'POST /bookings/{lease}/reinstate')
  expect(body).toMatchObject({ status: 'ACTIVE', autoRenew: true })
  expect([body.endDate, body.notice]).toEqual([undefined, undefined])
  await s.work()
  expect((await s.ask('ana', 'GET /bookings/{lease}')).body.status).toBe('ACTIVE')
  expect(s.ledger().filter((line) => !line.includes('CANCELLED'))).toEqual([
    '2026-03-01..03-31 OVERDUE 0/60000',
    '2026-04-01..04-30 OVERDUE 0/60000',
  ])
  expect(imbalances(s.t)).toEqual([])
})

describe('an open-ended business lease: the landlord gives six months at least', () => {
  const shop = (terms: Json = {}) => ({ given: letting({ ...terms, endDate: null }, 'ACTIVE', 'OFFICE') })
  const LEGAL = '2026-09-10'

  scenario('shorter is refused with the sentence of the law, and asked for only if confirmed', shop(), [
    ['ana', NOTICE, { by: 'LANDLORD', leaveOn: '2026-04-30' }, 422, { errors: [{ path: '/confirm' }] }],
    ['ana', NOTICE, { by: 'LANDLORD', leaveOn: '2026-09-09', confirm: false }, 422, { errors: [{ path: '/confirm' }] }],
    [
      'ana',
      NOTICE,
      { by: 'LANDLORD', leaveOn: '2026-04-30', confirm: true },
      200,
      { status: 'ACTIVE', notice: { endsLease: false, inTime: false, earliestLeaveOn: LEGAL, leaveOn: '2026-04-30' } },
      { ...given, lacks: ['endDate'] },
    ],
    ['ana', 'POST /bookings/{lease}/renew', {}, 409, { code: 'invalid_state' }],
  ])

  test('the lease goes on past a day that was only asked for, and the notice is withdrawn then', async () => {
    const s = await stage(shop())
    await s.make('ana', NOTICE, { by: 'LANDLORD', leaveOn: '2026-04-30', confirm: true })
    s.advance(60)
    await s.work()
    const after = (await s.ask('ana', 'GET /bookings/{lease}')).body
    expect([after.status, after.endDate]).toEqual(['ACTIVE', undefined])
    const starts = s.rows("select period_start day from invoice where status <> 'CANCELLED' order by 1")
    expect(starts.at(-1)).toEqual({ day: '2026-05-01' })
    expect(s.rows("select count(*) n from message where purpose = 'lease_ended'")).toEqual([{ n: 0 }])
    const back = await s.ask('ana', WITHDRAW)
    expect([back.status, back.body.notice]).toEqual([200, undefined])
  })

  scenario('six months end it by themselves', shop({ noticeMonths: 3 }), [
    [
      'ana',
      NOTICE,
      { by: 'LANDLORD', leaveOn: LEGAL },
      200,
      { endDate: LEGAL, notice: { endsLease: true, inTime: true, earliestLeaveOn: LEGAL, noticeMonths: 3 } },
      given,
    ],
  ])
  scenario('the tenant leaves as agreed', shop({ noticeMonths: 1 }), [
    [
      'tom',
      NOTICE,
      { by: 'TENANT', leaveOn: '2026-04-30' },
      200,
      { endDate: '2026-04-30', notice: { endsLease: true, inTime: true } },
      given,
    ],
  ])
  scenario('of a fixed term and of a home nothing is asked', { given: letting({ endDate: null }) }, [
    ['ana', NOTICE, { by: 'LANDLORD', leaveOn: '2026-04-30' }, 200, { notice: { endsLease: true } }, given],
  ])
})
