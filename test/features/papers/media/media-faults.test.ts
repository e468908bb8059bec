// What people and programs send by mistake or on purpose: nasty names, and files that are not what they say.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createTestApp, uuid } from '../../../support/app.ts'
import { download, jpegOf, PDF, pngOf, sha256, upload, webpOf } from '../../../support/files.ts'
import { contents } from '../../../support/folder.ts'

const TOM = 'TENANT.tom'
const own = { ownerType: 'USER', ownerId: uuid('tom~organization'), kind: 'DOCUMENT', contentType: 'application/pdf' }

const PARTS = [
  '../..',
  '/',
  '\\',
  '%00',
  '\0',
  '\r\n',
  '\u202e',
  '😀',
  'CON',
  '.',
  '"',
  ';',
  "'",
  '*',
  ' ',
  'é',
  '\ud800',
  '%2e%2e%2f',
  '<script>',
  '$(x)',
  '`id`',
  'a'.repeat(300),
]
const names = [
  ...PARTS.flatMap((a) => PARTS.map((b) => `${a}${b}.pdf`)),
  ...PARTS.map((a) => `${a}/../../etc/passwd`),
].slice(0, 500)

test('500 nasty names stay words: nothing leaves the folder, nothing breaks', async () => {
  const t = createTestApp()
  const statuses = new Set<number>()
  const before = contents(join(t.mediaFolder, '../..'))
  for (const filename of names) {
    const { status, body } = await upload(t, TOM, { ...own, filename }, PDF)
    statuses.add(status)
    if (status !== 200) continue
    const { response } = await download(t, TOM, body.id)
    const header = response.headers.get('content-disposition') ?? ''
    expect(response.status).toBe(200)
    expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[A-Za-z0-9._~%&$#!^`|+-]*$/)
    expect(/^attachment; filename="([^"]*)"/.exec(header)?.[1]).not.toMatch(/[/\\%;]/)
    const told = decodeURIComponent(header.slice(header.indexOf("UTF-8''") + 7))
    expect(told).not.toMatch(/[/\\]|^\./)
    await t.call(TOM, `DELETE /api/v1/media/${body.id}`)
  }
  expect(names).toHaveLength(500)
  expect([...statuses].sort()).toEqual([200, 422])
  await t.work()
  expect(contents(t.mediaFolder)).toEqual({})
  expect(contents(join(t.mediaFolder, '../..'))).toEqual(before)
}, 60_000)

async function nasty(): Promise<[string, string, Buffer][]> {
  const files = {
    'image/jpeg': await jpegOf(64, 48),
    'image/png': pngOf(64, 48),
    'image/webp': await webpOf(64, 48),
    'application/pdf': PDF,
  }
  const script = Buffer.from('<script>alert(1)</script><svg onload=alert(1)>PK\x03\x04')
  const texts = [
    '<html><script>alert(1)</script>',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>',
    'GIF89a/*',
    'PK\x03\x04',
    'MZ',
    '\x7fELF',
    '#!/bin/sh',
    '\xff\xd8\xff',
    '\x89PNG\r\n\x1a\n',
    'RIFF\0\0\0\0WEBP',
    '%PDF-',
    ' '.repeat(40),
  ]
  const out: [string, string, Buffer][] = []
  for (const [type, bytes] of Object.entries(files)) {
    for (const text of texts)
      out.push([`${JSON.stringify(text.slice(0, 12))} as ${type}`, type, Buffer.from(text, 'latin1')])
    for (const part of [0.1, 0.3, 0.5, 0.9])
      out.push([`${part} of a ${type}`, type, bytes.subarray(0, Math.ceil(bytes.length * part))])
    out.push([`${type} with a script behind`, type, Buffer.concat([bytes, script])])
    out.push([`${type} with a script before`, type, Buffer.concat([script, bytes])])
    for (const at of [9, 14, 18, 22, 25]) {
      const changed = Buffer.from(bytes)
      changed.fill(0xff, at, at + 4)
      out.push([`${type} spoilt at ${at}`, type, changed])
    }
    for (const [other] of Object.entries(files)) if (other !== type) out.push([`${type} as ${other}`, other, bytes])
  }
  for (const [w, h] of [
    [10_000, 10_000],
    [12_001, 1],
    [1, 12_001],
    [65_000, 65_000],
    [0, 5],
    [2 ** 31, 2 ** 31],
  ] as const)
    out.push([`PNG of ${w} × ${h}`, 'image/png', pngOf(w, h, 0)])
  out.push(['PNG without its pixels', 'image/png', pngOf(5_000, 5_000, 0)])
  out.push([
    'PNG with a bomb of text',
    'image/png',
    pngOf(8, 8, 8, [
      ['iCCP', Buffer.concat([Buffer.from('x\0\0'), Bun.deflateSync(new Uint8Array(50 << 20)) as Buffer])],
    ]),
  ])
  out.push([
    'PDF with a script',
    'application/pdf',
    Buffer.from('%PDF-1.4\n1 0 obj<</S/JavaScript/JS(app.alert(1))>>endobj\n%%EOF'),
  ])
  return out
}

test('100 nasty files are refused or kept harmless, in little memory', async () => {
  const t = createTestApp()
  const files = await nasty()
  expect(files.length).toBeGreaterThanOrEqual(100)
  Bun.gc(true)
  const before = process.memoryUsage().rss
  let most = before
  const kept: string[] = []
  for (const [what, contentType, bytes] of files)
    for (const kind of contentType === 'application/pdf' ? ['DOCUMENT'] : ['DOCUMENT', 'PHOTO']) {
      const { status, body } = await upload(t, TOM, { ...own, kind, contentType }, bytes)
      most = Math.max(most, process.memoryUsage().rss)
      expect({ what, kind, fine: status === 200 || body.code === 'content_mismatch' }).toEqual({
        what,
        kind,
        fine: true,
      })
      if (status === 200) {
        kept.push(`${kind} ${what}`)
        const { response, bytes: got } = await download(t, TOM, body.id)
        expect(response.headers.get('content-type')).toBe(contentType)
        expect(response.headers.get('x-content-type-options')).toBe('nosniff')
        expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
        expect(response.headers.get('content-disposition')).toStartWith(kind === 'PHOTO' ? 'inline' : 'attachment')
        if (kind === 'PHOTO') expect(Buffer.from(got).includes('script')).toBe(false)
      }
      const id = body.id ?? t.rows('select id from media_object')[0]?.id
      await t.call(TOM, `DELETE /api/v1/media/${id}`)
    }
  expect(kept.filter((name) => /(GIF|html|svg|PK|MZ|ELF|×|before|0\.\d| as )/.test(name))).toEqual([])
  expect((most - before) / 2 ** 20).toBeLessThan(50)
}, 60_000)

test.each([
  ['recu.hta', 'application/pdf', 'recu.pdf'],
  ['recu.pdf.exe', 'application/pdf', 'recu.pdf.pdf'],
  ['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
  ['IMG_001.HEIC', 'image/jpeg', 'IMG_001.jpg'],
  ['plan v1.2', 'image/png', 'plan v1.2.png'],
  ['recu.hta. .', 'image/webp', 'recu.webp'],
  ['.hta', 'application/pdf', 'file.pdf'],
  ['é'.repeat(255), 'application/pdf', `${'é'.repeat(250)}.pdf`],
] as const)('a file announced as %p of type %s is called %p', async (filename, contentType, named) => {
  const t = createTestApp()
  const { status, body } = await t.call(TOM, 'POST /api/v1/media', { ...own, contentType, filename, sizeBytes: 9 })
  expect([status, body.filename]).toEqual([201, named])
})

const scans = (jpeg: Buffer, count: number) =>
  Buffer.concat([
    jpeg.subarray(0, -2),
    ...Array<Buffer>(count).fill(Buffer.from([0xff, 0xda, 0, 2])),
    jpeg.subarray(-2),
  ])
const photo = { ...own, kind: 'PHOTO', contentType: 'image/png' }
test.each([
  ['a PNG of 10,001 empty parts', photo, async () => pngOf(9, 9, 9, Array(10_001).fill(['tEXt', Buffer.alloc(0)]))],
  ['a PNG of 1 KB and 100 megapixels', photo, async () => pngOf(10_000, 10_000, 1)],
  ['a PNG of 6 KB and 50 megapixels', photo, async () => pngOf(7_000, 7_000, 800)],
  [
    'a JPEG of a million fill bytes',
    { ...photo, contentType: 'image/jpeg' },
    async () =>
      Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_000_000, 0xff), (await jpegOf(9, 9)).subarray(2)]),
  ],
  ['a JPEG of 200 scans', { ...photo, contentType: 'image/jpeg' }, async () => scans(await jpegOf(90, 90), 200)],
] as const)('%s is refused before anything is decoded, and its upload goes', async (_name, about, make) => {
  const t = createTestApp()
  const before = process.memoryUsage().rss
  const { status, body } = await upload(t, TOM, about, await make())
  expect([status, body.code]).toEqual([422, 'content_mismatch'])
  expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
  expect(contents(t.mediaFolder)).toEqual({})
  // The announcement stays good for the right file.
  const [row] = (await t.call(TOM, 'GET /api/v1/media')).body as unknown as { id: string; status: string }[]
  expect(row?.status).toBe('PENDING')
  expect((await t.call(TOM, `POST /api/v1/media/${row?.id}/complete`)).body.code).toBe('upload_missing')
})

test('a photo too large to be decoded stays as it is coded, without its texts, and is its own thumbnail', async () => {
  const t = createTestApp()
  const photo = { ...own, kind: 'PHOTO', contentType: 'image/png' }
  const given = pngOf(6_000, 5_000, 5_000, [['tEXt', Buffer.alloc(200_000, 'GPSLatitude')]])
  const { status, body } = await upload(t, TOM, photo, given)
  expect({ status, state: body.status }).toEqual({ status: 200, state: 'AVAILABLE' })
  const shown = await Promise.all(['', '?size=320'].map((query) => download(t, TOM, body.id, {}, query)))
  for (const { response, bytes } of shown) {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(response.headers.get('etag')).toBe(`"${sha256(bytes).slice(0, 32)}"`)
    expect(bytes.byteLength).toBe(Number(body.sizeBytes))
    expect(Buffer.from(bytes).includes('GPS')).toBe(false)
  }
  await t.work()
  expect(Object.keys(contents(t.mediaFolder))).toHaveLength(1)
  // The same without texts is far too small for a picture of this size.
  const bloated = await upload(t, TOM, photo, pngOf(6_000, 5_000))
  expect([bloated.status, bloated.body.code]).toEqual([422, 'content_mismatch'])
  expect(Object.keys(contents(t.mediaFolder))).toHaveLength(1)
})
