// Loaded before every test file (bunfig.toml) and smoke: they and the programs they start live on the date `TEST_DATE`.
import { aheadBy, aheadOf } from './dates.ts'
import { moveClock } from './move.ts'

let ahead = aheadOf(process.env.TEST_DATE)
Object.assign(process.env, aheadBy(ahead))
moveClock(() => ahead)

/** From here on they live by the machine's clock, for tests of a program whose clock nothing moves. */
export function keepMachineTime(): void {
  ahead = 0
  Object.assign(process.env, aheadBy(ahead))
}
