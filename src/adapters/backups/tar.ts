const BLOCK = 512
const NAME = 100
const PREFIX = 155
const PAX_BYTES = 4096
/** Larger sizes do not fit into eleven octal digits and are written in base 256. */
const OCTAL_LIMIT = 8 ** 11

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`

function header(name: string, size: number, modifiedMs: number, kind: '0' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, NAME)
  block.write(octal(0o600, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  if (size < OCTAL_LIMIT) block.write(octal(size, 11), 124)
  else {
    block[124] = 0x80
    block.writeUIntBE(size, 130, 6)
  }
  block.write(octal(Math.floor(modifiedMs / 1000), 11), 136)
  block.write(`        ${kind}`, 148)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)} `, 148)
  return block
}

/** A pax record: its own length in digits, then the name of a long path. */
function pathRecord(path: string): Buffer {
  const rest = ` path=${path}\n`
  const bytes = Buffer.byteLength(rest)
  const digits = String(bytes + String(bytes).length).length
  return Buffer.from(`${bytes + digits}${rest}`)
}

/** The header before a file's content, in the ustar format; a long path comes in a pax header before it. */
export function tarHeader(path: string, size: number, modifiedMs: number): Uint8Array {
  const own = header(path, size, modifiedMs, '0')
  if (Buffer.byteLength(path) <= NAME) return own
  const record = pathRecord(path)
  const pax = header('path', record.byteLength, modifiedMs, 'x')
  return Buffer.concat([pax, record, tarPadding(record.byteLength), own])
}

/** Zeros that fill the last block of a file of this size. */
export const tarPadding = (size: number): Uint8Array => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)
/** The end of an archive. */
export const tarEnd = (): Uint8Array => new Uint8Array(2 * BLOCK)

export type TarEntry = { readonly name: string; readonly size: number; readonly content: AsyncIterable<Uint8Array> }

const text = (block: Buffer, from: number, length: number): string => {
  const field = block.subarray(from, from + length)
  const end = field.indexOf(0)
  return new TextDecoder('utf-8', { fatal: true }).decode(end < 0 ? field : field.subarray(0, end))
}

function numberAt(block: Buffer, from: number, length: number): number {
  if (block[from] === 0x80) return block.readUIntBE(from + length - 6, 6)
  const digits = text(block, from, length).trim()
  if (!/^[0-7]*$/.test(digits)) throw new Error('it is damaged')
  return Number.parseInt(digits || '0', 8)
}

function checkSum(block: Buffer): void {
  const stated = numberAt(block, 148, 8)
  const blank = Buffer.from(block)
  blank.fill(' ', 148, 156)
  if (blank.reduce((total, byte) => total + byte, 0) !== stated) throw new Error('it is damaged')
}

/** Bytes of a stream, as many as asked for. */
function reader(chunks: AsyncIterable<Uint8Array>) {
  const source = chunks[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)
  /** At most this many bytes; none at the end. */
  async function some(most: number): Promise<Uint8Array> {
    while (rest.byteLength === 0) {
      const next = await source.next()
      if (next.done) return rest
      rest = next.value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.byteLength)
    return piece
  }
  async function exactly(size: number): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    for (let left = size; left > 0; ) {
      const piece = await some(left)
      if (piece.byteLength === 0) throw new Error('it ends too early')
      pieces.push(piece)
      left -= piece.byteLength
    }
    return Buffer.concat(pieces)
  }
  return { some, exactly }
}

/**
 * The files of an archive in their order; read the content of each before the next. Only regular files are taken: a
 * link, a folder or a device is refused, because unpacking it could write outside of its folder. @throws Error with
 * the end of a sentence
 */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const { some, exactly } = reader(chunks)
  let longPath: string | undefined
  for (;;) {
    const block = await exactly(BLOCK)
    if (block.every((byte) => byte === 0)) break
    checkSum(block)
    const [prefix, last] = [text(block, 345, PREFIX), text(block, 0, NAME)]
    const name = longPath ?? (prefix === '' ? last : `${prefix}/${last}`)
    const kind = String.fromCharCode(block[156] ?? 0)
    if (kind === 'x' && longPath === undefined) {
      const length = numberAt(block, 124, 12)
      if (length > PAX_BYTES) throw new Error('it is damaged')
      const record = (await exactly(length)).toString('utf8')
      longPath = /^\d+ path=([^\n]+)\n$/.exec(record)?.[1]
      if (longPath === undefined) throw new Error('it is damaged')
      await exactly(tarPadding(length).byteLength)
      continue
    }
    longPath = undefined
    if (kind === '1' || kind === '2') throw new Error(`it holds a link, ${name}`)
    if (kind !== '0') throw new Error(`it holds ${name}, which is no file`)
    const size = numberAt(block, 124, 12)
    let left = size
    async function* content(): AsyncGenerator<Uint8Array> {
      while (left > 0) {
        const piece = await some(left)
        if (piece.byteLength === 0) throw new Error('it ends too early')
        left -= piece.byteLength
        yield piece
      }
    }
    yield { name, size, content: content() }
    while (left > 0) left -= (await exactly(Math.min(left, 64 * 1024))).byteLength
    await exactly(tarPadding(size).byteLength)
  }
  for (;;) {
    const piece = await some(64 * 1024)
    if (piece.byteLength === 0) return
    if (piece.some((byte) => byte !== 0)) throw new Error('it is damaged')
  }
}
