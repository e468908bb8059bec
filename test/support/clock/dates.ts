import { join } from 'node:path'

/** The date of a run that names none, in Douala. */
const USUAL = '2026-11-24T10:00'

/**
 * How far a clock that shows `date` is ahead of this machine's, ms: `2028-02-29T23:30` by the time of Douala, with a `Z`
 * at its end by UTC, `now` by this machine.
 * @throws Error for anything else
 */
export function aheadOf(date = USUAL): number {
  if (date === 'now') return 0
  const at = Date.parse(date.endsWith('Z') ? date : `${date}+01:00`)
  if (Number.isNaN(at) || !date.includes('T')) throw new Error(`${date} is no date like 2028-02-29T23:30`)
  return at - Date.now()
}

/** The module that moves the clock of a program which is given `CLOCK_AHEAD`. */
export const PRELOAD = join(import.meta.dirname, 'program.ts')
/** The environment of a program, from source or compiled, whose clock is ahead by these milliseconds. */
export const aheadBy = (ms: number) => ({ CLOCK_AHEAD: String(ms), BUN_OPTIONS: `--preload=${PRELOAD}` })
/** The environment of a program that lives on the date of this process. */
export const sameDate = (): Readonly<Record<string, string>> =>
  process.env.CLOCK_AHEAD === undefined ? {} : aheadBy(Number(process.env.CLOCK_AHEAD))
