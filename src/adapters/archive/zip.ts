import { once } from 'node:events'
import { crc32, createDeflateRaw } from 'node:zlib'
import type { ZipInputFile, ZipPassThrough } from 'fflate'
import type { ArchiveFile, Piece, Zip } from './port.ts'

const MAX_FILES = 65_535
const MAX_BYTES = 0xffff_ffff

const encoder = new TextEncoder()
const bytes = (piece: Piece): Uint8Array => (typeof piece === 'string' ? encoder.encode(piece) : piece)
const pieces = (content: ArchiveFile['content']): Iterable<Piece> | AsyncIterable<Piece> =>
  typeof content === 'string' || content instanceof Uint8Array ? [content] : content

/** A file that the runtime compresses on a thread: on the main one a few hundred kB would hold up requests for tens of ms. */
function deflated(filename: string, mtime: Date) {
  const deflater = createDeflateRaw({ level: 3, chunkSize: 64 * 1024 })
  const entry: ZipInputFile = { filename, mtime, size: 0, crc: 0, compression: 8 }
  deflater.on('data', (chunk: Buffer<ArrayBuffer>) => entry.ondata?.(null, chunk, false))
  return {
    entry,
    async push(chunk: Uint8Array): Promise<void> {
      entry.size += chunk.byteLength
      entry.crc = crc32(chunk, entry.crc)
      await new Promise<void>((resolve, reject) => deflater.write(chunk, (e) => (e ? reject(e) : resolve())))
    },
    async end(): Promise<void> {
      const ended = once(deflater, 'end')
      deflater.end()
      await ended
      entry.ondata?.(null, new Uint8Array(0), true)
    },
    leave: (): void => void deflater.destroy(),
  }
}

/** A file that is compressed already. */
function stored(entry: ZipPassThrough, mtime: Date) {
  entry.mtime = mtime
  return {
    entry,
    push: (chunk: Uint8Array): void => entry.push(chunk),
    end: (): void => entry.push(new Uint8Array(0), true),
    leave: (): void => {},
  }
}

async function* pack(files: Parameters<Zip>[0], at: Date): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // Loaded on first use: the library's tables would slow down every start.
  const { Zip: Archive, ZipPassThrough } = await import('fflate')
  let ready: Uint8Array<ArrayBuffer>[] = []
  let count = 0
  let size = 0
  const archive = new Archive((error, chunk) => {
    if (error) throw error
    size += chunk.byteLength
    if (chunk.byteLength > 0) ready.push(chunk)
  })
  function* packed(): Generator<Uint8Array<ArrayBuffer>> {
    if (size > MAX_BYTES) throw new Error('the archive would be larger than 4 GiB')
    const out = ready
    ready = []
    yield* out
  }
  for await (const file of files) {
    count += 1
    if (count > MAX_FILES) throw new Error(`the archive would have more than ${MAX_FILES} files`)
    const open = file.stored ? stored(new ZipPassThrough(file.name), at) : deflated(file.name, at)
    archive.add(open.entry)
    try {
      for await (const piece of pieces(file.content)) {
        await open.push(bytes(piece))
        yield* packed()
      }
      await open.end()
    } finally {
      open.leave()
    }
    yield* packed()
  }
  archive.end()
  yield* packed()
}

export const zip: Zip = (files, at) => {
  const packing = pack(files, at)
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await packing.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await packing.return(undefined)
    },
  })
}
