import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { Unzip, type UnzipDecoder } from 'fflate'
import { SPREADSHEET } from '../../core/budgets.ts'
import { broken, unpacksTooMuch } from './refusals.ts'
import { createXmlReader, type XmlSink } from './xml.ts'

/** Bytes decompressed at a time, which bounds what a ZIP bomb can expand to in memory. */
const CHUNK = 64 * 1024

export type Rest = () => Promise<void>
export type Unpack = (name: string, sink: XmlSink) => Promise<void>

/** Cuts the compressed parts out of the archive without copying. */
function partsOf(
  bytes: Uint8Array<ArrayBuffer>,
): Map<string, { readonly method: number; readonly packed: Uint8Array[] }> {
  const parts = new Map<string, { method: number; packed: Uint8Array[]; whole: boolean }>()
  const unzip = new Unzip((file) => {
    const part = { method: file.compression, packed: [] as Uint8Array[], whole: false }
    // Duplicate names are refused: readers differ in which part they take.
    if (parts.has(file.name)) throw broken()
    parts.set(file.name, part)
    if (parts.size > SPREADSHEET.parts) throw unpacksTooMuch()
    file.ondata = (error, chunk, last) => {
      if (error) throw broken()
      part.packed.push(chunk)
      part.whole = last
    }
    file.start()
  })
  unzip.register(Packed)
  unzip.push(bytes, true)
  for (const { whole } of parts.values()) if (!whole) throw broken()
  return parts
}
/** Leaves a part compressed; it is decompressed later, where every byte is counted. */
class Packed implements UnzipDecoder {
  static compression = 8
  ondata: UnzipDecoder['ondata'] = () => {}
  push(chunk: Uint8Array<ArrayBuffer>, last: boolean): void {
    this.ondata(null, chunk, last)
  }
}

/** Decompresses the requested parts into their sinks, a chunk at a time; the stated sizes are ignored. */
export function unpacker(bytes: Uint8Array<ArrayBuffer>, rest: Rest): Unpack {
  const parts = partsOf(bytes)
  let size = 0
  return async (name, sink) => {
    const part = parts.get(name)
    if (!part) return
    const source = Readable.from(part.packed)
    const stream = part.method === 0 ? source : source.pipe(createInflateRaw({ chunkSize: CHUNK }))
    const read = createXmlReader(sink)
    for await (const chunk of stream) {
      size += chunk.byteLength
      if (size > SPREADSHEET.unpacked) throw unpacksTooMuch()
      read(chunk, false)
      await rest()
    }
    read(new Uint8Array(0), true)
  }
}
