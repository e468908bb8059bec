/*
 * Dates are 'YYYY-MM-DD' strings of the ISO calendar, years 0001–9999, so they compare as strings.
 * Functions that take a date throw RangeError for a text that is no date, or when the result leaves those years.
 */

/** A day of 24 hours, in milliseconds. */
export const DAY_MS = 86_400_000

const MONTHS = {
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
} as const

function plain(date: string): Temporal.PlainDate {
  // Temporal accepts more than this: 20260310, times, calendars, the year 0.
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(date)) throw new RangeError('not a date of the calendar')
  return Temporal.PlainDate.from(date)
}
function text(date: Temporal.PlainDate): string {
  if (date.year < 1 || date.year > 9999) throw new RangeError('date outside the years 0001 to 9999')
  return date.toString()
}
const holds = (read: () => unknown): boolean => {
  try {
    read()
    return true
  } catch {
    return false
  }
}

/** Whether `s` is a date of the calendar written YYYY-MM-DD, year 0001 to 9999. */
export const isDate = (s: string): boolean => holds(() => plain(s))

/** `date` moved by `days`, which may be negative. */
export const addDays = (date: string, days: number): string => text(plain(date).add({ days }))

/** `anchor` moved by `months`; days 29–31 clamp to the month's end. Count from the anchor each time: no drift. */
export const addMonths = (anchor: string, months: number): string => text(plain(anchor).add({ months }))

/** The first day of a date's month. */
export const firstOfMonth = (date: string): string => `${date.slice(0, 8)}01`

/** The year of a date, as a number. */
export const yearOf = (date: string): number => Number(date.slice(0, 4))

/** Days from `a` to `b` (b − a); negative when b is earlier. */
export const daysBetween = (a: string, b: string): number => plain(a).until(plain(b)).days

/** Days of the range a…b with both ends counted; 0 or less when b lies before a. */
export const daysInclusive = (a: string, b: string): number => daysBetween(a, b) + 1

/** The earlier of two dates. */
export const minDate = (a: string, b: string): string => (a < b ? a : b)

/** The later of two dates. */
export const maxDate = (a: string, b: string): string => (a > b ? a : b)

/** A date in words: `1er mars 2026` (fr) or `1 March 2026` (en). */
export function formatDate(date: string, locale: 'fr' | 'en'): string {
  const { year, month, day } = plain(date)
  const ordinal = locale === 'fr' && day === 1 ? '1er' : String(day)
  return `${ordinal} ${MONTHS[locale][month - 1]} ${year}`
}

/** The first and the last day of a span in words; days of one month say it once: `1er`, `31 octobre 2026`. */
export function spanOf(from: string, to: string, locale: 'fr' | 'en'): [first: string, last: string] {
  const [first, last] = [formatDate(from, locale), formatDate(to, locale)]
  const oneMonth = from !== to && from.slice(0, 7) === to.slice(0, 7)
  return [oneMonth ? first.slice(0, first.indexOf(' ')) : first, last]
}

/** A day of a month as people count it: `le 1er`, `le 5` (fr) or `the 1st`, `the 22nd` (en). */
export function formatDay(day: number, locale: 'fr' | 'en'): string {
  if (locale === 'fr') return `le ${day === 1 ? '1er' : day}`
  const ending = day > 3 && day < 21 ? undefined : ['th', 'st', 'nd', 'rd'][day % 10]
  return `the ${day}${ending ?? 'th'}`
}

const DATE_TIME = /^(?!0000)\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** Whether `s` is an RFC 3339 date-time with its zone; no leap seconds (:60), at most 9 fraction digits. */
export const isDateTime = (s: string): boolean => holds(() => toUtc(s))

/** An RFC 3339 date-time in UTC with milliseconds and Z; finer fractions are cut off. RangeError when it is none. */
export function toUtc(s: string): string {
  if (!DATE_TIME.test(s)) throw new RangeError('not an RFC 3339 date-time')
  const utc = new Date(Temporal.Instant.from(s).epochMilliseconds).toISOString()
  if (!/^(?!0000)\d/.test(utc)) throw new RangeError('date-time outside the years 0001 to 9999')
  return utc
}

/** Whether `s` names a time zone of the IANA database known to this runtime; bare offsets (+01:00) are none. */
export const isTimeZone = (s: string): boolean => holds(() => clockOf(0, s))

/** An instant (milliseconds since 1970) as the clock of a time zone shows it. @throws RangeError */
export function clockOf(instantMs: number, timeZone: string): Temporal.ZonedDateTime {
  // Temporal accepts an offset as a zone: refuse it.
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(timeZone)) throw new RangeError('unknown time zone')
  return Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timeZone)
}

/** The calendar date in `timeZone` at `instantMs` (milliseconds since 1970). @throws RangeError */
export const localDate = (instantMs: number, timeZone: string): string =>
  text(clockOf(instantMs, timeZone).toPlainDate())

/** The time of day, HH:MM, in `timeZone` at an instant. @throws RangeError */
export const localTime = (instantMs: number, timeZone: string): string =>
  clockOf(instantMs, timeZone).toPlainTime().toString({ smallestUnit: 'minute' })

/**
 * The UTC offset of `timeZone` between two instants, all in ms since 1970: each change with its instant, oldest first;
 * the first one is valid from `fromMs`.
 */
export function offsetsOf(fromMs: number, toMs: number, timeZone: string): { sinceMs: number; aheadMs: number }[] {
  const changes: { sinceMs: number; aheadMs: number }[] = []
  for (
    let at: Temporal.ZonedDateTime | null = clockOf(fromMs, timeZone);
    at !== null && at.epochMilliseconds <= toMs;
    at = at.getTimeZoneTransition('next')
  )
    changes.push({ sinceMs: at.epochMilliseconds, aheadMs: at.offsetNanoseconds / 1e6 })
  return changes
}

/**
 * The first instant (milliseconds since 1970) at which the local date in `timeZone` is `date` or later. @throws
 * RangeError
 */
export const startOfDay = (date: string, timeZone: string): number =>
  plain(date).toZonedDateTime(timeZone).epochMilliseconds

/** An instant in words, such as "29 November 2026 at 10:15". */
export const momentOf = (instantMs: number, locale: 'fr' | 'en', timeZone: string): string =>
  new Intl.DateTimeFormat(locale === 'fr' ? 'fr' : 'en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    instantMs,
  )
