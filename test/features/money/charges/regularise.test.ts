// What charges really cost: shared by meters, parts, surface and weights, by days, with provisions set off.
import { expect, test } from 'bun:test'
import { imbalances } from '../../../support/ledger.ts'
import { cash, type Json } from '../../../support/scenario.ts'
import { guard, house, labelled, path, period, power, provided, type Share } from '../../../support/shared-charges.ts'

test('a price for what meters counted, parts by days, to the franc; vacant days stay with the landlord', async () => {
  const s = await house()
  const body = { ...period, items: [{ ...power, unitPrice: 99.5 }, guard] }
  const before = s.dump()
  const preview = await s.ask('ana', path('/preview'), body)
  expect([preview.status, s.dump()]).toEqual([200, before])
  // 240.5 kWh at 99.5 are 23 929.75; 60 kWh are 5 970. The guard: 90 001 by 90, 45 and 135 of 270 days.
  expect(labelled(preview.body)).toEqual(['A1 53931 53931', 'A2 20970 20970'])
  expect(preview.body).toMatchObject({
    costAmount: 119_901,
    chargedAmount: 74_901,
    landlordAmount: 45_000,
    provisionAmount: 0,
  })
  const issued = await s.ask('ana', path(), body)
  expect(issued.status).toBe(201)
  expect(labelled(issued.body)).toEqual(labelled(preview.body))
  const invoices = (await s.ask('tom', 'GET /invoices?limit=50')).body as unknown as Json[]
  const mine = invoices.filter(({ kind }) => kind === 'CHARGES')
  expect(mine).toHaveLength(1)
  expect(mine[0]).toMatchObject({
    grossAmount: 53_931,
    dueDate: '2026-04-25',
    lines: [
      { kind: 'CHARGE', label: 'Électricité\u00a0: 240,5\u00a0kWh', amount: 23_930 },
      { kind: 'CHARGE', label: 'Gardiennage\u00a0: quote-part', amount: 30_001 },
    ],
  })
  expect(imbalances(s.t)).toEqual([])
  // The tenant sees how it comes about, of their own lease alone.
  const shares = (await s.ask('tom', 'GET /bookings/{toms}/charge-shares')).body as unknown as Share[]
  expect(shares).toMatchObject([
    {
      amount: 53_931,
      invoiceId: mine[0]?.id,
      items: [
        { counted: 240.5, unitPrice: 99.5, meters: [{ readings: [{ value: 100 }, { value: 340.5 }] }] },
        { weight: 1, totalWeight: 3, days: 90 },
      ],
    },
  ])
  for (const [who, status] of [
    ['tia', 404],
    ['eve', 404],
    ['zoe', 404],
    ['mia', 200],
  ] as const)
    expect((await s.ask(who, 'GET /bookings/{toms}/charge-shares')).status).toBe(status)
})

test('provisions are set off once; what they were too high is a credit note, and undone with all the rest', async () => {
  const s = await house({ tvaBasisPoints: 1925 })
  // They are invoiced on this day, so the period goes until it.
  await provided(s)
  const asked = { periodStart: '2026-01-01', periodEnd: '2026-04-10', items: [guard] }
  const open = () =>
    s.t.rows("select sum(gross_amount - amount_paid) n from invoice where status in ('ISSUED','OVERDUE')")[0]?.n
  const [owed, before] = [open(), s.dump()]
  const preview = await s.ask('ana', path('/preview'), asked)
  expect(s.dump()).toBe(before)
  // 90 001 by 300 days of three units: Tom 100, Tia 55.
  expect(labelled(preview.body)).toEqual(['A1 30001 -29999', 'A2 16500 16500'])
  const tom = (preview.body.shares as Share[])[0]
  // The newest provision whole, and 9 999 of the one before, with their TVA.
  expect(tom).toMatchObject({ provisionAmount: 60_000, creditAmount: 23_850 + 11_924, grossAmount: 0 })
  await s.make('ana', path(), asked, 'one')
  expect(imbalances(s.t)).toEqual([])
  // The part given back of unpaid provisions is owed no more.
  expect(Number(open())).toBe(Number(owed) - 23_850 - 11_924 + 16_500 + 3_176)
  const journal = await s.ask('ana', 'GET /reports/tva-journal?from=2026-04-01&to=2026-04-30')
  expect((journal.body.rows as Json[]).filter(({ kind }) => kind === 'CREDIT_NOTE')).toHaveLength(2)
  // Each provision is set off once.
  const again = await s.ask('ana', path('/preview'), asked)
  expect((again.body.shares as Share[])[0]).toMatchObject({ provisionAmount: 0, balanceAmount: 30_001 })
  expect((await s.ask('ana', 'POST /regularisations/{one}/cancel')).body).toMatchObject({ status: 'CANCELLED' })
  expect(imbalances(s.t)).toEqual([])
  expect(open()).toBe(owed)
  expect(labelled((await s.ask('ana', path('/preview'), asked)).body)).toEqual(labelled(preview.body))
  expect((await s.ask('tom', 'GET /bookings/{toms}/charge-shares')).body).toEqual([] as never)
})

test('what was paid of provisions comes back as credit, which pays what is owed first', async () => {
  const s = await house()
  await provided(s)
  const all = (await s.ask('ana', 'GET /invoices?bookingId={toms}&limit=50')).body as unknown as Json[]
  const owed = all.reduce((sum, { balanceAmount }) => sum + Number(balanceAmount), 0)
  await s.make('ana', 'POST /bookings/{toms}/payments', cash(owed, { paidOn: '2026-04-10' }))
  const asked = { periodStart: '2026-01-01', periodEnd: '2026-04-10', items: [guard] }
  await s.make('ana', path(), asked, 'one')
  expect((await s.ask('ana', 'GET /bookings/{toms}')).body.creditAmount).toBe(29_999)
  expect(imbalances(s.t)).toEqual([])
  // A refund of it stands in the way of undoing.
  await s.make('ana', 'POST /bookings/{toms}/payments', cash(5_000, { type: 'REFUND', paidOn: '2026-04-10' }), 'back')
  const refused = await s.ask('ana', 'POST /regularisations/{one}/cancel')
  expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state'])
  const reversed = (await s.ask('ana', 'GET /payments?bookingId={toms}&limit=50')).body as unknown as Json[]
  const refund = reversed.find(({ type }) => type === 'REFUND')
  await s.make('ana', `POST /payments/${refund?.id}/reverse`)
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect((await s.ask('ana', 'GET /bookings/{toms}')).body.creditAmount).toBe(0)
  expect(imbalances(s.t)).toEqual([])
  // A second time does nothing.
  const dump = s.dump()
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect(s.dump()).toBe(dump)
})

test('expenses are charged on once, and stay as they are; readings too', async () => {
  const s = await house()
  const cost = { propertyId: '{villa}', kind: 'GUARD', amount: 90_000, spentOn: '2026-02-01' }
  await s.make('ana', 'POST /expenses', { ...cost, chargeable: true }, 'guard')
  await s.make('ana', 'POST /expenses', cost, 'own')
  const asked = (expenseId: string) => ({
    ...period,
    items: [
      { ...guard, costs: [{ expenseId }] },
      { ...power, costs: [{ label: 'Eneo', amount: 31_050 }] },
    ],
  })
  const refused = async (body: Json, at: string) => {
    const { status, body: said } = await s.ask('ana', path(), body)
    expect([status, (said.errors as Json[])?.[0]?.path]).toEqual([422, at])
  }
  await refused(asked('{own}'), '/items/0/costs/0/expenseId')
  expect((await s.ask('ana', 'GET /expenses?toCharge=true')).body).toMatchObject([{ amount: 90_000 }])
  await s.make('ana', path(), asked('{guard}'), 'one')
  expect((await s.ask('ana', 'GET /regularisations/{one}')).body).toMatchObject({
    // 31 050 for 310.5 kWh, ten of which nobody used who rents.
    items: [{ chargedAmount: 45_000 }, { unitPrice: 100, counted: 310.5, chargedAmount: 30_050 }],
    landlordAmount: 46_000,
  })
  expect((await s.ask('ana', 'GET /expenses?toCharge=true')).body).toEqual([] as never)
  await refused({ ...period, items: [{ ...guard, costs: [{ expenseId: '{guard}' }] }] }, '/items/0/costs/0/expenseId')
  await refused({ ...period, periodStart: '2026-03-31', items: [{ ...power, unitPrice: 1 }] }, '/items/0/meterKind')
  for (const [line, body] of [
    ['PATCH /expenses/{guard}', { amount: 1 }],
    ['POST /expenses/{guard}/cancel', {}],
    ['PATCH /meter-readings/{A104}', { value: 341 }],
    ['POST /meter-readings/{A104}/cancel', {}],
  ] as const)
    expect((await s.ask('ana', line, body)).status).toBe(409)
  expect((await s.ask('ana', 'PATCH /expenses/{guard}', { note: 'Mars' })).status).toBe(200)
  // Once somebody paid, it stays.
  const [invoice] = ((await s.ask('tom', 'GET /invoices?limit=50')).body as unknown as Json[]).filter(
    (i) => i.kind === 'CHARGES',
  )
  await s.make('ana', `POST /invoices/${invoice?.id}/payments`, cash(1_000, { paidOn: '2026-04-10' }), 'paid')
  expect((await s.ask('ana', 'POST /regularisations/{one}/cancel')).status).toBe(409)
  await s.make('ana', 'POST /payments/{paid}/reverse')
  await s.make('ana', 'POST /regularisations/{one}/cancel')
  expect((await s.ask('ana', 'GET /expenses?toCharge=true')).body).toMatchObject([{ amount: 90_000 }])
  expect((await s.ask('ana', 'PATCH /meter-readings/{A104}', { value: 341 })).status).toBe(200)
  expect(imbalances(s.t)).toEqual([])
})

test('what makes no regularisation, and who makes none', async () => {
  const s = await house()
  const before = s.dump()
  for (const [more, at] of [
    [{ periodEnd: '2026-04-11' }, '/periodEnd'],
    [{ periodStart: '2024-03-31' }, '/periodEnd'],
    [{ periodStart: '2026-04-01' }, '/periodEnd'],
    [{ dueDate: '2026-04-09' }, '/dueDate'],
    [{ items: [{ ...power, meterKind: 'WATER', unitPrice: 1 }] }, '/items/0/meterKind'],
    [{ items: [{ ...power, meterKind: null, unitPrice: 1 }] }, '/items/0/meterKind'],
    [{ items: [{ ...power }] }, '/items/0/costs'],
    [{ items: [{ ...power, unitPrice: 1, total: 310 }] }, '/items/0/total'],
    [{ items: [{ ...power, unitPrice: 0.0001 }] }, '/items/0/unitPrice'],
    [{ items: [{ ...guard, unitPrice: 5 }] }, '/items/0/key'],
    [{ items: [{ ...guard, key: 'WEIGHTS' }] }, '/items/0/units'],
    [{ items: [{ ...guard, units: [{ unitId: '{a1}' }, { unitId: '{a1}' }] }] }, '/items/0/units'],
    [{ items: [{ ...guard, costs: [{ amount: 5 }] }] }, '/items/0/costs/0/label'],
    [{ items: [] }, '/items'],
  ] as const) {
    const { status, body } = await s.ask('ana', path(), { ...period, items: [guard], ...(more as Json) })
    expect([at, status, (body.errors as Json[])?.[0]?.path]).toEqual([at, 422, at])
  }
  for (const [who, status] of [
    ['tom', 403],
    ['eve', 404],
    ['zoe', 404],
  ] as const)
    for (const more of ['', '/preview'])
      expect((await s.ask(who, path(more), { ...period, items: [guard] })).status).toBe(status)
  expect(s.dump()).toBe(before)
  const surface = { ...guard, key: 'SURFACE', costs: [{ label: 'Gardien', amount: 100_000 }] }
  const weights = {
    ...guard,
    key: 'WEIGHTS',
    units: [
      { unitId: '{a1}', weight: 3 },
      { unitId: '{a3}', weight: 1 },
    ],
  }
  const { body } = await s.ask('mia', path('/preview'), { ...period, items: [surface, weights] })
  expect(labelled(body)).toEqual(['A1 107501 107501', 'A2 12500 12500'])
  await s.make('ana', path(), { ...period, items: [guard] }, 'one')
  for (const [who, status] of [
    ['tom', 403],
    ['eve', 404],
    ['zoe', 404],
  ] as const)
    for (const line of ['GET /regularisations/{one}', 'POST /regularisations/{one}/cancel'])
      expect((await s.ask(who, line)).status).toBe(status)
})
