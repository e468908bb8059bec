// Several processes on one port: any of them answers with what was written, refuses who was refused, and counts one limit;
// one that dies takes nobody else's answer along.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { PDF } from '../support/files.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { launch, type Server, startServer } from '../support/server.ts'

// Only Linux shares a port fairly, and only Bun asks it to.
const able = process.platform === 'linux' && typeof Bun !== 'undefined'
const VILLA = { name: 'Villa', addressLine: 'Rue Njo-Njo', city: 'Douala' }

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
/** One that has ended may wait for its parent, or init, to take notice. */
const runs = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
async function until(holds: () => boolean | Promise<boolean>, ms = 15_000): Promise<boolean> {
  for (const late = performance.now() + ms; performance.now() < late; await Bun.sleep(20))
    if (await holds()) return true
  return false
}

async function account(data: string, phone: string, ...more: string[]): Promise<Record<string, string>> {
  const args = ['--phone', phone, '--first-name', 'Awa', '--last-name', 'Ngo', ...more]
  const made = launch({ data, command: 'user create', args })
  await made.end()
  return Object.fromEntries(
    made
      .output()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  )
}
async function startTeam(env: Record<string, string> = {}) {
  const data = temporaryFolder('workers')
  const admin = await account(data, '+237670000001', '--role', 'ADMIN', '--role', 'OWNER')
  const owner = await account(data, '+237670000002', '--role', 'OWNER', '--org', admin.organization ?? '')
  const server = await startServer({ data, command: 'serve', env: { WORKERS: '2', ...env } })
  await until(async () => (await ready(server)).workers === 2)
  return {
    data,
    server,
    admin: await server.token('ADMIN'),
    owner: String(owner.user),
    ownerAs: await signIn(server, owner),
  }
}
type Team = Awaited<ReturnType<typeof startTeam>>
const ready = async ({ base }: Server) => (await (await fetch(`${base}/readyz`)).json()) as { workers?: number }
const signIn = async (server: Server, { password }: Record<string, string>): Promise<string> => {
  const given = { username: '+237670000002', password }
  return String((await server.call('', 'POST /api/v1/sandbox/token', given)).body.access_token)
}
/** Asks over a connection of its own, so that either worker may get it. */
const asks = async ({ base }: Server, token: string, path: string) => {
  const answer = await fetch(`${base}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}`, connection: 'close' },
    keepalive: false,
  })
  return { status: answer.status, etag: answer.headers.get('etag'), text: await answer.text() }
}
const everywhere = async (server: Server, token: string, path: string): Promise<number[]> => {
  const answers = await Promise.all(Array.from({ length: 24 }, () => asks(server, token, path)))
  return [...new Set(answers.map(({ status }) => status))]
}
const counted = async ({ base }: Server, route: string): Promise<number> => {
  const text = await (await fetch(`${base}/metrics`)).text()
  const line = `loyer_http_request_duration_seconds_count{method="GET",route="${route}",status="200"} `
  return Number(
    text
      .split('\n')
      .find((l) => l.startsWith(line))
      ?.slice(line.length) ?? 0,
  )
}

afterAll(cleaner())

describe.skipIf(!able)('two workers and a writer (not here: no shared ports)', () => {
  let team: Team
  beforeAll(async () => {
    team = await startTeam()
  }, 60_000)

  test('are three processes, and say so', async () => {
    const { server } = team
    expect(childrenOf(server.pid)).toHaveLength(2)
    expect(await ready(server)).toEqual({ status: 'ready', workers: 2 } as object)
    const text = await (await fetch(`${server.base}/metrics`)).text()
    for (const line of ['loyer_workers 2', 'loyer_workers_serving 2', 'loyer_worker_restarts{worker="2"} 0'])
      expect(text).toContain(`${line}\n`)
  })

  test('answer with what was written, a thousand times', async () => {
    const { server, admin } = team
    const before = await counted(server, '/api/v1/properties/:id')
    let etag: string | null = ''
    for (let i = 0; i < 1000; i++) {
      const made = await server.call(admin, 'POST /api/v1/properties', { ...VILLA, name: `Villa ${i}` })
      expect(made.status).toBe(201)
      const [one, list] = await Promise.all([
        asks(server, admin, `/properties/${made.body.id}`),
        asks(server, admin, '/properties?limit=1'),
      ])
      if (one.status !== 200 || !list.text.includes(String(made.body.id)) || list.etag === etag)
        throw new Error(`${i}: ${one.status}, ${list.text}, ${list.etag}`)
      etag = list.etag
    }
    expect(await counted(server, '/api/v1/properties/:id')).toBe(before + 1000)
  }, 60_000)

  test('pass on uploads, downloads and the stream of events', async () => {
    const { server, admin } = team
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${admin}` }
    const events = await fetch(`${server.base}/api/v1/events`, { headers, signal: stop.signal })
    expect(events.status).toBe(200)
    const reader = events.body?.getReader()
    let text = ''
    void (async () => {
      for (;;) {
        const { value, done } = (await reader?.read().catch(() => undefined)) ?? { done: true, value: undefined }
        if (done) return
        text += new TextDecoder().decode(value)
      }
    })()
    // Longer than a socket of this runtime stays open by itself.
    await Bun.sleep(12_500)
    const before = text.length
    const { body: home } = await server.call(admin, 'POST /api/v1/properties', VILLA)
    expect(await until(() => text.slice(before).includes('event: changed'))).toBe(true)
    stop.abort()

    const bytes = Buffer.concat([PDF.subarray(0, 9), Buffer.alloc(3_000_000, '% more\n'), PDF.subarray(9)])
    const about = { ownerType: 'PROPERTY', ownerId: home.id, kind: 'DOCUMENT', filename: 'a.pdf' }
    const given = { ...about, contentType: 'application/pdf', sizeBytes: bytes.length }
    const { body: media } = await server.call(admin, 'POST /api/v1/media', given)
    const { url, headers: needed } = media.upload as { url: string; headers: Record<string, string> }
    expect((await fetch(url, { method: 'PUT', headers: needed, body: bytes })).status).toBe(204)
    expect((await server.call(admin, `POST /api/v1/media/${media.id}/complete`)).status).toBe(200)
    const { body: link } = await server.call(admin, `GET /api/v1/media/${media.id}/download-url`)
    expect((await (await fetch(String(link.url))).arrayBuffer()).byteLength).toBe(bytes.length)
  }, 60_000)

  test('are not held up by 300 clients that are slow to send', async () => {
    const { server, admin } = team
    const slow = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const socket = connect(server.port, '127.0.0.1')
        await once(socket, 'connect')
        const head = `POST /api/v1/properties HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${admin}\r\n`
        socket.write(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n`)
        return socket
      }),
    )
    await Bun.sleep(500)
    const began = performance.now()
    expect((await server.call(admin, 'POST /api/v1/properties', VILLA)).status).toBe(201)
    expect(performance.now() - began).toBeLessThan(3000)
    for (const socket of slow) socket.destroy()
  }, 30_000)

  test('believe no header about who the client is, or that a worker asks', async () => {
    const { server } = team
    for (const word of ['', 'x', 'x 10.0.0.1', 'undefined 127.0.0.1'])
      expect((await fetch(`${server.base}/`, { headers: { 'x-loyer-worker': word } })).status).not.toBe(403)
    const headers = { 'x-loyer-worker': ' 127.0.0.1' }
    expect((await fetch(`${server.base}/api/v1/me`, { headers })).status).toBe(401)
  })

  test('move with the clock', async () => {
    const { server, admin } = team
    const today = async () => String(JSON.parse((await asks(server, admin, '/overview')).text).today)
    const before = await today()
    expect((await server.call(admin, 'POST /api/v1/sandbox/clock', { advanceDays: 40 })).status).toBe(200)
    expect((Date.parse(await today()) - Date.parse(before)) / 86_400_000).toBe(40)
    expect(new Set(await Promise.all(Array.from({ length: 24 }, today)))).toEqual(new Set([await today()]))
  })

  // The last of these: it takes the owner's account away.
  test('refuse a token everywhere at once', async () => {
    const { server, admin, owner, ownerAs } = team
    expect(await everywhere(server, ownerAs, '/properties')).toEqual([200])
    expect(await everywhere(server, ownerAs, '/properties')).toEqual([200])
    const roles = await server.call(admin, `PATCH /api/v1/admin/users/${owner}`, { roles: ['TENANT'] })
    expect(roles.status).toBe(200)
    expect(await everywhere(server, ownerAs, '/reports/rent-roll')).toEqual([403])
    const disabled = await server.call(admin, `PATCH /api/v1/admin/users/${owner}`, { status: 'DISABLED' })
    expect(disabled.status).toBe(200)
    expect(await everywhere(server, ownerAs, '/me')).toEqual([401])
    expect(await everywhere(server, admin, '/me')).toEqual([200])
  })
})

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
