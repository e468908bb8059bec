// A running lease changes its rent: from its day on, in every invoice that is not paid, and for nobody else.
import { describe, expect, test } from 'bun:test'
import { makeReady } from '../../../support/contracts.ts'
import { imbalances } from '../../../support/ledger.ts'
import { cash, type Json, letting, type Person, type Row, scenario, stage } from '../../../support/scenario.ts'

const CHANGE = 'POST /bookings/{lease}/rent-changes'
const LIST = 'GET /bookings/{lease}/rent-changes'
const reviewClause = { formula: 'Indice des prix à la consommation', from: '2026-01-01' }
const office = (terms: Json = {}) => ({ given: letting({ reviewClause, ...terms }, 'ACTIVE', 'OFFICE') })
const home = (terms: Json = {}) => ({ given: letting(terms) })
const announced = { audit: 'rent_change.create, booking.rent', jobs: 'rent_change.announced' }
const replaced = {
  audit: 'rent_change.create, invoice.cancel, invoice.issue, booking.rent',
  jobs: 'invoice.issued, rent_change.announced',
}

scenario('from the next period on, and the invoices follow', office(), [
  [
    'ana',
    CHANGE,
    { from: '2026-04-01', rentAmount: 65_000, reason: 'Indexation' },
    201,
    { status: 'SCHEDULED', previousAmount: 60_000, needsAgreement: false, from: '2026-04-01', reason: 'Indexation' },
    announced,
  ],
  [
    'ana',
    'GET /bookings/{lease}',
    undefined,
    200,
    { rentAmount: 60_000, nextRentOn: '2026-04-01', nextRentAmount: 65_000 },
  ],
  ['invoices', ['2026-03-01..03-31 OVERDUE 0/60000']],
  ['tom', LIST, undefined, 200, [{ rentAmount: 65_000, status: 'SCHEDULED' }]],
  ['days', 21, { sent: 'rent_changes' }],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { rentAmount: 60_000 }],
  [
    'days',
    1,
    { audit: 'rent_change.begin, invoice.issue, booking.rent', jobs: 'invoice.issued', sent: 'invoice_issued' },
  ],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { rentAmount: 65_000 }, { lacks: ['nextRentOn', 'nextRentAmount'] }],
  ['tom', LIST, undefined, 200, [{ status: 'IN_FORCE' }]],
  ['invoices', ['2026-03-01..03-31 OVERDUE 0/60000', '2026-04-01..04-30 ISSUED 0/65000']],
])

scenario('the period that runs: its open invoice is replaced, with charges and money', office({ dueDay: 28 }), [
  ['ana', 'POST /invoices/{i1}/charges', { label: 'Eau', amount: 4_500 }, 200, {}, { audit: 'invoice.charge' }],
  [
    'ana',
    'POST /invoices/{i1}/payments',
    cash(20_000),
    201,
    {},
    { audit: 'invoice.balance, payment.record', jobs: 'payment.confirmed' },
  ],
  [
    'ana',
    CHANGE,
    { from: '2026-03-01', rentAmount: 50_000 },
    201,
    { status: 'IN_FORCE' },
    {
      audit: 'rent_change.create, invoice.cancel, invoice.issue, invoice.balance, booking.rent',
      jobs: 'invoice.issued, rent_change.announced',
    },
  ],
  ['invoices', ['2026-03-01..03-31 CANCELLED 0/64500', '2026-03-01..03-31 ISSUED 20000/54500']],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { rentAmount: 50_000, creditAmount: 0 }],
])

scenario('what is paid keeps its rent, and it is said', office(), [
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
  ['ana', CHANGE, { from: '2026-05-01', rentAmount: 70_000 }, 422, { errors: [{ path: '/confirm' }] }],
  ['ana', CHANGE, { from: '2026-05-01', rentAmount: 70_000, confirm: true }, 201, { status: 'SCHEDULED' }, announced],
  ['ana', 'GET /bookings/{lease}/advance?months=2', undefined, 200, { amount: 140_000, coveredUntil: '2026-07-31' }],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(70_000),
    201,
    { coveredUntil: '2026-06-30', creditAmount: 0 },
    {
      audit: 'payment.record, invoice.issue, invoice.paid',
      jobs: 'invoice.issued, payment.confirmed',
    },
  ],
  ['ana', 'POST /rent-changes/{nobody}/cancel', {}, 404],
  // Half of May was paid at 60,000, half of June at 70,000.
  ['ana', 'GET /bookings/{lease}/settlement?endDate=2026-03-10', undefined, 200, { creditAmount: 250_000 - 19_355 }],
])

describe('the end of a lease prorates each month at its own rent', () => {
  test.each([
    ['2026-05-15', 250_000 - 120_000 - 29_032],
    ['2026-06-15', 250_000 - 180_000 - 35_000],
  ])('%s', async (endDate, credit) => {
    const s = await stage(office())
    await s.make('ana', 'POST /bookings/{lease}/payments', cash(180_000))
    await s.make('ana', CHANGE, { from: '2026-05-01', rentAmount: 70_000, confirm: true })
    await s.make('ana', 'POST /bookings/{lease}/payments', cash(70_000))
    s.advance(110)
    await s.work()
    const { body } = await s.ask('ana', `GET /bookings/{lease}/settlement?endDate=${endDate}`)
    expect(body).toMatchObject({ creditAmount: credit, owedAmount: 0 })
    expect(imbalances(s.t)).toEqual([])
  })
})

const FORBIDDEN: [name: string, body: Json, path: string][] = [
  ['in the middle of a period', { from: '2026-04-15', rentAmount: 1 }, '/from'],
  ['before the period that runs', { from: '2026-02-01', rentAmount: 1 }, '/from'],
  ['in more than five years', { from: '2031-04-01', rentAmount: 1 }, '/from'],
  ['to the same rent', { from: '2026-04-01', rentAmount: 60_000 }, '/rentAmount'],
  ['in another currency', { from: '2026-04-01', rentAmount: 1, rentCurrency: 'EUR' }, '/rentCurrency'],
]
describe('refused', () => {
  test.each(FORBIDDEN)('%s', async (_name, body, path) => {
    const s = await stage(office())
    const before = s.dump()
    const answer = await s.ask('ana', CHANGE, body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ path }])
    expect(s.dump()).toBe(before)
  })
  scenario('after the end of a lease that does not go on', office({ endDate: '2026-05-31' }), [
    ['ana', CHANGE, { from: '2026-06-01', rentAmount: 1 }, 422, { errors: [{ path: '/from' }] }],
  ])
  scenario('of a draft', { given: letting({}, 'DRAFT', 'OFFICE') }, [
    ['ana', CHANGE, { from: '2026-04-01', rentAmount: 1 }, 409, { code: 'invalid_state' }],
  ])
  scenario('before another change', office(), [
    ['ana', CHANGE, { from: '2026-06-01', rentAmount: 65_000 }, 201, {}, announced],
    ['ana', CHANGE, { from: '2026-05-01', rentAmount: 70_000 }, 422, { errors: [{ path: '/from' }] }],
    ['ana', CHANGE, { from: '2026-07-01', rentAmount: 70_000 }, 201, { previousAmount: 65_000 }, announced],
  ])
  test.each(['eve', 'zoe', 'tia'] as Person[])('by %s, who learns nothing', async (who) => {
    const s = await stage(office())
    const { id } = await s.make('ana', CHANGE, { from: '2026-04-01', rentAmount: 65_000 })
    s.names.set('change', String(id))
    const before = s.dump()
    const status = who === 'tia' ? 403 : 404
    expect((await s.ask(who, LIST)).status).toBe(404)
    expect((await s.ask(who, CHANGE, { from: '2026-05-01', rentAmount: 1 })).status).toBe(status)
    expect((await s.ask(who, 'POST /rent-changes/{change}/cancel')).status).toBe(status)
    expect((await s.ask(who, 'POST /rent-changes/{change}/signatures/otp')).status).toBe(404)
    expect((await s.ask(who, 'GET /rent-changes/{change}')).status).toBe(404)
    expect(s.dump()).toBe(before)
  })
  test('by the tenant, who reads only', async () => {
    const s = await stage(office())
    const { id } = await s.make('ana', CHANGE, { from: '2026-04-01', rentAmount: 65_000 })
    expect((await s.ask('tom', CHANGE, { from: '2026-05-01', rentAmount: 1 })).status).toBe(403)
    expect((await s.ask('tom', `POST /rent-changes/${id}/cancel`)).status).toBe(403)
  })
})

scenario('cancelled before it begins: everything is as it was', { settings: { issueDaysBefore: 30 }, ...office() }, [
  ['invoices', ['2026-03-01..03-31 OVERDUE 0/60000', '2026-04-01..04-30 ISSUED 0/60000']],
  ['ana', CHANGE, { from: '2026-04-01', rentAmount: 65_000 }, 201, {}, { ...replaced, as: 'change' }],
  [
    'invoices',
    ['2026-03-01..03-31 OVERDUE 0/60000', '2026-04-01..04-30 CANCELLED 0/60000', '2026-04-01..04-30 ISSUED 0/65000'],
  ],
  [
    'ana',
    'POST /rent-changes/{change}/cancel',
    {},
    200,
    { status: 'CANCELLED' },
    {
      audit: 'rent_change.cancel, invoice.cancel, invoice.issue, booking.rent',
      jobs: 'invoice.issued, rent_change.cancelled',
    },
  ],
  ['ana', 'POST /rent-changes/{change}/cancel', {}, 200, { status: 'CANCELLED' }],
  ['ana', 'GET /bookings/{lease}', undefined, 200, { rentAmount: 60_000 }, { lacks: ['nextRentOn'] }],
  [
    'days',
    40,
    {
      audit: 'invoice.issue, invoice.overdue',
      jobs: 'invoice.issued',
      sent: 'invoice_issued, rent_stays, invoice_issued',
    },
  ],
])

describe('a home: nothing counts without the tenant’s signature', () => {
  async function proposed(terms: Json = {}) {
    const s = await stage(home(terms))
    const { id, status, documentId } = await s.make('ana', CHANGE, { from: '2026-04-01', rentAmount: 66_000 })
    expect(status).toBe('PROPOSED')
    s.names.set('change', String(id))
    const rent = () => s.rows('select rent_amount r, next_rent_amount n from booking')[0]
    const sign = (who: Person, body: Json) => s.ask(who, 'POST /rent-changes/{change}/signatures', body)
    const otp = (who: Person) => s.ask(who, 'POST /rent-changes/{change}/signatures/otp', {})
    return { s, rent, sign, otp, documentId: String(documentId) }
  }
  test('it waits, and the rent stays', async () => {
    const { s, rent } = await proposed()
    s.advance(45)
    await s.work()
    expect(s.sent.map(({ purpose }) => purpose)).toContain('rent_proposed')
    expect(rent()).toEqual({ r: 60_000, n: null })
    expect(s.ledger().at(-1)).toBe('2026-04-01..04-30 OVERDUE 0/60000')
    expect((await s.ask('ana', CHANGE, { from: '2026-05-01', rentAmount: 70_000 })).body.code).toBe('duplicate')
  })
  test('the tenant signs by code: it counts, the signed rider takes the place of the first', async () => {
    const { s, rent, sign, otp, documentId } = await proposed()
    expect((await otp('tom')).body.code).toBe('contract_not_ready')
    await makeReady(s.t, String(s.names.get('lease')), 'LEASE_NOTICE')
    expect([(await otp('ana')).status, (await otp('mia')).status, (await otp('tia')).status]).toEqual([403, 403, 404])
    const { body } = await otp('tom')
    const { code = '', text = '' } = s.sent.at(-1) ?? {}
    expect(text).toMatch(/pour signer l’avenant A-\d{4}-\d{6} est|to sign amendment A-\d{4}-\d{6} is/)
    const given = { challengeId: String(body.challengeId), fullName: 'Tom Entier' }
    expect((await sign('tom', { ...given, code: code === '000000' ? '111111' : '000000' })).status).toBe(422)
    expect((await sign('ana', { ...given, code })).status).toBe(403)
    expect(rent()).toEqual({ r: 60_000, n: null })
    const signed = await sign('tom', { ...given, code })
    expect(signed.body).toMatchObject({ status: 'SCHEDULED', signedName: 'Tom Entier', signedBy: s.names.get('tom') })
    expect(rent()).toEqual({ r: 60_000, n: 66_000 })
    expect((await sign('tom', { ...given, code })).status).toBe(409)
    expect(s.rows("select variant, void_reason v from document where kind = 'LEASE_NOTICE' order by id")).toEqual([
      { variant: 'RIDER', v: 'REPLACED' },
      { variant: 'RIDER_SIGNED', v: null },
    ])
    expect(signed.body.documentId).not.toBe(documentId)
    s.advance(22)
    await s.work()
    expect(s.sent.map(({ purpose }) => purpose)).toContain('rent_answered')
    expect(s.ledger().at(-1)).toBe('2026-04-01..04-30 ISSUED 0/66000')
    expect(imbalances(s.t)).toEqual([])
  })
  test('signed late, in its first period: the open invoice follows; later it is too late', async () => {
    const { s, otp, sign } = await proposed()
    await makeReady(s.t, String(s.names.get('lease')), 'LEASE_NOTICE')
    s.advance(30)
    await s.work()
    const { body } = await otp('tom')
    const code = s.sent.at(-1)?.code ?? ''
    expect((await sign('tom', { challengeId: String(body.challengeId), fullName: 'Tom', code })).body.status).toBe(
      'IN_FORCE',
    )
    expect(s.ledger().slice(-2)).toEqual(['2026-04-01..04-30 CANCELLED 0/60000', '2026-04-01..04-30 ISSUED 0/66000'])
    const late = await proposed()
    await makeReady(late.s.t, String(late.s.names.get('lease')), 'LEASE_NOTICE')
    late.s.advance(60)
    await late.s.work()
    expect((await late.otp('tom')).body).toMatchObject({ code: 'invalid_state', allowed: ['cancel'] })
  })
  scenario('a lower rent needs no signature, nor does a lease that says so', home(), [
    [
      'ana',
      CHANGE,
      { from: '2026-04-01', rentAmount: 50_000 },
      201,
      { status: 'SCHEDULED', needsAgreement: false },
      announced,
    ],
  ])
  scenario('the lease says so', home({ rentByAgreement: false }), [
    ['ana', CHANGE, { from: '2026-04-01', rentAmount: 70_000 }, 201, { status: 'SCHEDULED' }, announced],
  ])
  scenario('a business lease may ask for it', office({ rentByAgreement: true }), [
    [
      'ana',
      CHANGE,
      { from: '2026-04-01', rentAmount: 70_000 },
      201,
      { status: 'PROPOSED' },
      {
        audit: 'rent_change.create',
        jobs: 'rent_change.proposed',
      },
    ],
    ['ana', 'PATCH /bookings/{lease}', { rentByAgreement: false }, 409, { code: 'invalid_state' }],
  ])
})

describe('a business lease: by agreement, or by the review clause that was signed', () => {
  const rise = (from: string, status: string): Row => [
    'ana',
    CHANGE,
    { from, rentAmount: 65_000 },
    201,
    { status, needsAgreement: status === 'PROPOSED' },
    status === 'PROPOSED' ? { audit: 'rent_change.create', jobs: 'rent_change.proposed' } : announced,
  ]
  const later = { ...reviewClause, from: '2026-05-01' }
  const TABLE: [name: string, terms: Json, from: string, status: string][] = [
    ['no clause', { reviewClause: null }, '2026-04-01', 'PROPOSED'],
    ['no clause, whatever the lease says', { reviewClause: null, rentByAgreement: false }, '2026-04-01', 'PROPOSED'],
    ['the clause', {}, '2026-04-01', 'SCHEDULED'],
    ['never for the period that runs', {}, '2026-03-01', 'PROPOSED'],
    ['nor before its day', { reviewClause: later }, '2026-04-01', 'PROPOSED'],
    ['on its day', { reviewClause: later }, '2026-05-01', 'SCHEDULED'],
  ]
  for (const [name, terms, from, status] of TABLE) scenario(name, office(terms), [rise(from, status)])

  scenario('a lower rent needs nobody', office({ reviewClause: null }), [
    ['ana', CHANGE, { from: '2026-04-01', rentAmount: 50_000 }, 201, { status: 'SCHEDULED' }, announced],
  ])
  scenario('the clause is of the lease that was signed', office({ reviewClause: null }), [
    ['ana', 'GET /bookings/{lease}', undefined, 200, {}, { lacks: ['reviewClause', 'trade'] }],
    ['ana', 'PATCH /bookings/{lease}', { reviewClause }, 409, { code: 'invalid_state' }],
  ])
  scenario('trade and clause are set before that', { given: letting({}, 'DRAFT', 'OFFICE') }, [
    ['ana', 'PATCH /bookings/{lease}', { reviewClause: { formula: 'Indice' } }, 422],
    ['tom', 'PATCH /bookings/{lease}', { trade: 'Vente de tissus' }, 403],
    [
      'ana',
      'PATCH /bookings/{lease}',
      { trade: 'Vente de tissus', reviewClause },
      200,
      { trade: 'Vente de tissus', reviewClause },
      { audit: 'booking.update' },
    ],
    [
      'ana',
      'PATCH /bookings/{lease}',
      { trade: null, reviewClause: null },
      200,
      {},
      { audit: 'booking.update', lacks: ['trade', 'reviewClause'] },
    ],
  ])
  test('the notice cites the clause, and that of a lower rent does not', async () => {
    const s = await stage(office())
    const cited = () =>
      s.rows("select json_extract(data, '$.clause.formula') f from document where variant = 'RENT_CHANGE' order by id")
    await s.make('ana', CHANGE, { from: '2026-04-01', rentAmount: 65_000 })
    await s.make('ana', CHANGE, { from: '2026-05-01', rentAmount: 50_000 })
    expect(cited()).toEqual([{ f: reviewClause.formula }, { f: null }])
  })
})
