// `bun scripts/faults/kill.ts [--rounds 200]`: kill -9 under 200 writes/s, again and again.
import { killRounds } from '../../test/faults/kill.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { report, roundsOr } from './report.ts'

const began = performance.now()
const seen = await killRounds(temporaryFolder('kill'), roundsOr(200))
const seconds = Math.round((performance.now() - began) / 1000)
report(`kill -9, ${seen.rounds} rounds in ${seconds} s`, seen, {
  'no acknowledged write lost': seen.lost.length === 0,
  'no key with two effects': seen.doubled.length === 0,
  'the database is whole': seen.integrity === 'ok' && seen.dangling === 0,
  'ready again within 2 s each time': (seen.slowestReadyMs ?? Number.POSITIVE_INFINITY) < 2000,
  'writes were under way': seen.acknowledged > seen.rounds * 5,
})
