// Photos and papers from upload to download, as an app would do it: in every runtime.
import assert from 'node:assert/strict'
import { jpegOf, PDF, sha256, withExif } from '../../test/support/files.ts'
import type { Scenario, World } from './scenarios.ts'

type About = { kind: 'PHOTO' | 'DOCUMENT'; contentType: string; filename: string }

async function upload({ call, token }: World, about: About, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const me = await call('GET', '/api/v1/me', { token })
  const body = { ownerType: 'USER', ownerId: me.json.id, sizeBytes: bytes.byteLength, ...about }
  const created = await call('POST', '/api/v1/media', { token, body })
  assert.equal(created.status, 201, created.text)
  const { url, headers } = created.json.upload as { url: string; headers: Record<string, string> }
  const put = await fetch(url, { method: 'PUT', headers, body: bytes })
  assert.equal(put.status, 204, await put.text())
  const done = await call('POST', `/api/v1/media/${created.json.id}/complete`, { token })
  assert.equal(done.json.status, 'AVAILABLE', done.text)
  return String(created.json.id)
}
async function download({ call, token }: World, id: string, query = '', headers: Record<string, string> = {}) {
  const { json } = await call('GET', `/api/v1/media/${id}/download-url${query}`, { token })
  const answer = await fetch(String(json.url), { headers })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

export const mediaScenarios: Scenario[] = [
  {
    name: 'a photo: uploaded, upright, without its place, with thumbnails',
    run: async (world) => {
      const about: About = { kind: 'PHOTO', contentType: 'image/jpeg', filename: 'façade.jpg' }
      const id = await upload(world, about, new Uint8Array(withExif(await jpegOf(1200, 900), 6)))
      const { answer, bytes } = await download(world, id)
      assert.equal(answer.headers.get('content-type'), 'image/jpeg')
      assert.equal(bytes.includes('GPS'), false)
      const { width, height } = await new Bun.Image(bytes).metadata()
      assert.deepEqual([width, height], [900, 1200])
      for (const size of [320, 800]) {
        const small = await download(world, id, `?size=${size}`)
        const metadata = await new Bun.Image(small.bytes).metadata()
        assert.deepEqual([metadata.format, metadata.height], ['webp', size])
      }
    },
  },
  {
    name: 'a document: uploaded, downloaded whole and in part',
    run: async (world) => {
      const about: About = { kind: 'DOCUMENT', contentType: 'application/pdf', filename: 'titre foncier.pdf' }
      const id = await upload(world, about, new Uint8Array(PDF))
      const { answer, bytes } = await download(world, id)
      assert.equal(sha256(bytes), sha256(PDF))
      assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="titre foncier.pdf"/)
      const part = await download(world, id, '', { range: 'bytes=0-4' })
      assert.deepEqual([part.answer.status, part.bytes.toString()], [206, '%PDF-'])
      world.ids.media = id
    },
  },
  {
    name: 'what is no picture is refused',
    run: async (world) => {
      const about: About = { kind: 'PHOTO', contentType: 'image/jpeg', filename: 'x.jpg' }
      await assert.rejects(upload(world, about, new Uint8Array(PDF)), /content_mismatch/)
    },
  },
]

export const mediaAfterRestart: Scenario = {
  name: 'restart: the document is still there',
  run: async (world) => {
    const { bytes } = await download(world, String(world.ids.media))
    assert.equal(sha256(bytes), sha256(PDF))
  },
}
