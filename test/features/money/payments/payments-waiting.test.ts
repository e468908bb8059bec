// How many payments a lease takes: nobody buries a landlord under declarations, nor fills the database with them.
import { expect, test } from 'bun:test'
import { MOST_OF_LEASE, MOST_WAITING } from '../../../../src/features/money/payments/rules.ts'
import { cash, letting, stage } from '../../../support/scenario.ts'

test('a tenant declares no more than wait for a word; the landlord records all the same', async () => {
  const s = await stage({ given: letting({ startDate: '2026-03-10' }) })
  const declare = () => s.ask('tom', 'POST /invoices/{i1}/payments', cash(1_000))
  const answers = []
  for (let n = 0; n < MOST_WAITING; n++) answers.push(await declare())
  expect(answers.map(({ status, body }) => `${status} ${body.status}`)).toEqual(Array(MOST_WAITING).fill('201 PENDING'))
  const held = () => s.t.rows('select count(*) n from payment')[0]?.n
  const refused = await declare()
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    409,
    'quota_exceeded',
    expect.stringContaining('30 payments of this lease wait for an answer already'),
  ])
  expect(held()).toBe(MOST_WAITING)
  // What the landlord received waits for nobody.
  const recorded = await s.ask('ana', 'POST /invoices/{i1}/payments', cash(20_000))
  expect([recorded.status, recorded.body.status]).toEqual([201, 'CONFIRMED'])
  // One taken back makes room for one.
  expect((await s.ask('tom', `POST /payments/${answers[0]?.body.id}/withdraw`)).status).toBe(200)
  expect([(await declare()).status, (await declare()).status]).toEqual([201, 409])
  expect((await s.ask('ana', 'POST /bookings/{lease}/payments', cash(60_000))).status).toBe(201)
})

test('a lease takes a payment below its limit and none at it, neither received nor declared', async () => {
  const s = await stage({ given: letting({ startDate: '2026-03-10' }) })
  const pay = (who: 'ana' | 'tom') => s.ask(who, 'POST /invoices/{i1}/payments', cash(1_000, { distinct: true }))
  expect((await pay('ana')).status).toBe(201)
  const columns = s.t.rows("select name from pragma_table_info('payment')").map(({ name }) => String(name))
  const copied = columns.map((name) => (name === 'id' ? "'old-' || i.n" : `p.${name}`))
  const held = () => s.t.rows('select count(*) n from payment')[0]?.n
  s.t.store.client.exec(`with recursive i (n) as (select 3 union all select n + 1 from i where n < ${MOST_OF_LEASE})
    insert into payment (${columns.join()}) select ${copied.join()} from payment p, i`)
  expect(held()).toBe(MOST_OF_LEASE - 1)
  expect((await pay('tom')).status).toBe(201)
  for (const who of ['ana', 'tom'] as const) {
    const { status, body } = await pay(who)
    expect([status, body.code, body.detail]).toEqual([
      409,
      'quota_exceeded',
      expect.stringContaining('A lease can have at most 5000 payments'),
    ])
  }
  expect(held()).toBe(MOST_OF_LEASE)
})
