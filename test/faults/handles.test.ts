// No file handle left, in the running service: it says so, goes on with what needs none, and is well again by itself.
import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { type Server, startServer } from '../support/server.ts'

afterAll(cleaner())
const HANDLES = 80
const canLimit =
  process.platform === 'linux' && spawnSync('sh', ['-c', `ulimit -n ${HANDLES} && cat /dev/null`]).status === 0

/** One request over a connection that is open already: a new one would find no handle. */
async function ask(
  socket: Socket,
  line: string,
  body?: object,
  token?: string,
): Promise<{ status: number; text: string }> {
  let text = ''
  const hear = (piece: Buffer): void => {
    text += piece.toString()
  }
  socket.on('data', hear)
  const bytes = body === undefined ? '' : JSON.stringify(body)
  const type = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${bytes.length}\r\n`
  socket.write(
    `${line} HTTP/1.1\r\nHost: localhost\r\n${token ? `Authorization: Bearer ${token}\r\n` : ''}${type}\r\n${bytes}`,
  )
  for (let i = 0; i < 200 && !text.includes('\r\n\r\n'); i++) await Bun.sleep(25)
  await Bun.sleep(50)
  socket.off('data', hear)
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]), text }
}

async function takeEveryHandle(server: Server): Promise<Socket[]> {
  const sockets = Array.from({ length: HANDLES + 20 }, () => connect(server.port, '127.0.0.1').on('error', () => {}))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (let i = 0; i < 100 && readdirSync(`/proc/${server.pid}/fd`).length < HANDLES; i++) await Bun.sleep(50)
  expect(readdirSync(`/proc/${server.pid}/fd`).length).toBe(HANDLES)
  return sockets
}

if (!canLimit) test.skip('without file handles (not shown: ulimit -n cannot be set here)', () => {})
else
  test('without file handles: not ready in a sentence, /metrics answers, nothing ends, and it recovers by itself', async () => {
    const server = await startServer({
      data: temporaryFolder('handles'),
      shell: `ulimit -n ${HANDLES}; exec "$@"`,
    })
    const token = await server.token('OWNER')
    const sockets = await takeEveryHandle(server)
    // Those beyond the last handle wait at the door.
    const accepted = await Promise.all(
      sockets.map(async (s) => ((await ask(s, 'GET /healthz')).status === 200 ? [s] : [])),
    )
    const [one] = accepted.flat()
    if (!one) throw new Error('no connection')
    for (let round = 0; round < 3; round++) {
      const ready = await ask(one, 'GET /readyz')
      expect(ready.status).toBe(503)
      expect(ready.text).toContain('"detail":"The service has no file handle left. Try again in a moment."')
      expect(ready.text.toLowerCase()).toContain('retry-after: 5')
      const metrics = await ask(one, 'GET /metrics')
      expect(metrics.status).toBe(200)
      expect(metrics.text).toContain('loyer_storage_writable 0')
      expect((await ask(one, 'GET /healthz')).status).toBe(200)
      // A short report needs no thread, which could not begin now.
      expect((await ask(one, 'GET /api/v1/reports/rent-roll', undefined, token)).status).toBe(200)
      // The sign-in's library is not loaded yet, and cannot be now.
      const realm = await ask(one, 'GET /realms/svc/.well-known/openid-configuration')
      expect([200, 500, 503]).toContain(realm.status)
      await Bun.sleep(1100)
    }
    expect(server.ended()).toBe(false)
    for (const socket of sockets) socket.destroy()
    for (let i = 0; i < 100 && (await server.call('', 'GET /readyz')).status !== 200; i++) await Bun.sleep(50)
    const lines = [
      'GET /readyz',
      'GET /metrics',
      'GET /api/v1/reports/rent-roll',
      'GET /api/v1/me',
      'GET /realms/svc/.well-known/openid-configuration',
    ]
    for (const line of lines) expect([line, (await server.call(token, line)).status]).toEqual([line, 200])
    const place = { name: 'Villa', addressLine: 'Rue Njo-Njo', city: 'Douala' }
    expect((await server.call(token, 'POST /api/v1/properties', place)).status).toBe(201)
    expect(await server.token('ADMIN')).toBeString()
    expect(server.output()).not.toContain('process.uncaught_exception')
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
  }, 60_000)
