// Loaded before every test file (bunfig.toml) and smoke: they and the programs they start live on the date `TEST_DATE`.
import { aheadBy, aheadOf } from './dates.ts'
import { moveClock } from './move.ts'

const ahead = aheadOf(process.env.TEST_DATE)
Object.assign(process.env, aheadBy(ahead))
moveClock(() => ahead)
