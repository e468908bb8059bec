// A service whose photos and papers lie in S3: its own links, its own answers while the storage is away, its backup.
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../support/files.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { startS3 } from '../support/s3.ts'
import { launch, startServer } from '../support/server.ts'

afterAll(cleaner())

test('uploaded, read by a signed link of Loyer, papers too; away it is said; the backup says what it lacks', async () => {
  const s3 = await startS3()
  const data = temporaryFolder('s3')
  const { endpoint, region, keyId, secret } = s3.settings
  const env = {
    ...{ FILES_TO: 's3://homes/loyer', FILES_ENDPOINT: endpoint, FILES_REGION: region },
    ...{ FILES_KEY_ID: keyId, FILES_KEY_SECRET: secret },
  }
  const server = await startServer({ data, env })
  const token = await server.token()
  const { body: me } = await server.call(token, 'GET /api/v1/me')
  const bytes = Buffer.alloc(3 * 1024 * 1024, '%PDF-1.7 loyer ')
  bytes.write('%%EOF', bytes.length - 5)
  const at = (url: unknown): string => `${server.base}${new URL(String(url)).pathname}${new URL(String(url)).search}`
  const announce = async () => {
    const { body } = await server.call(token, 'POST /api/v1/media', {
      ...{ ownerType: 'USER', ownerId: me.id, kind: 'DOCUMENT', filename: 'a.pdf' },
      ...{ contentType: 'application/pdf', sizeBytes: bytes.length },
    })
    const { url, headers } = body.upload as { url: string; headers: Record<string, string> }
    return { id: String(body.id), send: () => fetch(at(url), { method: 'PUT', headers, body: bytes }) }
  }
  const file = await announce()
  expect((await file.send()).status).toBe(204)
  expect((await server.call(token, `POST /api/v1/media/${file.id}/complete`, {})).status).toBe(200)
  const link = at((await server.call(token, `GET /api/v1/media/${file.id}/download-url`)).body.url)
  expect(link).toStartWith(`${server.base}/media-files/`)
  // The upload itself is removed by a job.
  const stored = new RegExp(`^loyer/media/${file.id}\\.[0-9a-f]{64}$`)
  const kept = [...s3.objects].filter(([name]) => stored.test(name))
  expect(kept.map(([, { byteLength }]) => byteLength)).toEqual([bytes.length])
  expect(readdirSync(data)).not.toContain('media')
  // A machine that has no copy any more.
  rmSync(join(data, 'cache'), { recursive: true })
  const whole = await fetch(link)
  expect([whole.status, sha256(new Uint8Array(await whole.arrayBuffer()))]).toEqual([200, sha256(bytes)])
  const part = await fetch(link, { headers: { range: 'bytes=1000-1999' } })
  expect([part.status, sha256(new Uint8Array(await part.arrayBuffer()))]).toEqual([
    206,
    sha256(bytes.subarray(1000, 2000)),
  ])
  // The demo's receipts are drawn by jobs.
  const papers = () => [...s3.objects.keys()].filter((name) => name.startsWith('loyer/documents/')).length
  for (const until = Date.now() + 30_000; papers() === 0 && Date.now() < until; ) await Bun.sleep(100)
  expect(papers()).toBeGreaterThan(0)

  const next = await announce()
  s3.state.fault = 'busy'
  const refused = await next.send()
  expect([refused.status, refused.headers.get('retry-after') !== null]).toEqual([503, true])
  expect(await refused.text()).toContain('"storage_unavailable"')
  for (const path of ['/api/v1/properties', '/api/v1/documents'])
    expect([path, (await server.call(token, `GET ${path}`)).status]).toEqual([path, 200])
  expect((await fetch(link)).status).toBe(200)
  s3.state.fault = 'none'
  expect((await next.send()).status).toBe(204)

  const to = temporaryFolder('to')
  const made = launch({ data, command: 'backup', args: ['--to', to], env })
  expect([(await made.end()).code, made.output()]).toEqual([
    0,
    expect.stringContaining('photos and papers are not in it: they are stored in s3://homes/loyer'),
  ])
  expect((await server.end('SIGTERM')).code).toBe(0)
  expect(existsSync(join(data, 'documents'))).toBe(false)
}, 120_000)
