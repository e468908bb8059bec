// `bun scripts/faults/stop.ts [--rounds 50]`: SIGTERM under writes, with a request half sent.
import { hangingRequest, stopUnderLoad } from '../../test/faults/stop.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { freePort } from '../../test/support/server.ts'
import { report, roundsOr } from './report.ts'

const rounds = roundsOr(50)
const data = temporaryFolder('stop')
const port = await freePort()
const all: Awaited<ReturnType<typeof stopUnderLoad>>[] = []
for (let round = 0; round < rounds; round++) all.push(await stopUnderLoad(data, port, round))
const counts = {
  rounds,
  acknowledged: all.reduce((sum, one) => sum + one.acknowledged, 0),
  lost: all.flatMap(({ lost }) => lost),
  dropped: all.flatMap(({ dropped }) => dropped),
  slowAnswered: all.filter(({ slow }) => slow === 'HTTP/1.1 201 Created').length,
  exits: [...new Set(all.map(({ code }) => code))],
  slowestMs: Math.max(...all.map(({ ms }) => ms)),
}
report('SIGTERM under load', counts, {
  'exit 0 each time': counts.exits.join() === '0',
  'within 10 s each time': counts.slowestMs < 10_000,
  'no acknowledged write lost': counts.lost.length === 0,
  'what was in flight was answered': counts.dropped.length === 0 && counts.slowAnswered === rounds,
})
const hanging = await hangingRequest(temporaryFolder('hang'))
report('SIGTERM with a request that never ends', hanging, {
  'exit 0 within 10 s': hanging.code === 0 && hanging.ms < 10_000,
})
