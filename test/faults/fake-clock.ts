// Loaded before the service: its machine's clock is off by the milliseconds that stand in a file.
import { readFileSync } from 'node:fs'

const real = Date.now
let offset = 0
const look = (): void => {
  offset = Number(readFileSync(process.env.FAKE_CLOCK ?? '', 'utf8'))
}
look()
setInterval(look, 100).unref()
Date.now = () => real() + offset
