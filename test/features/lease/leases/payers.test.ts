// Who else pays for a lease: learnt from what somebody put on it, used for the next message, removed, and forgotten.
import { expect, test } from 'bun:test'
import { closeAccount } from '../../../../src/features/data/personal-data/service.ts'
import { handlers } from '../../../../src/jobs/registry.ts'
import { createWorker } from '../../../../src/jobs/worker.ts'
import { ORG } from '../../../support/app.ts'
import { cash, letting, phoneOf, type Stage, stage, userId } from '../../../support/scenario.ts'

const UNCLE = '+237699111222'
const KIOSK = '+237655444333'
let n = 0
const momo = (amount: number, number = UNCLE, name = 'ETAME PAUL'): string =>
  `You have received ${amount} XAF from ${name} (${number.slice(1)}) on your mobile money account at 2026-03-09 16:${10 + (++n % 50)}:51. Your new balance: ${100_000 + n} XAF. Financial Transaction Id: 77123${10_000 + n * 1111}.`

/** Tom's lease, and Tia's of the flat beside it. */
const flats = async (s: Pick<Stage, 'make'>): Promise<void> => {
  await letting()(s)
  await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tia}', startDate: '2026-03-01' }, 'second')
  for (const step of ['submit', 'activate']) await s.make('ana', `POST /bookings/{second}/${step}`)
}
const start = () => stage({ given: flats })
const take = async (s: Stage, text: string, more: object = {}, who: 'ana' | 'mia' | 'tom' = 'ana') =>
  (await s.ask(who, 'POST /payments/from-message', { text, ...more })).body
const payers = async (s: Stage, lease = '{lease}') =>
  (await s.ask('ana', `GET /bookings/${lease}/payers`)).body.payers as Record<string, unknown>[]
const put = (s: Stage, list: readonly object[], lease = '{lease}', who: 'ana' | 'eve' = 'ana') =>
  s.ask(who, `PUT /bookings/${lease}/payers`, { payers: list })

test('a relative who paid once is recognized from then on', async () => {
  const s = await start()
  expect(await take(s, momo(20_000))).toMatchObject({ status: 'UNMATCHED' })
  expect(await payers(s)).toEqual([])
  expect(await take(s, momo(20_000), { bookingId: '{lease}' })).toMatchObject({ status: 'MATCHED' })
  const known = { fullName: 'ETAME PAUL', phoneNumber: UNCLE, kiosk: false, source: 'MESSAGE' }
  expect(await payers(s)).toMatchObject([known])
  const read = await s.ask('ana', 'POST /payments/parse', { text: momo(10_000) })
  expect(read.body.candidates).toMatchObject([{ bookingId: s.fill('{lease}'), by: 'KNOWN_PAYER', openAmount: 40_000 }])
  expect(await take(s, momo(40_000))).toMatchObject({ status: 'MATCHED' })
  s.nameAll()
  expect(s.ledger().filter((line) => line.includes('PAID'))).toHaveLength(1)
  // Nobody is learnt twice, and another owner of the organization neither sees the list nor is offered the lease.
  expect(await payers(s)).toHaveLength(1)
  for (const who of ['eve', 'tom', 'zoe'] as const)
    expect([who, (await s.ask(who, 'GET /bookings/{lease}/payers')).status]).toEqual([who, who === 'tom' ? 403 : 404])
  expect((await s.ask('eve', 'POST /payments/parse', { text: momo(10_000) })).body.candidates).toEqual([])
})

test.each([
  ['the tenant’s own number', () => momo(60_000, phoneOf('tom'), 'TOM'), 0],
  ['another number of the tenant', () => momo(60_000, UNCLE, 'TOM'), 1],
] as const)('%s', async (_name, text, learnt) => {
  const s = await start()
  expect(await take(s, text(), { bookingId: '{lease}' })).toMatchObject({ status: 'MATCHED' })
  expect(await payers(s)).toHaveLength(learnt)
})

test('what nobody on the landlord’s side put on a lease teaches nothing', async () => {
  const s = await start()
  // The tenant declares somebody else's money as theirs, by its id.
  const text = momo(60_000)
  const reference = /Id: (\d+)/.exec(text)?.[1]
  const declared = await s.ask('tom', 'POST /invoices/{i1}/payments', cash(60_000, { method: 'MTN_MOMO', reference }))
  expect(declared.status).toBe(201)
  expect(await take(s, text)).toMatchObject({ status: 'MATCHED' })
  expect(await payers(s)).toEqual([])
})

test('a transfer with its payer’s name is remembered on each of its leases', async () => {
  const s = await start()
  const parts = ['{lease}', '{second}'].map((bookingId) => ({ bookingId, kind: 'ADVANCE', amount: 60_000 }))
  const sent = { method: 'BANK_TRANSFER', payer: 'Société Kamga SARL', parts }
  await s.make('ana', 'POST /transfers', cash(120_000, sent))
  await s.make('ana', 'POST /transfers', cash(120_000, { ...sent, payer: 'SOCIETE KAMGA SARL' }))
  for (const lease of ['{lease}', '{second}'])
    expect(await payers(s, lease)).toMatchObject([{ fullName: 'Société Kamga SARL', source: 'PAYMENT' }])
})

test('a number known for two leases books nothing by itself, nor one of a tenant who pays for another', async () => {
  const s = await start()
  for (const bookingId of ['{lease}', '{second}'])
    expect(await take(s, momo(20_000), { bookingId })).toMatchObject({ status: 'MATCHED' })
  expect(await take(s, momo(40_000))).toMatchObject({ status: 'UNMATCHED' })
  expect((await put(s, [{ phoneNumber: phoneOf('tia') }])).status).toBe(200)
  expect(await take(s, momo(40_000, phoneOf('tia'), 'TIA'))).toMatchObject({ status: 'UNMATCHED' })
  // Off one of them, it is the other's alone.
  expect((await put(s, [])).status).toBe(200)
  expect(await take(s, momo(40_000))).toMatchObject({ status: 'MATCHED' })
  expect(await payers(s)).toEqual([])
})

test('a kiosk’s number never books by itself, not even for its only lease', async () => {
  const s = await start()
  expect((await put(s, [{ phoneNumber: '655 444 333', kiosk: true }])).body.payers).toMatchObject([
    { phoneNumber: KIOSK, kiosk: true, source: 'ENTERED' },
  ])
  expect(await take(s, momo(60_000, KIOSK, 'KIOSQUE'))).toMatchObject({ status: 'UNMATCHED' })
  // Who names the lease, decides.
  expect(await take(s, momo(60_000, KIOSK, 'KIOSQUE'), { bookingId: '{lease}' })).toMatchObject({ status: 'MATCHED' })
  expect(await payers(s)).toMatchObject([{ phoneNumber: KIOSK, kiosk: true, source: 'ENTERED' }])
})

test.each([
  ['neither number nor name', [{}], 422, '/payers/0/phoneNumber'],
  ['a kiosk without a number', [{ fullName: 'Kiosque', kiosk: true }], 422, '/payers/0/phoneNumber'],
  ['a number twice', [{ phoneNumber: UNCLE }, { phoneNumber: UNCLE, fullName: 'B' }], 422, '/payers/1'],
  ['the tenant', [{ phoneNumber: phoneOf('tom') }], 422, '/payers/0'],
  ['too many', Array.from({ length: 21 }, (_, i) => ({ fullName: `Payeur ${i}` })), 422, '/payers'],
] as const)('the list is refused: %s', async (_name, list, status, path) => {
  const s = await start()
  const before = s.dump()
  const answer = await put(s, list)
  expect([answer.status, (answer.body.errors as { path: string }[])[0]?.path]).toEqual([status, path])
  expect(s.dump()).toBe(before)
})

test('a draft has no payers; a full list learns nobody; a renewal takes the list over', async () => {
  const s = await stage({ given: letting({ endDate: '2026-08-31' }) })
  await s.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tia}', startDate: '2026-03-01' }, 'draft')
  expect((await put(s, [{ phoneNumber: UNCLE }], '{draft}')).status).toBe(409)
  expect((await put(s, [{ phoneNumber: UNCLE }], '{lease}', 'eve')).status).toBe(404)
  const full = Array.from({ length: 20 }, (_, i) => ({ fullName: `Payeur ${i}` }))
  expect((await put(s, full)).status).toBe(200)
  expect(await take(s, momo(20_000), { bookingId: '{lease}' })).toMatchObject({ status: 'MATCHED' })
  expect(await payers(s)).toHaveLength(20)
  await put(s, [{ phoneNumber: UNCLE, fullName: 'Etame Paul' }])
  await s.make('ana', 'POST /bookings/{lease}/renew', { endDate: '2027-08-31' }, 'renewal')
  expect(await payers(s, '{renewal}')).toMatchObject([{ phoneNumber: UNCLE, fullName: 'Etame Paul' }])
})

test('the payers of a tenant who is erased are forgotten, and a payer who is, everywhere', async () => {
  const s = await start()
  await put(s, [{ phoneNumber: UNCLE }, { phoneNumber: phoneOf('tia') }])
  await put(s, [{ phoneNumber: UNCLE }, { phoneNumber: phoneOf('tom') }], '{second}')
  const deps = { ...s.t.deps, identity: { deleteAccount: async () => {} } as never }
  const caller = {
    orgId: ORG,
    userId: userId('tom'),
    roles: ['TENANT'],
    scope: { kind: 'tenant', userId: userId('tom') },
  }
  await closeAccount(deps, { caller, address: '', requestId: 'erase', locale: 'fr' } as never, {})
  await createWorker(deps, handlers(deps)).drain()
  expect(s.t.rows('select booking_id = ? second, phone_number from lease_payer', s.fill('{second}'))).toEqual([
    { second: 1, phone_number: UNCLE },
  ])
})
