// Each home and how it stands: the sums of the overview, and nobody else's homes.
import { expect, test } from 'bun:test'
import { doorState, naturally } from '../../../../src/features/data/overview/rules.ts'
import { cash, type Json, letting, type Person, type Stage, stage } from '../../../support/scenario.ts'

type Door = {
  label: string
  state: string
  overdue: number
  daysLate?: number
  tenantName?: string
  bookingId?: string
}
type Building = Json & {
  propertyId: string
  counts: Record<string, number>
  due: number
  paid: number
  overdue: number
  doors?: Door[]
}
const homes = async (s: Stage, who: Person, query = '') =>
  (await s.ask(who, `GET /overview/homes${query}`)).body as unknown as {
    homes: number
    month: string
    buildings: Building[]
  }
const doors = ({ buildings }: { buildings: Building[] }): string[] =>
  buildings.flatMap((one) => (one.doors ?? []).map(({ label, state }) => `${label} ${state}`))

/** Ana lets A1 to Tom from 5 January, and A2 and A10 to nobody. */
async function villa(): Promise<Stage> {
  const s = await stage({
    now: '2026-01-20T08:00:00.000Z',
    given: letting({ startDate: '2026-01-05', billFrom: '2026-01-05' }),
  })
  await s.make('ana', 'POST /properties/{villa}/units', { label: 'A10', rentAmount: 50_000 }, 'a10')
  await s.t.work()
  s.nameAll()
  return s
}

test('a home goes from late to part to declared to paid; its sums are those of the overview', async () => {
  const s = await villa()
  const states: string[] = []
  const look = async (): Promise<void> => {
    const all = await homes(s, 'ana')
    const o = (await s.ask('ana', 'GET /overview')).body
    const [one] = all.buildings
    expect({ due: one?.due, paid: one?.paid, overdue: one?.overdue }).toEqual({
      due: o.invoicedAmount as number,
      paid: o.paidAmount as number,
      overdue: o.overdueAmount as number,
    })
    expect(doors(all).slice(1)).toEqual(['A2 EMPTY', 'A10 EMPTY'])
    states.push(doors(all)[0] ?? '')
  }
  await look()
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(15_000, { paidOn: '2026-01-20' }))
  await look()
  await s.make('tom', 'POST /invoices/{i1}/payments', cash(45_000, { paidOn: '2026-01-20' }), 'told')
  await look()
  await s.make('ana', 'POST /payments/{told}/confirm')
  await look()
  expect(states).toEqual(['A1 LATE', 'A1 PART', 'A1 DECLARED', 'A1 PAID'])
})

test('owners and managers of some properties see their homes alone; one building by its id', async () => {
  const s = await villa()
  await s.make('eve', 'POST /properties', { name: 'Tour', addressLine: 'Rue 2', city: 'Douala' }, 'tour')
  await s.make('eve', 'POST /properties/{tour}/units', { label: 'B1', rentAmount: 90_000 }, 'b1')
  expect(doors(await homes(s, 'eve'))).toEqual(['B1 EMPTY'])
  expect((await homes(s, 'mia')).homes).toBe(4)
  expect(doors(await homes(s, 'mia', '?propertyId={tour}'))).toEqual(['B1 EMPTY'])
  expect((await homes(s, 'ana', '?propertyId={tour}')).buildings).toEqual([])
  await s.make('ada', 'PATCH /admin/users/{mia}', { propertyIds: ['{tour}'] })
  expect(doors(await homes(s, 'mia'))).toEqual(['B1 EMPTY'])
  expect((await s.ask('tom', 'GET /overview/homes')).status).toBe(403)
})

test('above sixty homes a building is one line, and its doors are asked for by building', async () => {
  const s = await villa()
  const labels = Array.from({ length: 60 }, (_, n) => `C${n + 1}`)
  await s.make('ana', 'POST /properties/{villa}/units', { labels, rentAmount: 50_000 })
  const all = await homes(s, 'ana')
  expect([all.homes, all.buildings[0]?.doors, all.buildings[0]?.counts]).toEqual([
    63,
    undefined,
    { LATE: 1, PART: 0, DECLARED: 0, PAID: 0, DUE: 0, EMPTY: 62 },
  ])
  expect((await homes(s, 'ana', '?propertyId={villa}')).buildings[0]?.doors).toHaveLength(63)
})

const RENTED = { bookingId: 'b', due: 100, paid: 0, overdue: 0, overduePaid: 0, declared: 0 }
test.each([
  [{ bookingId: null }, 'EMPTY'],
  [{}, 'DUE'],
  [{ paid: 100 }, 'PAID'],
  [{ due: 0 }, 'DUE'],
  [{ overdue: 100 }, 'LATE'],
  [{ paid: 100, overdue: 50 }, 'LATE'],
  [{ overdue: 60, overduePaid: 40 }, 'PART'],
  [{ overdue: 60, declared: 60 }, 'DECLARED'],
  [{ paid: 100, declared: 60 }, 'PAID'],
])('%j: %s', (home, state) => expect(doorState({ ...RENTED, ...home })).toBe(state as never))

test('A2 stands before A10', () => expect(['A10', 'A2', 'a1'].sort(naturally)).toEqual(['a1', 'A2', 'A10']))
