// The first screens in one request: figures that are those of the reports, and nothing of anybody else's.
import { describe, expect, spyOn, test } from 'bun:test'
import { cash, type Json, letting, type Person, type Stage, stage } from '../../../support/scenario.ts'
import { room } from '../../../support/upkeep.ts'

type Overview = Json & {
  needs: { kind: string; count: number; amount?: number; oldestAt?: string; firstOn?: string; bookingId?: string }[]
  late: (Json & { bookingId: string })[]
  months: { month: string; invoicedAmount: number; paidAmount: number }[]
  paidCount: number
  open: Json[]
  paid: Json[]
  checking: Json[]
}
const overview = async (s: Stage, who: Person, query = ''): Promise<Overview> => {
  const { status, body, text } = await s.ask(who, `GET /overview${query}`)
  expect(`${who}: ${status}${status === 200 ? '' : text}`).toBe(`${who}: 200`)
  return body as unknown as Overview
}
const totals = async (s: Stage, who: Person, report: string): Promise<Json> =>
  ((await s.ask(who, `GET /reports/${report}`)).body as unknown as { totals: Json; rows: Json[] }).totals
const kinds = (o: Overview): string[] => o.needs.map(({ kind, count }) => `${kind} ${count}`)

/** Ana lets A1 to Tom, who is behind and pays some; Eve lets B1 to Tia. */
async function twoOwners(): Promise<Stage> {
  const s = await stage({
    now: '2026-02-20T08:00:00.000Z',
    given: letting({ startDate: '2026-01-05', billFrom: '2026-01-05' }),
  })
  await s.make('eve', 'POST /properties', { name: 'Tour', addressLine: 'Rue 2', city: 'Douala' }, 'tour')
  await s.make('eve', 'POST /properties/{tour}/units', { label: 'B1', rentAmount: 90_000 }, 'b1')
  await s.make('eve', 'POST /bookings', { unitId: '{b1}', tenantUserId: '{tia}', startDate: '2026-02-01' }, 'hers')
  await s.make('eve', 'POST /bookings/{hers}/submit')
  await s.make('eve', 'POST /bookings/{hers}/activate')
  await s.t.work()
  s.nameAll()
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(60_000, { paidOn: '2026-02-20' }))
  await s.make('ana', 'POST /invoices/{i2}/payments', cash(15_000, { paidOn: '2026-02-20' }))
  s.t.advance(40)
  await s.t.work()
  s.nameAll()
  return s
}

test('the fact whether messages leave by themselves, and whether tenants can open their links', async () => {
  const s = await stage({ given: letting() })
  expect((await overview(s, 'ana')).messaging).toEqual({ sends: true, links: false, waiting: 0 })
  Object.assign(s.t.deps.messenger, { mute: true })
  const first = await s.ask('ana', 'GET /overview')
  expect(first.body.messaging).toEqual({ sends: false, links: false, waiting: 0 })
  expect((await s.ask('tom', 'GET /organization')).body.messaging).toEqual({ sends: false, links: false })
})

describe('figures of landlords', () => {
  // What stands behind a manager are the only properties they look after.
  test.each(['ana', 'eve', 'mia', 'ada', 'mia {tour}', 'mia {villa} {tour}'])(
    '%s: those of the reports, to the franc, month by month',
    async (given) => {
      const [who, ...propertyIds] = given.split(' ') as [Person, ...string[]]
      const s = await twoOwners()
      if (propertyIds.length > 0) await s.make('ada', 'PATCH /admin/users/{mia}', { propertyIds })
      for (const month of ['2026-01', '2026-02', '2026-03', '2026-04', '2025-12']) {
        const o = await overview(s, who, `?month=${month}`)
        const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
        const period = `from=${month}-01&to=${last}`
        const collection = await totals(s, who, `collection?${period}`)
        const roll = await totals(s, who, `rent-roll?${period}`)
        const arrears = await totals(s, who, 'arrears')
        expect({ month, who, ...o }).toMatchObject({
          invoicedAmount: collection.invoicedAmount,
          paidAmount: collection.paidAmount,
          balanceAmount: roll.balanceAmount,
          overdueAmount: arrears.balanceAmount,
          overdueCount: arrears.rows,
        })
        expect(o.paidCount + Number(o.openCount)).toBe(Number(collection.invoices))
        expect(o.months.map((m) => m.month)).toHaveLength(6)
        expect(o.months.at(-1)).toEqual({
          month,
          invoicedAmount: Number(collection.invoicedAmount),
          paidAmount: Number(collection.paidAmount),
        })
        for (const m of o.months) {
          const end = new Date(Date.UTC(Number(m.month.slice(0, 4)), Number(m.month.slice(5)), 0))
            .toISOString()
            .slice(0, 10)
          const of = await totals(s, who, `collection?from=${m.month}-01&to=${end}`)
          expect([m.invoicedAmount, m.paidAmount]).toEqual([Number(of.invoicedAmount), Number(of.paidAmount)])
        }
        const late = (await s.ask(who, 'GET /reports/arrears')).body as unknown as { rows: Json[] }
        const byLease = Map.groupBy(late.rows, (r) => String(r.bookingId))
        expect(o.late.map((l) => l.bookingId).sort()).toEqual([...byLease.keys()].sort())
        for (const l of o.late)
          expect(l).toMatchObject({
            invoices: byLease.get(l.bookingId)?.length,
            balanceAmount: byLease.get(l.bookingId)?.reduce((sum, r) => sum + Number(r.balanceAmount), 0),
            daysLate: Math.max(...(byLease.get(l.bookingId) ?? []).map((r) => Number(r.daysLate))),
          })
      }
    },
  )

  test('what comes for a month past shows at once, and for that month alone', async () => {
    const s = await twoOwners()
    const before = await overview(s, 'mia')
    await s.make('ana', 'POST /invoices/{i2}/payments', cash(7_000, { paidOn: '2026-03-30' }))
    const after = await overview(s, 'mia')
    expect(after.months).toEqual(
      before.months.map((m) => (m.month === '2026-02' ? { ...m, paidAmount: Number(m.paidAmount) + 7_000 } : m)),
    )
    await s.make('ana', 'POST /payments/{p3}/reverse')
    expect((await overview(s, 'mia')).months).toEqual(before.months)
  })

  test('an owner learns nothing of another owner; a manager sees both', async () => {
    const s = await twoOwners()
    const [ana, eve, mia] = [await overview(s, 'ana'), await overview(s, 'eve'), await overview(s, 'mia')]
    expect([ana.units, eve.units, mia.units]).toEqual([
      { total: 2, vacant: 1 },
      { total: 1, vacant: 0 },
      { total: 3, vacant: 1 },
    ])
    expect(JSON.stringify(ana)).not.toMatch(/Tour|"B1"|tia Test/)
    expect(JSON.stringify(eve)).not.toMatch(/Villa|"A1"|tom Test/)
    expect(mia.late.map((l) => l.propertyName)).toEqual(['Tour', 'Villa'])
    expect(mia.late[1]).toMatchObject({
      tenantName: 'tom Test',
      unitLabel: 'A1',
      oldestDueDate: '2026-02-10',
      invoiceId: s.names.get('i2'),
    })
    expect(mia.overdueAmount).toBe(Number(ana.overdueAmount) + Number(eve.overdueAmount))
    const zoe = await overview(s, 'zoe')
    expect(zoe).toMatchObject({
      units: { total: 0, vacant: 0 },
      needs: [],
      late: [],
      overdueAmount: 0,
      invoicedAmount: 0,
    })
  })

  test('a settlement’s credit is neither invoiced nor collected, a cancelled invoice not counted', async () => {
    const s = await twoOwners()
    await s.make('ana', 'POST /bookings/{lease}/terminate', { endDate: '2026-02-20', confirm: true })
    for (const who of ['ana', 'mia'] as const)
      for (const month of ['2026-02', '2026-03']) {
        const o = await overview(s, who, `?month=${month}`)
        const of = await totals(s, who, `collection?from=${month}-01&to=${month}-28`)
        expect([o.invoicedAmount, o.paidAmount]).toEqual([of.invoicedAmount, of.paidAmount])
      }
  })

  test('what needs me: each kind counted for whom it concerns', async () => {
    const s = await stage({
      now: '2026-03-10T08:00:00.000Z',
      given: letting({ endDate: '2026-04-30', autoRenew: false }),
    })
    expect(kinds(await overview(s, 'ana'))).toEqual(['LEASE_ENDING 1'])
    await s.make('tom', 'POST /invoices/{i1}/payments', cash(20_000))
    await s.make('tia', 'POST /bookings', { unitId: '{a2}', startDate: '2026-04-01' }, 'wish')
    await s.make('tom', 'POST /verification/kyc', {}, 'kyc')
    const needs = (await overview(s, 'ana')).needs
    expect(needs).toMatchObject([
      { kind: 'PAYMENT_DECLARED', count: 1, amount: 20_000, oldestAt: '2026-03-10T08:00:00.000Z' },
      { kind: 'BOOKING_REQUESTED', count: 1, oldestAt: '2026-03-10T08:00:00.000Z' },
      { kind: 'LEASE_ENDING', count: 1, firstOn: '2026-04-30' },
    ])
    expect(kinds(await overview(s, 'eve'))).toEqual([])
    expect(kinds(await overview(s, 'mia'))).toEqual(kinds(await overview(s, 'ana')))
    expect(kinds(await overview(s, 'ada'))).toEqual([...kinds(await overview(s, 'ana')), 'SETUP 1'])
    await s.make('ada', 'PATCH /admin/organization', { name: 'Agence' })
    await s.make('ana', 'POST /bookings/{wish}/submit')
    await s.make('ana', 'POST /bookings/{lease}/renew', {})
    await s.make('ana', 'POST /payments/{p1}/confirm')
    expect(kinds(await overview(s, 'ada'))).toEqual(['LEASE_TO_SIGN 1'])
  })

  test('what needs me of a lease that runs: its rider, its inspections and its notice, by the place of each', async () => {
    const s = await stage({ given: letting() })
    const lease = String(s.names.get('lease'))
    const needs = async () => {
      for (const who of ['eve', 'zoe'] as const) expect((await overview(s, who)).needs).toEqual([])
      const mine = (await overview(s, 'ana')).needs
      expect((await overview(s, 'mia')).needs).toEqual(mine)
      return mine.map(({ kind, count, firstOn, bookingId }) => {
        expect(bookingId).toBe(lease)
        return `${kind} ${count} ${firstOn ?? ''}`.trim()
      })
    }
    expect(await needs()).toEqual([])
    await s.make('ana', 'POST /bookings/{lease}/rent-changes', { from: '2026-04-01', rentAmount: 66_000 }, 'change')
    await s.make('ana', 'POST /inspections', { bookingId: '{lease}', kind: 'ENTRY' }, 'entry')
    // One that is being filled in waits for nobody.
    expect(await needs()).toEqual(['RENT_CHANGE_TO_SIGN 1'])
    await s.make('ana', 'PATCH /inspections/{entry}', { rooms: [room('01a1fc4b', 'Cuisine', { state: 'GOOD' })] })
    await s.make('ana', 'POST /inspections/{entry}/propose')
    expect(await needs()).toEqual(['RENT_CHANGE_TO_SIGN 1', 'INSPECTION_TO_SIGN 1'])
    await s.make('ana', 'POST /inspections/{entry}/revise')
    await s.make('tom', 'POST /rent-changes/{change}/decline', {})
    const notice = (leaveOn: string) => s.make('tom', 'POST /bookings/{lease}/notice', { by: 'TENANT', leaveOn })
    await notice('2026-03-25')
    expect(await needs()).toEqual(['NOTICE_GIVEN 1 2026-03-25'])
    await s.make('tom', 'DELETE /bookings/{lease}/notice')
    expect(await needs()).toEqual([])
    await notice('2026-03-24')
    expect(await needs()).toEqual(['INSPECTION_DUE 1 2026-03-24', 'NOTICE_GIVEN 1 2026-03-24'])
    await s.make('ana', 'POST /inspections', { bookingId: '{lease}', kind: 'EXIT' }, 'exit')
    expect(await needs()).toEqual(['NOTICE_GIVEN 1 2026-03-24'])
  })

  test('every address of a month but YYYY-MM is refused by name', async () => {
    const s = await stage()
    for (const month of ['2026-13', '2026-1', '2026', '2026-01-01', 'x', '%00'])
      expect((await s.ask('ana', `GET /overview?month=${month}`)).body).toMatchObject({
        status: 422,
        errors: [{ path: '/month' }],
      })
    expect((await s.ask('ana', 'GET /overview?as=OWNER')).body).toMatchObject({ errors: [{ path: '/as' }] })
    expect((await s.ask('ana', 'GET /overview?month=2099-12')).status).toBe(200)
    expect((await s.ask('ana', 'GET /overview?month=2000-01')).status).toBe(200)
  })
})

describe('a tenant', () => {
  test('owes, waits, is covered; knows the landlord and where to pay', async () => {
    const s = await twoOwners()
    // Ada signs in anew.
    s.t.deps.access.forget('')
    await s.make('ada', 'PATCH /admin/organization', { payTo: [{ method: 'MTN_MOMO', number: '677 12 34 56' }] })
    await s.make('tom', 'POST /invoices/{i2}/payments', cash(10_000, { paidOn: '2026-03-30' }))
    const tom = await overview(s, 'tom')
    const list = (await s.ask('tom', 'GET /invoices?limit=200')).body as unknown as (Json & { balanceAmount: number })[]
    expect(tom.owedAmount).toBe(list.reduce((sum, i) => sum + i.balanceAmount, 0))
    expect(tom).toMatchObject({
      checkingAmount: 10_000,
      coveredUntil: '2026-02-04',
      payTo: [{ method: 'MTN_MOMO', number: '677 12 34 56' }],
      landlord: { name: 'ana Test' },
      checking: [{ amount: 10_000, status: 'PENDING' }],
      paid: [{ id: s.names.get('i1') }],
    })
    expect(tom.open.map((i) => i.dueDate)).toEqual(tom.open.map((i) => i.dueDate).sort())
    expect(tom.open).toEqual(list.filter((i) => i.balanceAmount > 0).reverse())
    const tia = await overview(s, 'tia')
    expect(JSON.stringify(tia)).not.toMatch(/Villa|"A1"|tom Test|ana Test/)
    expect(tia.landlord).toMatchObject({ name: 'eve Test' })
  })

  test('without a lease owes nothing and has no landlord', async () => {
    const s = await stage()
    expect(await overview(s, 'tia')).toEqual({
      today: '2026-03-10',
      owedAmount: 0,
      depositAmount: 0,
      checkingAmount: 0,
      open: [],
      paid: [],
      checking: [],
      refused: [],
      payTo: [],
    } as never)
  })

  test('an owner who also rents chooses: theirs as landlord, or as=TENANT', async () => {
    const s = await stage({ now: '2026-03-10T08:00:00.000Z', given: letting() })
    await s.make('mia', 'POST /properties', { name: 'Tour', addressLine: 'R', city: 'D' }, 'tour')
    await s.make('mia', 'POST /properties/{tour}/units', { label: 'B1', rentAmount: 90_000 }, 'b1')
    await s.make('mia', 'POST /bookings', { unitId: '{b1}', tenantUserId: '{ana}', startDate: '2026-03-01' }, 'hers')
    await s.make('mia', 'POST /bookings/{hers}/submit')
    await s.make('mia', 'POST /bookings/{hers}/activate')
    await s.t.work()
    expect(await overview(s, 'ana')).toMatchObject({ invoicedAmount: 60_000, units: { total: 2 } })
    expect(await overview(s, 'ana', '?as=TENANT')).toMatchObject({ owedAmount: 90_000, landlord: { name: 'mia Test' } })
    // Whoever only rents gets nothing else.
    expect(Object.keys(await overview(s, 'tom', '?month=2026-03'))).not.toContain('needs')
  })
})

test('its ETag stands until something of the organization or the day changes', async () => {
  const s = await stage({ now: '2026-03-10T08:00:00.000Z', given: letting() })
  const ask = (who: Person, etag: string) => s.ask(who, 'GET /overview', undefined, { 'if-none-match': etag })
  for (const who of ['ana', 'tom'] as const) {
    const etag = (await s.ask(who, 'GET /overview')).headers.get('etag') ?? ''
    expect((await ask(who, etag)).status).toBe(304)
    expect((await ask(who === 'ana' ? 'mia' : 'tia', etag)).status).toBe(200)
    await s.make('ana', 'POST /properties', { name: `New ${who}`, addressLine: 'R', city: 'D' })
    const next = await ask(who, etag)
    expect(next.status).toBe(200)
    s.t.advance(1)
    expect((await ask(who, next.headers.get('etag') ?? '')).status).toBe(200)
  }
})

test('others have their turn between its statements; who has it already makes it read nothing', async () => {
  const s = await twoOwners()
  let turns = 0
  const resting = spyOn(s.deps.store, 'resting').mockImplementation(() => async () => {
    turns += 1
  })
  const first = await s.ask('mia', 'GET /overview')
  expect(first.status).toBe(200)
  expect(turns).toBeGreaterThanOrEqual(16)
  turns = 0
  const again = await s.ask('mia', 'GET /overview', undefined, { 'if-none-match': first.headers.get('etag') ?? '' })
  expect([again.status, turns]).toEqual([304, 0])
  resting.mockRestore()
})
