// Starting: one process at a time, and a folder that cannot be used is said to be so, in one line.
import { afterAll, expect, test } from 'bun:test'
import { chmodSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { startServer } from '../support/server.ts'
import { canMount, smallDisk } from './disk.ts'
import { finish, readOnlyCopy } from './start-faults.ts'
import { startTogether } from './starts.ts'

afterAll(cleaner())

for (const [name, rounds] of [
  ['an empty folder', 1],
  ['a folder in use before', 1],
] as const)
  test(`8 processes at once on ${name}: one serves, seven say why they do not`, async () => {
    const data = temporaryFolder('starts')
    if (name !== 'an empty folder') await finish({ data, command: 'migrate' })
    for (let i = 0; i < rounds; i++)
      expect(await startTogether(data)).toEqual({
        serving: 1,
        others: Array.from({ length: 7 }, () => '75 and says why'),
        exits: [0],
      })
  }, 60_000)

test('a folder that nobody may write in: exit 78 with one line, nothing tried', async () => {
  const data = temporaryFolder('writable')
  await finish({ data, command: 'migrate' })
  const locked = readOnlyCopy(data)
  const before = contents(locked.data)
  const { code, says } = await finish({ ...locked, command: 'serve' })
  chmodSync(locked.data, 0o755)
  expect({ code, says }).toEqual({ code: 78, says: expect.stringMatching(/^.*cannot be used.*$/) })
  expect(contents(locked.data)).toEqual(before)
}, 20_000)

const FULL =
  'a disk without room for a new database: exit with one line, and nothing is left that the next start trips over'
test.skipIf(!canMount())(
  FULL,
  async () => {
    const disk = smallDisk(temporaryFolder('small'), '4m')
    if (!disk) throw new Error('no disk')
    const { bavail, bsize } = statfsSync(join(disk.data, '..'))
    writeFileSync(join(disk.data, '..', 'ballast'), Buffer.alloc(Math.max(0, bavail - 20) * bsize))
    const { code, says } = await finish({ data: disk.data, command: 'migrate' })
    expect({ code, says }).toEqual({ code: 70, says: expect.stringMatching(/^.*full.*$/) })
    expect(Object.keys(contents(disk.data))).toEqual(['loyer.db.lock'])
    disk.free({} as never)
    expect(await finish({ data: disk.data, command: 'migrate' })).toMatchObject({ code: 0 })
    disk.remove()
  },
  20_000,
)

test('a second process while one serves leaves the first alone', async () => {
  const data = temporaryFolder('second')
  const server = await startServer({ data })
  expect(await finish({ data, command: 'serve' })).toMatchObject({ code: 75 })
  expect(await finish({ data, command: 'migrate' })).toMatchObject({ code: 75 })
  expect((await server.call('', 'GET /readyz')).status).toBe(200)
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
}, 30_000)
