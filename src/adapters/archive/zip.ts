import type { ArchiveFile, Piece, Zip } from './port.ts'

const MAX_FILES = 65_535
const MAX_BYTES = 0xffff_ffff

const encoder = new TextEncoder()
const bytes = (piece: Piece): Uint8Array => (typeof piece === 'string' ? encoder.encode(piece) : piece)
const pieces = (content: ArchiveFile['content']): Iterable<Piece> | AsyncIterable<Piece> =>
  typeof content === 'string' || content instanceof Uint8Array ? [content] : content

async function* pack(files: Parameters<Zip>[0], at: Date): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // Loaded on first use: the library's tables would slow down every start.
  const { Zip: Archive, ZipDeflate, ZipPassThrough } = await import('fflate')
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
    const entry = file.stored ? new ZipPassThrough(file.name) : new ZipDeflate(file.name, { level: 3 })
    entry.mtime = at
    archive.add(entry)
    for await (const piece of pieces(file.content)) {
      entry.push(bytes(piece))
      yield* packed()
    }
    entry.push(new Uint8Array(0), true)
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
