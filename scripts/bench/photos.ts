// A photo of a phone made ready, beside decoding it once and writing the same sizes.
import { Buffer } from 'node:buffer'
import { createImages } from '../../src/adapters/images/images.ts'
import { FILE } from '../../src/core/budgets.ts'
import { interleaved } from './load.ts'

const HEAD = 54
/** Soft shapes with the grain of a sensor, as BMP, which costs nothing to decode. */
function bitmap(width: number, height: number): Buffer {
  const line = 3 * width
  const file = Buffer.alloc(HEAD + line * height)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  for (const [at, value] of [
    [10, HEAD],
    [14, 40],
    [18, width],
    [22, height],
  ] as const)
    file.writeUInt32LE(value, at)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  let seed = 1
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff
      const light = 120 + 60 * Math.sin(x / 97) * Math.cos(y / 71) + ((seed >> 16) % 24)
      const at = HEAD + y * line + 3 * x
      for (let colour = 0; colour < 3; colour++) file[at + colour] = light * (1 - colour / 10)
    }
  return file
}

export async function prepared(rounds: number) {
  const photo = new Uint8Array(await new Bun.Image(bitmap(4000, 3000)).jpeg({ quality: 92 }).bytes())
  const [middle, small] = [bitmap(800, 600), bitmap(320, 240)]
  const images = createImages()
  const bare = async () => {
    await new Bun.Image(photo).jpeg({ quality: 85 }).bytes()
    for (const picture of [middle, small]) await new Bun.Image(picture).webp({ quality: 80 }).bytes()
  }
  const own = () => images.prepare(photo, ['320', '800'], FILE.pixels)
  return { megabytes: photo.length / 1e6, ...(await interleaved(own, bare, { each: 3, rounds })) }
}
