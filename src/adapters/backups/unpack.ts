import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { expectFile, makeFolder } from '../../../db/files.ts'
import { migrations } from '../../../db/migrations.ts'
import { StoreError } from '../../../db/store-error.ts'
import { isSealed, unseal } from './age.ts'
import {
  badName,
  DATABASE,
  type Entry,
  FORMAT,
  HEAD,
  type Head,
  isPrintable,
  MANIFEST,
  refuse,
  TRAILER_BYTES,
  trailer,
  ZSTD,
} from './format.ts'
import { readTar, type TarEntry } from './tar.ts'

const PIECE = 1024 * 1024
const HEAD_BYTES = 64 * 1024
const MANIFEST_BYTES = 256 * 1024 * 1024
/** Loyer's data compress to a tenth at best; a much larger ratio is a ZIP bomb. */
const MOST_RATIO = 200
const RATIO_FROM = 64 * 1024 * 1024

export type Unpacked = {
  readonly head: Head
  readonly entries: readonly Entry[]
  readonly encrypted: boolean
  readonly sizeBytes: number
}

async function* bytesOf(file: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE)
    const length = readSync(file, piece, 0, PIECE, null)
    if (length === 0) return
    yield piece.subarray(0, length)
  }
}

/** The chunks without the trailer, which is compared at the end: a single changed bit is found. */
async function* withoutTrailer(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let rest: Uint8Array = new Uint8Array(0)
  for await (const chunk of chunks) {
    const all = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk])
    const ready = all.subarray(0, Math.max(0, all.byteLength - TRAILER_BYTES))
    rest = all.subarray(ready.byteLength)
    if (ready.byteLength === 0) continue
    hash.update(ready)
    yield ready
  }
  if (!Buffer.from(rest).equals(trailer(hash.digest()))) throw new Error('it is damaged or ends too early')
}

async function* decompressed(chunks: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  const plain = createZstdDecompress()
  const source = Readable.from(chunks, { objectMode: false })
  source.once('error', (e) => plain.destroy(e))
  let size = 0
  const result: AsyncIterable<Uint8Array> = source.pipe(plain)
  try {
    for await (const chunk of result) {
      size += chunk.byteLength
      if (size > most) throw new Error('it would swell to many times its size, as a bomb does')
      yield chunk
    }
  } finally {
    source.destroy()
  }
}

async function textOf({ name, size, content }: TarEntry, most: number): Promise<string> {
  if (size > most) throw new Error(`its ${name} is too large`)
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

function readHead(text: string, version: string): Head {
  const head = JSON.parse(text) as Head
  if (![head.loyer, head.createdAt, head.filesAt ?? ''].every(isPrintable)) throw new Error('it is no backup of Loyer')
  if (head.format > FORMAT || head.schema > migrations.length)
    throw new Error(
      `it was made by Loyer ${head.loyer} (schema ${head.schema}), and this is ${version}, which knows ${migrations.length}: restore it with Loyer ${head.loyer} or a newer one`,
    )
  if (head.format !== FORMAT || !Number.isSafeInteger(head.files) || !Number.isSafeInteger(head.bytes))
    throw new Error('it is no backup of Loyer')
  return head
}

/** Writes a file of the archive, or only reads it where `to` is undefined. @returns its SHA-256 */
async function take({ content }: TarEntry, to: string | undefined): Promise<string> {
  const hash: Hash = createHash('sha256')
  if (to === undefined) {
    for await (const piece of content) hash.update(piece)
    return hash.digest('hex')
  }
  makeFolder(dirname(to), () => {})
  const file = openSync(to, 'wx', 0o600)
  try {
    for await (const piece of content) {
      hash.update(piece)
      for (let at = 0; at < piece.byteLength; ) at += writeSync(file, piece, at)
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

/** @throws StoreError where a folder's disk has less room than `needed` bytes */
export function checkRoom(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < needed)
    throw new StoreError(
      73,
      `There is too little room in ${folder}: ${Math.ceil(needed / 2 ** 20)} MB are needed. Nothing was changed.`,
    )
}

type Options = {
  readonly passphrase?: string | undefined
  /** Whether a backup that is not encrypted is taken although there is a passphrase. */
  readonly plain?: boolean | undefined
  /** The version of this program. */
  readonly version: string
  /** An empty folder for the files; the database alone is written where `only` says so. */
  readonly folder: string
  readonly only?: 'database'
  /** How messages call the file, if this is a copy of it. */
  readonly name?: string
}

/**
 * Reads a whole backup, compares each of its files with the manifest, and unpacks it to a folder. If it throws, what it
 * wrote there is useless. @throws StoreError that names the file and says why it is not used
 */
export async function unpack(
  file: string,
  { passphrase, plain = false, version, folder, only, name: called = file }: Options,
): Promise<Unpacked> {
  expectFile(file)
  const sizeBytes = statSync(file).size
  const input = openSync(file, 'r')
  try {
    const start = Buffer.alloc(64)
    readSync(input, start, 0, start.byteLength, 0)
    const encrypted = isSealed(start)
    if (!encrypted && !start.subarray(0, ZSTD.byteLength).equals(ZSTD)) throw new Error('it is no backup of Loyer')
    if (encrypted && passphrase === undefined) throw new Error('it is encrypted, and BACKUP_PASSPHRASE is not set')
    if (!encrypted && passphrase !== undefined && !plain)
      throw new Error(
        'it is not encrypted although BACKUP_PASSPHRASE is set, so somebody else may have put it there. If you know where it comes from, add --plain',
      )
    const sealed = bytesOf(input)
    const packed = withoutTrailer(encrypted && passphrase !== undefined ? unseal(sealed, passphrase) : sealed)
    return { ...(await read(decompressed(packed, RATIO_FROM + sizeBytes * MOST_RATIO))), encrypted, sizeBytes }
  } catch (e) {
    if (e instanceof StoreError) throw e
    throw refuse(called, causeOf(e), e)
  } finally {
    closeSync(input)
  }

  async function read(plain: AsyncIterable<Uint8Array>): Promise<Pick<Unpacked, 'head' | 'entries'>> {
    let head: Head | undefined
    let listed: readonly Entry[] | undefined
    let bytes = 0
    const entries = new Map<string, Entry>()
    for await (const entry of readTar(plain)) {
      const { name, size } = entry
      const bad = badName(name)
      if (bad !== undefined) throw new Error(bad)
      if (listed) throw new Error('it is damaged')
      if (head === undefined) {
        if (name !== HEAD) throw new Error('it is no backup of Loyer')
        head = readHead(await textOf(entry, HEAD_BYTES), version)
        if (only === undefined) checkRoom(folder, head.bytes)
      } else if (name === MANIFEST) {
        listed = (JSON.parse(await textOf(entry, MANIFEST_BYTES)) as { files: readonly Entry[] }).files
      } else {
        bytes += size
        if (bytes > head.bytes) throw new Error('it holds more than it says')
        // Two names that differ in case only are one file on some systems.
        if (entries.has(name.toLowerCase())) throw new Error(`it holds ${name} twice`)
        if (only === 'database' && name === DATABASE) checkRoom(folder, size)
        const to = only === undefined || name === DATABASE ? join(folder, ...name.split('/')) : undefined
        entries.set(name.toLowerCase(), { name, size, sha256: await take(entry, to) })
      }
    }
    if (head === undefined || listed === undefined) throw new Error('it ends too early')
    const same = (a: Entry, b: Entry | undefined) => a.name === b?.name && a.size === b.size && a.sha256 === b.sha256
    const different = listed.find((entry) => !same(entry, entries.get(entry.name.toLowerCase())))
    if (different) throw new Error(`its ${different.name} is not the one of its manifest`)
    if (listed.length !== entries.size || !entries.has(DATABASE))
      throw new Error('its manifest does not name all its files')
    return { head, entries: listed }
  }
}

/**
 * When the copy in a backup was made, by its own head: nothing more of it is read.
 * @returns ISO time; undefined for what is no backup, or opens with another passphrase
 */
export async function dateInside(
  chunks: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
): Promise<string | undefined> {
  try {
    const source = chunks[Symbol.asyncIterator]()
    const first = await source.next()
    if (first.done) return undefined
    async function* whole() {
      yield first.value as Uint8Array
      yield* { [Symbol.asyncIterator]: () => source }
    }
    const encrypted = isSealed(first.value)
    if (encrypted && passphrase === undefined) return undefined
    const packed = encrypted && passphrase !== undefined ? unseal(whole(), passphrase) : whole()
    for await (const entry of readTar(decompressed(packed, RATIO_FROM))) {
      if (entry.name !== HEAD) return undefined
      const { createdAt } = JSON.parse(await textOf(entry, HEAD_BYTES)) as Partial<Head>
      return new Date(createdAt ?? '').toISOString()
    }
    return undefined
  } catch {
    return undefined
  }
}

/** Errors of zstd and of JSON mean damage; errors of this folder say what they mean. */
function causeOf(e: unknown): string {
  const code = e instanceof Error && 'code' in e ? String(e.code) : ''
  const message = e instanceof Error ? e.message : String(e)
  if (/^E[A-Z]+$/.test(code)) return message
  return code !== '' || e instanceof SyntaxError || e instanceof TypeError || e instanceof RangeError
    ? 'it is damaged'
    : message
}
