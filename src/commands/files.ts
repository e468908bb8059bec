import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from '../adapters/backups/pack.ts'
import { bucketOf, type Kind } from '../adapters/blobs/blobs.ts'
import { diskBlobs, isBlob } from '../adapters/blobs/disk.ts'
import type { Bucket } from '../adapters/s3.ts'
import { type Config, ConfigError } from '../config.ts'
import { type Command, type CommandLine, UsageError } from './command.ts'

const KINDS = ['media', 'documents'] as const
const AT_ONCE = 8

async function hashOf(file: Blob): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of file.stream()) hash.update(piece)
  return hash.digest('hex')
}
/** Does the work for each item, some at once; the first error ends it. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item)
    }),
  )
}

type Files = { readonly kind: Kind; readonly dataDir: string; readonly bucket: Bucket }
const here = ({ kind, dataDir }: Files) =>
  filesOf(dataDir)
    .filter(({ name }) => name.startsWith(`${kind}/`))
    .map((file) => ({ ...file, name: file.name.slice(file.name.lastIndexOf('/') + 1) }))
    .filter(({ name }) => isBlob(name))
/** Without what others put there, such as the empty object by which the page of a storage shows a folder. */
const there = async ({ bucket }: Files) => (await bucket.list()).filter(({ name }) => isBlob(name))

/** @returns how many were copied, and how many were there */
async function push(files: Files): Promise<readonly [number, number]> {
  const stored = new Map((await there(files)).map(({ name, sizeBytes }) => [name, sizeBytes]))
  const local = here(files)
  const missing = local.filter(({ name, size }) => stored.get(name) !== size)
  await each(missing, async ({ name, path }) => {
    const file = await openAsBlob(path)
    await files.bucket.put(name, file, await hashOf(file))
  })
  return [missing.length, local.length - missing.length]
}
async function pull(files: Files): Promise<readonly [number, number]> {
  const own = new Map(here(files).map(({ name, size }) => [name, size]))
  const objects = await there(files)
  const missing = objects.filter(({ name, sizeBytes }) => own.get(name) !== sizeBytes)
  const blobs = diskBlobs(join(files.dataDir, files.kind))
  await each(missing, async ({ name }) => {
    const chunks = await files.bucket.get(name)
    // Deleted meanwhile.
    if (chunks) await (await blobs.receive(chunks, Number.POSITIVE_INFINITY)).keep(name)
  })
  return [missing.length, objects.length - missing.length]
}

async function copy({ folder, files }: CommandLine, work: typeof push, way: (config: Config) => string) {
  if (files.length > 1) throw new UsageError('It takes no file: everything is copied.')
  const config = folder()
  const { dataDir } = config
  const done: string[] = []
  for (const kind of KINDS) {
    const bucket = bucketOf(config, kind)
    if (!bucket) throw new ConfigError(['FILES_TO: set it to the storage, such as s3://my-bucket/loyer'])
    const [copied, there] = await work({ kind, dataDir, bucket })
    done.push(`${kind}: ${copied} copied, ${there} already there`)
  }
  return [...done, way(config)].join('\n')
}

/** `loyer files push`: copies media and papers of the data folder to FILES_TO, while the service runs or is stopped. */
export const pushFiles: Command = (line) =>
  copy(
    line,
    push,
    ({ dataDir, files }) =>
      `Restart the service with FILES_TO=${files?.to}, and run this once more. Then ${join(dataDir, 'media')} and ${join(dataDir, 'documents')} may be removed.`,
  )

/** `loyer files pull`: copies media and papers from FILES_TO to the data folder. */
export const pullFiles: Command = (line) =>
  copy(
    line,
    pull,
    ({ dataDir }) =>
      `${dataDir} holds them all. Restart the service without FILES_TO, then run this once more for the files that it stored meanwhile.`,
  )
