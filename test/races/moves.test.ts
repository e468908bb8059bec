// reliability T-08 and T-09: many at once on one object: one of them moves it, with one audit row, one job, one effect.
import { describe, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../support/app.ts'
import { cash, type World, world } from '../support/world.ts'

const ROUNDS = 20
const CROWD = 200

type Answer = { readonly status: number; readonly body: Record<string, unknown> }
/** Without what `call` checks of each answer: there are eighty thousand of them here. */
async function ask(t: TestApp, as: string, line: string, body: object = {}): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ')
  const response = await t.app.handle(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    }),
  )
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const crowd = (run: (i: number) => Promise<Answer>, size = CROWD): Promise<Answer[]> =>
  Promise.all(Array.from({ length: size }, (_x, i) => run(i)))
const codes = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const word = `${status} ${body.code ?? ''}`.trim()
    counts[word] = (counts[word] ?? 0) + 1
  }
  return counts
}
const count = (t: TestApp, sql: string, ...args: unknown[]): number =>
  Number(t.rows(`select count(*) as n from ${sql}`, ...args)[0]?.n)
const OVERLAPS = `booking a join booking b on a.unit_id = b.unit_id and a.id < b.id
  and a.status in ('PENDING','ACTIVE') and b.status in ('PENDING','ACTIVE')
  and a.start_date <= coalesce(b.end_date, '9999-12-31') and b.start_date <= coalesce(a.end_date, '9999-12-31')`

test(`${CROWD} leases of one unit sent out at once × ${ROUNDS}: one goes out each time`, async () => {
  const t = createTestApp()
  const w = await world(t)
  for (let round = 0; round < ROUNDS; round++) {
    const { body: unit } = await ask(t, w.as.ana, `POST /api/v1/properties/${w.properties.PUBLISHED}/units`, {
      label: `R${round}`,
      rentAmount: 1,
    })
    // All meet on 15 June, however they begin and end.
    const leases = await crowd((i) =>
      ask(t, w.as.ana, 'POST /api/v1/bookings', {
        unitId: unit.id,
        tenantId: w.tenants.LINKED,
        startDate: `2026-06-${String(1 + (i % 15)).padStart(2, '0')}`,
        ...(i % 3 === 0 ? {} : { endDate: `2026-06-${15 + (i % 16)}` }),
      }),
    )
    const sent = await crowd((i) =>
      ask(t, i % 2 ? w.as.ana : w.as.mia, `POST /api/v1/bookings/${leases[i]?.body.id}/submit`),
    )
    expect(codes(sent)).toEqual({ '200': 1, '409 unit_unavailable': CROWD - 1 })
    expect(count(t, "booking where unit_id = ? and status = 'PENDING'", unit.id)).toBe(1)
    expect((await ask(t, w.as.ana, `GET /api/v1/units/${unit.id}`)).body.status).toBe('RESERVED')
  }
  expect(count(t, OVERLAPS)).toBe(0)
}, 180_000)

type Race = {
  readonly answers: Record<string, number>
  /** Audit entries by action, jobs by kind, after all of them. */
  readonly told: Record<string, number>
  readonly jobs?: Record<string, number>
  readonly name: string
  readonly run: (t: TestApp, w: World) => (i: number) => Promise<Answer>
  /** Actions and kinds of jobs of those who lose, as the first to ask wins. */
  readonly never?: readonly string[]
}
const races: Race[] = [
  {
    name: 'terminate a lease',
    run: (t, w) => (i) => ask(t, i % 2 ? w.as.ana : w.as.mia, `POST /api/v1/bookings/${w.bookings.ACTIVE}/terminate`),
    answers: { '200': CROWD },
    told: { 'booking.terminate': 1 },
    jobs: { 'booking.terminated': 1 },
  },
  {
    name: 'activate a lease',
    run: (t, w) => () => ask(t, w.as.ana, `POST /api/v1/bookings/${w.bookings.PENDING}/activate`),
    answers: { '200': CROWD },
    told: { 'booking.activate': 1 },
    jobs: { 'booking.activated': 1 },
  },
  {
    name: 'activate or cancel a lease',
    run: (t, w) => (i) =>
      ask(t, w.as.ana, `POST /api/v1/bookings/${w.bookings.PENDING}/${i % 2 ? 'cancel' : 'activate'}`),
    answers: { '200': CROWD / 2, '409 invalid_state': CROWD / 2 },
    told: { 'booking.activate': 1 },
    jobs: { 'booking.activated': 1 },
    never: ['booking.cancel'],
  },
  {
    name: 'renew a lease',
    run: (t, w) => () => ask(t, w.as.ana, `POST /api/v1/bookings/${w.bookings.ENDING}/renew`),
    answers: { '201': 1, '409 duplicate': CROWD - 1 },
    told: { 'booking.create': 1 },
  },
  {
    name: 'archive a property',
    run: (t, w) => () => ask(t, w.as.ana, `POST /api/v1/properties/${w.properties.DRAFT}/archive`),
    answers: { '200': CROWD },
    told: { 'property.archive': 1 },
  },
  {
    name: 'pay an invoice in full',
    run: (t, w) => () => ask(t, w.as.ana, `POST /api/v1/invoices/${w.invoices.ISSUED}/payments`, cash(50_000)),
    answers: { '201': 1, '409 invalid_state': CROWD - 1 },
    told: { 'payment.record': 1, 'invoice.paid': 1 },
    jobs: { 'payment.confirmed': 1 },
  },
  {
    name: 'pay an invoice with one reference',
    run: (t, w) => () =>
      ask(t, w.as.ana, `POST /api/v1/invoices/${w.invoices.ISSUED}/payments`, cash(1, { reference: 'MP1' })),
    answers: { '201': 1, '409 duplicate': CROWD - 1 },
    told: { 'payment.record': 1, 'invoice.balance': 1 },
    jobs: { 'payment.confirmed': 1 },
  },
  {
    name: 'pay an invoice a little at a time, and not above what is owed',
    run: (t, w) => () => ask(t, w.as.ana, `POST /api/v1/invoices/${w.invoices.ISSUED}/payments`, cash(4_999)),
    answers: { '201': 10, '422 overpayment': CROWD - 10 },
    told: { 'payment.record': 10, 'invoice.balance': 10 },
    jobs: { 'payment.confirmed': 10 },
  },
  {
    name: 'confirm a declared payment',
    run: (t, w) => () => ask(t, w.as.ana, `POST /api/v1/payments/${w.payments.PENDING}/confirm`),
    answers: { '200': CROWD },
    told: { 'payment.confirm': 1, 'invoice.balance': 1 },
    jobs: { 'payment.confirmed': 1 },
  },
  {
    name: 'confirm or withdraw a declared payment',
    run: (t, w) => (i) =>
      i % 2
        ? ask(t, w.as.tom, `POST /api/v1/payments/${w.payments.PENDING}/withdraw`)
        : ask(t, w.as.ana, `POST /api/v1/payments/${w.payments.PENDING}/confirm`),
    answers: { '200': CROWD / 2, '409 invalid_state': CROWD / 2 },
    told: { 'payment.confirm': 1, 'invoice.balance': 1 },
    jobs: { 'payment.confirmed': 1 },
    never: ['payment.withdraw'],
  },
  {
    name: 'reverse a payment',
    run: (t, w) => () => ask(t, w.as.ana, `POST /api/v1/payments/${w.payments.CONFIRMED}/reverse`),
    answers: { '200': CROWD },
    told: { 'payment.reverse': 1, 'invoice.balance': 1 },
  },
  {
    name: 'cancel or pay an invoice',
    run: (t, w) => (i) =>
      ask(
        t,
        w.as.ana,
        `POST /api/v1/invoices/${w.invoices.ISSUED}/${i % 2 ? 'payments' : 'cancel'}`,
        i % 2 ? cash(50_000) : {},
      ),
    answers: { '200': CROWD / 2, '409 invalid_state': CROWD / 2 },
    told: { 'invoice.cancel': 1 },
    never: ['payment.record', 'invoice.paid', 'payment.confirmed'],
  },
  {
    name: 'ask for a free unit, as one tenant',
    run: (t, w) => () => ask(t, w.as.tia, 'POST /api/v1/bookings', { unitId: w.units.SPARE, startDate: '2026-05-01' }),
    answers: { '201': 5, '409 too_many_open_requests': CROWD - 5 },
    told: { 'booking.create': 5 },
  },
  {
    name: 'be seen for the first time',
    run: (t) => () => ask(t, 'TENANT.new~fresh', 'GET /api/v1/me'),
    answers: { '200': CROWD },
    told: { 'user.create': 1, 'organization.create': 1 },
  },
]

describe(`${CROWD} at once, × ${ROUNDS}`, () => {
  test.each(races.map((race) => [race.name, race] as const))(
    '%s',
    async (_name, { run, answers, told, jobs = {}, never = [] }) => {
      const begun = createTestApp()
      const w = await world(begun)
      const file = begun.store.client.serialize()
      for (let round = 0; round < ROUNDS; round++) {
        // The same world again, from a copy of the database.
        const t = createTestApp({ file })
        for (const who of Object.values(w.as)) await ask(t, who, 'GET /api/v1/me')
        const [audit, job] = [count(t, 'audit_entry'), count(t, 'job')]
        const answered = codes(await crowd(run(t, w)))
        const group = (column: string, table: string, skip: number) =>
          Object.fromEntries(
            t
              .rows(
                `select ${column} as word, count(*) as n from (select * from ${table} order by rowid limit -1 offset ${skip}) group by 1`,
              )
              .map(({ word, n }) => [word, n]),
          )
        const actions = group('action', 'audit_entry', audit)
        expect(answered).toEqual(answers)
        expect(actions).toMatchObject(told)
        const kinds = group('kind', 'job', job)
        expect(kinds).toMatchObject(jobs)
        for (const word of never) expect({ ...actions, ...kinds }).not.toHaveProperty([word])
        // Money stays where it was put.
        expect(count(t, 'invoice where amount_paid > gross_amount or amount_paid < 0')).toBe(0)
        expect(count(t, OVERLAPS)).toBe(0)
        expect(
          count(
            t,
            'invoice i where amount_paid <> (select coalesce(sum(amount), 0) from allocation a where a.target_id = i.id)',
          ),
        ).toBe(0)
      }
    },
    180_000,
  )
})
