// `bun scripts/faults/start.ts [--rounds 25]`: 8 processes at once on one folder; then kills during a migration and a first start.
import { finish, killedFirstStart, killedMigrations } from '../../test/faults/start-faults.ts'
import { startTogether } from '../../test/faults/starts.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { report, roundsOr } from './report.ts'

const rounds = roundsOr(25)
const counts = { rounds, onEmptyFolder: 0, oneServed: 0, saidWhy: 0, otherwise: [] as string[], exits0: 0 }
let data = temporaryFolder('starts')
for (let round = 0; round < rounds; round++) {
  // Every other round begins with an empty folder, the next one finds what that left.
  if (round % 2 === 0) data = temporaryFolder('starts')
  counts.onEmptyFolder += round % 2 === 0 ? 1 : 0
  const { serving, others, exits } = await startTogether(data)
  counts.oneServed += serving === 1 ? 1 : 0
  counts.saidWhy += others.filter((o) => o === '75 and says why').length
  counts.otherwise.push(...others.filter((o) => o !== '75 and says why'))
  counts.exits0 += exits.every((code) => code === 0) ? 1 : 0
}
report('8 processes at once', counts, {
  'exactly one served, each time': counts.oneServed === rounds,
  'the other seven said why and ended with 75': counts.saidWhy === rounds * 7,
  'the one that served ended with 0': counts.exits0 === rounds,
})

const migrations = await killedMigrations(temporaryFolder('migrate'), 20)
report('migration killed 20 times', migrations, {
  'all old or all new, and the next start finished it': migrations.broken.length === 0,
  'some kills came in time': migrations.old > 0,
})

const firsts = { halfway: 0, started: 0 }
for (let i = 0; i < 20; i++) {
  const folder = temporaryFolder('first')
  const left = await killedFirstStart(folder, (i * 2) % 30)
  firsts.halfway += left.includes('loyer.db.new') ? 1 : 0
  firsts.started += (await finish({ data: folder, command: 'migrate' })).code === 0 ? 1 : 0
}
report('first start killed 20 times', firsts, { 'the next start worked': firsts.started === 20 })
