import type { Inspected } from './port.ts'

const ascii = (bytes: Buffer, from: number, length: number): string => bytes.toString('latin1', from, from + length)

/** Limits far above real files; more segments only cost time. */
const MAX_PARTS = 10_000
/** Progressive scans, each as expensive as a decoding; photos have about ten. */
const MAX_SCANS = 100

const markers = (bytes: Buffer, marker: number, from: number): number => {
  let found = 0
  for (let at = from; at !== -1 && found <= MAX_SCANS; found += 1)
    at = bytes.indexOf(Buffer.from([0xff, marker]), at + 2)
  return found
}

/** A JPEG's frame header holds its size; after the start of the scan the end marker cannot be anything else. */
function jpeg(bytes: Buffer): Inspected | undefined {
  let size = { width: 0, height: 0 }
  let at = 2
  for (let parts = 0; parts < MAX_PARTS && at + 9 < bytes.length; parts += 1) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (frame) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    const next = at + 2 + bytes.readUInt16BE(at + 2)
    if (marker === 0xda) {
      if (markers(bytes, 0xda, at) > MAX_SCANS) return undefined
      return { contentType: 'image/jpeg', ...size, whole: bytes.indexOf(Buffer.from([0xff, 0xd9]), next) !== -1 }
    }
    if (next < at + 4) return undefined
    at = next
  }
  return undefined
}

const PNG = '\x89PNG\r\n\x1a\n'
const IN_PNG = ['IHDR', 'PLTE', 'tRNS', 'eXIf', 'IDAT', 'IEND']
/**
 * A PNG's picture alone: a decoder would unpack its texts and profiles, to 1,000 times their size, though nobody sees
 * them. Other files stay as they are.
 */
export function withoutTexts(given: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (ascii(bytes, 0, 8) !== PNG) return given
  const kept = [bytes.subarray(0, 8)]
  for (let at = 8, next = 0; at + 12 <= bytes.length; at = next) {
    next = at + 12 + bytes.readUInt32BE(at)
    if (IN_PNG.includes(ascii(bytes, at + 4, 4))) kept.push(bytes.subarray(at, next))
  }
  return Buffer.concat(kept)
}

function png(bytes: Buffer): Inspected | undefined {
  if (bytes.length < 33 || ascii(bytes, 12, 4) !== 'IHDR') return undefined
  let whole = false
  let parts = 0
  for (let at = 8; at + 12 <= bytes.length && !whole; at += 12 + bytes.readUInt32BE(at)) {
    if (++parts > MAX_PARTS) return undefined
    whole = ascii(bytes, at + 4, 4) === 'IEND'
  }
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), whole }
}

function webp(bytes: Buffer): Inspected | undefined {
  if (bytes.length < 30) return undefined
  const found = { contentType: 'image/webp', whole: bytes.readUInt32LE(4) + 8 <= bytes.length }
  switch (ascii(bytes, 12, 4)) {
    case 'VP8X':
      return { ...found, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8 ':
      return { ...found, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { ...found, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    default:
      return undefined
  }
}

const TAIL_BYTES = 2048

/** What a file is, by its first bytes. Only its header and its end are looked at. */
export function inspect(given: Uint8Array): Inspected | undefined {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
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
    }
  return undefined
}
