// kill -9 at any moment: nothing acknowledged is lost, nothing happens twice, the next start is fast.
import { afterAll, expect, test } from 'bun:test'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { killRounds } from './kill.ts'
import { finish, killedFirstStart, killedMigrations } from './start-faults.ts'

afterAll(cleaner())

test('killed under writes: 0 acknowledged writes lost, 0 doubled, the file whole', async () => {
  const seen = await killRounds(temporaryFolder('kill'), 4)
  expect(seen).toMatchObject({ lost: [], doubled: [], integrity: 'ok', dangling: 0, exit: 0 })
  expect(seen.acknowledged).toBeGreaterThan(20)
  // Half of them, because other tests want the processor too; the long version holds each to it. The first start, which
  // fills a demo, shows how slow a busy machine is.
  expect(seen.medianReadyMs).toBeLessThan(Math.max(2000, Number(seen.firstReadyMs)))
}, 60_000)

test('killed in its first start: never half a database, and the next start works', async () => {
  const halfway: string[] = []
  for (const after of [0, 3, 8, 20]) {
    const data = temporaryFolder('first')
    const left = await killedFirstStart(data, after)
    halfway.push(...left.filter((name) => name === 'loyer.db.new'))
    const { code, says } = await finish({ data, command: 'migrate' })
    expect({ after, left, code, says }).toMatchObject({ code: 0, says: expect.stringContaining('is up to date') })
    expect(Object.keys(contents(data))).toEqual(['loyer.db', 'loyer.db.lock', 'loyer.db.reserve'])
  }
  // Otherwise the kills came too late, and nothing was shown.
  expect(halfway.length).toBeGreaterThan(0)
}, 60_000)

test('killed in the middle of a migration: all old or all new, every child row there, and the next start finishes it', async () => {
  const seen = await killedMigrations(temporaryFolder('migrate'), 12)
  expect(seen.broken).toEqual([])
  // Otherwise the kills came too late, and nothing was shown.
  expect(seen.old).toBeGreaterThan(0)
}, 60_000)
