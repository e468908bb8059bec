// How many payments a lease takes: nobody buries a landlord under declarations, nor fills the database with them.
import { expect, test } from 'bun:test'
import { fullBy, MOST_OF_LEASE, MOST_WAITING } from '../../../src/features/money/payments/rules.ts'
import { cash, letting, stage } from '../../support/scenario.ts'

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

test.each<[what: string, counted: { all: number; waiting: number }, waits: boolean, says: string]>([
  ['none yet', { all: 0, waiting: 0 }, true, ''],
  ['the last that may wait', { all: 40, waiting: MOST_WAITING - 1 }, true, ''],
  ['one too many that waits', { all: 40, waiting: MOST_WAITING }, true, 'wait for an answer'],
  ['one received beside them', { all: 40, waiting: MOST_WAITING }, false, ''],
  ['the last of a lease', { all: MOST_OF_LEASE - 1, waiting: 0 }, false, ''],
  ['one too many of a lease', { all: MOST_OF_LEASE, waiting: 0 }, false, 'at most 5000 payments'],
])('%s', (_what, counted, waits, says) => {
  const text = fullBy(counted, waits)
  expect(text === undefined).toBe(says === '')
  expect(text?.en ?? '').toContain(says)
})
