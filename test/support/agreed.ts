// What the parties of a lease agreed on, as the independent ledger keeps it: nothing of the code under test.
import type { Stage } from './scenario.ts'
import type { Rated } from './taxed.ts'

export type Change = { readonly id: string; readonly from: string; readonly rent: number }
export type Agreed = {
  readonly start: string
  readonly end: string | null
  rent: number
  tva: number
  /** Its rates of TVA where they change; `tva` else. */
  readonly taxed?: Rated
  /** Changes of the rent that count, in order. */
  readonly changes?: readonly Change[]
  /** Periods that were paid before a change of their rent was entered: they keep theirs. */
  readonly kept?: ReadonlyMap<string, number>
}
export type Lived = Agreed & { changes: Change[]; readonly kept: Map<string, number>; readonly taxed: Rated }
export const lived = (
  start: string,
  end: string | null,
  rent: number,
  tva: number,
  { home = true, since = 0 }: { readonly home?: boolean; readonly since?: number } = {},
): Lived => ({
  ...{ start, end, rent, tva },
  changes: [],
  kept: new Map(),
  taxed: { rate: tva, since, home, kept: new Map() },
})

/** The net rent of the whole period that begins on a day. */
export const rentIn = ({ rent, changes = [], kept }: Agreed, start: string): number =>
  kept?.get(start) ?? changes.findLast(({ from }) => from <= start)?.rent ?? rent

type Rent = Readonly<Record<string, unknown>>
/** The invoices of rent of a lease from a day on, as they stand before a change. */
export const rentsFrom = (s: Stage, of: string, from: string): Rent[] =>
  s.rows(
    `select period_start start, status from invoice
     where booking_id = ? and period_start >= ? and status <> 'CANCELLED' and lines like '%RENT%'`,
    of,
    from,
  )

/** Once these changes count: what was paid before keeps its rent, what was open follows them. */
export function followChange(lease: Lived | undefined, before: readonly Rent[], changes: Change[]): void {
  if (!lease) throw new Error('a lease that nobody drew up')
  const was = new Map(before.map(({ start }) => [String(start), rentIn(lease, String(start))]))
  lease.changes = changes
  for (const { start, status } of before)
    if (status === 'PAID') lease.kept.set(String(start), was.get(String(start)) ?? lease.rent)
    else lease.kept.delete(String(start))
}
