// Several processes on one port: any of them answers with what was written, and refuses who was refused.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PDF } from '../support/files.ts'
import { cleaner } from '../support/folder.ts'
import { raw } from '../support/raw.ts'
import type { Server } from '../support/server.ts'
import { able, asks, childrenOf, counted, ready, startTeam, type Team, until, VILLA } from '../support/team.ts'

const everywhere = async (server: Server, token: string, path: string): Promise<number[]> => {
  const answers = await Promise.all(Array.from({ length: 24 }, () => asks(server, token, path)))
  return [...new Set(answers.map(({ status }) => status))]
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

    // Whichever process answers, a client learns how much will come, and what is forged or deleted stays closed.
    expect(await everywhere(server, admin, '/me')).toEqual([200])
    const file = async (more: string, range?: string): Promise<string[]> => {
      const headers = { connection: 'close', ...(range && { range }) }
      const got = await Promise.all(
        Array.from({ length: 24 }, async () => {
          const answer = await fetch(`${link.url}${more}`, { headers, keepalive: false })
          return `${answer.status}, ${answer.headers.get('content-length')} of ${(await answer.arrayBuffer()).byteLength}`
        }),
      )
      return [...new Set(got)]
    }
    expect(await file('')).toEqual([`200, ${bytes.length} of ${bytes.length}`])
    expect(await file('', 'bytes=100-')).toEqual([`206, ${bytes.length - 100} of ${bytes.length - 100}`])
    expect(await file('A')).toEqual([expect.stringMatching(/^403, /)])
    expect((await server.call(admin, `DELETE /api/v1/media/${media.id}`)).status).toBe(204)
    expect(await file('')).toEqual([expect.stringMatching(/^404, /)])
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

  test.each([
    ['two slashes, of which the runtime would drop one', '//api/v1/me', '1.1', 'localhost', 404],
    ['two slashes before what one machine may ask', '//metrics', '1.1', 'localhost', 404],
    ['a backslash, which the runtime reads as a slash', '/\\healthz', '1.1', 'localhost', 404],
    ['no host', '/healthz', '1.0', undefined, 421],
    ['another host', '/healthz', '1.1', 'evil.example', 421],
    ['the plain address', '/healthz', '1.1', 'localhost', 200],
    ['the plain address', '/api/v1/me', '1.1', 'localhost', 200],
  ])('answer like one process to %s (%s)', async (_words, path, version, host, status) => {
    const { server, admin } = team
    const named = host === undefined ? '' : `Host: ${host}\r\n`
    const request = `GET ${path} HTTP/${version}\r\n${named}Authorization: Bearer ${admin}\r\nConnection: close\r\n\r\n`
    expect((await raw(server.port, request)).statuses).toEqual([status])
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
