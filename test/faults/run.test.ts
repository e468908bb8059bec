// While it runs: signals under load, a disk that fills up, and a log that nobody reads.

import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createTestApp } from '../support/app.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { freePort, type Options, startServer } from '../support/server.ts'
import { canLimit, canMount, type Disk, fillAndFree, limitedFiles, run, smallDisk } from './disk.ts'
import { hangingRequest, stopUnderLoad } from './stop.ts'
import { stopBesideSlow, stopWhileBilling, stopWhilePacking } from './stop-long.ts'

afterAll(cleaner())

test('SIGTERM under writes: what is in flight is answered, exit 0, nothing acknowledged is lost', async () => {
  const data = temporaryFolder('stop')
  const port = await freePort()
  for (let round = 0; round < 3; round++) {
    const seen = await stopUnderLoad(data, port, round)
    expect(seen).toMatchObject({
      code: 0,
      slow: 'HTTP/1.1 201 Created',
      dropped: [],
      lost: [],
      doubled: [],
      integrity: 'ok',
    })
    expect(seen.ms).toBeLessThan(10_000)
  }
}, 180_000)

test('SIGTERM with a request that never ends: exit 0 within 10 s all the same', async () => {
  const { code, ms, output } = await hangingRequest(temporaryFolder('hang'))
  expect(code).toBe(0)
  expect(output).toContain('server.cut_off')
  expect(ms).toBeLessThan(10_000)
}, 120_000)

// What would take minutes breaks off, says nothing of an error, and is taken up again.
const quiet = (output: string) => output.split('\n').filter((line) => line.includes('"level":"error"'))

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  test(`${signal} while thousands of invoices are issued: exit 0 at once, and the next start goes on`, async () => {
    const { code, ms, issued, output, gaps } = await stopWhileBilling(temporaryFolder('billing'), signal)
    expect({ code, errors: quiet(output), gaps }).toEqual({ code: 0, errors: [], gaps: 0 })
    expect(ms).toBeLessThan(5_000)
    expect(issued).toBeGreaterThan(500)
  }, 180_000)

test('SIGTERM while an export is packed: exit 0, nothing half written is left, and it waits for the next start', async () => {
  const { status, code, left, runs, output, ms } = await stopWhilePacking(temporaryFolder('packing'), 150)
  expect({ status, code, left, runs, errors: quiet(output) }).toEqual({
    status: 202,
    code: 0,
    left: [],
    runs: [{ status: 'QUEUED', attempts: 0 }],
    errors: [],
  })
  expect(ms).toBeLessThan(5_000)
}, 180_000)

test('SIGTERM beside a receiver that never answers and a request that never ends: exit 0 within 10 s', async () => {
  const { made, code, ms } = await stopBesideSlow(temporaryFolder('slow'))
  expect({ made, code }).toEqual({ made: 201, code: 0 })
  expect(ms).toBeLessThan(9_000)
}, 180_000)

/** Fills a disk up twice under load. */
async function expectRecovery(disk: Disk | undefined): Promise<void> {
  if (!disk) throw new Error('no disk')
  const { log: _log, ...seen } = await fillAndFree(disk, 2, await freePort())
  expect(seen).toMatchObject({ surprises: [], lost: [], doubled: [], integrity: 'ok', dangling: 0, exit: 0 })
  expect(seen.refused).toBeGreaterThan(20)
  disk.remove()
}
test.skipIf(!canMount())(
  'a full disk (a tmpfs): writes 503, reads go on, room again and writes too, without a restart',
  () => expectRecovery(smallDisk(temporaryFolder('full'))),
  180_000,
)

test('a full disk (as many pages as it may have): the same', async () => {
  const app = createTestApp()
  const property = { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }
  expect((await app.call('OWNER', 'POST /api/v1/properties', property)).status).toBe(201)
  app.store.client.pragma(`max_page_count = ${app.store.client.pragma('page_count', { simple: true })}`)
  let answer = await app.call('OWNER', 'POST /api/v1/properties', property)
  for (let i = 0; i < 100 && answer.status === 201; i++)
    answer = await app.call('OWNER', 'POST /api/v1/properties', property)
  expect(answer.body).toMatchObject({ status: 503, code: 'storage_unavailable' })
  expect(answer.headers.get('retry-after')).toBe('30')
  expect((await app.call('OWNER', 'GET /api/v1/properties')).status).toBe(200)
  app.store.client.pragma('max_page_count = 1000000')
  expect((await app.call('OWNER', 'POST /api/v1/properties', property)).status).toBe(201)
}, 180_000)

test.skipIf(!canLimit())(
  'files that may not grow (prlimit; an input/output error): the same',
  () => expectRecovery(limitedFiles(temporaryFolder('limit'))),
  180_000,
)

const fifo = join(temporaryFolder('fifo'), 'log')
run('mkfifo', fifo)
const sinks: { name: string; options: Partial<Options> }[] = [
  {
    name: 'the reader of its log goes away',
    options: {
      spawned: (child) => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      },
    },
  },
  { name: 'its log was closed from the start', options: { shell: 'exec "$@" >&- 2>&-' } },
  { name: 'nobody reads its log', options: { shell: `exec "$@" 1<>${fifo} 2>&1` } },
]
for (const { name, options } of sinks)
  test(`the service goes on when ${name}`, async () => {
    const server = await startServer({ data: temporaryFolder('log'), ...options })
    const token = await server.token()
    // Each is a line in the log: together more than a pipe holds.
    for (let i = 0; i < 40; i++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => server.call(token, 'GET /api/v1/properties')))
      expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
    }
    expect((await server.end('SIGTERM')).code).toBe(0)
  }, 120_000)
