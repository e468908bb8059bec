// Loaded before a program under test: its machine's clock is ahead of the real one by the milliseconds of `CLOCK_AHEAD`,
// and by those that stand in the file `CLOCK_FILE`, while the program runs.
import { readFileSync } from 'node:fs'
import { moveClock } from './move.ts'

const { CLOCK_AHEAD = '0', CLOCK_FILE: file } = process.env
let more = 0
if (file !== undefined) {
  const look = (): void => {
    more = Number(readFileSync(file, 'utf8'))
  }
  look()
  setInterval(look, 100).unref()
}
moveClock(() => Number(CLOCK_AHEAD) + more)
