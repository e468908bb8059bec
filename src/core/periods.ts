import { addDays, addMonths, daysInclusive, isDate, minDate } from './dates.ts'

/** A rent period; `start` and `end` are inclusive, `daysInPeriod` counts the whole period that `days` is a part of. */
export type Period = {
  readonly start: string
  readonly end: string
  readonly full: boolean
  readonly days: number
  readonly daysInPeriod: number
}
/**
 * The period number `index` (0 = the first) of the monthly grid that starts on `anchor`: it starts on the anchor's day
 * of month (29–31 clamp without drift) and ends the day before the next one, or on `endDate` if that comes first.
 * Undefined when it would start after `endDate`. Throws RangeError for a bad date or index.
 */
export function periodAt(anchor: string, index: number): Period
export function periodAt(anchor: string, index: number, endDate: string | null | undefined): Period | undefined
export function periodAt(anchor: string, index: number, endDate?: string | null): Period | undefined {
  if (!Number.isSafeInteger(index) || index < 0) throw new RangeError('index must be 0 or a positive integer')
  const start = addMonths(anchor, index)
  if (endDate != null && start > endDate) return undefined
  const last = addDays(addMonths(anchor, index + 1), -1)
  return periodOf(start, last, endDate == null ? last : minDate(last, endDate))
}

/** Index of the first period of the anchor's grid that starts on or after `billFrom`. */
export function firstPeriodFrom(anchor: string, billFrom: string): number {
  const near = Math.max(0, monthOf(billFrom) - monthOf(anchor))
  return addMonths(anchor, near) < billFrom ? near + 1 : near
}

/**
 * One more month for a lease that renews itself. Where `endDate` closes a period of the anchor's grid, the anchor stays
 * and the next period's end is the new end (no drift for 29–31); otherwise a new grid starts on the day after `endDate`.
 * Throws RangeError when `endDate` lies before the anchor.
 */
export function extendEnd(anchor: string, endDate: string): { anchor: string; endDate: string } {
  if (endDate < anchor) throw new RangeError('endDate lies before the anchor')
  const following = addDays(endDate, 1)
  const index = firstPeriodFrom(anchor, following)
  if (addMonths(anchor, index) === following) return { anchor, endDate: periodAt(anchor, index).end }
  return { anchor: following, endDate: periodAt(following, 0).end }
}

const GRACE_DAYS = 5

/** The first `dueDay` (1–28) of a month on or after `periodStart`; without one, 5 days after it. RangeError otherwise. */
export function dueDateOf(periodStart: string, dueDay?: number | null): string {
  if (dueDay == null) return addDays(periodStart, GRACE_DAYS)
  if (!Number.isInteger(dueDay) || dueDay < 1 || dueDay > 28) throw new RangeError('dueDay must be from 1 to 28')
  const sameMonth = `${periodStart.slice(0, 8)}${String(dueDay).padStart(2, '0')}`
  return sameMonth >= periodStart ? sameMonth : addMonths(sameMonth, 1)
}

function periodOf(start: string, last: string, end: string): Period {
  const days = daysInclusive(start, end)
  const daysInPeriod = daysInclusive(start, last)
  return { start, end, full: days === daysInPeriod, days, daysInPeriod }
}

function monthOf(date: string): number {
  if (!isDate(date)) throw new RangeError('not a date of the calendar')
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))
}
