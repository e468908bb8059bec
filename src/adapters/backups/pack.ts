import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { constants, createZstdCompress } from 'node:zlib'
import { copyDatabase, factsOf } from '../../../db/copy.ts'
import { seal } from './age.ts'
import { DATABASE, type Entry, FOLDERS, FORMAT, HEAD, type Head, MANIFEST, trailer } from './format.ts'
import { tarEnd, tarHeader, tarPadding } from './tar.ts'

const PIECE = 1024 * 1024

export type Source = {
  readonly dataDir: string
  readonly databaseFile: string
  /** The version of this program. */
  readonly version: string
  /** The s3:// address where media and papers lie, if not in the data folder. */
  readonly filesAt?: string | undefined
}
type SourceFile = { readonly name: string; readonly path: string; readonly size: number }

/** The files below the folders that are backed up: no links, and no uploads that are under way. */
export function filesOf(dataDir: string): SourceFile[] {
  return FOLDERS.flatMap((folder) => {
    const root = join(dataDir, folder)
    if (!existsSync(root)) return []
    return readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const below = relative(root, path).split(sep)
      const size = entry.isFile() && below[0] !== 'tmp' ? statSync(path, { throwIfNoEntry: false })?.size : undefined
      return size === undefined || path.endsWith('.new') ? [] : [{ name: [folder, ...below].join('/'), path, size }]
    })
  })
}

/** Undefined for a file that was deleted while the backup is made: the backup need not hold it. */
function openUnlessGone(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (e) {
    if (e instanceof Error && 'code' in e && e.code === 'ENOENT') return undefined
    throw e
  }
}

async function* tar(head: Head, files: readonly SourceFile[], atMs: number): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = []
  const one = function* (name: string, text: string): Generator<Uint8Array> {
    const content = Buffer.from(text)
    yield tarHeader(name, content.byteLength, atMs)
    yield content
    yield tarPadding(content.byteLength)
  }
  yield* one(HEAD, `${JSON.stringify(head)}\n`)
  for (const { name, path, size } of files) {
    // Opened before its header is written: the header of a file that is gone could not be taken back.
    const file = openUnlessGone(path)
    if (file === undefined) {
      if (name === DATABASE) throw new Error(`${path} is gone`)
      continue
    }
    const hash = createHash('sha256')
    let left = size
    try {
      yield tarHeader(name, size, atMs)
      while (left > 0) {
        const piece = Buffer.allocUnsafe(Math.min(PIECE, left))
        const length = readSync(file, piece, 0, piece.byteLength, null)
        if (length === 0) throw new Error(`${path} changed while it was read`)
        left -= length
        hash.update(piece.subarray(0, length))
        yield piece.subarray(0, length)
      }
    } finally {
      closeSync(file)
    }
    yield tarPadding(size)
    entries.push({ name, size, sha256: hash.digest('hex') })
  }
  yield* one(MANIFEST, `${JSON.stringify({ files: entries })}\n`)
  yield tarEnd()
}

async function* compressed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packed = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  })
  const hash = createHash('sha256')
  const source = Readable.from(chunks, { objectMode: false })
  // A pipe passes no errors on.
  source.once('error', (e) => packed.destroy(e))
  const result: AsyncIterable<Uint8Array> = source.pipe(packed)
  try {
    for await (const chunk of result) {
      hash.update(chunk)
      yield chunk
    }
  } finally {
    // Nor does it close the open file when the reader stops early.
    source.destroy()
  }
  yield trailer(hash.digest())
}

export type Packed = { readonly sizeBytes: number; readonly sha256: string; readonly head: Head }

/**
 * Writes a backup to a new file that only its owner can read; a file that could not be finished is removed.
 * `workFolder`, on a disk with room for a copy of the database, is where that copy lies meanwhile.
 */
export async function pack(
  { dataDir, databaseFile, version, filesAt }: Source,
  {
    to,
    workFolder,
    passphrase,
    atMs,
  }: { to: string; workFolder: string; passphrase?: string | undefined; atMs: number },
): Promise<Packed> {
  const copy = join(workFolder, DATABASE)
  try {
    copyDatabase(databaseFile, copy)
    // After the database: each file that a row of the copy names was there before the row.
    const files = [{ name: DATABASE, path: copy, size: statSync(copy).size }, ...filesOf(dataDir)]
    const head: Head = {
      format: FORMAT,
      loyer: version,
      schema: factsOf(copy).schema,
      createdAt: new Date(atMs).toISOString(),
      files: files.length,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      ...(filesAt === undefined ? {} : { filesAt }),
    }
    const plain = compressed(tar(head, files, atMs))
    const hash = createHash('sha256')
    let sizeBytes = 0
    const handle = await open(to, 'wx', 0o600)
    try {
      for await (const chunk of passphrase === undefined ? plain : seal(plain, passphrase)) {
        hash.update(chunk)
        sizeBytes += chunk.byteLength
        await handle.writeFile(chunk)
      }
      await handle.sync()
    } catch (e) {
      rmSync(to, { force: true })
      throw e
    } finally {
      await handle.close()
    }
    return { sizeBytes, sha256: hash.digest('hex'), head }
  } finally {
    rmSync(copy, { force: true })
  }
}
