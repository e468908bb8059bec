// Charges that walks share: by equal parts, surface, weights and meters, with the TVA of suppliers, counted day by day here.
import { expect } from 'bun:test'
import { addDays } from '../../src/core/dates.ts'
import type { Json, Stage } from './scenario.ts'
import { RATED_UNTIL, rateOn, toSetOff } from './taxed.ts'
import type { Move, Walk } from './walking.ts'

const AREAS = { a1: 41.5, a2: 30 } as const
/** Surfaces and water meters of the premises, read on the first day. */
export async function sharedPremises(s: Stage): Promise<void> {
  for (const unit of ['a1', 'a2'] as const) {
    await s.make('ana', `PATCH /units/{${unit}}`, { areaSqm: AREAS[unit] })
    await s.make('ana', 'POST /meters', { unitId: `{${unit}}`, kind: 'WATER' }, `m${unit}`)
    await s.make('ana', 'POST /meter-readings', { meterId: `{m${unit}}`, value: 100 })
  }
}

type Cost = { readonly amount: number; readonly tva: number }
type Item = Cost & {
  readonly key: 'EQUAL' | 'SURFACE' | 'WEIGHTS' | 'METERS'
  readonly weights?: Readonly<Record<string, number>>
  readonly unitPrice?: number
}
type Span = { readonly periodStart: string; readonly periodEnd: string }
type Tenancy = { readonly id: string; readonly unit: string; readonly from: string; readonly to: string }
type Shared = {
  readonly bookingId: string
  readonly amount: number
  readonly provisionAmount: number
  readonly balanceAmount: number
  readonly grossAmount: number
  readonly creditAmount: number
}

const between = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000
/** Days from `a` to `b`, both counted, that are within a lease. */
const within = ({ from, to }: Tenancy, a: string, b: string): number =>
  Math.max(0, between(from > a ? from : a, to < b ? to : b) + 1)

function leasesIn(s: Stage, { periodStart, periodEnd }: Span): Tenancy[] {
  return s
    .rows("select * from booking where status in ('ACTIVE', 'TERMINATED')")
    .filter((b) => b.terminated_at === null || String(b.terminated_at).slice(0, 10) >= String(b.start_date))
    .map((b) => ({
      id: String(b.id),
      unit: String(b.unit_id),
      from: String(b.start_date),
      to: String(b.end_date ?? '9999-12-31'),
    }))
    .filter((lease) => within(lease, periodStart, periodEnd) > 0)
}

/** What of one each lease has, without rounding: days by the weight of the unit. */
function byDays(s: Stage, span: Span, weightOf: (unit: string) => number): Map<string, number> {
  const leases = leasesIn(s, span)
  const length = between(span.periodStart, span.periodEnd) + 1
  const days = (lease: Tenancy): number => within(lease, span.periodStart, span.periodEnd)
  let whole = 0
  for (const { id } of s.rows('select id from unit')) {
    const lived = leases.filter(({ unit }) => unit === id).reduce((sum, lease) => sum + days(lease), 0)
    whole += weightOf(String(id)) * Math.max(length, lived)
  }
  return new Map(leases.map((lease) => [lease.id, (days(lease) * weightOf(lease.unit)) / whole]))
}

/** What each lease used of the water, each day between two readings the same, and how much all meters counted. */
function byMeters(
  s: Stage,
  span: Span,
): { readonly used: Map<string, number>; readonly all: number; readonly steps: number } {
  const used = new Map<string, number>()
  let [all, steps] = [0, 0]
  for (const { id, unit } of s.rows("select id, unit_id unit from meter where kind = 'WATER'")) {
    const readings = s
      .rows(
        "select * from meter_reading where meter_id = ? and status = 'RECORDED' and read_on <= ? order by read_on",
        id,
        addDays(span.periodEnd, 1),
      )
      .map((r) => ({ day: String(r.read_on), value: Number(r.thousandths) / 1000 }))
    const first = Math.max(
      0,
      readings.findLastIndex(({ day }) => day <= span.periodStart),
    )
    for (const [n, to] of readings.entries()) {
      const from = readings[n - 1]
      if (!from || n <= first) continue
      steps++
      all += to.value - from.value
      const here = leasesIn(s, span)
        .filter((lease) => lease.unit === unit)
        .map((lease) => [lease.id, within(lease, from.day, addDays(to.day, -1))] as const)
      // An end that was undone may leave two leases of the same days.
      const whole = Math.max(
        between(from.day, to.day),
        here.reduce((sum, [, days]) => sum + days, 0),
      )
      for (const [lease, days] of here)
        used.set(lease, (used.get(lease) ?? 0) + ((to.value - from.value) * days) / whole)
    }
  }
  return { used, all, steps }
}

/** Errors in what was shared, to within the francs that rounding makes: a lease with TVA pays none of the suppliers'. */
function misshared(w: Walk, span: Span, items: readonly Item[], shares: readonly Shared[]): string[] {
  const { s } = w
  const exact = new Map<string, number>()
  let room = 0
  const labelled = new Map(
    s.rows('select id, label from unit').map(({ id, label }) => [String(id), String(label).toLowerCase()]),
  )
  for (const { key, amount, tva, weights = {}, unitPrice } of items) {
    const { used, all, steps } = byMeters(s, span)
    const price = unitPrice ?? amount / all
    const parts =
      key === 'METERS'
        ? new Map([...used].map(([id, n]) => [id, (n * price) / (amount || 1)]))
        : byDays(s, span, (unit) => {
            const label = labelled.get(unit) === 'a1' ? 'a1' : 'a2'
            return key === 'EQUAL' ? 1 : key === 'SURFACE' ? AREAS[label] : (weights[label] ?? 0)
          })
    room += key === 'METERS' ? 2 + (price * (steps + 1)) / 1000 : 2
    for (const [id, part] of parts) {
      const rated = w.agreed.get(id)?.taxed
      const [row = {}] = s.rows(`select status, ${RATED_UNTIL} ended from booking b where id = ?`, id)
      const bears = rated && rateOn(rated, w.taxes, row.status === 'TERMINATED' ? String(row.ended) : w.today()) > 0
      exact.set(id, (exact.get(id) ?? 0) + part * ((amount || 1) - (bears ? tva : 0)))
    }
  }
  const wrong: string[] = []
  if (shares.some(({ bookingId }) => !exact.has(bookingId))) wrong.push('a share of nobody')
  const given = new Map(shares.map((one) => [one.bookingId, one]))
  for (const [id, sum] of exact) {
    const { amount = 0, provisionAmount = 0, balanceAmount = 0 } = given.get(id) ?? {}
    if (Math.abs(sum - amount) >= room) wrong.push(`share of ${id}: ${amount}, not ${sum}`)
    if (balanceAmount !== amount - provisionAmount) wrong.push(`balance of ${id}`)
  }
  return wrong
}

/** Expenses, readings of meters, regularisations and their undoing. */
export function sharing(w: Walk): Move[] {
  const { s, random, ask, today, day, some } = w
  const taxed = (amount: number): number => random.pick([0, Math.round((amount * 1925) / 11_925), amount])
  async function expense(): Promise<void> {
    const amount = random.pick([1, 999, 30_000, 90_001])
    await ask('ana', 'POST /expenses', {
      ...{ kind: random.pick(['WATER', 'GUARD', 'CLEANING']), spentOn: day(-60, 0), amount, tvaAmount: taxed(amount) },
      ...{ propertyId: '{villa}', chargeable: random.int(0, 4) > 0, paidBy: 'OWNER' },
    })
  }
  async function read(): Promise<void> {
    const meter = random.pick(['ma1', 'ma2'])
    const [last] = s.rows(
      "select max(thousandths) n from meter_reading where meter_id = ? and status = 'RECORDED'",
      s.names.get(meter),
    )
    await ask('ana', 'POST /meter-readings', {
      meterId: `{${meter}}`,
      readOn: today(),
      value: Number(last?.n) / 1000 + random.int(50, 90),
    })
  }
  /** One thing to share, as the API takes it and as it is reckoned here. */
  function item(n: number, costs: readonly Json[], { amount, tva }: Cost): readonly [Json, Item] {
    const key = random.pick(['EQUAL', 'EQUAL', 'SURFACE', 'WEIGHTS', 'METERS'] as const)
    const given: Json = { label: `Charges ${n}`, key, costs }
    if (key === 'WEIGHTS') {
      const weights = { a1: random.int(1, 5), a2: random.int(1, 5) }
      const units = [
        { unitId: '{a1}', weight: weights.a1 },
        { unitId: '{a2}', weight: weights.a2 },
      ]
      return [
        { ...given, units },
        { key, amount, tva, weights },
      ]
    }
    if (key !== 'METERS') return [given, { key, amount, tva }]
    const priced = random.int(0, 1) ? { unitPrice: random.pick([99.5, 364]) } : {}
    return [
      { ...given, meterKind: 'WATER', ...priced },
      { key, amount, tva, ...priced },
    ]
  }
  async function regularise(): Promise<void> {
    await s.work()
    const periodStart = day(-100, 0)
    const last = between(periodStart, today())
    const amounts = Array.from({ length: random.int(1, 2) }, () => random.pick([1, 10_000, 90_001, 400_000]))
    const typed = amounts.map((amount) => ({ label: 'Gardien', amount, tvaAmount: taxed(amount) }))
    const sum = (of: (cost: (typeof typed)[number]) => number): number => typed.reduce((all, cost) => all + of(cost), 0)
    const [found] = s.rows(
      "select id, amount, tva_amount tva from expense where chargeable and status = 'RECORDED' and regularisation_id is null",
    )
    const items = [item(0, typed, { amount: sum((cost) => cost.amount), tva: sum((cost) => cost.tvaAmount) })]
    if (found && random.int(0, 1))
      items.push(item(1, [{ expenseId: found.id }], { amount: Number(found.amount), tva: Number(found.tva ?? 0) }))
    const body = {
      periodStart,
      periodEnd: random.int(0, 1) ? today() : addDays(periodStart, random.int(0, last)),
      setOffProvisions: random.int(0, 4) > 0,
      items: items.map(([given]) => given),
    }
    const [before, provided] = [w.standing(), toSetOff(s, body)]
    const preview = await ask('ana', 'POST /properties/{villa}/regularisations/preview', body)
    expect(w.standing()).toEqual(before)
    const issued = await ask('ana', 'POST /properties/{villa}/regularisations', body)
    expect(issued.shares === undefined).toBe(preview.shares === undefined)
    if (!issued.shares) return
    const shares = issued.shares as Shared[]
    expect(
      misshared(
        w,
        body,
        items.map(([, one]) => one),
        shares,
      ),
    ).toEqual([])
    expect(Number(issued.chargedAmount) + Number(issued.deductedAmount) + Number(issued.landlordAmount)).toBe(
      Number(issued.costAmount),
    )
    expect(shares.reduce((all, one) => all + one.amount, 0)).toBe(Number(issued.chargedAmount))
    const shown = ({ bookingId, amount, provisionAmount, grossAmount, creditAmount }: Shared) =>
      [bookingId, amount, provisionAmount, grossAmount, creditAmount].join(' ')
    expect(shares.map(shown).sort()).toEqual((preview.shares as Shared[]).map(shown).sort())
    for (const one of shares)
      expect([one.bookingId, one.provisionAmount]).toEqual([one.bookingId, provided.get(one.bookingId) ?? 0])
    if (random.int(0, 1)) return
    await undo(String(issued.id))
    expect(w.standing()).toEqual(before)
  }
  async function undo(id: string): Promise<void> {
    const asked = s.rows('select invoice_id id from regularisation_share where regularisation_id = ?', id)
    const { status } = await ask('ana', `POST /regularisations/${id}/cancel`)
    if (status === 'CANCELLED') for (const one of asked) w.byHand.add(String(one.id))
  }
  return [
    [2, expense],
    [3, read],
    [5, regularise],
    [2, () => undo(some('regularisation', "status = 'ISSUED'"))],
  ]
}
