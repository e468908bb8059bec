// Reading headers without decoding, and preparing photos one at a time.
import { expect, test } from 'bun:test'
import { createImages } from '../../src/adapters/images/images.ts'
import { inspect } from '../../src/adapters/images/inspect.ts'
import { seeded } from '../rules/seeded.ts'
import { jpegOf, PDF, pngOf, webpOf, withExif } from '../support/files.ts'

const lossless = Buffer.from(await new Bun.Image(pngOf(70, 30)).webp({ lossless: true }).bytes())
test.each([
  ['PNG', pngOf(70, 30), 'image/png', 70, 30],
  ['JPEG', await jpegOf(70, 30), 'image/jpeg', 70, 30],
  ['JPEG with EXIF', withExif(await jpegOf(70, 30), 6), 'image/jpeg', 70, 30],
  ['WebP', await webpOf(70, 30), 'image/webp', 70, 30],
  ['WebP without loss', lossless, 'image/webp', 70, 30],
  ['PDF', PDF, 'application/pdf', 0, 0],
] as const)('%s is told by its bytes', (_what, bytes, contentType, width, height) => {
  expect(inspect(bytes)).toEqual({ contentType, width, height, whole: true })
  const half = inspect(bytes.subarray(0, bytes.length / 2))
  expect(half?.whole ?? false).toBe(false)
})

test('nothing that is changed of a header makes it throw', async () => {
  const random = seeded(7)
  for (const bytes of [pngOf(9, 9), await jpegOf(9, 9), await webpOf(9, 9), PDF])
    for (let i = 0; i < 2_000; i++) {
      const changed = Buffer.from(bytes.subarray(0, random.int(0, bytes.length)))
      for (let n = 0; n < 3 && changed.length > 0; n++) changed[random.int(0, changed.length - 1)] = random.int(0, 255)
      inspect(changed)
    }
})

test('without a decoder photos are refused and headers still read', async () => {
  const images = createImages(null)
  expect(images.available).toBe(false)
  expect(images.inspect(PDF)?.contentType).toBe('application/pdf')
  await expect(images.prepare(new Uint8Array(9), [], 9)).rejects.toMatchObject({ code: 'photos_unavailable' })
})

test('what the decoder refuses is no photo; too many pixels are none either', async () => {
  const images = createImages()
  const prepare = (bytes: Buffer, pixels = 1_000_000) => images.prepare(new Uint8Array(bytes), ['320'], pixels)
  expect(await prepare(Buffer.from('no picture at all'))).toBeUndefined()
  expect(await prepare(pngOf(70, 30), 2_000)).toBeUndefined()
  const photo = await prepare(pngOf(700, 300))
  expect(await new Bun.Image(photo?.thumbnails['320'] ?? '').metadata()).toMatchObject({ width: 320, height: 137 })
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
