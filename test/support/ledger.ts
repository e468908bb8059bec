// What must be true of a ledger after any operation. It is computed day by day, without the code under test.
import { claimOf } from '../../src/features/money/deposits/service.ts'
import { type Agreed, rentIn } from './agreed.ts'
import type { TestApp } from './app.ts'
import { givenBack, rateKey } from './taxed.ts'

const DAY = 86_400_000
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY
export const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)
const monthDay = (day: number): number => new Date(day * DAY).getUTCDate()
const isMonthEnd = (day: number): boolean => monthDay(day + 1) === 1

/** Whether rent periods that began on `anchor` have one beginning on `day`: the same day of month, or a shorter one's last. */
const begins = (anchor: number, day: number): boolean =>
  day >= anchor && (monthDay(day) === monthDay(anchor) || (monthDay(day) < monthDay(anchor) && isMonthEnd(day)))

type Due = { readonly start: string; readonly days: (until: number) => number; readonly whole: number }

/** The periods of a lease that goes on past its agreed end, each with its whole length and how much of it is lived by a day. */
function periods({ start, end }: Agreed, horizon: string): Due[] {
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
  notice: string | null
}
type Invoice = {
  id: string
  kind: string
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
const LIVE = "status in ('PENDING', 'ACTIVE')"
const sums = `select p.id, p.type, p.status, p.amount, p.unallocated_amount rest,
  (select coalesce(sum(amount), 0) from allocation where payment_id = p.id) put,
  (select coalesce(sum(amount), 0) from allocation where target_id = p.id) given from payment p`
const credits = `select b.id, b.credit_amount, coalesce(sum(p.unallocated_amount), 0) sum
  from booking b left join payment p on coalesce(p.credit_booking_id, p.booking_id) = b.id group by b.id`
const beside = `select b.id from booking b where b.credit_amount > 0
  and exists (select 1 from invoice i where i.booking_id = b.id and i.status in ('ISSUED', 'OVERDUE'))`
/** The renters of a lease, who owe together and for nobody else. */
const together = (lease: string): string =>
  `coalesce((select group_concat(full_name || phone_number order by full_name) from lease_party
    where booking_id = ${lease}.id and role = 'CO_TENANT' and removed_at is null), '')`
const across = `select b.id from booking b join booking o on o.tenant_id = b.tenant_id and o.owner_user_id = b.owner_user_id
  where b.credit_amount > 0 and o.status in ('ACTIVE', 'TERMINATED') and 'TERMINATED' in (b.status, o.status)
  and ${together('b')} = ${together('o')}
  and exists (select 1 from invoice i where i.booking_id = o.id and i.status in ('ISSUED', 'OVERDUE'))`
// A correction of the tenant removes the mistyped person from set-offs that had been undone before.
const halves = `select p.id from payment p left join payment o on o.id = p.counterpart_id
  where (p.method = 'SET_OFF') <> (p.counterpart_id is not null) or p.method = 'SET_OFF' and not
  (o.counterpart_id = p.id and o.amount = p.amount and o.status = p.status and o.type <> p.type and o.booking_id <> p.booking_id
    and o.owner_user_id = p.owner_user_id
    and (o.tenant_user_id is p.tenant_user_id or p.status = 'REVERSED' and (o.tenant_user_id is null or p.tenant_user_id is null)))`
const kept = `select p.id, p.status, p.amount,
  (select sum(amount) from deposit_entry e where e.payment_id = p.id and e.type = 'DEDUCTED') kept,
  (select sum(amount) from deposit_entry e where e.payment_id = p.id and e.type = 'RECEIVED') back
  from payment p where p.method = 'DEPOSIT'`
const deposits = `select booking_id id, sum(iif(type = 'RECEIVED', amount, -amount)) sum,
  (select held_amount from deposit_entry l where l.booking_id = e.booking_id order by id desc limit 1) held
  from deposit_entry e group by booking_id having sum <> held`
const moved = `select e.id from deposit_entry e where moved_booking_id is not null and not exists
  (select 1 from deposit_entry o where o.booking_id = e.moved_booking_id and o.moved_booking_id = e.booking_id
    and o.amount = e.amount and o.type = iif(e.type = 'RECEIVED', 'RETURNED', 'RECEIVED'))`
const paidOn = `select i.id, i.amount_paid, i.credited_amount, coalesce(sum(a.amount), 0) sum
  from invoice i left join allocation a on a.target_id = i.id group by i.id`
const twice = `select max(id) id from invoice where replaced_by_id is null and kind = 'PERIOD' and status <> 'CANCELLED'
  group by booking_id, period_start having count(*) > 1`
const noted = `select i.id from invoice i left join (select invoice_id, sum(gross_amount) gross_amount, sum(net_amount) net, sum(tva_amount) tva
    from credit_note where withdrawn_on is null group by invoice_id) n on n.invoice_id = i.id
  where n.net < 0 or n.tva < 0 or n.tva > i.tva_amount or n.net > i.net_amount or coalesce(n.gross_amount, 0) <> iif(i.status = 'CANCELLED', i.gross_amount, i.credited_amount)
    or i.noted_amount <> coalesce(n.gross_amount, 0)`
const unitStatus = `select u.id, u.status, max(b.status = 'ACTIVE') active, max(b.status = 'PENDING') pending
  from unit u left join booking b on b.unit_id = u.id group by u.id
  having u.status <> iif(active, 'OCCUPIED', iif(pending, 'RESERVED', 'AVAILABLE'))`

/** Errors in sums, numbers, statuses and overlaps. There must be none after any operation. */
export function imbalances(t: TestApp): string[] {
  const wrong: string[] = []
  const hold = (what: string, holds: boolean): void => void (holds || wrong.push(what))
  const none = (what: string, sql: string): void => void wrong.push(...t.rows(sql).map(({ id }) => `${what} ${id}`))

  for (const { id, type, status, amount, rest, put, given } of t.rows(sums)) {
    const live = status === 'CONFIRMED' ? Number(amount) : 0
    if (type === 'REFUND') hold(`refund ${id}`, given === live && put === 0 && rest === 0)
    else hold(`payment ${id}`, Number(put) + Number(rest) === live && given === 0)
  }
  none('credit of', `${credits} having credit_amount <> sum`)
  none('credit beside a debt of', beside)
  none('credit beside a debt of another lease of', across)
  none('half a set-off', halves)
  none('deposit of', deposits)
  none('deposit moved', moved)
  for (const { id, status, amount, kept: k, back } of t.rows(kept))
    hold(`kept for ${id}`, k === amount && back === (status === 'REVERSED' ? amount : null))
  none('paid on', `${paidOn} having amount_paid <> credited_amount + sum`)
  none('twice', twice)
  none('credit note of', noted)
  none('status of unit', unitStatus)

  const numbers = new Map<string, number>()
  for (const i of t.rows('select * from invoice order by number') as unknown as Invoice[]) {
    const year = i.number.slice(0, 4)
    numbers.set(year, (numbers.get(year) ?? 0) + 1)
    const net = (JSON.parse(i.lines) as { amount: number }[]).reduce((n, l) => n + l.amount, 0)
    const paid = i.status !== 'CANCELLED' && i.amount_paid === i.gross_amount
    hold(`number ${i.number}`, i.number === `${year}-${String(numbers.get(year)).padStart(6, '0')}`)
    hold(`gross of ${i.number}`, i.gross_amount === i.net_amount + i.tva_amount && i.net_amount === net)
    hold(`PAID ${i.number}`, (i.status === 'PAID') === paid && (i.paid_at !== null) === paid)
    hold(`cancelled ${i.number}`, i.status === 'CANCELLED' ? i.amount_paid === 0 : i.replaced_by_id === null)
  }
  const held = t.rows(
    `select id, unit_id u, start_date s, coalesce(end_date, '9999') e from booking where ${LIVE} order by u, s`,
  )
  for (const [n, b] of held.entries()) {
    const before = held[n - 1]
    hold(`overlap ${b.id}`, before?.u !== b.u || String(before?.e) < String(b.s))
  }
  return wrong
}

/** Charges that are on no invoice any more, although nobody cancelled their invoice by hand. */
export function lostCharges(t: TestApp, byHand: ReadonlySet<string>): string[] {
  const cancelled = t.rows(
    "select id, number, replaced_by_id r from invoice where status = 'CANCELLED' and lines like '%CHARGE%'",
  )
  return cancelled.flatMap(({ id, number, r }) => (r === null && !byHand.has(String(id)) ? [String(number)] : []))
}

/** The invoices that must exist on a day after the scheduled work ran, each with its amount; returns the differences. */
export function misbilled(
  t: TestApp,
  agreed: ReadonlyMap<string, Agreed>,
  today: string,
  daysBefore: number,
): string[] {
  const wrong: string[] = []
  const hold = (what: string, holds: boolean): void => void (holds || wrong.push(what))
  const all = t.rows('select * from invoice order by period_start, id')
  const invoices = Map.groupBy(all as unknown as Invoice[], (i) => i.booking_id)
  const back = givenBack(t)
  const waived = new Map(
    t
      .rows(
        "select invoice_id id, sum(gross_amount) n from credit_note where reason = 'WAIVED' and withdrawn_on is null group by 1",
      )
      .map(({ id, n }) => [id, Number(n)]),
  )
  for (const b of t.rows("select * from booking where status in ('ACTIVE', 'TERMINATED')") as unknown as Booking[]) {
    const lease = agreed.get(b.id)
    if (!lease) throw new Error('a lease that nobody drew up')
    hold(`goes on ${b.id}`, b.status === 'TERMINATED' || b.end_date === null || b.end_date >= today)
    const never = b.terminated_at !== null && b.terminated_at.slice(0, 10) < b.start_date
    const last = never ? dayOf(b.start_date) - 1 : b.end_date === null ? Number.POSITIVE_INFINITY : dayOf(b.end_date)
    const grid = gridOf(b.id, lease).filter((p) => p.start >= b.bill_from)
    const begun = grid.filter((p) => dayOf(p.start) <= Math.min(last, dayOf(today) + daysBefore))
    const of = invoices.get(b.id) ?? []
    const issued = [...new Set(of.flatMap((i) => (i.lines.includes('RENT') ? [i.period_start] : [])))]
    // In order from the first one on, none skipped; what is more than has begun was paid in advance or is cancelled.
    hold(
      `order ${b.id} ${issued}`,
      issued.every((start, n) => start === grid[n]?.start),
    )
    hold(`missing ${b.id} ${issued}`, issued.length >= begun.length)
    const periodOf = new Map(grid.map((p) => [p.start, p]))
    for (const i of of) {
      if (i.status === 'CANCELLED') continue
      const period = periodOf.get(i.period_start)
      const lines = JSON.parse(i.lines) as { kind: string; amount: number }[]
      // Consumption and what was owed from before stay, whatever becomes of the month; the latter bears no TVA.
      const others = lines.reduce((n, l) => n + (l.kind === 'RENT' ? 0 : l.amount), 0)
      const tva = lines.some((l) => l.kind === 'OPENING_BALANCE') ? 0 : (lease.taxed?.kept.get(rateKey(i)) ?? lease.tva)
      // Under notice an invoice of before it is whole until its day, and one since then is cut.
      const until = b.status === 'ACTIVE' && b.notice !== null ? dayOf(i.period_end) : last
      const days = i.kind === 'CHARGES' ? 0 : (period?.days(until) ?? 0)
      const owed = gross(rentIn(lease, i.period_start), days, period?.whole ?? 1, others, tva)
      const [off, left] = [back.get(i.id) ?? 0, waived.get(i.id) ?? 0]
      const billed = i.gross_amount - i.credited_amount + off + left
      // What was waived stays waived, also where less was lived.
      hold(`price of ${i.number} ${i.period_start}: ${owed}`, billed === (left > 0 ? Math.max(owed, off + left) : owed))
    }
  }
  for (const i of t.rows("select * from invoice where status in ('ISSUED', 'OVERDUE')") as unknown as Invoice[])
    hold(`due ${i.number}`, i.status === (i.due_date < today ? 'OVERDUE' : 'ISSUED'))
  return wrong
}

/** What the service asks a tenant for, of all that is open on a lease. */
function askedOn(t: TestApp, orgId: unknown, bookingId: unknown): number {
  const debts = t.rows(
    "select due_date, gross_amount, amount_paid from invoice where booking_id = ? and status in ('ISSUED', 'OVERDUE')",
    bookingId as string,
  )
  const all = debts.map((i) => ({
    dueDate: String(i.due_date),
    grossAmount: Number(i.gross_amount),
    amountPaid: Number(i.amount_paid),
  }))
  return claimOf(t.deps.db, { orgId: String(orgId), bookingId: String(bookingId) }, all).askedAmount
}

/**
 * Errors in the statements of ended leases: each lease has one, with its current debts, credit and deposit, and its tenant
 * is asked for what that leaves; of a lease that runs for all that is open.
 */
export function misstated(t: TestApp): string[] {
  return t
    .rows(
      `select b.id, b.org_id, b.status,
        (select count(*) from document d where d.booking_id = b.id and d.kind = 'STATEMENT' and d.voided_at is null) n,
        (select d.data from document d where d.booking_id = b.id and d.kind = 'STATEMENT' and d.voided_at is null) data,
        (select coalesce(sum(gross_amount - amount_paid), 0) from invoice i where i.booking_id = b.id and i.status <> 'CANCELLED') debt,
        (select coalesce(sum(unallocated_amount), 0) from payment p where coalesce(p.credit_booking_id, p.booking_id) = b.id) credit,
        (select coalesce(sum(iif(type = 'RECEIVED', amount, -amount)), 0) from deposit_entry e where e.booking_id = b.id) held
       from booking b`,
    )
    .flatMap(({ id, org_id, status, n, data, debt, credit, held }) => {
      const said = JSON.parse(String(data ?? '{}')) as Record<string, unknown>
      const holds =
        status === 'TERMINATED'
          ? n === 1 && said.debtAmount === debt && said.creditAmount === credit && said.heldAmount === held
          : n === 0
      const left = status === 'TERMINATED' ? Number(debt) - Number(credit) - Number(held) : Number(debt)
      const asked = askedOn(t, org_id, id)
      return [
        ...(holds ? [] : [`statement of ${id}: ${debt} ${credit} ${held}`]),
        ...(asked === Math.max(0, left) ? [] : [`asked for on ${id}: ${asked}, not ${left}`]),
      ]
    })
}

const grids = new Map<string, Due[]>()
function gridOf(id: string, lease: Agreed): Due[] {
  const grid = grids.get(id) ?? periods(lease, dateOf(dayOf(lease.start) + 20 * 365))
  grids.set(id, grid)
  return grid
}
