import { ascii, MAX_PARTS, PNG } from './clean.ts'
import type { Inspected } from './port.ts'

/** Progressive scans, each as expensive as a decoding; photos have about ten. */
const MAX_SCANS = 100

const NONE = { whole: 0, preview: 0 }

const markers = (bytes: Buffer, marker: number, from: number): number => {
  let scans = 0
  for (let at = from; at !== -1 && scans <= MAX_SCANS; scans += 1)
    at = bytes.indexOf(Buffer.from([0xff, marker]), at + 2)
  return scans
}

/**
 * Memory for each pixel of a JPEG. Of one scan it is decoded line by line, and scaled meanwhile; of several the decoder
 * keeps two bytes for each coefficient, whatever the scale.
 */
function jpegMemory(bytes: Buffer, frame: number, scan: number): Inspected['memory'] {
  const parts = bytes[frame + 9] ?? 0
  const samples = Array.from({ length: parts }, (_, n) => bytes[frame + 11 + 3 * n] ?? 0)
  const sizes = samples.map((factors) => (factors >> 4) * (factors & 15))
  const [baseline, extended] = [0xc0, 0xc1]
  const oneScan = [baseline, extended].includes(bytes[frame + 1] ?? 0) && bytes[scan + 4] === parts
  const coefficients = oneScan ? 0 : (2 * sizes.reduce((sum, size) => sum + size, 0)) / Math.max(1, ...sizes)
  return { whole: 4 + coefficients, preview: 0.5 + coefficients }
}

/** A JPEG's frame header holds its size; after the start of the scan the end marker cannot be anything else. */
function jpeg(bytes: Buffer): Inspected | undefined {
  let frameAt = 0
  let at = 2
  for (let parts = 0; parts < MAX_PARTS && at + 9 < bytes.length; parts += 1) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (frame) frameAt = at
    const next = at + 2 + bytes.readUInt16BE(at + 2)
    if (marker === 0xda) {
      if (markers(bytes, 0xda, at) > MAX_SCANS) return undefined
      const whole = bytes.indexOf(Buffer.from([0xff, 0xd9]), next) !== -1
      if (frameAt === 0) return { contentType: 'image/jpeg', width: 0, height: 0, whole, memory: NONE }
      const size = { height: bytes.readUInt16BE(frameAt + 5), width: bytes.readUInt16BE(frameAt + 7) }
      return { contentType: 'image/jpeg', ...size, whole, memory: jpegMemory(bytes, frameAt, at) }
    }
    if (next < at + 4) return undefined
    at = next
  }
  return undefined
}

function png(bytes: Buffer): Inspected | undefined {
  if (bytes.length < 33 || ascii(bytes, 12, 4) !== 'IHDR') return undefined
  let whole = false
  let parts = 0
  for (let at = 8; at + 12 <= bytes.length && !whole; at += 12 + bytes.readUInt32BE(at)) {
    if (++parts > MAX_PARTS) return undefined
    whole = ascii(bytes, at + 4, 4) === 'IEND'
  }
  const memory = { whole: 4.5, preview: 4.5 }
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), whole, memory }
}

function webp(bytes: Buffer): Inspected | undefined {
  if (bytes.length < 30) return undefined
  // Counted as lossless, which takes the most memory.
  const memory = { whole: 8, preview: 8 }
  const common = { contentType: 'image/webp', whole: bytes.readUInt32LE(4) + 8 <= bytes.length, memory }
  switch (ascii(bytes, 12, 4)) {
    case 'VP8X':
      return { ...common, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8 ':
      return { ...common, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { ...common, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    default:
      return undefined
  }
}

const TAIL_BYTES = 2048

/** What a file is, by its first bytes. Only its header and its end are looked at. */
export function inspect(original: Uint8Array): Inspected | undefined {
  const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength)
  if (bytes.length < 8) return undefined
  if (bytes.readUIntBE(0, 3) === 0xffd8ff) return jpeg(bytes)
  if (ascii(bytes, 0, 8) === PNG) return png(bytes)
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return webp(bytes)
  if (ascii(bytes, 0, 5) === '%PDF-')
    return {
      contentType: 'application/pdf',
      width: 0,
      height: 0,
      whole: bytes.includes('%%EOF', bytes.length - TAIL_BYTES),
      memory: NONE,
    }
  return undefined
}
