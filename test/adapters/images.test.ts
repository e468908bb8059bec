// Reading headers without decoding, and preparing photos one at a time.
import { describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { builtIn } from '../../src/adapters/images/decoder.ts'
import { createImages } from '../../src/adapters/images/images.ts'
import { inspect } from '../../src/adapters/images/inspect.ts'
import { napiDecoder } from '../../src/adapters/images/napi.ts'
import type { Decoder } from '../../src/adapters/images/port.ts'
import { jpegOf, PDF, pngOf, progressiveOf, webpOf, withExif } from '../support/files.ts'
import { seeded } from '../support/seeded.ts'

const lossless = Buffer.from(await new Bun.Image(pngOf(70, 30)).webp({ lossless: true }).bytes())
test.each([
  ['PNG', pngOf(70, 30), 'image/png', 70, 30, [4.5, 4.5]],
  ['JPEG', await jpegOf(70, 30), 'image/jpeg', 70, 30, [4, 0.5]],
  ['JPEG of several scans', await progressiveOf(70, 30), 'image/jpeg', 70, 30, [7, 3.5]],
  ['JPEG with EXIF', withExif(await jpegOf(70, 30), 6), 'image/jpeg', 70, 30, [4, 0.5]],
  ['WebP', await webpOf(70, 30), 'image/webp', 70, 30, [8, 8]],
  ['WebP without loss', lossless, 'image/webp', 70, 30, [8, 8]],
  ['PDF', PDF, 'application/pdf', 0, 0, [0, 0]],
] as const)('%s is told by its bytes', (_what, bytes, contentType, width, height, memory) => {
  const [full, preview] = memory
  expect(inspect(bytes)).toEqual({ contentType, width, height, whole: true, memory: { whole: full, preview } })
  const half = inspect(bytes.subarray(0, bytes.length / 2))
  expect(half?.whole ?? false).toBe(false)
})

test('nothing that is changed of a header makes it throw', async () => {
  const types = new Set<string | undefined>()
  const random = seeded(7)
  for (const bytes of [pngOf(9, 9), await jpegOf(9, 9), await webpOf(9, 9), PDF])
    for (let i = 0; i < 2_000; i++) {
      const changed = Buffer.from(bytes.subarray(0, random.int(0, bytes.length)))
      for (let n = 0; n < 3 && changed.length > 0; n++) changed[random.int(0, changed.length - 1)] = random.int(0, 255)
      types.add(inspect(changed)?.contentType)
    }
  expect([...types]).toContain(undefined)
  expect(types.size).toBeGreaterThan(2)
})

test('without a decoder photos are refused and headers still read', async () => {
  const images = createImages(null)
  expect(images.available).toBe(false)
  expect(images.inspect(PDF)?.contentType).toBe('application/pdf')
  await expect(images.prepare(new Uint8Array(9), [], 9)).rejects.toMatchObject({ code: 'photos_unavailable' })
})

const PICTURES: [string, Buffer][] = [
  ['png', pngOf(700, 300)],
  ['jpeg', await jpegOf(700, 300)],
  ['webp', await webpOf(700, 300)],
]
describe.each([
  ["Bun's own decoder", builtIn()],
  ['the decoder of other runtimes', await napiDecoder()],
] as [string, Decoder][])('%s', (_name, decoder) => {
  const images = createImages(decoder)
  const prepare = (bytes: Buffer, pixels = 1_000_000) => images.prepare(new Uint8Array(bytes), ['320', '800'], pixels)
  const about = (bytes: Uint8Array | undefined) => new Bun.Image(bytes ?? '').metadata()

  test('what it refuses is no photo; too many pixels are none either', async () => {
    expect(await prepare(Buffer.from('no picture at all'))).toBeUndefined()
    expect(await prepare(pngOf(70, 30), 2_000)).toBeUndefined()
    expect(await prepare(pngOf(5_000, 5_000, 0), 50_000_000)).toBeUndefined()
    expect(await prepare(pngOf(10_000, 10_000, 0), 50_000_000)).toBeUndefined()
  })

  test.each(['zTXt', 'iCCP'])(
    'a %s that unpacks to half a gigabyte is never unpacked',
    async (type) => {
      const bomb = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(512 * 2 ** 20), { level: 9 })])
      const photo = await prepare(pngOf(70, 30, 30, [[type, bomb]]))
      expect(await about(photo?.bytes)).toMatchObject({ format: 'png', width: 70, height: 30 })
      expect(Buffer.from(photo?.bytes ?? []).includes(type)).toBe(false)
    },
    60_000,
  )

  test.each(PICTURES)('a %s stays one, and has thumbnails that are never larger than it', async (format, bytes) => {
    const photo = await prepare(bytes)
    expect(await about(photo?.bytes)).toMatchObject({ format, width: 700, height: 300 })
    expect(await about(photo?.thumbnails['320'])).toMatchObject({ format: 'webp', width: 320, height: 137 })
    expect(await about(photo?.thumbnails['800'])).toMatchObject({ format: 'webp', width: 700, height: 300 })
  })

  test('it stands upright and has lost its place', async () => {
    const photo = await prepare(withExif(await jpegOf(700, 300), 6))
    expect(await about(photo?.bytes)).toMatchObject({ format: 'jpeg', width: 300, height: 700 })
    expect(await about(photo?.thumbnails['320'])).toMatchObject({ width: 137, height: 320 })
    for (const bytes of [photo?.bytes ?? [], ...Object.values(photo?.thumbnails ?? {})])
      for (const word of ['Exif', 'EXIF', 'GPS', '4.0511']) expect(Buffer.from(bytes).includes(word)).toBe(false)
  })
})

test('heavy work waits for its turn, and not without end', async () => {
  const images = createImages()
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 1))
    running -= 1
    if (most > 5) throw new Error('never')
  }
  const turns = await Promise.allSettled(Array.from({ length: 40 }, () => images.inTurn(work)))
  expect(most).toBe(1)
  expect(turns.filter(({ status }) => status === 'rejected')).toHaveLength(8)
  await images.inTurn(work)
})
