// Killed in an upload and in bringing an organization in: afterwards the old state or the new, and nothing acknowledged lost.
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { factsOf } from '../../db/copy.ts'
import { sha256 } from '../support/files.ts'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { freePort, launch, type Server, startServer } from '../support/server.ts'

afterAll(cleaner())

const filesIn = (data: string) =>
  Object.fromEntries(Object.entries(contents(data)).filter(([name]) => /^(media|documents)\//.test(name)))

test('killed in the middle of an upload, and right after its answer: none of it, then all of it', async () => {
  const [data, port] = [temporaryFolder('upload'), await freePort()]
  let server: Server = await startServer({ data, port })
  const token = await server.token()
  const { body: me } = await server.call(token, 'GET /api/v1/me')
  const bytes = Buffer.alloc(8 * 2 ** 20, '%PDF-1.7 loyer ')
  bytes.write('%%EOF', bytes.length - 5)
  const { body } = await server.call(token, 'POST /api/v1/media', {
    ...{ ownerType: 'USER', ownerId: me.id, kind: 'DOCUMENT', filename: 'a.pdf' },
    ...{ contentType: 'application/pdf', sizeBytes: bytes.length },
  })
  const { url, headers } = body.upload as { url: string; headers: Record<string, string> }
  const { pathname, search } = new URL(url)
  const own = () => Object.keys(filesIn(data)).filter((name) => name.includes(String(body.id)))
  const temporary = () => Object.keys(filesIn(data)).filter((name) => name.startsWith('media/tmp/'))
  const status = async () =>
    ((await server.call(token, `POST /api/v1/media/${body.id}/complete`, {})).body as { code?: string }).code

  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  const lines = Object.entries({ host: 'localhost', 'content-length': bytes.length, ...headers })
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`)
  socket.write(bytes.subarray(0, bytes.length >> 1))
  for (const until = Date.now() + 10_000; temporary().length === 0 && Date.now() < until; ) await Bun.sleep(5)
  // Otherwise the kill comes before the upload, and nothing is shown.
  expect(temporary().length).toBe(1)
  await server.end('SIGKILL')
  socket.destroy()
  expect(own()).toEqual([])

  server = await startServer({ data, port })
  expect(await status()).toBeString()
  expect(own()).toEqual([])
  const put = () => fetch(server.base + pathname + search, { method: 'PUT', headers, body: bytes })
  expect((await put()).status).toBe(204)
  await server.end('SIGKILL')

  server = await startServer({ data, port })
  expect(await status()).toBeUndefined()
  const { body: link } = await server.call(token, `GET /api/v1/media/${body.id}/download-url`)
  const at = new URL(String(link.url))
  const read = await fetch(server.base + at.pathname + at.search)
  expect(sha256(new Uint8Array(await read.arrayBuffer()))).toBe(sha256(bytes))
  for (const until = Date.now() + 20_000; temporary().length > 0 && Date.now() < until; ) await Bun.sleep(50)
  expect(temporary()).toEqual([])
  expect((await server.end('SIGTERM')).code).toBe(0)
}, 120_000)

test('killed while an organization is brought in: the next try brings all of it, once', async () => {
  const home = temporaryFolder('home')
  const demo = await startServer({ data: home })
  const token = await demo.token('ADMIN')
  const { body: me } = await demo.call(token, 'GET /api/v1/me')
  const waiting = async () =>
    (await fetch(`${demo.base}/metrics`).then((answer) => answer.text())).match(/papers_waiting (\d+)/)?.[1]
  for (const until = Date.now() + 60_000; (await waiting()) !== '0' && Date.now() < until; ) await Bun.sleep(200)
  await demo.end('SIGTERM')
  const zip = join(temporaryFolder('zip'), 'all.zip')
  const packed = launch({ data: home, command: 'export', args: [zip, '--org', String(me.organizationId ?? me.orgId)] })
  expect([(await packed.end()).code, packed.output()]).toEqual([0, expect.stringContaining('files ')])
  const bring = (data: string) => launch({ data, command: 'import', args: [zip, '--operator'] })
  const whole = temporaryFolder('whole')
  const first = bring(whole)
  const { code } = await first.end()
  expect([code, first.output()]).toEqual([0, expect.stringContaining('organization ')])
  const [facts, files] = [factsOf(join(whole, 'loyer.db')).rows, filesIn(whole)]
  expect(Object.keys(files).length).toBeGreaterThan(10)

  const seen: string[] = []
  const came = (data: string): number =>
    ['media', 'documents']
      .flatMap((kind) =>
        existsSync(join(data, kind)) ? readdirSync(join(data, kind), { recursive: true, withFileTypes: true }) : [],
      )
      .filter((entry) => entry.isFile()).length
  const all = Object.keys(files).length
  for (const share of [0, 0.3, 0.7, 0.99]) {
    const data = temporaryFolder('half')
    const running = bring(data)
    while (came(data) <= all * share && !running.ended()) await Bun.sleep(1)
    await running.end('SIGKILL')
    const found = existsSync(join(data, 'loyer.db')) ? factsOf(join(data, 'loyer.db')).rows.organizations : 0
    seen.push(found === 0 ? (Object.keys(filesIn(data)).length === 0 ? 'nothing' : 'files') : 'all')
    const again = bring(data)
    const { code } = await again.end()
    expect([share, code, again.output()]).toEqual(
      found === 0
        ? [share, 0, expect.stringContaining('organization ')]
        : [share, 1, expect.stringContaining('already')],
    )
    expect([share, factsOf(join(data, 'loyer.db')).rows]).toEqual([share, facts])
    // An upload that was cut off goes at the next start of the service.
    const kept = Object.entries(filesIn(data)).filter(([name]) => !/^(media|documents).tmp/.test(name))
    expect([share, Object.fromEntries(kept)]).toEqual([share, files])
  }
  // Otherwise the kills came too early or too late, and nothing was shown.
  expect(seen).toContain('files')
}, 240_000)
