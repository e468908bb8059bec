import { addDays, addMonths } from '../../../core/dates.ts'
import { isText, type Judge, wrongAt } from '../../../core/judging.ts'

/** A lease that began within so many months before it was entered is billed from its start, and one that ended is renewed … */
const LATE_MONTHS = 2
/** … and an older one from this many days before. */
const BACK_DAYS = 31

/** The day from which a lease is billed where none is agreed: entered late, it loses no period of the last two months. */
export const billedFrom = (startDate: string, enteredOn: string): string =>
  startDate >= addMonths(enteredOn, -LATE_MONTHS) ? startDate : addDays(enteredOn, -BACK_DAYS)

type Ended = {
  readonly status: string
  /** What an early end settled; null of one by its date. */
  readonly settlement: object | null
  readonly endDate: string | null
}
/** Whether a lease ended by its date so lately that a renewal still follows on. */
export const endedLately = ({ status, settlement, endDate }: Ended, today: string): boolean =>
  status === 'TERMINATED' && settlement === null && endDate !== null && endDate >= addMonths(today, -LATE_MONTHS)

/** How many months back billFrom may lie. */
const BACK_MONTHS = 120
/** Dates are limited, because periods need a next day and the calendar's last day has none. */
const FIRST_DAY = '1900-01-01'
const LAST_DAY = '2199-12-31'

const BEFORE_START = { en: 'Cannot be before the start.', fr: 'Ne peut pas précéder le début.' }
const AFTER_END = { en: 'Cannot be after the end.', fr: 'Ne peut pas suivre la fin.' }
/** The dates of a lease lie within the calendar, and one after the other. */
export const termsJudge: Judge = ({ startDate, endDate, billFrom }, today) => {
  const outside = Object.entries({ startDate, endDate, billFrom }).flatMap(([member, date]) => {
    const first = member === 'billFrom' ? addMonths(today, -BACK_MONTHS) : FIRST_DAY
    if (!isText(date) || (date >= first && date <= LAST_DAY)) return []
    return wrongAt(
      { en: `Must be from ${first} to ${LAST_DAY}.`, fr: `Doit être du ${first} au ${LAST_DAY}.` },
      `/${member}`,
    )
  })
  if (outside.length > 0) return outside
  const isAfter = (later: unknown, earlier: unknown): boolean => isText(later) && isText(earlier) && later > earlier
  return [
    ...(isAfter(startDate, endDate) ? wrongAt(BEFORE_START, '/endDate') : []),
    ...(isAfter(startDate, billFrom) ? wrongAt(BEFORE_START, '/billFrom') : []),
    ...(isAfter(billFrom, endDate) && !isAfter(startDate, endDate) ? wrongAt(AFTER_END, '/billFrom') : []),
  ]
}
