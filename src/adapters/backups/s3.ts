import { openAsBlob } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '../../../db/store-error.ts'
import { DAY_MS } from '../../core/dates.ts'
import { openBucket, type S3Object, type S3Settings } from '../s3.ts'
import { nameOf, readName } from './names.ts'
import { checkRoom } from './unpack.ts'

/** Where finished backups lie. */
export type Place = {
  /** Brings a file there under a name; a file of this name is complete. */
  readonly put: (path: string, name: string, sha256: string) => Promise<void>
  readonly list: () => Promise<readonly S3Object[]>
  /** The bytes of one that was listed; undefined if it is gone. */
  readonly read: (one: S3Object) => Promise<AsyncIterable<Uint8Array> | undefined>
  readonly remove: (name: string) => Promise<void>
}

/** Errors of the storage end a command with the exit code of an unavailable service. @throws StoreError */
const asStoreErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((e: unknown) => {
    throw e instanceof StoreError ? e : new StoreError(69, e instanceof Error ? e.message : String(e), e)
  })

/** A bucket of an S3-compatible storage. @throws StoreError with a sentence */
export function s3Place(to: string, settings: S3Settings): Place {
  const bucket = openBucket(to, settings)
  return {
    put: async (path, name, sha256) => asStoreErrors(bucket.put(name, await openAsBlob(path), sha256)),
    list: () => asStoreErrors(bucket.list()),
    read: ({ name, sizeBytes }) => asStoreErrors(bucket.get(name, sizeBytes)),
    remove: (name) => asStoreErrors(bucket.remove(name)),
  }
}

/**
 * Brings a backup from S3 to a file in a folder; of an address that names none, the newest one there, and never one whose
 * name is of a day to come. @returns its path
 * @throws StoreError
 */
export async function download(from: string, settings: S3Settings, folder: string): Promise<string> {
  const [, place = '', last = ''] = /^(.*?)\/([^/]*)$/.exec(from) ?? []
  const isOne = readName(last) !== undefined
  const bucket = openBucket(isOne ? place : from, settings)
  const all = (await asStoreErrors(bucket.list())).filter(({ name }) => (isOne ? name === last : readName(name)))
  const tomorrow = nameOf(Date.now() + DAY_MS, false)
  const past = isOne ? all : all.filter(({ name }) => name < tomorrow)
  const newest = past.sort((a, b) => (a.name < b.name ? 1 : -1))[0]
  const chunks = newest && (await asStoreErrors(bucket.get(newest.name, newest.sizeBytes)))
  if (!newest || !chunks)
    throw new StoreError(
      66,
      all.length > 0 && !isOne
        ? `Every backup in ${from} is of a day to come, by its name. Set the clock of this machine right, or name the one to use.`
        : `There is no backup ${isOne ? from : `in ${from}`}.`,
    )
  checkRoom(folder, newest.sizeBytes)
  const path = join(folder, newest.name)
  const handle = await open(path, 'wx', 0o600)
  try {
    await asStoreErrors(
      (async () => {
        for await (const chunk of chunks) await handle.writeFile(chunk)
      })(),
    )
  } finally {
    await handle.close()
  }
  return path
}
