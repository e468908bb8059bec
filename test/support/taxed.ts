// Rates of TVA as the independent ledger keeps them: by the landlord's changes, day by day.
import type { Lived } from './agreed.ts'
import type { Stage } from './scenario.ts'

export type Tax = { readonly from: string; readonly before: number; readonly after: number }
/** A lease's rate as agreed, the changes made before that, and what its invoices were made out at. */
export type Rated = {
  rate: number
  since: number
  readonly home: boolean
  /** Once it has ended: that of its last day, whatever changes later. */
  stopped?: number | undefined
  readonly kept: Map<string, number>
}
type Row = Readonly<Record<string, unknown>>
/** Replacements of an invoice of a period are at its rate; charges have their own. */
export const rateKey = ({ kind, id, period_start }: Row): string => String(kind === 'PERIOD' ? period_start : id)

/** The rate of business premises where nothing was agreed otherwise. */
export const landlordRate = (taxes: readonly Tax[], day: string): number =>
  taxes.findLast(({ from }) => from <= day)?.after ?? 0

/** The changes, with that of one more day; a coming one that changes nothing is none. */
export function withTax(taxes: readonly Tax[], from: string, after: number, today: string): Tax[] {
  const stays = taxes.filter((tax) => tax.from <= today)
  const coming = taxes.filter((tax) => tax.from > today && tax.from !== from)
  const out: Tax[] = [...stays]
  for (const tax of [...coming, { from, after }].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const before = out.at(-1)?.after ?? 0
    if (before !== tax.after) out.push({ ...tax, before })
  }
  return out
}

/** The rate of a lease on a day. */
export function rateOn({ rate, since, home, stopped }: Rated, taxes: readonly Tax[], day: string): number {
  if (stopped !== undefined) return stopped
  let now = rate
  for (const { from, before, after } of taxes.slice(since))
    if (from <= day && now === before && !(home && before === 0)) now = after
  return now
}

/** The day whose rate a lease `b` that has ended keeps: the last of its notice, else the one on which it was ended. */
export const RATED_UNTIL =
  "iif(json_extract(b.notice, '$.leaveOn') = b.end_date, b.end_date, substr(b.terminated_at, 1, 10))"

/** What every invoice that has come since was made out at: it keeps that. */
export function keepRates(
  s: Stage,
  agreed: ReadonlyMap<string, Lived>,
  taxes: readonly Tax[],
  reinstated = false,
): void {
  const rows = s.rows(`select i.*, b.status lease, ${RATED_UNTIL} ended
    from invoice i join booking b on b.id = i.booking_id order by i.id`)
  for (const i of rows) {
    const rated = agreed.get(String(i.booking_id))?.taxed
    if (!rated || rated.kept.has(rateKey(i))) continue
    const ended = i.lease === 'TERMINATED' && String(i.ended) < String(i.period_start)
    // What was charged on the replacement of a month, whose end is undone, goes on at the rate of that month.
    const stood =
      reinstated &&
      i.kind === 'CHARGES' &&
      rows.find(
        (o) =>
          o.kind === 'PERIOD' &&
          o.booking_id === i.booking_id &&
          o.replaced_by_id !== null &&
          o.cancelled_at === i.created_at &&
          String(o.lines).endsWith(String(i.lines).slice(1)),
      )
    const day = String(ended ? i.ended : i.period_start)
    const its = stood ? rated.kept.get(rateKey(stood)) : undefined
    rated.kept.set(rateKey(i), its ?? rateOn(rated, taxes, day))
  }
}

/** Before the rates change: leases that have ended keep the one of that day. */
export function stopRates(s: Stage, agreed: ReadonlyMap<string, Lived>, taxes: readonly Tax[]): void {
  for (const { id, day } of s.rows(`select id, ${RATED_UNTIL} day from booking b where status = 'TERMINATED'`)) {
    const rated = agreed.get(String(id))?.taxed
    if (rated) rated.stopped ??= rateOn(rated, taxes, String(day))
  }
}

type Asked = { readonly periodStart: string; readonly periodEnd: string; readonly setOffProvisions?: boolean }
type Line = { readonly amount: number; readonly provision?: boolean }
const provisionIn = (lines: unknown): number =>
  (JSON.parse(String(lines)) as Line[]).reduce((sum, l) => sum + (l.provision ? l.amount : 0), 0)
/** The provisions that a regularisation sets off, lease by lease. */
export function toSetOff(s: Stage, { periodStart, periodEnd, setOffProvisions = true }: Asked): Map<string, number> {
  const sums = new Map<string, number>()
  if (!setOffProvisions) return sums
  const used = setOffs(s)
  for (const i of s.rows("select * from invoice where status <> 'CANCELLED'")) {
    const left = provisionIn(i.lines) - (used.get(String(i.id)) ?? 0)
    if (left === 0 || String(i.period_end) < periodStart || String(i.period_end) > periodEnd) continue
    sums.set(String(i.booking_id), (sums.get(String(i.booking_id)) ?? 0) + left)
  }
  return sums
}

/** What is set off of the provisions of each invoice that stands, by regularisations in force. */
function setOffs(s: Stage): Map<string, number> {
  const next = new Map(s.rows('select id, replaced_by_id r from invoice').map(({ id, r }) => [id, r]))
  const used = new Map<string, number>()
  for (const { provisions } of s.rows(
    "select provisions from regularisation_share h join regularisation r on r.id = h.regularisation_id where r.status = 'ISSUED'",
  ))
    for (const { invoiceId, amount } of JSON.parse(String(provisions)) as { invoiceId: unknown; amount: number }[]) {
      let id = invoiceId
      while (next.get(String(id))) id = next.get(String(id))
      used.set(String(id), (used.get(String(id)) ?? 0) + amount)
    }
  return used
}

/** Provisions that were set off and were not asked for, or twice. */
export function misprovided(s: Stage): string[] {
  const standing = new Map(
    s.rows("select id, lines from invoice where status <> 'CANCELLED'").map((i) => [i.id, i.lines]),
  )
  return [...setOffs(s)].flatMap(([id, amount]) =>
    standing.has(id) && provisionIn(standing.get(id)) >= amount ? [] : [`provisions of ${id}: ${amount}`],
  )
}

/** With TVA, what regularisations in force gave back of each invoice. */
export const givenBack = (s: { readonly rows: Stage['rows'] }): Map<string, number> =>
  new Map(
    s
      .rows(
        "select credited from regularisation_share h join regularisation r on r.id = h.regularisation_id where r.status = 'ISSUED'",
      )
      .flatMap(({ credited }) => JSON.parse(String(credited)) as { invoiceId: string; amount: number }[])
      .map(({ invoiceId, amount }) => [invoiceId, amount]),
  )
