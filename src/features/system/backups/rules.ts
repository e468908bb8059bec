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
  const done = last !== undefined && Date.parse(last.createdAt) >= moment.epochMilliseconds
  return !done && (failed === undefined || nowMs - Date.parse(failed.at) >= HOUR_MS)
}

/** When the last good backup was made, epoch ms; undefined where none is known. */
export function lastGood({ last }: Known): number | undefined {
  const ms = Date.parse(last?.createdAt ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

/** Whether the last good backup is too old; with none at all, whether one was tried. */
export const isLate = ({ last, failed }: Known, nowMs: number): boolean =>
  last === undefined ? failed !== undefined : nowMs - Date.parse(last.createdAt) > LATE_MS
