import { once } from 'node:events'
import { createGzip, gzipSync } from 'node:zlib'
import type { Sheet, Tables } from '../adapters/tables/port.ts'
import type { Accepted } from '../core/encodings.ts'

/** Bytes below which packing gains nothing: such an answer fits into one packet. */
const LEAST = 1024

/** Whether an answer of so many characters leaves packed. */
export const isPacked = ({ gzip, plain }: Accepted, length: number): boolean => gzip && (length > LEAST || !plain)

/** This level takes a tenth of a millisecond for a list of 50; the usual one twice that, for 2 % less. */
const LEVEL = 3
export const gzipped = (text: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(gzipSync(text, { level: LEVEL }))

type Piece = string | Uint8Array<ArrayBuffer>

/** Bytes that are copied in one turn: a year of 20,000 units is 100 MB. */
const COPIED = 4 * 1024 * 1024
/** Bytes that are handed to the packing thread at once. */
const PACKED = 256 * 1024

/** An answer of status 200 as it was gathered; its parts joined are the body. */
export type Gathered = { readonly parts: readonly Uint8Array<ArrayBuffer>[]; readonly isPacked: boolean }

/** Pieces joined to parts of at least so many bytes; the last may have fewer. */
async function* joined(pieces: AsyncIterable<Piece>, least: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting: Piece[] = []
  let size = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    size += piece.length
    if (size < least) continue
    yield await new Blob(waiting).bytes()
    waiting = []
    size = 0
  }
  yield await new Blob(waiting).bytes()
}

/** Streams large parts one after another, because joining them copies all at once. */
function inTurns(parts: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array> {
  const left = parts.values()
  return new ReadableStream({
    pull(to) {
      const next = left.next()
      if (next.done) to.close()
      else to.enqueue(next.value)
    },
  })
}

async function* after<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

/** Reading goes on while so many bytes wait to be packed; Node's types do not name this option of streams. */
const PACKING = { level: LEVEL, chunkSize: PACKED, highWaterMark: COPIED }
/** Packs parts on a thread of the runtime, while the next ones are read. */
async function packed(parts: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const gzip = createGzip(PACKING)
  const packed: Uint8Array<ArrayBuffer>[] = []
  gzip.on('data', (bytes: Uint8Array<ArrayBuffer>) => void packed.push(bytes))
  try {
    for await (const part of parts) if (!gzip.write(part)) await once(gzip, 'drain')
    const ended = once(gzip, 'end')
    gzip.end()
    await ended
  } finally {
    gzip.destroy()
  }
  return new Blob(packed).bytes()
}

/** Reads a long answer to its end, packed if the client accepts that: nothing is sent before. */
export async function gathered(pieces: AsyncIterable<Piece>, coding: Accepted): Promise<Gathered> {
  const parts = joined(pieces, coding.gzip ? PACKED : COPIED)
  const { value: first = new Uint8Array() } = await parts.next()
  const all = after(first, parts)
  return isPacked(coding, first.length)
    ? { parts: [await packed(all)], isPacked: true }
    : { parts: await Array.fromAsync(all), isPacked: false }
}

export const answerOf = ({ parts, isPacked }: Gathered, headers: Readonly<Record<string, string>>): Response =>
  new Response(parts.length === 1 ? parts[0] : inTurns(parts), {
    headers: { ...headers, ...(isPacked && { 'content-encoding': 'gzip' }) },
  })

/** How a table is written to a file. */
export type SheetFile = {
  readonly format: 'csv' | 'xlsx'
  readonly language: 'fr' | 'en'
  readonly coding: Accepted
  /** Epoch ms, for the parts of a spreadsheet. */
  readonly nowMs: number
}
const PACKED_ALREADY = { br: false, gzip: false, plain: true }
/** A table as a file, as `gathered`. */
export const gatheredSheet = (
  tables: Tables,
  sheet: Sheet,
  { format, language, coding, nowMs }: SheetFile,
  rest: () => Promise<void>,
): Promise<Gathered> =>
  format === 'csv'
    ? gathered(tables.csv(sheet, language, rest), coding)
    : gathered(tables.xlsx(sheet, new Date(nowMs), rest), PACKED_ALREADY)
