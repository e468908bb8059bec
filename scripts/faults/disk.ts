// `bun scripts/faults/disk.ts [--rounds 20]`: a small disk that fills up and gets room again; mounting one needs root.
import { fillAndFree, limitedFiles, smallDisk } from '../../test/faults/disk.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { freePort } from '../../test/support/server.ts'
import { report, roundsOr } from './report.ts'

const rounds = roundsOr(20)
for (const [make, needs] of [
  // Room for the rows of all rounds: it is the ballast that fills it.
  [(folder: string) => smallDisk(folder, '32m'), 'the right to mount a tmpfs'],
  [limitedFiles, 'prlimit'],
] as const) {
  const disk = make(temporaryFolder('disk'))
  if (!disk) {
    process.stdout.write(`not shown: needs ${needs}\n`)
    continue
  }
  const { log: _log, ...seen } = await fillAndFree(disk, rounds, await freePort())
  disk.remove()
  report(`${disk.name}, ${rounds} times`, seen, {
    'writes 503 with Retry-After, reads 200, writes again with room': seen.surprises.length === 0,
    'writes were refused': seen.refused > rounds * 10,
    'no acknowledged write lost, none happened twice': seen.lost.length === 0 && seen.doubled.length === 0,
    'the database is whole': seen.integrity === 'ok' && seen.dangling === 0,
    'exit 0': seen.exit === 0,
  })
}
