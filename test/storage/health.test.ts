// What /readyz and /metrics say when the ground gives way: a full disk, a file that went, damage that a statement meets.
import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { loadConfig } from '../../src/config.ts'
import { silentLog } from '../../src/log.ts'
import { buildDeps } from '../../src/wiring.ts'
import { canMount, smallDisk } from '../faults/disk.ts'
import { createTestApp } from '../support/app.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { startServer } from '../support/server.ts'

afterAll(cleaner())
const villa = { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }
const big = { ...villa, amenities: Array.from({ length: 50 }, (_, i) => `${i} ${'x'.repeat(60)}`) }

test('not ready after a refused write, until one succeeds; then by itself', async () => {
  const t = createTestApp()
  const ready = () => t.call(undefined, 'GET /readyz')
  const gauge = async (name: string) =>
    (await t.call(undefined, 'GET /metrics')).text.match(new RegExp(`^${name} (.*)$`, 'm'))?.[1]
  expect((await t.call('OWNER.ana', 'POST /api/v1/properties', villa)).status).toBe(201)
  expect([(await ready()).status, await gauge('loyer_storage_writable')]).toEqual([200, '1'])
  t.store.client.pragma(`max_page_count = ${t.store.client.pragma('page_count', { simple: true })}`)
  let answer = await t.call('OWNER.ana', 'POST /api/v1/properties', big)
  for (let i = 0; i < 200 && answer.status === 201; i++)
    answer = await t.call('OWNER.ana', 'POST /api/v1/properties', big)
  expect([answer.status, answer.body.detail]).toEqual([503, expect.stringContaining('The disk is full')])
  expect(await gauge('loyer_storage_writable')).toBe('0')
  expect(Number(await gauge('loyer_storage_refused_writes'))).toBeGreaterThan(0)
  expect((await t.call('OWNER.ana', 'GET /api/v1/properties')).status).toBe(200)
  t.store.client.pragma('max_page_count = 1000000')
  // Nobody writes: the question itself tries, at most once a second.
  const statuses = [(await ready()).status]
  for (let i = 0; i < 30 && statuses.at(-1) !== 200; i++) {
    await Bun.sleep(100)
    statuses.push((await ready()).status)
  }
  expect([statuses.at(-1), await gauge('loyer_storage_writable')]).toEqual([200, '1'])
})

const away: [name: string, move: (file: string) => void][] = [
  ['the data folder is gone', (file) => renameSync(dirname(file), `${dirname(file)}-away`)],
  ['the database is deleted', (file) => rmSync(file)],
  [
    'another file is in its place',
    (file) => {
      copyFileSync(file, `${file}.copy`)
      renameSync(`${file}.copy`, file)
    },
  ],
]
test.each(away)(
  '%s: nothing is acknowledged that would be lost, and both pages say so',
  async (_name, move) => {
    const data = join(temporaryFolder('away'), 'data')
    const server = await startServer({ data })
    const token = await server.token()
    expect((await server.call(token, 'POST /api/v1/properties', villa)).status).toBe(201)
    move(join(data, 'loyer.db'))
    for (let i = 0; i < 6; i++) {
      const { status, body } = await server.call(token, 'POST /api/v1/properties', villa)
      expect([status, body.code]).toEqual([503, 'storage_unavailable'])
    }
    const ready = await server.call('', 'GET /readyz')
    expect([ready.status, ready.body.detail]).toEqual([
      503,
      expect.stringContaining('is gone, or another one has taken its place'),
    ])
    expect((await server.call('', 'GET /metrics')).status).toBe(200)
    await server.end('SIGTERM')
  },
  120_000,
)

test.each(['-wal', '-shm'])(
  'loyer.db%s is deleted: both pages say so, and nothing acknowledged is lost',
  async (end) => {
    const data = join(temporaryFolder('log'), 'data')
    const server = await startServer({ data })
    const token = await server.token()
    const ids: unknown[] = []
    for (let n = 0; n < 5; n++) ids.push((await server.call(token, 'POST /api/v1/properties', villa)).body.id)
    expect((await server.call('', 'GET /readyz')).status).toBe(200)
    rmSync(join(data, `loyer.db${end}`))
    const { status, body } = await server.call(token, 'POST /api/v1/properties', villa)
    expect([status, body.code]).toEqual([503, 'storage_unavailable'])
    const ready = await server.call('', 'GET /readyz')
    expect([ready.status, ready.body.detail]).toEqual([503, expect.stringContaining('the log beside it is gone')])
    const metrics = await fetch(`${server.base}/metrics`)
    expect(await metrics.text()).toMatch(/^loyer_storage_writable 0$/m)
    for (const id of ids) expect((await server.call(token, `GET /api/v1/properties/${id}`)).status).toBe(200)
    await server.end('SIGKILL')

    const again = await startServer({ data })
    const other = await again.token()
    for (const id of ids) expect((await again.call(other, `GET /api/v1/properties/${id}`)).status).toBe(200)
    expect((await again.call(other, 'POST /api/v1/properties', villa)).status).toBe(201)
    await again.end('SIGTERM')
  },
  120_000,
)

test('a statement that meets damage ends all writing at once', async () => {
  const t = createTestApp()
  expect((await t.call('OWNER.ana', 'GET /api/v1/properties')).status).toBe(200)
  const damage = new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT')
  const failing = t.store.write(null, () => {
    throw damage
  })
  await expect(failing).rejects.toMatchObject({ code: 'storage_unavailable', details: { retryAfter: 3600 } })
  const { status, body } = await t.call('OWNER.ana', 'POST /api/v1/properties', villa)
  expect([status, body.detail]).toEqual([503, expect.stringContaining('damaged')])
  // A quick look through the pages that finds nothing does not take it back.
  t.store.health.checked([])
  expect((await t.call(undefined, 'GET /readyz')).status).toBe(503)
  expect((await t.call('OWNER.ana', 'GET /api/v1/properties')).status).toBe(200)
})

test.each(['keys', 'media', 'documents'])('a folder with %s and no database does not start', async (name) => {
  const data = join(temporaryFolder('emptied'), 'data')
  mkdirSync(join(data, name, 'ab'), { recursive: true })
  writeFileSync(join(data, name, 'ab', 'file'), 'x')
  const refused = buildDeps(loadConfig({ LOYER_DATA: data }), silentLog)
  await expect(refused).rejects.toThrow(`${data} still has ${name}. Nothing was changed.`)
  await expect(refused).rejects.toMatchObject({ exitCode: 65 })
})

const NO_ROOM = 'a disk without room: a start reads all the same, says what is wrong, and writes once there is room'
test.skipIf(!canMount())(
  NO_ROOM,
  async () => {
    const disk = smallDisk(temporaryFolder('no-room'), '12m')
    if (!disk) throw new Error('no disk')
    await (await startServer({ data: disk.data })).end('SIGTERM')
    // The room that a start holds for the next is all that is left.
    const { bavail, bsize } = statfsSync(dirname(disk.data))
    writeFileSync(join(dirname(disk.data), 'ballast'), Buffer.alloc(bavail * bsize))
    const server = await startServer({ data: disk.data, command: 'serve' })
    const token = await server.token()
    expect((await server.call(token, 'GET /api/v1/properties')).status).toBe(200)
    let answer = await server.call(token, 'POST /api/v1/properties', big)
    for (let i = 0; i < 400 && answer.status === 201; i++)
      answer = await server.call(token, 'POST /api/v1/properties', big)
    let ready = 0
    // A small write of a job may still find room between the refusal and the question: then it is asked again.
    for (let i = 0; i < 20 && ready !== 503; i++) {
      if (i > 0) answer = await server.call(token, 'POST /api/v1/properties', big)
      expect([answer.status, answer.body.detail]).toEqual([
        503,
        expect.stringMatching(/^The disk (is|of this server is nearly) full/),
      ])
      ready = (await server.call('', 'GET /readyz')).status
    }
    expect(ready).toBe(503)
    rmSync(join(dirname(disk.data), 'ballast'))
    await Bun.sleep(1100)
    expect((await server.call('', 'GET /readyz')).status).toBe(200)
    expect((await server.end('SIGTERM')).code).toBe(0)
    disk.remove()
  },
  120_000,
)
