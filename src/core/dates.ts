/*
 * Dates are 'YYYY-MM-DD' strings of the proleptic Gregorian calendar, years 0001–9999, so they compare as strings.
 * Functions that take a date throw RangeError for a text that is none, or when the result leaves those years.
 */

const DAY_MS = 86_400_000

const BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
const MONTHS = {
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
} as const
// Day numbers count from 0001-01-01, which is 0.
const EPOCH_DAY = dayNumber(1970, 1, 1)
const LAST_DAY = dayNumber(9999, 12, 31)

type Parts = { year: number; month: number; day: number }

/** Whether `s` is a date of the calendar written YYYY-MM-DD, year 0001 to 9999. */
export function isDate(s: string): boolean {
  return read(s) !== undefined
}

/** `date` moved by `n` days, which may be negative. */
export function addDays(date: string, n: number): string {
  return fromDayNumber(toDayNumber(date) + n)
}

/** `anchor` moved by `n` months; days 29–31 clamp to the month's end. Count from the anchor each time: no drift. */
export function addMonths(anchor: string, n: number): string {
  const { year, month, day } = parts(anchor)
  const index = year * 12 + month - 1 + n
  const y = Math.floor(index / 12)
  const m = index - y * 12 + 1
  if (!Number.isSafeInteger(index) || y < 1 || y > 9999) throw new RangeError('date outside the years 0001 to 9999')
  return write(y, m, Math.min(day, daysInMonth(y, m)))
}

/** Days from `a` to `b` (b − a); negative when b is earlier. */
export function daysBetween(a: string, b: string): number {
  return toDayNumber(b) - toDayNumber(a)
}

/** Days of the range a…b with both ends counted; 0 or less when b lies before a. */
export function daysInclusive(a: string, b: string): number {
  return daysBetween(a, b) + 1
}

/** The earlier of two dates. */
export function minDate(a: string, b: string): string {
  return a < b ? a : b
}

/** The later of two dates. */
export function maxDate(a: string, b: string): string {
  return a > b ? a : b
}

/** A date in words: `1er mars 2026` (fr) or `1 March 2026` (en). */
export function formatDate(date: string, locale: 'fr' | 'en'): string {
  const { year, month, day } = parts(date)
  const ordinal = locale === 'fr' && day === 1 ? '1er' : String(day)
  return `${ordinal} ${MONTHS[locale][month - 1]} ${year}`
}

/** A day of a month as people count it: `le 1er`, `le 5` (fr) or `the 1st`, `the 22nd` (en). */
export function formatDay(day: number, locale: 'fr' | 'en'): string {
  if (locale === 'fr') return `le ${day === 1 ? '1er' : day}`
  const ending = day > 3 && day < 21 ? undefined : ['th', 'st', 'nd', 'rd'][day % 10]
  return `the ${day}${ending ?? 'th'}`
}

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/

/** Whether `s` is an RFC 3339 date-time with its zone; no leap seconds (:60), at most 9 fraction digits. */
export function isDateTime(s: string): boolean {
  return instantOf(s) !== undefined
}

/** An RFC 3339 date-time in UTC with milliseconds and Z; finer fractions are cut off. RangeError when it is none. */
export function toUtc(s: string): string {
  const ms = instantOf(s)
  if (ms === undefined) throw new RangeError('not an RFC 3339 date-time')
  return new Date(ms).toISOString()
}

/** Whether `s` names a time zone of the IANA database known to this runtime; bare offsets (+01:00) are none. */
export function isTimeZone(s: string): boolean {
  return zoneOf(s) !== undefined
}

/** Milliseconds that clocks of `timeZone` show at an instant, counted like it from 1970. @throws RangeError */
function localMs(instantMs: number, timeZone: string): number {
  const zone = zoneOf(timeZone)
  if (!zone) throw new RangeError('unknown time zone')
  const utcDay = Math.floor(instantMs / DAY_MS)
  if (!(utcDay + EPOCH_DAY > 0 && utcDay + EPOCH_DAY < LAST_DAY)) throw new RangeError('instant out of range')
  return instantMs + (zone.offsets.get(utcDay) ?? offsetOn(zone, utcDay, instantMs))
}

/**
 * The calendar date that clocks of `timeZone` show at `instantMs` (milliseconds since 1970).
 * Throws RangeError for an unknown zone, or an instant outside 0001-01-02…9999-12-30 UTC.
 */
export const localDate = (instantMs: number, timeZone: string): string =>
  fromDayNumber(Math.floor(localMs(instantMs, timeZone) / DAY_MS) + EPOCH_DAY)

const WEEK_MS = 7 * DAY_MS
/**
 * How far clocks of `timeZone` are ahead of UTC from one instant to another, all in ms since 1970: each change with the
 * instant of it, the oldest first; the first one holds from `fromMs`. Zones change at most once in a week.
 */
export function offsetsOf(fromMs: number, toMs: number, timeZone: string): { sinceMs: number; aheadMs: number }[] {
  const at = (ms: number): number => localMs(ms, timeZone) - ms
  let aheadMs = at(fromMs)
  const found = [{ sinceMs: fromMs, aheadMs }]
  for (let early = fromMs; early < toMs; early += WEEK_MS) {
    let late = Math.min(early + WEEK_MS, toMs)
    if (at(late) === aheadMs) continue
    let before = early
    while (late - before > 1) {
      const middle = Math.floor((before + late) / 2)
      if (at(middle) === aheadMs) before = middle
      else late = middle
    }
    aheadMs = at(late)
    found.push({ sinceMs: late, aheadMs })
  }
  return found
}

/** The first instant (milliseconds since 1970) at which clocks of `timeZone` show `date` or a later day. @throws RangeError */
export function startOfDay(date: string, timeZone: string): number {
  const midnight = (toDayNumber(date) - EPOCH_DAY) * DAY_MS
  let early = midnight - DAY_MS
  let late = midnight + DAY_MS
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (localDate(middle, timeZone) < date) early = middle
    else late = middle
  }
  return late
}

/** The time of day, HH:MM, that clocks of `timeZone` show at an instant. Throws as localDate does. */
export const localTime = (instantMs: number, timeZone: string): string =>
  new Date(localMs(instantMs, timeZone)).toISOString().slice(11, 16)

type Zone = { readonly format: Intl.DateTimeFormat; readonly offsets: Map<number, number> }
const zones = new Map<string, Zone>()

function zoneOf(timeZone: string): Zone | undefined {
  const known = zones.get(timeZone)
  if (known || !/^[A-Za-z][\w+/-]{0,63}$/.test(timeZone)) return known
  try {
    const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
    const clock = { timeZone, hourCycle: 'h23', second: 'numeric' } as const
    const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { ...fields, ...clock })
    return remember(zones, timeZone, { format, offsets: new Map() })
  } catch {
    return undefined
  }
}

// Formatting costs microseconds, so a UTC day's offset is kept, unless the clocks change on that day.
function offsetOn(zone: Zone, utcDay: number, instantMs: number): number {
  const atStart = offsetAt(zone.format, utcDay * DAY_MS)
  if (atStart !== offsetAt(zone.format, (utcDay + 1) * DAY_MS - 1000)) return offsetAt(zone.format, instantMs)
  return remember(zone.offsets, utcDay, atStart)
}

function offsetAt(format: Intl.DateTimeFormat, instantMs: number): number {
  const seconds = Math.floor(instantMs / 1000)
  const shown = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]))
  const of = (field: Intl.DateTimeFormatPartTypes) => shown.get(field) ?? 0
  const day = dayNumber(of('year'), of('month'), of('day')) - EPOCH_DAY
  return (day * 86_400 + of('hour') * 3600 + of('minute') * 60 + of('second') - seconds) * 1000
}

// Bounded: zone names come from users, days from data.
function remember<K, V>(cache: Map<K, V>, key: K, value: V): V {
  if (cache.size >= 2000) cache.clear()
  cache.set(key, value)
  return value
}

function instantOf(s: string): number | undefined {
  const [, date, hours, minutes, seconds, fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] =
    DATE_TIME.exec(s) ?? []
  if (date === undefined || !isDate(date)) return undefined
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -60_000 : 60_000)
  const time = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000
  const ms = (toDayNumber(date) - EPOCH_DAY) * DAY_MS + time + Number(fraction.slice(0, 3).padEnd(3, '0')) - zone
  const day = Math.floor(ms / DAY_MS) + EPOCH_DAY
  return day < 0 || day > LAST_DAY ? undefined : ms
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function read(s: string): Parts | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(s)) return undefined
  const year = Number(s.slice(0, 4))
  const month = Number(s.slice(5, 7))
  const day = Number(s.slice(8))
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  return { year, month, day }
}

function parts(date: string): Parts {
  const found = read(date)
  if (!found) throw new RangeError('not a date of the calendar')
  return found
}

function write(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`
}

// Own arithmetic: Date.UTC reads the years 0–99 as 1900–1999.
function dayNumber(year: number, month: number, day: number): number {
  const past = year - 1
  const leapDays = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400)
  const leapShift = month > 2 && isLeap(year) ? 1 : 0
  return past * 365 + leapDays + (BEFORE_MONTH[month - 1] ?? 0) + leapShift + day - 1
}

function toDayNumber(date: string): number {
  const { year, month, day } = parts(date)
  return dayNumber(year, month, day)
}

function fromDayNumber(n: number): string {
  if (!Number.isInteger(n) || n < 0 || n > LAST_DAY) throw new RangeError('date outside the years 0001 to 9999')
  // 146,097 days are 400 years; the guess is off by one year at most.
  let year = Math.floor((n * 400) / 146_097) + 1
  if (dayNumber(year, 1, 1) > n) year--
  else if (dayNumber(year + 1, 1, 1) <= n) year++
  const rest = n - dayNumber(year, 1, 1)
  let month = Math.min(12, Math.floor(rest / 28) + 1)
  while (dayNumber(year, month, 1) > n) month--
  return write(year, month, n - dayNumber(year, month, 1) + 1)
}
