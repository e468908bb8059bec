// Credit and debts of the same tenant and owner set each other off once a lease has ended: Civil Code, article 1289.
import { expect, test } from 'bun:test'
import { imbalances, misstated } from '../../../support/ledger.ts'
import { cash, type Json, letting, type Stage, stage, villa } from '../../../support/scenario.ts'

/** Tom rents A1 of Ana's villa; of her house B1, Tia A2, and Tom a room of Eve: each is two months behind but A1. */
async function given(s: Pick<Stage, 'make'>): Promise<void> {
  const lease = async (who: 'ana' | 'eve', unit: string, tenant: string, as: string, more: Json = {}) => {
    const terms = { unitId: `{${unit}}`, tenantUserId: `{${tenant}}`, startDate: '2026-02-10', ...more }
    await s.make(who, 'POST /bookings', terms, as)
    await s.make(who, `POST /bookings/{${as}}/submit`)
    await s.make(who, `POST /bookings/{${as}}/activate`)
  }
  await letting({ startDate: '2026-03-01' })(s)
  await s.make('ana', 'POST /properties', { ...villa, name: 'Maison' }, 'house')
  await s.make('ana', 'POST /properties/{house}/units', { label: 'B1', rentAmount: 50_000 }, 'b1')
  await lease('ana', 'b1', 'tom', 'other')
  await lease('ana', 'a2', 'tia', 'neighbour')
  await s.make('eve', 'POST /properties', { ...villa, name: 'Chez Eve' }, 'eves')
  await s.make('eve', 'POST /properties/{eves}/units', { label: 'E1', rentAmount: 40_000 }, 'e1')
  await lease('eve', 'e1', 'tom', 'stranger')
}
const begun = (more: (s: Pick<Stage, 'make'>) => Promise<unknown> = async () => undefined) =>
  stage({
    now: '2026-03-10T08:00:00.000Z',
    given: async (s) => {
      await given(s)
      await more(s)
    },
  })
type Line = Readonly<Record<string, unknown>>
const list = async (s: Stage, path: string): Promise<Line[]> =>
  (await s.ask('ana', `GET ${path}`)).body as unknown as Line[]
const owed = async (s: Stage, lease: string, who: 'ana' | 'eve' = 'ana') =>
  ((await s.ask(who, `GET /invoices?bookingId={${lease}}&order=asc`)).body as unknown as Line[]).flatMap((i) =>
    i.status === 'CANCELLED' ? [] : [`${i.periodStart} ${i.amountPaid}/${i.grossAmount}`],
  )
const creditOf = async (s: Stage, lease: string) => (await s.ask('ana', `GET /bookings/{${lease}}`)).body.creditAmount
const OPEN = ['2026-02-10 0/50000', '2026-03-10 0/50000']
const sound = (s: Stage) => expect([...imbalances(s.t), ...misstated(s.t)]).toEqual([])

test('the end of a lease gives its credit to what the tenant owes the same owner, the first due first', async () => {
  // March and April were paid: 21 days of March, and April, are given back.
  const s = await begun((x) => x.make('ana', 'POST /bookings/{lease}/payments', cash(120_000)))
  const before = s.t.sent.length
  const preview = await s.ask('ana', 'GET /bookings/{lease}/settlement')
  expect(preview.body).toMatchObject({
    creditAmount: 645,
    balanceAmount: 645,
    setOffAmount: -100_000,
    setOffs: [{ bookingId: s.names.get('other'), unitLabel: 'B1', propertyName: 'Maison', amount: -100_000 }],
  })
  expect(await owed(s, 'other')).toEqual(OPEN)
  const ended = await s.make('ana', 'POST /bookings/{lease}/terminate')
  expect(ended).toMatchObject({ creditAmount: 645 })
  await s.t.work()
  // One paper says how it ended, after what was set off.
  const statements = await list(s, '/documents?bookingId={lease}&kind=STATEMENT')
  expect(statements).toMatchObject([{ number: 'S-2026-000001' }])
  s.nameAll()
  expect(await owed(s, 'other')).toEqual(['2026-02-10 50000/50000', '2026-03-10 50000/50000'])
  // Nobody else's: not another tenant's of the same owner, nor the tenant's own with another owner.
  expect(await owed(s, 'neighbour')).toEqual(['2026-02-10 0/60000', '2026-03-10 0/60000'])
  expect(await owed(s, 'stranger', 'eve')).toEqual(['2026-02-10 0/40000', '2026-03-10 0/40000'])
  const [taken] = await list(s, '/payments?bookingId={other}')
  expect(taken).toMatchObject({
    type: 'PAYMENT',
    method: 'SET_OFF',
    amount: 100_000,
    note: '«\u00a0A1\u00a0», «\u00a0Villa\u00a0»',
  })
  expect(taken?.recordedBy).toBeUndefined()
  const [gave] = await list(s, '/payments?bookingId={lease}')
  expect(gave).toMatchObject({ type: 'REFUND', method: 'SET_OFF', amount: 100_000, counterpartId: taken?.id })
  expect(taken?.counterpartId).toBe(String(gave?.id))
  const told = s.t.sent.slice(before).filter(({ purpose }) => purpose === 'payment_confirmed')
  expect(told.map(({ text }) => text.replaceAll('\u00a0', ' ').split(' Quittance')[0])).toEqual([
    '100 000 FCFA payés avec votre crédit du bail de « A1 », « Villa » pour « B1 », « Maison », du 10 février 2026 au 9 avril 2026.',
  ])
  // Counted once: nothing came, and each property has its part.
  const { totals, rows } = (await s.ask('ana', 'GET /reports/owner-statement?from=2026-01-01&to=2026-12-31'))
    .body as unknown as { totals: Line; rows: Line[] }
  expect(totals).toMatchObject({
    ...{ receivedAmount: 120_000, refundedAmount: 0, setOffAmount: 0 },
    ...{ creditHeldAmount: 645, creditAddedAmount: 645, ownerAmount: 119_355 },
  })
  expect(rows.map((r) => [r.unitLabel, r.setOffAmount, r.ownerAmount]).sort()).toEqual([
    ['A1', -100_000, 19_355],
    ['A2', 0, 0],
    ['B1', 100_000, 100_000],
  ])
  const collected = await s.ask('ana', 'GET /reports/collection?from=2026-01-01&to=2026-12-31')
  expect(collected.body).toMatchObject({ totals: { paidAmount: 119_355 } })
  sound(s)

  // By itself, and so not by hand; what it came from is reversed, and then both are owed again.
  expect((await s.ask('ana', `POST /payments/${taken?.id}/reverse`)).status).toBe(409)
  expect((await s.ask('ana', `POST /payments/${gave?.id}/reverse`)).status).toBe(409)
  expect((await s.ask('eve', `GET /payments/${taken?.id}`)).status).toBe(404)
  await s.make('ana', 'POST /payments/{p1}/reverse')
  expect(await owed(s, 'other')).toEqual(OPEN)
  const again = await list(s, '/payments')
  expect(again.map(({ method, status }) => `${method} ${status}`)).toEqual([
    'SET_OFF REVERSED',
    'SET_OFF REVERSED',
    'CASH REVERSED',
  ])
  sound(s)
})

test('an end that is undone takes it back; the lease that was helped owes it again', async () => {
  const s = await begun((x) => x.make('ana', 'POST /bookings/{lease}/payments', cash(120_000)))
  const was = await owed(s, 'lease')
  await s.make('ana', 'POST /bookings/{lease}/terminate')
  expect(await owed(s, 'other')).not.toEqual(OPEN)
  await s.make('ana', 'POST /bookings/{lease}/reinstate')
  expect(await owed(s, 'other')).toEqual(OPEN)
  expect(await owed(s, 'lease')).toEqual(was)
  expect(await creditOf(s, 'lease')).toBe(0)
  sound(s)
})

test('the deposit of a lease that has ended pays on another: where that one ends and goes on, the statement follows', async () => {
  const s = await begun()
  await s.make('ana', 'POST /bookings/{other}/deposit', { type: 'RECEIVED', amount: 30_000, paidOn: '2026-03-10' })
  await s.make('ana', 'POST /bookings/{other}/payments', cash(100_000))
  await s.make('ana', 'POST /bookings/{other}/terminate', { endDate: '2026-03-09' })
  const march = (await list(s, '/invoices?bookingId={lease}'))[0]?.id
  const kept = { type: 'DEDUCTED', amount: 10_000, paidOn: '2026-03-10', invoiceIds: [march] }
  await s.make('ana', 'POST /bookings/{other}/deposit', kept)
  expect([await creditOf(s, 'other'), await owed(s, 'lease')]).toEqual([0, ['2026-03-01 60000/60000']])
  await s.make('ana', 'POST /bookings/{lease}/terminate')
  expect(await creditOf(s, 'other')).toBe(10_000)
  sound(s)
  await s.make('ana', 'POST /bookings/{lease}/reinstate')
  expect([await creditOf(s, 'other'), await owed(s, 'lease')]).toEqual([0, ['2026-03-01 60000/60000']])
  sound(s)
})

test('what is owed on a lease that has ended is paid by credit elsewhere; running leases keep theirs', async () => {
  const s = await begun(async (x) => {
    await x.make('ana', 'POST /bookings/{lease}/payments', cash(60_000 + 45_000))
  })
  // Paid ahead for April of A1, which runs: B1, which runs too, owes all the same.
  expect([await creditOf(s, 'lease'), await owed(s, 'other')]).toEqual([45_000, OPEN])
  const preview = await s.ask('ana', 'GET /bookings/{other}/settlement')
  expect(preview.body).toMatchObject({ setOffAmount: 45_000, owedAmount: 6_613, balanceAmount: -6_613 })
  await s.make('ana', 'POST /bookings/{other}/terminate')
  expect([await creditOf(s, 'lease'), await owed(s, 'other')]).toEqual([
    0,
    ['2026-02-10 45000/50000', '2026-03-10 0/1613'],
  ])
  sound(s)
  // What comes since is set off as well, on whichever side it stands, up to the franc.
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(10_000))
  expect([await creditOf(s, 'lease'), await owed(s, 'other')]).toEqual([
    3_387,
    ['2026-02-10 50000/50000', '2026-03-10 1613/1613'],
  ])
  await s.make('ana', 'POST /bookings/{other}/invoices', { lines: [{ label: 'Eau', amount: 3_400 }] })
  expect(await creditOf(s, 'lease')).toBe(0)
  await s.make('ana', 'POST /bookings/{other}/payments', cash(100_000))
  sound(s)
  // April of A1 takes what B1 has left.
  s.t.advance(22)
  await s.t.work()
  expect(await owed(s, 'lease')).toEqual(['2026-03-01 60000/60000', '2026-04-01 60000/60000'])
  expect(await creditOf(s, 'other')).toBe(39_987)
  sound(s)
})

test('credit that was given back since is not set off, nor taken back from the tenant', async () => {
  const s = await begun((x) => x.make('ana', 'POST /bookings/{other}/payments', cash(100_000)))
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(120_000))
  await s.make('ana', 'POST /bookings/{lease}/terminate')
  expect(await creditOf(s, 'lease')).toBe(100_645)
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(100_645, { type: 'REFUND' }))
  await s.make('ana', 'POST /bookings/{other}/invoices', { lines: [{ label: 'Eau', amount: 3_400 }] })
  expect((await owed(s, 'other')).filter((line) => line.endsWith('0/3400'))).toHaveLength(1)
  sound(s)
})

test('others who rent with the tenant are other debtors', async () => {
  const s = await stage({
    now: '2026-03-10T08:00:00.000Z',
    given: async (x) => {
      await letting({ startDate: '2026-03-01' }, 'DRAFT')(x)
      const party = { role: 'CO_TENANT', fullName: 'Rose Ekani', phoneNumber: '+237677001122' }
      await x.make('ana', 'PUT /bookings/{lease}/parties', { parties: [party] })
      await x.make('ana', 'POST /bookings', { unitId: '{a2}', tenantUserId: '{tom}', startDate: '2026-02-10' }, 'other')
      for (const lease of ['lease', 'other']) {
        await x.make('ana', `POST /bookings/{${lease}}/submit`)
        await x.make('ana', `POST /bookings/{${lease}}/activate`)
      }
    },
  })
  await s.make('ana', 'POST /bookings/{lease}/payments', cash(120_000))
  await s.make('ana', 'POST /bookings/{lease}/terminate')
  expect(await creditOf(s, 'lease')).toBe(100_645)
  expect(await owed(s, 'other')).toEqual(['2026-02-10 0/60000', '2026-03-10 0/60000'])
})
