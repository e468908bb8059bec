// Clients that go away in the middle of a body: no fault of the service, no file, no waiting for the others.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '../support/folder.ts'
import { type Server, startServer } from '../support/server.ts'

setDefaultTimeout(60_000)

const BODY = Buffer.alloc(300_000, 0x7f)
const JSON_BODY = Buffer.from(JSON.stringify({ name: 'Zanzibar', addressLine: 'Rue', city: 'Douala' }))
/** How much of the body arrives, of its length. */
const PLACES: readonly (readonly [name: string, sent: (length: number) => number])[] = [
  ['after the head', () => 0],
  ['after a byte', () => 1],
  ['in the middle', (length) => Math.floor(length / 2)],
  ['before the last byte', (length) => length - 1],
]
const FRAMES = ['with its length', 'in chunks'] as const

/** Sends the head and the first bytes of a body, then goes away. */
async function cutOff(server: Server, head: string, body: Buffer, chunked: boolean): Promise<void> {
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const framed = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length + 1}`
  socket.write(`${head}\r\nHost: localhost\r\n${framed}\r\n\r\n`)
  if (body.length > 0) {
    if (chunked) socket.write(`${body.length.toString(16)}\r\n`)
    socket.write(body)
    if (chunked) socket.write('\r\n')
  }
  await Bun.sleep(30)
  socket.destroy()
}

test('cut off anywhere: no 5xx in the figures, no error in the log, no file, and a whole upload goes on', async () => {
  const data = temporaryFolder('cut-off')
  const server = await startServer({ data, env: { RATE_LIMITS: 'off' } })
  const token = await server.token('MANAGER')
  const me = await server.call(token, 'GET /api/v1/me')
  const upload = { ownerType: 'USER', ownerId: me.body.id, kind: 'DOCUMENT', filename: 'a.pdf' }
  const link = async (sizeBytes: number): Promise<{ id: string; path: string }> => {
    const made = await server.call(token, 'POST /api/v1/media', {
      ...upload,
      contentType: 'application/pdf',
      sizeBytes,
    })
    const { pathname, search } = new URL((made.body.upload as { url: string }).url)
    return { id: String(made.body.id), path: pathname + search }
  }
  const typed = `\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`
  const form = '\r\nContent-Type: application/x-www-form-urlencoded'
  for (const frame of FRAMES)
    for (const [, sent] of PLACES) {
      const chunked = frame === 'in chunks'
      const { path } = await link(BODY.length)
      const heads = [
        [`PUT ${path} HTTP/1.1\r\nContent-Type: application/pdf`, BODY],
        [`POST /api/v1/properties HTTP/1.1${typed}`, JSON_BODY],
        [`POST /realms/svc/protocol/openid-connect/token HTTP/1.1${form}`, Buffer.from('grant_type=password')],
      ] as const
      await Promise.all(heads.map(([head, body]) => cutOff(server, head, body.subarray(0, sent(body.length)), chunked)))
    }
  const figures = async (): Promise<string> => (await fetch(`${server.base}/metrics`)).text()
  // The requests that were cut off end on their own.
  const waiting = (text: string): boolean => !/route="\/media-uploads\/:id",status="[45]\d\d"/.test(text)
  while (waiting(await figures())) await Bun.sleep(50)
  const pdf = Buffer.from('%PDF-1.7\n%%EOF')
  const { id, path } = await link(pdf.length)
  const put = await fetch(server.base + path, {
    method: 'PUT',
    body: pdf,
    headers: { 'content-type': 'application/pdf' },
  })
  expect(put.status).toBe(204)
  expect((await server.call(token, `POST /api/v1/media/${id}/complete`)).status).toBe(200)
  expect((await figures()).match(/status="5\d\d"/g)).toBeNull()
  expect(server.output()).not.toContain('"level":"error"')
  expect(readdirSync(join(data, 'media', 'tmp'))).toEqual([])
  const made = await fetch(`${server.base}/api/v1/properties?q=Zanzibar`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await made.json()).toEqual([])
  await server.end('SIGTERM')
})
