import { once } from 'node:events'
import { createGzip } from 'node:zlib'
import type { Accepted } from '../core/encodings.ts'
import { isPacked, LEVEL } from './packing.ts'

type Piece = string | Uint8Array<ArrayBuffer>

/** Bytes that are copied in one turn: a year of 20,000 units is 100 MB. */
const COPIED = 4 * 1024 * 1024
/** Bytes that are handed to the packing thread at once. */
const PACKED = 256 * 1024

/** Pieces joined to blobs of at least so many bytes; the last may have fewer. */
async function* joined(pieces: AsyncIterable<Piece>, least: number): AsyncGenerator<Blob> {
  let waiting: Piece[] = []
  let size = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    size += piece.length
    if (size < least) continue
    yield new Blob(waiting)
    waiting = []
    size = 0
  }
  yield new Blob(waiting)
}

/** Streams large blobs one after another, because joining them copies all at once. */
function inTurns(blobs: readonly Blob[]): ReadableStream<Uint8Array> {
  const left = blobs.values()
  return new ReadableStream({
    async pull(to) {
      const next = left.next()
      if (next.done) to.close()
      else to.enqueue(await next.value.bytes())
    },
  })
}

async function* after<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

/** Reading goes on while so many bytes wait to be packed; Node's types do not name this option of streams. */
const PACKING = { level: LEVEL, chunkSize: PACKED, highWaterMark: COPIED }
/** Packs blobs on a thread of the runtime, while the next ones are read. */
async function packed(blobs: AsyncIterable<Blob>): Promise<Blob> {
  const gzip = createGzip(PACKING)
  const packed: Uint8Array<ArrayBuffer>[] = []
  gzip.on('data', (bytes: Uint8Array<ArrayBuffer>) => void packed.push(bytes))
  try {
    for await (const blob of blobs) if (!gzip.write(await blob.bytes())) await once(gzip, 'drain')
    const ended = once(gzip, 'end')
    gzip.end()
    await ended
  } finally {
    gzip.destroy()
  }
  return new Blob(packed)
}

/** A long answer of status 200 from its pieces, packed if the client accepts that. Nothing is sent before everything is read. */
export async function longAnswer(
  pieces: AsyncIterable<Piece>,
  coding: Accepted,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const blobs = joined(pieces, coding.gzip ? PACKED : COPIED)
  const { value: first = new Blob() } = await blobs.next()
  const all = after(first, blobs)
  if (isPacked(coding, first.size))
    return new Response(await packed(all), { headers: { ...headers, 'content-encoding': 'gzip' } })
  const plain = await Array.fromAsync(all)
  return new Response(plain.length === 1 ? plain[0] : inTurns(plain), { headers })
}
