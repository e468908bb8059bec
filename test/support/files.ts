import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { Answer, TestApp } from './app.ts'

type Json = Record<string, unknown>
const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([ascii(type), data])
  let crc = 0xffffffff
  for (const byte of body) crc = (CRC[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length)
  body.copy(out, 4)
  out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4)
  return out
}
/** A grey PNG that says it is so large, with as many pixel rows as asked. */
export function pngOf(width: number, height: number, rows = height, more: readonly [string, Buffer][] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  return Buffer.concat([
    ascii('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', head),
    ...more.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
export const jpegOf = async (width: number, height: number): Promise<Buffer> =>
  Buffer.from(await new Bun.Image(pngOf(width, height)).jpeg().bytes())
/** A JPEG of several scans, which a decoder keeps in memory until the last. */
export const progressiveOf = async (width: number, height: number): Promise<Buffer> =>
  Buffer.from(await new Bun.Image(pngOf(width, height)).jpeg({ progressive: true }).bytes())
export const webpOf = async (width: number, height: number): Promise<Buffer> =>
  Buffer.from(await new Bun.Image(pngOf(width, height)).webp().bytes())

/** EXIF with an orientation and a place, as a phone writes it. */
export function withExif(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  ascii('MM\0*\0\0\0\x08\0\x01').copy(tiff)
  tiff.writeUInt16BE(0x0112, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  const data = Buffer.concat([ascii('Exif\0\0'), tiff, ascii('GPSLatitude 4.0511 GPSLongitude 9.7679')])
  const size = Buffer.alloc(2)
  size.writeUInt16BE(data.length + 2)
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), size, data, jpeg.subarray(2)])
}
export const PDF = ascii('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The signed link's own path and query. */
export const pathOf = (url: unknown): string => String(url).replace(/^https?:\/\/[^/]+/, '')

/** Announces, uploads and completes a file. Stops at the first refusal, which it returns. */
export async function upload(t: TestApp, who: string, about: Json, bytes: Uint8Array): Promise<Answer> {
  const made = await t.call(who, 'POST /api/v1/media', { filename: 'f', sizeBytes: bytes.byteLength, ...about })
  if (made.status !== 201) return made
  const { url, headers } = made.body.upload as { url: string; headers: Record<string, string> }
  const put = await t.app.handle(
    new Request(`http://localhost${pathOf(url)}`, { method: 'PUT', headers, body: new Uint8Array(bytes) }),
  )
  if (put.status !== 204)
    return { status: put.status, body: (await put.json()) as Json, headers: put.headers, text: '' }
  return t.call(who, `POST /api/v1/media/${made.body.id}/complete`)
}

/** What a new download link of an object answers. */
export async function download(t: TestApp, who: string, id: unknown, headers: Record<string, string> = {}, query = '') {
  const link = await t.call(who, `GET /api/v1/media/${id}/download-url${query}`)
  const response = await t.app.handle(new Request(`http://localhost${pathOf(link.body.url)}`, { headers }))
  return { response, bytes: new Uint8Array(await response.arrayBuffer()), url: pathOf(link.body.url) }
}
