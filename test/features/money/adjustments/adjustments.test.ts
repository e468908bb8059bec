// What takes a debt or money off the books: with a reason, seen by the owner and the administrators, told to nobody else.
import { describe, expect, test } from 'bun:test'
import {
  cash,
  type Json,
  letting,
  type Person,
  type Row,
  type Stage,
  scenario,
  stage,
} from '../../../support/scenario.ts'
import { guard, house, path, period, provided } from '../../../support/shared-charges.ts'

/** Mia looks after the villa alone. */
const limited = {
  given: async (s: Stage) => {
    await letting({ startDate: '2026-03-10' })(s)
    await s.make('ada', 'PATCH /admin/users/{mia}', { propertyIds: ['{villa}'] })
  },
}
const wanted = { errors: [{ path: '/reason' }] }
const list = async (s: Stage, who: Person, query = '') =>
  (await s.ask(who, `GET /adjustments${query}`)).body as unknown as Json[]
const kinds = async (s: Stage, who: Person) => (await list(s, who)).map(({ kind }) => kind)
const need = async (s: Stage, who: Person) =>
  ((await s.ask(who, 'GET /overview')).body.needs as Json[]).find(({ kind }) => kind === 'ADJUSTMENT_MADE')

const reversing: Row[] = [
  [
    'mia',
    'POST /invoices/{i1}/payments',
    cash(60_000),
    201,
    {},
    { audit: 'invoice.paid, payment.record', jobs: 'payment.confirmed' },
  ],
  ['mia', 'POST /payments/{p1}/reverse', {}, 422, wanted],
  ['mia', 'POST /payments/{p1}/reverse', { reason: ' ' }, 422, wanted],
  [
    'mia',
    'POST /payments/{p1}/reverse',
    { reason: 'Faux billets' },
    200,
    { status: 'REVERSED', note: 'Faux billets' },
    { audit: 'invoice.balance, payment.reverse' },
  ],
  ['mia', 'POST /invoices/{i1}/cancel', {}, 422, wanted],
  ['mia', 'POST /invoices/{i1}/cancel', { reason: null }, 422, wanted],
  [
    'mia',
    'POST /invoices/{i1}/cancel',
    { reason: 'Doublon' },
    200,
    { status: 'CANCELLED' },
    { audit: 'invoice.cancel' },
  ],
  // Once it is done, saying it again asks for nothing.
  ['mia', 'POST /payments/{p1}/reverse', {}, 200, { note: 'Faux billets' }],
  ['mia', 'POST /invoices/{i1}/cancel', {}, 200, { status: 'CANCELLED' }],
]

scenario('a manager who takes cash back out of the books, and the debt, says why', limited, reversing)
scenario('so does a manager of all properties, and an administrator', { given: letting({ startDate: '2026-03-10' }) }, [
  ...reversing.slice(0, 4),
  ['ada', 'POST /invoices/{i1}/cancel', {}, 422, wanted],
  ['eve', 'POST /invoices/{i1}/cancel', { reason: 'Doublon' }, 404],
  ['tom', 'POST /invoices/{i1}/cancel', { reason: 'Doublon' }, 403],
  ['ada', 'POST /invoices/{i1}/cancel', { reason: 'Doublon' }, 200, {}, { audit: 'invoice.cancel' }],
])

test('owners need not say why, of what is theirs, and nobody is told', async () => {
  const s = await stage({ given: letting({ startDate: '2026-03-10' }) })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(60_000))
  await s.make('ana', 'POST /payments/{p1}/reverse')
  await s.make('ana', 'POST /invoices/{i1}/cancel')
  await s.t.work()
  expect(s.t.sent.filter(({ purpose }) => purpose === 'adjustment_made')).toEqual([])
  for (const who of ['ana', 'ada', 'mia'] as const) expect(await need(s, who)).toBeUndefined()
  // It is in the list all the same.
  expect(await kinds(s, 'ada')).toEqual(['INVOICE_CANCELLED', 'PAYMENT_REVERSED'])
})

const MONEY = cash(20_000)
const back = { type: 'REFUND', ...cash(5_000) }
const deposit = (type: string, amount: number, more: Json = {}) => ({ type, amount, paidOn: '2026-03-10', ...more })
scenario('a manager of some properties says why for each way out of a deposit and of credit', limited, [
  ['mia', 'POST /bookings/{lease}/deposit', deposit('RECEIVED', 90_000), 201, {}, { audit: 'deposit.received' }],
  ['mia', 'POST /bookings/{lease}/deposit', deposit('RETURNED', 30_000), 422, wanted],
  [
    'mia',
    'POST /bookings/{lease}/deposit',
    deposit('RETURNED', 30_000, { reason: 'Accord' }),
    201,
    { reason: 'Accord' },
    { audit: 'deposit.returned' },
  ],
  ['mia', 'POST /bookings/{lease}/deposit', deposit('DEDUCTED', 30_000, { invoiceIds: ['{i1}'] }), 422, wanted],
  [
    'mia',
    'POST /bookings/{lease}/deposit',
    deposit('DEDUCTED', 30_000, { reason: 'Vitre' }),
    201,
    {},
    { audit: 'deposit.deducted' },
  ],
  // A manager of all properties is bound by the contract of a deposit's body alone.
  ['ada', 'POST /bookings/{lease}/deposit', deposit('RETURNED', 10_000), 201, {}, { audit: 'deposit.returned' }],
  [
    'mia',
    'POST /bookings/{lease}/payments',
    cash(140_000),
    201,
    { creditAmount: 20_000 },
    { audit: 'payment.record, invoice.paid, invoice.issue, invoice.paid', jobs: 'invoice.issued, payment.confirmed' },
  ],
  ['mia', 'POST /bookings/{lease}/payments', back, 422, wanted],
  ['ada', 'POST /bookings/{lease}/payments', back, 422, wanted],
  ['mia', 'POST /bookings/{lease}/payments', { ...MONEY, reason: 'Loyer' }, 422, wanted],
  [
    'mia',
    'POST /bookings/{lease}/payments',
    { ...back, reason: 'Trop payé' },
    201,
    { payment: { note: 'Trop payé', type: 'REFUND' } },
    { audit: 'payment.refund' },
  ],
  ['ana', 'POST /bookings/{lease}/payments', back, 201, { payment: { type: 'REFUND' } }, { audit: 'payment.refund' }],
])

scenario('they say why they end or correct a lease or lower its rent, as all three cancel invoices', limited, [
  ['mia', 'POST /bookings/{lease}/rent-changes', { from: '2026-03-10', rentAmount: 5_000 }, 422, wanted],
  ['mia', 'POST /bookings/{lease}/correct', { rentAmount: 10_000 }, 422, wanted],
  ['mia', 'GET /bookings/{lease}/settlement?endDate=2026-03-10', undefined, 200, { owedAmount: 1_935 }],
  ['mia', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-10' }, 422, wanted],
  ['mia', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-10', reason: '\n' }, 422],
])

describe('who sees it', () => {
  const acts: [kind: string, run: (s: Stage) => Promise<unknown>, text: RegExp][] = [
    [
      'PAYMENT_REVERSED',
      async (s) => {
        await s.make('mia', 'POST /invoices/{i1}/payments', cash(60_000))
        await s.make('mia', 'POST /payments/{p1}/reverse', { reason: 'Faux billets' })
      },
      /a annulé un paiement \(60 000 FCFA\), « A1 », « Villa »\. Motif : « Faux billets »\. À voir sur .*\/console\/adjustments/,
    ],
    [
      'INVOICE_CANCELLED',
      (s) => s.make('mia', 'POST /invoices/{i1}/cancel', { reason: 'Doublon' }),
      /a annulé une facture \(60 000 FCFA\)/,
    ],
    [
      'DEPOSIT_RETURNED',
      async (s) => {
        await s.make('mia', 'POST /bookings/{lease}/deposit', deposit('RECEIVED', 90_000))
        await s.make('mia', 'POST /bookings/{lease}/deposit', deposit('RETURNED', 90_000, { reason: 'Accord' }))
      },
      /a noté un dépôt de garantie rendu \(90 000 FCFA\)/,
    ],
    [
      'DEPOSIT_DEDUCTED',
      async (s) => {
        await s.make('mia', 'POST /bookings/{lease}/deposit', deposit('RECEIVED', 90_000))
        const paid = deposit('DEDUCTED', 60_000, { invoiceIds: ['{i1}'], reason: 'Loyer impayé' })
        await s.make('mia', 'POST /bookings/{lease}/deposit', paid)
      },
      /a retenu une part du dépôt de garantie \(60 000 FCFA\)/,
    ],
    [
      'CREDIT_REFUNDED',
      async (s) => {
        await s.make('mia', 'POST /bookings/{lease}/payments', cash(140_000))
        await s.make('mia', 'POST /bookings/{lease}/payments', { ...back, reason: 'Trop payé' })
      },
      /a noté un remboursement au locataire \(5 000 FCFA\)/,
    ],
    [
      'RENT_LOWERED',
      (s) =>
        s.make('mia', 'POST /bookings/{lease}/rent-changes', {
          from: '2026-03-10',
          rentAmount: 5_000,
          reason: 'Accord',
        }),
      /a baissé un loyer \(55 000 FCFA\), « A1 », « Villa »\. Motif : « Accord »\./,
    ],
    [
      'LEASE_ENDED',
      (s) => s.make('mia', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-10', reason: 'Départ' }),
      /a mis fin à un bail.* « A1 », « Villa »\. Motif : « Départ »\./,
    ],
  ]
  test.each(acts)('%s: the owner and the administrator, once, and no other', async (kind, run, text) => {
    const s = await stage(limited)
    await s.t.work()
    s.t.sent.length = 0
    await run(s)
    await s.t.work()
    const told = s.t.sent.filter(({ purpose }) => purpose === 'adjustment_made')
    expect(told.map(({ to }) => to).sort()).toEqual([await numberOf(s, 'ana'), await numberOf(s, 'ada')].sort())
    for (const one of told) expect(one.text.replaceAll(/\s/g, ' ')).toMatch(text)
    for (const who of ['ana', 'ada'] as const) expect(await need(s, who)).toMatchObject({ count: 1 })
    for (const who of ['mia', 'eve'] as const) expect(await need(s, who)).toBeUndefined()
    for (const who of ['ana', 'ada', 'mia'] as const)
      expect(await list(s, who)).toMatchObject([
        { kind, actorUserId: s.fill('{mia}'), propertyName: 'Villa', unitLabel: 'A1' },
      ])
    expect(await list(s, 'eve')).toEqual([])
    expect((await s.ask('zoe', 'GET /adjustments')).body as unknown).toEqual([])
    expect((await s.ask('tom', 'GET /adjustments')).status).toBe(403)
    // A month later it needs nobody any more, and stays with its object.
    const [{ subjectId }] = (await list(s, 'ana')) as [Json]
    s.t.advance(31)
    expect(await need(s, 'ana')).toBeUndefined()
    expect(await kinds(s, 'ana')).toEqual([])
    expect(await list(s, 'ana', `?subjectId=${subjectId}`)).toMatchObject([{ kind }])
    expect(await list(s, 'eve', `?subjectId=${subjectId}`)).toEqual([])
  })

  test('a correction of a lease is told to its owner as before, and listed', async () => {
    const s = await stage(limited)
    await s.t.work()
    s.t.sent.length = 0
    await s.make('mia', 'POST /bookings/{lease}/correct', { rentAmount: 10_000, reason: 'Faute de frappe' })
    await s.t.work()
    expect(s.t.sent.map(({ purpose }) => purpose)).not.toContain('adjustment_made')
    expect(s.t.sent.filter(({ purpose }) => purpose === 'lease_corrected')).not.toEqual([])
    expect(await list(s, 'ana')).toMatchObject([{ kind: 'LEASE_CORRECTED', reason: 'Faute de frappe' }])
    expect(await need(s, 'ana')).toMatchObject({ count: 1 })
  })

  test('what follows from an act is not another one: an end that cancels many invoices is one line', async () => {
    const s = await stage({
      now: '2026-06-20T08:00:00.000Z',
      given: letting({ startDate: '2026-03-10', billFrom: '2026-03-10' }),
    })
    await s.make('mia', 'POST /bookings/{lease}/terminate', { endDate: '2026-03-20', reason: 'Départ', confirm: true })
    expect(s.rows("select count(*) n from invoice where status = 'CANCELLED'")).toEqual([{ n: 4 }])
    expect(await kinds(s, 'ana')).toEqual(['LEASE_ENDED'])
  })

  test('the administrator who did it is not told, and others are', async () => {
    const s = await stage({ given: letting({ startDate: '2026-03-10' }) })
    await s.t.work()
    s.t.sent.length = 0
    await s.make('ada', 'POST /invoices/{i1}/cancel', { reason: 'Doublon' })
    await s.t.work()
    expect(s.t.sent.flatMap(({ to, purpose }) => (purpose === 'adjustment_made' ? [to] : []))).toEqual([
      await numberOf(s, 'ana'),
    ])
    expect(await need(s, 'ada')).toBeUndefined()
    expect(await need(s, 'ana')).toMatchObject({ count: 1 })
  })

  test('many acts of a day are a few messages, then one digest', async () => {
    const s = await stage(limited)
    await s.t.work()
    s.t.sent.length = 0
    for (let n = 1; n <= 14; n += 1) {
      await s.make('mia', 'POST /invoices/{i1}/payments', cash(1_000))
      await s.make('mia', `POST /payments/{p${n}}/reverse`, { reason: 'Erreur' })
      await s.t.work()
    }
    const ana = await numberOf(s, 'ana')
    const told = () => s.t.sent.flatMap(({ to, purpose }) => (to === ana ? [purpose] : []))
    expect(told()).toEqual(Array(10).fill('adjustment_made'))
    s.t.time.now += 24 * 3_600_000
    await s.t.work()
    expect(told().filter((purpose) => purpose === 'news_digest')).toHaveLength(1)
  })
})

const numberOf = async (s: Stage, who: Person): Promise<string> =>
  String((await s.ask(who, 'GET /me')).body.phoneNumber)

test('a regularisation that gives provisions back is told, and its cancellation asks why; one that only charges is not', async () => {
  const s = await house()
  await s.make('mia', path(), { ...period, items: [guard] }, 'charging')
  expect(await list(s, 'ana')).toEqual([])
  expect((await s.ask('mia', 'POST /regularisations/{charging}/cancel')).body).toMatchObject(wanted)
  await s.make('mia', 'POST /regularisations/{charging}/cancel', { reason: 'Compteur mal lu' })
  await provided(s)
  // Provisions count from the day on which they were charged.
  await s.make('mia', path(), { ...period, periodEnd: '2026-04-10', items: [guard] }, 'giving')
  const credited = s.rows("select sum(gross_amount) n from credit_note where reason = 'REGULARISED'")[0]?.n
  expect(Number(credited)).toBeGreaterThan(0)
  expect(await list(s, 'ana')).toMatchObject([
    { kind: 'CHARGES_CREDITED', amount: credited },
    { kind: 'CHARGES_CANCELLED', reason: 'Compteur mal lu' },
  ])
  expect(await need(s, 'ana')).toMatchObject({ count: 2 })
})
