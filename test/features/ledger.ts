// What must hold of a ledger whatever was done to it, worked out day by day and apart from the code that it judges.
import { expect } from 'bun:test'
import type { TestApp } from '../support/app.ts'

const DAY = 86_400_000
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY
const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)
const monthDay = (day: number): number => new Date(day * DAY).getUTCDate()
const isMonthEnd = (day: number): boolean => monthDay(day + 1) === 1

/** Whether rent periods that began on `anchor` have one beginning on `day`: the same day of month, or a shorter one's last. */
const begins = (anchor: number, day: number): boolean =>
  day >= anchor && (monthDay(day) === monthDay(anchor) || (monthDay(day) < monthDay(anchor) && isMonthEnd(day)))

export type Agreed = {
  readonly start: string
  readonly end: string | null
  readonly rent: number
  readonly tva: number
}
type Due = { readonly start: string; readonly days: (until: number) => number; readonly whole: number }

/** The periods of a lease that goes on past its agreed end, each with its whole length and how much of it is lived by a day. */
export function periods({ start, end }: Agreed, horizon: string): Due[] {
  const first = dayOf(start)
  const cut = end === null ? Number.POSITIVE_INFINITY : dayOf(end)
  const anchorAt = (day: number): number => (day <= cut || begins(first, cut + 1) ? first : cut + 1)
  const due: Due[] = []
  for (let day = first; day <= dayOf(horizon); day++) {
    const anchor = anchorAt(day)
    if (!begins(anchor, day)) continue
    let next = day + 1
    while (!begins(anchor, next)) next++
    const last = Math.min(next - 1, day <= cut ? cut : next)
    due.push({ start: dateOf(day), whole: next - day, days: (until) => Math.max(0, Math.min(last, until) - day + 1) })
  }
  return due
}

/** Half up, in whole francs: rent of the days, then TVA once on it and the charges. */
const gross = (rent: number, days: number, whole: number, charges: number, tva: number): number => {
  const net = Number((2n * BigInt(rent) * BigInt(days) + BigInt(whole)) / (2n * BigInt(whole))) + charges
  return net + Number((BigInt(net) * BigInt(tva) + 5000n) / 10000n)
}

type Booking = {
  id: string
  status: string
  unit_id: string
  start_date: string
  end_date: string | null
  bill_from: string
  terminated_at: string | null
}
type Invoice = {
  id: string
  number: string
  booking_id: string
  period_start: string
  period_end: string
  due_date: string
  status: string
  gross_amount: number
  net_amount: number
  tva_amount: number
  tva_basis_points: number
  amount_paid: number
  credited_amount: number
  lines: string
  replaced_by_id: string | null
  paid_at: string | null
}

const sums =
  'select p.id, p.type, p.status, p.amount, p.unallocated_amount rest, (select coalesce(sum(amount), 0) from allocation where payment_id = p.id) put, (select coalesce(sum(amount), 0) from allocation where target_id = p.id) given from payment p'

/** Sums, numbers, statuses, overlaps: true after every single operation. */
export function expectBalanced(t: TestApp): void {
  for (const { type, status, amount, rest, put, given } of t.rows(sums)) {
    const live = status === 'CONFIRMED'
    expect([put, given, rest]).toEqual(
      type === 'REFUND' ? [0, live ? amount : 0, 0] : [live ? Number(amount) - Number(rest) : 0, 0, live ? rest : 0],
    )
  }
  expect(
    t.rows(
      'select id from booking b where credit_amount <> (select coalesce(sum(unallocated_amount), 0) from payment where booking_id = b.id)',
    ),
  ).toEqual([])
  expect(
    t.rows(
      'select id from invoice i where amount_paid <> credited_amount + (select coalesce(sum(amount), 0) from allocation where target_id = i.id)',
    ),
  ).toEqual([])
  const invoices = t.rows('select * from invoice order by number') as unknown as Invoice[]
  const years = new Map<string, number>()
  for (const i of invoices) {
    const year = i.number.slice(0, 4)
    years.set(year, (years.get(year) ?? 0) + 1)
    expect(i.number).toBe(`${year}-${String(years.get(year)).padStart(6, '0')}`)
    expect(i.gross_amount).toBe(i.net_amount + i.tva_amount)
    expect(i.net_amount).toBe((JSON.parse(i.lines) as { amount: number }[]).reduce((n, l) => n + l.amount, 0))
    expect(i.status === 'PAID').toBe(i.status !== 'CANCELLED' && i.amount_paid === i.gross_amount)
    expect(i.paid_at !== null).toBe(i.status === 'PAID')
    if (i.status === 'CANCELLED') expect(i.amount_paid).toBe(0)
    if (i.replaced_by_id) expect(i.status).toBe('CANCELLED')
  }
  expect(
    t.rows('select 1 from invoice where replaced_by_id is null group by booking_id, period_start having count(*) > 1'),
  ).toEqual([])
  const held = t.rows(
    "select unit_id u, start_date s, coalesce(end_date, '9999') e from booking where status in ('PENDING', 'ACTIVE') order by u, s",
  )
  held.forEach((b, n) => {
    const before = held[n - 1]
    if (before?.u === b.u) expect(String(before?.e) < String(b.s)).toBe(true)
  })
  expect(
    t.rows(
      "select u.id from unit u left join booking b on b.unit_id = u.id group by u.id having u.status <> iif(max(b.status = 'ACTIVE'), 'OCCUPIED', iif(max(b.status = 'PENDING'), 'RESERVED', 'AVAILABLE'))",
    ),
  ).toEqual([])
}

/** After the service did its work: exactly the invoices that there must be on a day, each at its price. */
export function expectBilled(t: TestApp, agreed: ReadonlyMap<string, Agreed>, today: string, daysBefore: number): void {
  const invoices = t.rows(
    "select * from invoice where lines like '%RENT%' order by period_start, id",
  ) as unknown as Invoice[]
  for (const b of t.rows("select * from booking where status in ('ACTIVE', 'TERMINATED')") as unknown as Booking[]) {
    const lease = agreed.get(b.id)
    if (!lease) throw new Error('a lease that nobody drew up')
    if (b.status === 'ACTIVE') expect(b.end_date === null || b.end_date >= today).toBe(true)
    const of = invoices.filter((i) => i.booking_id === b.id)
    const never = b.terminated_at !== null && b.terminated_at.slice(0, 10) < b.start_date
    const last = never ? dayOf(b.start_date) - 1 : b.end_date === null ? Number.POSITIVE_INFINITY : dayOf(b.end_date)
    const grid = gridOf(b.id, lease).filter((p) => p.start >= b.bill_from)
    const begun = grid.filter((p) => dayOf(p.start) <= Math.min(last, dayOf(today) + daysBefore))
    const issued = [...new Set(of.map((i) => i.period_start))]
    // In order from the first one on, none skipped; what is more than has begun was paid in advance or is cancelled.
    expect(issued).toEqual(grid.slice(0, issued.length).map((p) => p.start))
    expect(issued.length).toBeGreaterThanOrEqual(begun.length)
    for (const i of of) {
      if (i.status === 'CANCELLED') continue
      const period = grid.find((p) => p.start === i.period_start)
      const charges = (JSON.parse(i.lines) as { kind: string; amount: number }[]).reduce(
        (n, l) => n + (l.kind === 'CHARGE' ? l.amount : 0),
        0,
      )
      const days = period?.days(last) ?? 0
      const owed = days === 0 ? 0 : gross(lease.rent, days, period?.whole ?? 1, charges, lease.tva)
      expect(`${b.id} ${i.period_start} ${i.gross_amount - i.credited_amount}`).toBe(
        `${b.id} ${i.period_start} ${owed}`,
      )
    }
  }
  for (const i of t.rows("select * from invoice where status in ('ISSUED', 'OVERDUE')") as unknown as Invoice[])
    expect(i.status).toBe(i.due_date < today ? 'OVERDUE' : 'ISSUED')
}

const grids = new Map<string, Due[]>()
function gridOf(id: string, lease: Agreed): Due[] {
  const grid = grids.get(id) ?? periods(lease, dateOf(dayOf(lease.start) + 20 * 365))
  grids.set(id, grid)
  return grid
}
