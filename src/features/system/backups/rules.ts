import { clockOf } from '../../../core/dates.ts'

const HOUR_MS = 3600_000
/** Without a good backup for this long, the home page says so. */
const LATE_MS = 48 * HOUR_MS

type Known = {
  readonly last?: { readonly createdAt: string } | undefined
  readonly failed?: { readonly at: string } | undefined
}

/**
 * Whether the daily backup is due: the time of day `at` (HH:MM in the time zone) has come since the last good one. A
 * failed one is tried again after an hour.
 */
export function isDue({ last, failed }: Known, at: string, timeZone: string, nowMs: number): boolean {
  const now = clockOf(nowMs, timeZone)
  const today = now.withPlainTime(at)
  const moment = today.epochMilliseconds <= nowMs ? today : today.subtract({ days: 1 })
  // A date after now was set by a clock that was ahead: it says nothing about today.
  const isIn = (at: string | undefined, since: number): boolean => {
    const ms = Date.parse(at ?? '')
    return ms >= since && ms <= nowMs
  }
  return !isIn(last?.createdAt, moment.epochMilliseconds) && !isIn(failed?.at, nowMs - HOUR_MS + 1)
}

/** When the last good backup was made, epoch ms; undefined where none is known, or its date is one of a wrong clock. */
export function lastGood({ last }: Known, nowMs: number): number | undefined {
  const ms = Date.parse(last?.createdAt ?? '')
  return ms - nowMs <= LATE_MS ? ms : undefined
}

/** Whether the last good backup is too old; where none is known, whether one was tried. */
export function isLate(known: Known, nowMs: number): boolean {
  const at = lastGood(known, nowMs)
  return at === undefined ? (known.failed ?? known.last) !== undefined : nowMs - at > LATE_MS
}
