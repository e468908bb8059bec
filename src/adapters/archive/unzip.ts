import type { ArchiveEntry, Readable, Unzip } from './port.ts'

const END = { mark: 0x06054b50, size: 22, comment: 0xffff }
const ENTRY = { mark: 0x02014b50, size: 46 }
const LOCAL = { mark: 0x04034b50, size: 30 }
/** Bytes of the central directory per entry: a name, and the extra fields that tools add. */
const DIRECTORY_BYTES = 512
const PIECE = 16 * 1024
/** Text compresses to about a twentieth; a much larger ratio is a ZIP bomb. */
const MOST_RATIO = 200
const RATIO_FROM = 1024 * 1024
const UNIX = { type: 0o170000, file: 0o100000 }

const broken = () => new Error('the archive is damaged')
const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const marked = (bytes: Uint8Array, { mark, size }: { mark: number; size: number }): DataView => {
  if (bytes.byteLength < size || view(bytes).getUint32(0, true) !== mark) throw broken()
  return view(bytes)
}

type Stored = { readonly start: number; readonly packed: number; readonly full: number; readonly deflated: boolean }
type Inflating = new (
  ready: (chunk: Uint8Array) => void,
) => {
  push: (chunk: Uint8Array, last: boolean) => void
}

function* unpack({ read }: Readable, Inflate: Inflating, { start, packed, full, deflated }: Stored) {
  const head = marked(read(start, start + LOCAL.size), LOCAL)
  const from = start + LOCAL.size + head.getUint16(26, true) + head.getUint16(28, true)
  let ready: Uint8Array[] = []
  const inflate = deflated ? new Inflate((chunk) => void ready.push(chunk)) : undefined
  let size = 0
  for (let at = 0; at < packed; at += PIECE) {
    const end = Math.min(at + PIECE, packed)
    const piece = read(from + at, from + end)
    if (piece.byteLength !== end - at) throw broken()
    if (inflate) inflate.push(piece, end === packed)
    else ready.push(piece)
    for (const chunk of ready) {
      size += chunk.byteLength
      // Count the actual size: the stated one may be a lie.
      if (size > full) throw broken()
      if (chunk.byteLength > 0) yield chunk
    }
    ready = []
  }
  if (size !== full) throw broken()
}

/** Entries come from the central directory, so that a nested archive is a file like any other. */
export const unzip: Unzip = async function unzip(archive, limits) {
  const { size, read } = archive
  // Loaded on first use, see zip.ts.
  const { Inflate } = await import('fflate')
  const tail = read(Math.max(0, size - END.size - END.comment), size)
  let at = tail.byteLength - END.size
  while (at >= 0 && view(tail).getUint32(at, true) !== END.mark) at--
  if (at < 0) throw broken()
  const end = view(tail.subarray(at))
  const count = end.getUint16(10, true)
  const [length, from] = [end.getUint32(12, true), end.getUint32(16, true)]
  if (count > limits.entries || length > count * DIRECTORY_BYTES) throw broken()
  let directory = read(from, from + length)
  const entries: ArchiveEntry[] = []
  const names = new Set<string>()
  let bytes = 0
  for (let left = count; left > 0; left--) {
    const entry = marked(directory, ENTRY)
    const [flags, method] = [entry.getUint16(8, true), entry.getUint16(10, true)]
    const [packed, full] = [entry.getUint32(20, true), entry.getUint32(24, true)]
    const lengths = [28, 30, 32].map((offset) => entry.getUint16(offset, true))
    const [nameBytes = 0] = lengths
    const name = new TextDecoder('utf-8', { fatal: true }).decode(
      directory.subarray(ENTRY.size, ENTRY.size + nameBytes),
    )
    const kind = (entry.getUint32(38, true) >>> 16) & UNIX.type
    bytes += full
    const odd = (flags & 1) !== 0 || (method !== 0 && method !== 8) || (method === 0 && packed !== full)
    const swells = full > RATIO_FROM && full > packed * MOST_RATIO
    const known = names.has(name.toLowerCase()) || name.endsWith('/') || (kind !== 0 && kind !== UNIX.file)
    if (odd || swells || known || bytes > limits.bytes) throw broken()
    names.add(name.toLowerCase())
    const stored = { start: entry.getUint32(42, true), packed, full, deflated: method === 8 }
    entries.push({ name, sizeBytes: full, pieces: () => unpack(archive, Inflate, stored) })
    directory = directory.subarray(ENTRY.size + lengths.reduce((a, b) => a + b, 0))
  }
  return entries
}
