// `bun scripts/faults/kill.ts [--rounds 200]`: kill -9 under 200 writes/s, again and again.
import { killRounds } from '../../test/faults/kill.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { report, roundsOr } from './report.ts'

const began = performance.now()
const counts = await killRounds(temporaryFolder('kill'), roundsOr(200))
const seconds = Math.round((performance.now() - began) / 1000)
report(`kill -9, ${counts.rounds} rounds in ${seconds} s`, counts, {
  'no acknowledged write lost': counts.lost.length === 0,
  'no key with two effects': counts.doubled.length === 0,
  'the database is whole': counts.integrity === 'ok' && counts.dangling === 0,
  'ready again within 2 s each time': (counts.slowestReadyMs ?? Number.POSITIVE_INFINITY) < 2000,
  'writes were under way': counts.acknowledged > counts.rounds * 5,
})
