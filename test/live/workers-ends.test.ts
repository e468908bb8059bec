// Several processes on one port count one limit; one that dies takes nobody else's answer along, and the writer's death
// nothing that was answered.
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { launch, startServer } from '../support/server.ts'
import { able, asks, childrenOf, counted, metrics, ready, runs, startTeam, until, VILLA } from '../support/team.ts'

afterAll(cleaner())

describe.skipIf(!able)('of two workers and a writer (not here: no shared ports)', () => {
  test('a user has one limit', async () => {
    const { server, admin } = await startTeam({ RATE_LIMITS: 'on' })
    await Bun.sleep(4000)
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 300 }, () => asks(server, admin, '/me')))
    const passed = answers.filter(({ status }) => status === 200).length
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
    // 60 at once, and 20 more in each second.
    expect(passed).toBeGreaterThanOrEqual(60)
    expect(passed).toBeLessThanOrEqual(61 + Math.ceil((20 * (performance.now() - began)) / 1000))
    await server.end('SIGTERM')
  }, 60_000)

  test('one that is killed is started again, and the others go on', async () => {
    const { server, admin } = await startTeam()
    const [victim = 0, other] = childrenOf(server.pid)
    const made: string[] = []
    let [broken, wrong] = [0, 0]
    let over = false
    const client = async (i: number): Promise<void> => {
      for (let n = 0; !over; n++)
        try {
          const { status, body } = await server.call(admin, 'POST /api/v1/properties', { ...VILLA, name: `${i} ${n}` })
          if (status === 201) made.push(String(body.id))
          else wrong += 1
        } catch {
          broken += 1
        }
    }
    const clients = Promise.all(Array.from({ length: 8 }, (_, i) => client(i)))
    await Bun.sleep(300)
    process.kill(victim, 'SIGKILL')
    const again = await until(() => {
      const now = childrenOf(server.pid)
      return now.length === 2 && !now.includes(victim)
    })
    expect(again).toBe(true)
    expect(await until(async () => (await ready(server).catch(() => undefined))?.workers === 2)).toBe(true)
    over = true
    await clients
    expect(childrenOf(server.pid)).toContain(other ?? 0)
    expect(wrong).toBe(0)
    // Each connection to the one that died breaks once at most.
    expect(broken).toBeLessThanOrEqual(16)
    for (const id of made.slice(-50)) expect((await asks(server, admin, `/properties/${id}`)).status).toBe(200)
    const text = await (await fetch(`${server.base}/metrics`)).text()
    expect(text.match(/(?<=^loyer_worker_restarts\{.*)\d$/gm)?.sort()).toEqual(['0', '1'])
    await server.end('SIGTERM')
  }, 60_000)

  test('one that hangs is ended and started again, and no count falls', async () => {
    const { server, admin } = await startTeam()
    await Promise.all(Array.from({ length: 60 }, () => asks(server, admin, '/properties')))
    const [victim = 0, other = 0] = childrenOf(server.pid)
    const counts = [await counted(server, '/api/v1/properties')]
    expect(counts).toEqual([60])
    process.kill(victim, 'SIGSTOP')
    counts.push(await counted(server, '/api/v1/properties'))
    expect(await until(() => !childrenOf(server.pid).includes(victim), 20_000)).toBe(true)
    counts.push(await counted(server, '/api/v1/properties'))
    expect(await until(async () => /^loyer_workers_serving 2$/m.test(await metrics(server)))).toBe(true)
    expect(childrenOf(server.pid)).toContain(other)
    const answers = await Promise.all(Array.from({ length: 24 }, () => asks(server, admin, '/properties')))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    counts.push(await counted(server, '/api/v1/properties'))
    expect(counts).toEqual([60, 60, 60, 84])
    expect(server.output()).toContain('"worker.silent"')
    await server.end('SIGTERM')
  }, 60_000)

  test('a writer that cannot be reached is told to the client, and counted', async () => {
    const { server, admin, data } = await startTeam()
    const socket = join(data, 'writer.sock')
    const write = (name: string) => server.call(admin, 'POST /api/v1/properties', { ...VILLA, name })
    const faults = async () =>
      [...(await metrics(server)).matchAll(/^loyer_http_request_duration_seconds_count\{.*status="503"\} (\d+)$/gm)]
        .map(([, n]) => Number(n))
        .reduce((sum, n) => sum + n, 0)
    expect(await faults()).toBe(0)
    renameSync(socket, `${socket}.away`)
    // A few may still pass by a connection that is open.
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => write(`Villa ${i}`)))
    renameSync(`${socket}.away`, socket)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, body } of refused) {
      expect({ status, code: body.code, instance: body.instance }).toEqual({
        status: 503,
        code: 'overloaded',
        instance: '/api/v1/properties',
      })
      expect(body.detail).toBeString()
    }
    expect((await write('Villa')).status).toBe(201)
    expect(await faults()).toBe(refused.length)
    await server.end('SIGTERM')
  }, 60_000)

  test('all end with what they have in hand', async () => {
    const { server, admin, data } = await startTeam()
    const pids = childrenOf(server.pid)
    const writes = Array.from({ length: 40 }, (_, i) =>
      server.call(admin, 'POST /api/v1/properties', { ...VILLA, name: `${i}` }).then(
        ({ status }) => status,
        () => 'refused' as const,
      ),
    )
    await Bun.sleep(2)
    const { code, ms } = await server.end('SIGTERM')
    expect({ code, quick: ms < 10_000 }).toEqual({ code: 0, quick: true })
    expect((await Promise.all(writes)).filter((status) => status !== 201 && status !== 'refused')).toEqual([])
    expect(pids.filter(runs)).toEqual([])
    for (const left of ['writer.sock', 'shared.mem', 'loyer.db-wal']) expect(existsSync(join(data, left))).toBe(false)
  }, 60_000)

  test('none outlives the writer, the next takes the port, and nothing that was answered is lost with the log', async () => {
    const { server, admin, data } = await startTeam()
    const made: string[] = []
    const lengths: number[] = []
    const client = async (): Promise<void> => {
      for (;;) {
        const { status, body } = await server.call(admin, 'POST /api/v1/properties', VILLA)
        if (status === 201) made.push(String(body.id))
        lengths.push(statSync(join(data, 'loyer.db-wal')).size)
      }
    }
    const cutOff = Promise.allSettled(Array.from({ length: 16 }, client))
    // Some 1,000 pages and more: the thread that copies the log has had its turn, or is in the middle of it.
    expect(await until(() => made.length > 1500, 30_000)).toBe(true)
    const pids = childrenOf(server.pid)
    await server.end('SIGKILL')
    await cutOff
    expect(Math.max(...lengths)).toBeGreaterThan(1000 * 4096)
    expect(Math.max(...lengths)).toBeLessThan(64 * 2 ** 20)
    const next = await startServer({ data, command: 'serve', port: server.port, env: { WORKERS: '2' } })
    expect(await until(() => !pids.some(runs))).toBe(true)
    for (const id of [...made.slice(0, 20), ...made.slice(-200)])
      expect((await asks(next, admin, `/properties/${id}`)).status).toBe(200)
    expect((await next.end('SIGTERM')).code).toBe(0)
    expect(existsSync(join(data, 'loyer.db-wal'))).toBe(false)
  }, 90_000)

  test('a port in use and a demo are refused by name', async () => {
    const { server, data } = await startTeam()
    const second = launch({
      data: temporaryFolder('second'),
      command: 'serve',
      port: server.port,
      env: { WORKERS: '2' },
    })
    expect((await second.end()).code).toBe(75)
    expect(second.output()).toContain('Choose another PORT')
    const demo = launch({ data: join(data, 'demo'), env: { WORKERS: '2' } })
    expect((await demo.end()).code).toBe(78)
    expect(demo.output()).toContain('WORKERS: a demo is served by one process')
    await server.end('SIGTERM')
  }, 60_000)
})
