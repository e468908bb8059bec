import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import type { Bucket } from '../s3.ts'
import type { Blobs, OpenBlob } from './port.ts'

/** Files stay in the folder of this machine until it holds this much; an hour at least, because they may be being sent. */
const CACHE = { bytes: 2 ** 30, ms: 3600_000 }
/** Files up to this size are read into memory where the machine has no room for them. */
const IN_MEMORY = 32 * 2 ** 20
/** A name with a hash in it means the same bytes for ever; any other one may get new ones, on another machine too. */
const isFixed = (name: string): boolean => /\.[0-9a-f]{64}(\.|$)/.test(name)

type Folders = {
  /** Copies of what lies in the bucket, on this machine. */
  readonly cache: Blobs
  readonly cacheFolder: string
  /** Where files lay before they were kept in a bucket: those not moved yet are read there. */
  readonly before: Blobs
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  for await (const piece of chunks) pieces.push(piece)
  return new Uint8Array(Buffer.concat(pieces))
}

/**
 * Files in a bucket. A file is written to this machine first, and has its name once the bucket has it; it is read from
 * this machine while a copy is there. @throws storage_unavailable while the bucket cannot be reached
 */
export function s3Blobs(bucket: Bucket, { cache, cacheFolder, before }: Folders): Blobs {
  const reaching = <T>(work: Promise<T>): Promise<T> =>
    work.catch((e: unknown) => {
      throw e instanceof AppError ? e : new AppError('storage_unavailable', undefined, { retryAfter: 30 }, e)
    })
  const idOf = (name: string): string => name.slice(0, name.indexOf('.'))
  const forget = (name: string): Promise<void> => cache.remove(idOf(name), (one) => one === name)
  const gone = (name: string): Error => new Error(`${name} is gone`)

  async function bytesOf(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const chunks = await bucket.get(name)
    if (!chunks) throw gone(name)
    return joined(chunks)
  }
  const fetching = new Map<string, Promise<void>>()
  /** Downloads a file to this machine; concurrent calls for one file share the download. */
  function bring(name: string): Promise<void> {
    const known = fetching.get(name)
    if (known) return known
    const work = (async () => {
      const chunks = await bucket.get(name)
      if (!chunks) throw gone(name)
      await (await cache.receive(chunks, Number.POSITIVE_INFINITY)).keep(name)
    })().finally(() => fetching.delete(name))
    fetching.set(name, work)
    return work
  }

  const remote = (name: string, sizeBytes: number): OpenBlob => ({
    sizeBytes,
    close: async () => {},
    bytes: () => reaching(bytesOf(name)),
    async part(start, end) {
      if (isFixed(name))
        try {
          await bring(name)
          const file = await cache.open(name)
          if (file) return await file.part(start, end)
        } catch (e) {
          // Files can be read even if the disk of this machine is full.
          if (sizeBytes > IN_MEMORY) return reaching(Promise.reject(e))
        }
      return new Blob([(await reaching(bytesOf(name))).subarray(start, end + 1)])
    },
  })

  return {
    async receive(body, limit, options) {
      const received = await cache.receive(body, limit, options)
      return {
        ...received,
        async keep(name) {
          await received.keep(name)
          try {
            const file = await cache.open(name)
            if (!file) throw gone(name)
            const whole = await file.part(0, file.sizeBytes - 1)
            await reaching(bucket.put(name, whole, received.sha256))
          } catch (e) {
            await forget(name)
            throw e
          }
          if (!isFixed(name)) await forget(name)
        },
      }
    },
    async open(name) {
      const here = isFixed(name) ? ((await cache.open(name)) ?? (await before.open(name))) : undefined
      if (here) return here
      const sizeBytes = await reaching(bucket.sizeOf(name))
      return sizeBytes === undefined ? before.open(name) : remote(name, sizeBytes)
    },
    async remove(id, which = () => true) {
      // The bucket first: a file that is still there would be downloaded again.
      const names = (await reaching(bucket.list(`${id}.`))).map(({ name }) => name).filter(which)
      for (const name of names) await reaching(bucket.remove(name))
      await Promise.all([cache.remove(id, which), before.remove(id, which)])
    },
    async tidy() {
      const done = (await cache.tidy()) + (await before.tidy())
      await trim(cacheFolder)
      return done
    },
  }
}

/** Removes the oldest files of the cache beyond what it may hold. */
async function trim(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files: { path: string; size: number; mtimeMs: number }[] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const stats = entry.isFile() ? await stat(path).catch(() => undefined) : undefined
    if (stats) files.push({ path, size: stats.size, mtimeMs: stats.mtimeMs })
  }
  let left = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size, mtimeMs } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (left <= CACHE.bytes || Date.now() - mtimeMs < CACHE.ms) return
    await rm(path, { force: true })
    left -= size
  }
}
