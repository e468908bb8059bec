// Received from one person on behalf of another: the payment, its receipt, the page of its code and the message say so.
import { expect, test } from 'bun:test'
import { cash, type Json, letting, phoneOf, type Stage, scenario, stage } from '../../../support/scenario.ts'

const COMPANY = { payer: 'Société Kamga SARL', payerNumber: '+237699111222' }
const momo = (number: string, name: string, id = '7712345678'): string =>
  `You have received 60000 XAF from ${name} (${number.slice(1)}) on your mobile money account at 2026-03-09 16:30:51. Your new balance: 1,000,000 XAF. Financial Transaction Id: ${id}.`
/** The payer of the only receipt, as it is printed. */
const printed = (s: Stage) =>
  s.t
    .rows("select json_extract(data, '$.payment.payer') payer, code from document where kind = 'RECEIPT'")
    .map(({ payer, code }) => ({ payer, code: String(code) }))
const payers = async (s: Stage) => (await s.ask('ana', 'GET /bookings/{lease}/payers')).body.payers as Json[]

test('a company pays: the receipt, the message and the pages say for whom', async () => {
  const s = await stage({ given: letting() })
  const paid = await s.make('ana', 'POST /invoices/{i1}/payments', cash(60_000, COMPANY), 'paid')
  expect(paid.payer).toBe(COMPANY.payer)
  expect((await s.ask('tom', 'GET /payments')).body).toMatchObject([{ id: s.fill('{paid}'), payer: COMPANY.payer }])
  expect((await s.ask('ana', `GET /transfers/${paid.transferId}`)).body).toMatchObject({
    payerName: COMPANY.payer,
    payerNumber: COMPANY.payerNumber,
  })
  await s.t.work()
  const [receipt] = printed(s)
  expect(receipt?.payer).toBe(COMPANY.payer)
  const [told] = s.t.sent.filter(({ purpose }) => purpose === 'payment_confirmed')
  expect(told?.text).toContain('de «\u00a0Société Kamga SARL\u00a0», pour votre compte,')
  // The page of the code shows nobody's name.
  const verified = await s.t.call('', `GET /verify/${receipt?.code}?lang=fr`)
  expect(verified.text).toContain('Une autre personne, pour le compte du locataire')
  expect(verified.text).not.toContain('Kamga')
  const link = /https?:\/\/[^/]+(\/r\/\S+)/.exec(String(told?.text))?.[1]
  const page = await s.t.call('', `GET ${link}?lang=fr`)
  expect(page.text).toContain('Société Kamga SARL, pour votre compte')
  expect(await payers(s)).toMatchObject([
    { fullName: COMPANY.payer, phoneNumber: COMPANY.payerNumber, source: 'PAYMENT' },
  ])
})

test.each([
  ['the tenant’s name', { payer: 'TOM TENANT' }],
  ['the tenant’s number', { payer: 'Somebody', payerNumber: phoneOf('tom') }],
  ['a number alone, which nobody knows', { payerNumber: '+237699111222' }],
  ['nobody', {}],
] as const)('no payer is named beside the tenant: %s', async (_name, told) => {
  const s = await stage({ given: letting() })
  s.t.rows("update tenant set full_name = 'Tenant Tom' returning id")
  const paid = await s.make('ana', 'POST /bookings/{lease}/payments', cash(60_000, told))
  expect(paid.payment).not.toHaveProperty('payer')
  await s.t.work()
  expect(printed(s)).toMatchObject([{ payer: null }])
  const [sent] = s.t.sent.filter(({ purpose }) => purpose === 'payment_confirmed')
  expect(sent?.text).not.toContain('pour votre compte')
})

test('a message names its payer, also once it confirms what the tenant declared', async () => {
  for (const declared of [false, true]) {
    const s = await stage({ given: letting() })
    const id = '7712345678'
    const sent = { method: 'MTN_MOMO', reference: id }
    if (declared) await s.make('tom', 'POST /invoices/{i1}/payments', cash(60_000, sent))
    const body = { text: momo('+237699111222', 'ETAME PAUL', id), ...(declared ? {} : { bookingId: '{lease}' }) }
    await s.make('ana', 'POST /payments/from-message', body)
    expect((await s.ask('ana', 'GET /payments')).body).toMatchObject([{ status: 'CONFIRMED', payer: 'ETAME PAUL' }])
    expect(printed(s)).toMatchObject([{ payer: 'ETAME PAUL' }])
  }
})

scenario('a tenant declares who paid for them, and teaches nothing; a refund has no payer', { given: letting() }, [
  [
    'tom',
    'POST /invoices/{i1}/payments',
    cash(20_000, COMPANY),
    201,
    { status: 'PENDING', payer: COMPANY.payer },
    { audit: 'payment.declare' },
  ],
  ['ana', 'GET /bookings/{lease}/payers', undefined, 200, { payers: [] }],
  [
    'ana',
    'POST /bookings/{lease}/payments',
    cash(1_000, { type: 'REFUND', payer: 'X' }),
    422,
    { errors: [{ path: '/payer' }] },
  ],
  [
    'ana',
    'POST /invoices/{i1}/payments',
    cash(1_000, { payerNumber: '12' }),
    422,
    { errors: [{ path: '/payerNumber' }] },
  ],
])

test('one tenant pays for another: each receipt says it of the other alone', async () => {
  const s = await stage({ given: letting() })
  await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tia}', startDate: '2026-03-01' }, 'second')
  for (const step of ['submit', 'activate']) await s.make('ana', `POST /bookings/{second}/${step}`)
  const parts = ['{lease}', '{second}'].map((bookingId) => ({ bookingId, kind: 'ADVANCE', amount: 60_000 }))
  await s.make('ana', 'POST /transfers', cash(120_000, { parts, payer: 'Tom Ngu', payerNumber: phoneOf('tom') }))
  const of = async (lease: string) =>
    ((await s.ask('ana', `GET /payments?bookingId=${lease}`)).body as unknown as Json[]).map(({ payer }) => payer)
  expect([await of('{lease}'), await of('{second}')]).toEqual([[undefined], ['Tom Ngu']])
})
