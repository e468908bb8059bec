import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflate } from 'node:zlib'

export const ascii = (bytes: Buffer, from: number, length: number): string =>
  bytes.toString('latin1', from, from + length)
/** Limits far above real files; more segments only cost time. */
export const MAX_PARTS = 10_000
export const PNG = '\x89PNG\r\n\x1a\n'

const IN_PNG = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']
/**
 * A PNG's picture alone: a decoder would unpack its texts and profiles, to 1,000 times their size, though nobody sees
 * them. Other files stay as they are.
 */
export function withoutTexts(original: Uint8Array<ArrayBuffer>, types = [...IN_PNG, 'eXIf']): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength)
  if (ascii(bytes, 0, 8) !== PNG) return original
  return Buffer.concat([bytes.subarray(0, 8), ...chunksOf(bytes).filter((part) => types.includes(ascii(part, 4, 4)))])
}

function chunksOf(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 8, next = 0; at + 12 <= bytes.length; at = next) {
    next = at + 12 + bytes.readUInt32BE(at)
    chunks.push(bytes.subarray(at, next))
    if (ascii(bytes, at + 4, 4) === 'IEND') break
  }
  return chunks
}

const BITS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** Whether every chunk has its checksum and the pixels unpack to what the header says; they are never in memory at once. */
async function isWholePng(bytes: Buffer): Promise<boolean> {
  const chunks = chunksOf(bytes)
  if (chunks.some((part) => crc32(part.subarray(4, -4)) !== part.readUInt32BE(part.length - 4))) return false
  const bits = (BITS[bytes[25] ?? 1] ?? 0) * (bytes[24] ?? 0)
  const expected = bytes.readUInt32BE(20) * (1 + Math.ceil((bytes.readUInt32BE(16) * bits) / 8))
  const packed = chunks.filter((part) => ascii(part, 4, 4) === 'IDAT').map((part) => part.subarray(8, -4))
  let size = 0
  try {
    await pipeline(Readable.from(packed), createInflate({ chunkSize: 64 * 1024 }), async (pieces) => {
      for await (const piece of pieces) {
        size += piece.length
        // Interlaced rows are up to twice as many.
        if (size > 2 * expected + 64) throw new Error('more than its pixels')
      }
    })
  } catch {
    return false
  }
  return bits > 0 && size >= expected
}

/** How a JPEG is turned, by its EXIF; 1 is upright. */
function orientationOf(segment: Buffer): number {
  const tiff = segment.subarray(10)
  if (ascii(segment, 4, 6) !== 'Exif\0\0' || tiff.length < 14) return 1
  const little = ascii(tiff, 0, 2) === 'II'
  const short = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let n = 0, at = first + 2; n < Math.min(short(first), 100); n += 1, at += 12)
    if (short(at) === 0x0112) return short(at + 8)
  return 1
}
/** EXIF that tells the orientation and nothing else. */
const turned = (orientation: number): Buffer => {
  const tiff = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01', 'latin1')
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, 34]), tiff, Buffer.from([0, orientation, 0, 0, 0, 0, 0, 0])])
}

/** Where a scan's coded data ends: at the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at !== -1) {
    const next = bytes[at + 1] ?? 0xd9
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
    at = bytes.indexOf(0xff, at + 1)
  }
  return bytes.length
}

/** A JPEG without the segments that cameras and programs add, and without anything after the picture. */
function cleanJpeg(bytes: Buffer): Buffer | undefined {
  const segments: Buffer[] = []
  let orientation = 1
  let at = 2
  for (let parts = 0; parts < MAX_PARTS && at + 4 <= bytes.length && bytes[at] === 0xff; parts += 1) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xd9) break
    const next = at + 2 + bytes.readUInt16BE(at + 2)
    const end = marker === 0xff ? at + 1 : marker === 0xda ? endOfScan(bytes, next) : next
    const segment = bytes.subarray(at, end)
    // Adobe's segment stays: it says how the colours are coded.
    const colours = marker === 0xee && segment.length === 16 && ascii(segment, 4, 5) === 'Adobe'
    if (marker === 0xe1 && orientation === 1) orientation = orientationOf(segment)
    if (colours || (marker >= 0xc0 && marker < 0xe0)) segments.push(segment)
    at = end
  }
  const end = bytes.subarray(at, at + 2)
  if (end[0] !== 0xff || end[1] !== 0xd9) return undefined
  const exif = orientation > 1 && orientation <= 8 ? [turned(orientation)] : []
  return Buffer.concat([bytes.subarray(0, 2), ...exif, ...segments, end])
}

const IN_WEBP = ['VP8X', 'ALPH', 'VP8 ', 'VP8L']
/** A still picture alone. */
function cleanWebp(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  let at = 12
  for (let parts = 0; parts < MAX_PARTS && at + 8 <= bytes.length; parts += 1) {
    const size = bytes.readUInt32LE(at + 4)
    const type = ascii(bytes, at, 4)
    const part = Buffer.from(bytes.subarray(at, at + 8 + size))
    // Of the extended features only transparency stays.
    if (type === 'VP8X' && part.length > 8) part.writeUInt8(part.readUInt8(8) & 0x10, 8)
    if (IN_WEBP.includes(type)) chunks.push(part, Buffer.alloc(size % 2))
    at += 8 + size + (size % 2)
  }
  if (!chunks.some((part) => ascii(part, 0, 3) === 'VP8' && ascii(part, 3, 1) !== 'X')) return undefined
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const head = Buffer.from('RIFF\0\0\0\0')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

/** A picture as it was coded, without anything else that its file holds. Undefined if that cannot be told apart. */
export async function cleaned(original: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength)
  if (ascii(bytes, 0, 8) === PNG) return (await isWholePng(bytes)) ? withoutTexts(original, IN_PNG) : undefined
  const clean = bytes[0] === 0xff ? cleanJpeg(bytes) : cleanWebp(bytes)
  return clean && new Uint8Array(clean)
}
