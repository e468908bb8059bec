// Pictures whose pixels would take too much memory: kept as they are coded, without what says where and by whom.
import { expect, test } from 'bun:test'
import { builtIn } from '../../src/adapters/images/decoder.ts'
import { createImages } from '../../src/adapters/images/images.ts'
import { napiDecoder } from '../../src/adapters/images/napi.ts'
import type { Decoder, Picture } from '../../src/adapters/images/port.ts'
import { jpegOf, pngOf, progressiveOf, webpOf, withExif } from '../support/files.ts'
import { seeded } from '../support/seeded.ts'

const WIDTH = 70
const HEIGHT = 30
const PLACE = Buffer.from('GPSLatitude 4.0511 GPSLongitude 9.7679')
const [still, progressive] = [withExif(await jpegOf(WIDTH, HEIGHT), 6), withExif(await progressiveOf(WIDTH, HEIGHT), 8)]
/** A WebP with room for more than a picture, and a place in it. */
const webpWithPlace = (webp: Buffer): Buffer => {
  const head = Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x08\0\0\0\0\0\0\0\0\0', 'latin1')
  head.writeUIntLE(WIDTH - 1, 24, 3)
  head.writeUIntLE(HEIGHT - 1, 27, 3)
  const exif = Buffer.concat([Buffer.from('EXIF\0\0\0\0'), PLACE])
  exif.writeUInt32LE(PLACE.length, 4)
  const whole = Buffer.concat([head, webp.subarray(12), exif])
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

/** A decoder that writes down whether it was asked for a picture at its own size, or for a smaller one. */
function watched(decoder: Decoder): { decoder: Decoder; asked: string[] } {
  const asked: string[] = []
  const watch = (picture: Picture, size: string): Picture => ({
    resize: (...given) => watch(picture.resize(...given), 'small'),
    webp: (given) => watch(picture.webp(given), size),
    jpeg: (given) => watch(picture.jpeg(given), size),
    metadata: () => picture.metadata(),
    bytes: () => {
      asked.push(size)
      return picture.bytes()
    },
  })
  const made = new Proxy(decoder, {
    construct: (target, given: ConstructorParameters<Decoder>) => watch(new target(...given), 'full'),
  })
  return { decoder: made, asked }
}
const PIXELS = WIDTH * HEIGHT
const sizeOf = async (bytes: Uint8Array | undefined) => {
  const { width, height, format } = await new Bun.Image(bytes ?? '').metadata()
  return `${format} ${width} × ${height}`
}

// The memory there is, in bytes per pixel, and what it is enough for.
test.each([
  ['a JPEG', 4, still, 'full small', 'jpeg 30 × 70'],
  ['a JPEG', 3, still, 'small', 'jpeg 30 × 70'],
  ['a JPEG', 0.1, still, '', 'jpeg 30 × 70'],
  ['a JPEG of several scans', 7, progressive, 'full small', 'jpeg 30 × 70'],
  ['a JPEG of several scans', 6, progressive, 'small', 'jpeg 30 × 70'],
  ['a JPEG of several scans', 3, progressive, '', 'jpeg 30 × 70'],
  ['a PNG', 5, pngOf(WIDTH, HEIGHT, HEIGHT, [['tEXt', PLACE]]), 'full small', 'png 70 × 30'],
  ['a PNG', 4, pngOf(WIDTH, HEIGHT, HEIGHT, [['tEXt', PLACE]]), '', 'png 70 × 30'],
  ['a WebP', 8, webpWithPlace(await webpOf(WIDTH, HEIGHT)), 'full small', 'webp 70 × 30'],
  ['a WebP', 7, webpWithPlace(await webpOf(WIDTH, HEIGHT)), '', 'webp 70 × 30'],
] as const)('%s in %p bytes for each pixel', async (_what, most, given, decoded, size) => {
  const { decoder, asked } = watched(builtIn() as Decoder)
  const photo = await createImages(decoder, most * PIXELS).prepare(new Uint8Array(given), ['20'], PIXELS)
  const bytes = Buffer.from(photo?.bytes ?? [])
  expect(await sizeOf(bytes)).toBe(size)
  expect(Object.keys(photo?.thumbnails ?? {})).toEqual(decoded.includes('small') ? ['20'] : [])
  for (const word of ['GPS', '4.0511', 'tEXt', 'EXIF']) expect(bytes.includes(word)).toBe(false)
  // Never the other way around: what does not fit is not decoded.
  expect(asked.join(' ')).toBe(decoded)
})

// What follows is kept as it is coded: there is no memory to decode anything.
const kept = async (given: Buffer) =>
  (await createImages(builtIn(), 0).prepare(new Uint8Array(given), ['20'], 50_000_000))?.bytes
const pixels = async (bytes: Uint8Array | undefined) => new Bun.Image(bytes ?? '').png().bytes()

test.each([
  ['JPEG turned', still],
  ['JPEG of several scans, turned', progressive],
  ['JPEG with another picture behind', Buffer.concat([still, await jpegOf(9, 9)])],
  ['PNG', pngOf(WIDTH, HEIGHT)],
  ['PNG with a script behind', Buffer.concat([pngOf(WIDTH, HEIGHT), Buffer.from('<script>')])],
  ['WebP', webpWithPlace(await webpOf(WIDTH, HEIGHT))],
])('%s: the same pixels, turned the same way, and nothing else', async (_what, given) => {
  const bytes = await kept(given)
  expect(await pixels(bytes)).toEqual(await pixels(given))
  expect(bytes?.length).toBeLessThanOrEqual(given.length)
  expect(await kept(Buffer.from(bytes ?? []))).toEqual(bytes)
  for (const word of ['GPS', '4.0511', 'script']) expect(Buffer.from(bytes ?? []).includes(word)).toBe(false)
})

const spoilt = pngOf(WIDTH, HEIGHT)
spoilt[45] = (spoilt[45] ?? 0) ^ 1
test.each([
  ['PNG with a wrong checksum', spoilt],
  ['PNG without pixels', pngOf(WIDTH, HEIGHT, 0)],
  ['PNG of too few rows', pngOf(WIDTH, HEIGHT, HEIGHT - 1)],
  ['PNG of a thousand times its rows', pngOf(WIDTH, HEIGHT, HEIGHT * 1000)],
  ['JPEG that ends in its scan', (await jpegOf(WIDTH, HEIGHT)).subarray(0, -4)],
  ['WebP without a picture', webpWithPlace(Buffer.alloc(0))],
])('%s is no photo', async (_what, given) => {
  expect(await kept(given)).toBeUndefined()
})

test('nothing that is changed of a picture makes it throw', async () => {
  const random = seeded(11)
  for (const given of [pngOf(9, 9), still, progressive, webpWithPlace(await webpOf(9, 9))])
    for (let i = 0; i < 500; i++) {
      const changed = Buffer.from(given)
      for (let n = 0; n < 3; n++) changed[random.int(0, changed.length - 1)] = random.int(0, 255)
      const bytes = await kept(changed)
      // At most the pad byte at the end of a WebP is more than what came.
      expect(bytes?.length ?? 0).toBeLessThanOrEqual(changed.length + 1)
    }
})

test('the decoder of other runtimes has no smaller scale: none of what does not fit is decoded', async () => {
  const { decoder, asked } = watched(await napiDecoder())
  const photo = await createImages(decoder, 3 * PIXELS).prepare(new Uint8Array(still), ['20'], PIXELS)
  expect([await sizeOf(photo?.bytes), photo?.thumbnails, asked]).toEqual(['jpeg 30 × 70', {}, []])
})
