import { maxDate } from '../../../core/dates.ts'
import { firstPeriodFrom, periodAt } from '../../../core/periods.ts'

/**
 * The last day on which a mistake in a lease is put right in place: that of the rent period in which it came into force,
 * or of its first one where that begins later.
 */
export function lastDayToCorrect({ startDate }: { readonly startDate: string }, inForceOn: string): string {
  const day = maxDate(startDate, inForceOn)
  const index = firstPeriodFrom(startDate, day)
  const period = periodAt(startDate, index)
  return period.start === day ? period.end : periodAt(startDate, index - 1).end
}
