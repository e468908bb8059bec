const DAY_MS = 86_400_000
/** A clock that shows an earlier time was never set: a board without a battery starts in 1970. */
const WRITTEN = Date.parse('2026-01-01T00:00:00Z')
/** How far the time may be gained upon in one look: a clock that jumps must not take it along. */
const STEP_MS = 1000

/**
 * Time that never goes back behind `mark`, ms since 1970, while the clock of the machine (`real`, ms) may be set back:
 * it then runs at half the pace until that clock has caught up. What had expired stays so.
 */
export function steadyTime(real: () => number, mark = 0) {
  let last = real()
  let time = Math.max(mark, last)
  return {
    now(): number {
      const clock = real()
      if (clock > last) time = Math.max(clock, time + Math.min((clock - last) / 2, STEP_MS))
      last = clock
      return Math.floor(time)
    },
    /** By how much this time runs before the clock of the machine, ms. */
    lead: (): number => Math.max(0, Math.floor(time - real())),
    /** Whether it runs so far before a clock that is set that one of both must have been wrong for long. */
    isAstray: (): boolean => time - real() > DAY_MS && real() > WRITTEN,
    /** Goes back to the clock of the machine. @returns both times, ms */
    reset(): { readonly from: number; readonly to: number } {
      const from = Math.floor(time)
      last = real()
      time = last
      return { from, to: Math.floor(last) }
    },
  }
}
