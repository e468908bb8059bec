import { DAY_MS } from './dates.ts'

/** A clock before this time was never set: a board without a battery starts in 1970. */
const WRITTEN = Date.parse('2026-01-01T00:00:00Z')
/** Largest step that the time takes in one reading, so that a clock that jumps ahead does not pull it along. */
const STEP_MS = 1000

/**
 * A time source that never goes back before `mark`, ms since 1970. If the machine's clock (`real`, ms) is set back, it
 * runs at half speed until that clock has caught up, so that what expired stays expired.
 */
export function monotonicTime(real: () => number, mark = 0) {
  let last = real()
  let time = Math.max(mark, last)
  return {
    now(): number {
      const clock = real()
      if (clock > last) time = Math.max(clock, time + Math.min((clock - last) / 2, STEP_MS))
      last = clock
      return Math.floor(time)
    },
    /** How far this time is ahead of the machine's clock, ms. */
    lead: (): number => Math.max(0, Math.floor(time - real())),
    /** Whether it is so far ahead of a clock that is set that one of the two must have been wrong for long. */
    isAstray: (): boolean => time - real() > DAY_MS && real() > WRITTEN,
    /** Resets to the machine's clock. @returns both times, ms */
    reset(): { readonly from: number; readonly to: number } {
      const from = Math.floor(time)
      last = real()
      time = last
      return { from, to: Math.floor(last) }
    },
  }
}
