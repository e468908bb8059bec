import { addMonths } from '../../../core/dates.ts'
import { extendEnd, firstPeriodFrom } from '../../../core/periods.ts'

type Grid = {
  readonly anchorDate: string
  readonly endDate: string | null
  /** Whether the lease goes on month by month after its end. */
  readonly goesOn: boolean
}

/** The first day of the rent period that runs on `today`; of a lease that has not begun, its first. */
export function openPeriodOf({ anchorDate }: Pick<Grid, 'anchorDate'>, today: string): string {
  const index = firstPeriodFrom(anchorDate, today)
  const start = addMonths(anchorDate, index)
  return start <= today || index === 0 ? start : addMonths(anchorDate, index - 1)
}

/**
 * Where a day lies in the rent periods of a lease: whether one `starts` on it, else the days on which those before and
 * after it begin. Undefined for a day after the end of a lease that does not go on.
 */
export function periodAround(
  { anchorDate, endDate, goesOn }: Grid,
  day: string,
): { readonly starts: boolean; readonly before: string; readonly after: string } | undefined {
  const past = endDate !== null && day > endDate
  if (past && !goesOn) return undefined
  const anchor = past ? extendEnd(anchorDate, endDate).anchor : anchorDate
  const index = firstPeriodFrom(anchor, day)
  const after = addMonths(anchor, index)
  return { starts: after === day, before: index === 0 ? after : addMonths(anchor, index - 1), after }
}
