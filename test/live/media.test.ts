// Files over real sockets: what a client is told of their length, and what a proxy may rely on.
import { afterAll, expect, test } from 'bun:test'
import { sha256 } from '../support/files.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { startServer } from '../support/server.ts'

afterAll(cleaner())

test('a file is sent with its length, whole or in part; HEAD tells the same and sends nothing', async () => {
  const server = await startServer({ data: temporaryFolder('media') })
  const token = await server.token()
  const { body: me } = await server.call(token, 'GET /api/v1/me')
  // Far more than one buffer of anybody's.
  const bytes = Buffer.alloc(5 * 1024 * 1024, '%PDF-1.7 loyer ')
  bytes.write('%%EOF', bytes.length - 5)
  const { body } = await server.call(token, 'POST /api/v1/media', {
    ...{ ownerType: 'USER', ownerId: me.id, kind: 'DOCUMENT', filename: 'a.pdf' },
    ...{ contentType: 'application/pdf', sizeBytes: bytes.length },
  })
  const upload = body.upload as { url: string; headers: Record<string, string> }
  const at = (url: unknown): string => `${server.base}${new URL(String(url)).pathname}${new URL(String(url)).search}`
  expect((await fetch(at(upload.url), { method: 'PUT', headers: upload.headers, body: bytes })).status).toBe(204)
  expect((await server.call(token, `POST /api/v1/media/${body.id}/complete`, {})).status).toBe(200)
  const link = at((await server.call(token, `GET /api/v1/media/${body.id}/download-url`)).body.url)

  const told = (answer: Response) =>
    ['content-length', 'transfer-encoding', 'content-range', 'content-type', 'content-disposition'].map((name) =>
      answer.headers.get(name),
    )
  const type = ['application/pdf', `attachment; filename="a.pdf"; filename*=UTF-8''a.pdf`]
  const whole = await fetch(link)
  expect([whole.status, ...told(whole)]).toEqual([200, String(bytes.length), null, null, ...type])
  expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256(bytes))
  const head = await fetch(link, { method: 'HEAD' })
  expect([head.status, ...told(head)]).toEqual([200, String(bytes.length), null, null, ...type])
  expect((await head.arrayBuffer()).byteLength).toBe(0)
  const part = await fetch(link, { headers: { range: 'bytes=1000000-2999999' } })
  const span = `bytes 1000000-2999999/${bytes.length}`
  expect([part.status, ...told(part)]).toEqual([206, '2000000', null, span, ...type])
  expect(sha256(new Uint8Array(await part.arrayBuffer()))).toBe(sha256(bytes.subarray(1_000_000, 3_000_000)))
  const beyond = await fetch(link, { headers: { range: `bytes=${bytes.length}-` } })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])

  // A client that goes away in the middle costs nothing that stays open.
  const open = async (): Promise<number> =>
    (await Array.fromAsync(new Bun.Glob('*').scan({ cwd: `/proc/${server.pid}/fd`, onlyFiles: false }))).length
  const before = await open()
  for (let i = 0; i < 20; i++) {
    const leaving = new AbortController()
    const answer = await fetch(link, { signal: leaving.signal })
    await answer.body?.getReader().read()
    leaving.abort()
  }
  await Bun.sleep(500)
  expect((await open()) - before).toBeLessThan(10)
  expect((await server.end('SIGTERM')).code).toBe(0)
})
