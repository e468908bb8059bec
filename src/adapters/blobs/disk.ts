import { createHash, randomBytes } from 'node:crypto'
import { constants, openAsBlob } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError, diskFull } from '../../errors.ts'
import type { Blobs, FreeOf, OpenBlob, Received } from './port.ts'
import { floorOf, freeOf, papersFloorOf } from './room.ts'

const NAME = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.[a-z0-9]{1,64}(\.[a-z0-9]{1,16})?$/
/** Whether a file may be one of the service's, by its name. */
export const isBlob = (name: string): boolean => NAME.test(name)
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Longer than any upload may take: an upload link lives 15 minutes. */
const STALE_MS = 3600_000

const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE']
const CUT_OFF = { en: 'The upload was cut off.', fr: 'L’envoi a été interrompu.' }

// Windows lacks the flag; links need a privilege there.
const NOFOLLOW = constants.O_NOFOLLOW ?? 0
/** The code of an error of the disk. That of a request that was cut off is a number. */
const codeOf = (e: unknown): string | undefined =>
  e instanceof Error && 'code' in e && typeof e.code === 'string' ? e.code : undefined
const FULL = ['ENOSPC', 'EDQUOT']
const noRoom = (cause: unknown): AppError =>
  FULL.includes(String(codeOf(cause)))
    ? diskFull(cause)
    : new AppError('storage_unavailable', undefined, { retryAfter: 30 }, cause)
const LITTLE_ROOM = {
  en: 'There is too little room on the disk for uploads and exports. Payments and papers go on.',
  fr: 'Il reste trop peu de place sur le disque pour les envois de fichiers et les exports. Les paiements et les documents continuent.',
}

/** Flushes a folder as `syncFolder` of db/files.ts does, without holding up requests meanwhile. */
async function flushFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(folder, 'r')
    await handle.sync()
  } catch {
  } finally {
    await handle?.close()
  }
}

/** The time by which files of the folder are dated, epoch ms: it need not be that of the service. */
async function clockOf(folder: string): Promise<number> {
  const probe = join(folder, randomBytes(16).toString('hex'))
  const handle = await open(probe, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW, 0o600)
  try {
    return (await handle.stat()).mtimeMs
  } finally {
    await handle.close()
    await rm(probe, { force: true })
  }
}

const PIECE = 1024 * 1024
/** Other requests are answered between two pieces: hashing twenty megabytes takes longer than they should wait. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

type Options = {
  readonly free?: FreeOf
  /** Bytes that stay free for the database. */
  readonly floor?: (total: number) => number
  /** Milliseconds on a clock that is never set. */
  readonly running?: () => number
  readonly sync?: (folder: string) => Promise<void>
}

/**
 * Files in a folder of the data folder, in two levels of subfolders named by the random end of the id. Each is written
 * to `tmp`, synced, then renamed: a file under its final name is complete.
 */
export function diskBlobs(
  root: string,
  { free = freeOf, floor = floorOf, running = () => performance.now(), sync = flushFolder }: Options = {},
): Blobs {
  const tmp = join(root, 'tmp')
  const began = running()
  const folderOf = (id: string): string => {
    if (!ID.test(id)) throw new Error('not an id')
    return join(root, id.slice(-2), id.slice(-4, -2))
  }
  /** The path of a name, in a folder that is no link to somewhere else; undefined when there is no such folder. */
  async function place(name: string): Promise<{ folder: string; path: string } | undefined> {
    const id = NAME.exec(name)?.[1]
    if (id === undefined) throw new Error('not a name')
    const folder = folderOf(id)
    try {
      const real = await realpath(folder)
      if (real !== join(await realpath(root), id.slice(-2), id.slice(-4, -2))) throw new Error(`${folder} is a link`)
    } catch (e) {
      if (codeOf(e) === 'ENOENT') return undefined
      throw e
    }
    return { folder, path: join(folder, name) }
  }

  async function checkRoom(least: (total: number) => number): Promise<void> {
    const room = await free(tmp)
    if (room.free < least(room.total))
      throw new AppError(
        'storage_unavailable',
        LITTLE_ROOM,
        { retryAfter: 600 },
        new Error(`only ${room.free} bytes free in ${root}`),
      )
  }

  // Sync each folder once per process: an earlier process may have died between creating and syncing it.
  const synced = new Set<string>()
  /** A new subfolder survives a power loss only once its parent is synced. */
  async function syncAbove(folder: string): Promise<void> {
    for (const path of [root, dirname(folder), folder])
      if (!synced.has(path)) {
        await sync(dirname(path))
        synced.add(path)
      }
  }

  async function keep(temporary: string, name: string): Promise<void> {
    const id = NAME.exec(name)?.[1]
    if (id === undefined) throw new Error('not a name')
    await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
    const at = await place(name)
    if (!at) throw new Error('the folder went away')
    await rename(temporary, at.path)
    await sync(at.folder)
    await syncAbove(at.folder)
  }

  return {
    async receive(body, limit, { makesRoom = false } = {}): Promise<Received> {
      await mkdir(tmp, { recursive: true, mode: 0o700 })
      await checkRoom(makesRoom ? papersFloorOf : floor)
      const temporary = join(tmp, randomBytes(16).toString('hex'))
      const drop = (): Promise<void> => rm(temporary, { force: true })
      const hash = createHash('sha256')
      let sizeBytes = 0
      const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW, 0o600)
      try {
        for await (const chunk of body instanceof Uint8Array ? piecesOf(body) : (body ?? [])) {
          sizeBytes += chunk.byteLength
          if (sizeBytes > limit) throw new AppError('body_too_large')
          hash.update(chunk)
          await handle.writeFile(chunk)
        }
        await handle.sync()
      } catch (e) {
        await handle.close()
        await drop()
        if (DISK_CODES.includes(String(codeOf(e)))) throw noRoom(e)
        // The client has disconnected and gets no answer.
        throw e instanceof AppError || codeOf(e) !== undefined ? e : new AppError('content_mismatch', CUT_OFF, {}, e)
      }
      await handle.close()
      return { sizeBytes, sha256: hash.digest('hex'), keep: (name) => keep(temporary, name), drop }
    },

    async open(name): Promise<OpenBlob | undefined> {
      const at = await place(name)
      if (!at) return undefined
      let handle: FileHandle
      try {
        handle = await open(at.path, constants.O_RDONLY | NOFOLLOW)
      } catch (e) {
        if (codeOf(e) === 'ENOENT') return undefined
        throw e
      }
      return opened(handle, at.path)
    },

    async remove(id, which = () => true): Promise<void> {
      const folder = folderOf(id)
      const names = await readdir(folder).catch((e: unknown) => {
        if (codeOf(e) === 'ENOENT') return []
        throw e
      })
      for (const name of names)
        if (name.startsWith(`${id}.`) && which(name)) {
          const at = await place(name)
          if (at) await rm(at.path, { force: true })
        }
    },

    async tidy(): Promise<number> {
      const names = await readdir(tmp).catch(() => [])
      if (names.length === 0) return 0
      // A full disk takes no file to read its clock from.
      const now = await clockOf(tmp).catch(() => Date.now())
      const since = now - Math.min(running() - began, STALE_MS)
      let done = 0
      for (const name of names) {
        const path = join(tmp, name)
        const file = await stat(path).catch(() => undefined)
        // Only one process writes here: older temporary files were left by a process that was killed.
        if (!file || file.mtimeMs >= since) continue
        await rm(path, { force: true })
        done += 1
      }
      return done
    },
  }
}

async function opened(handle: FileHandle, path: string): Promise<OpenBlob> {
  const sizeBytes = (await handle.stat()).size
  return {
    sizeBytes,
    close: () => handle.close(),
    async bytes() {
      try {
        // Without a copy: a file of 20 MiB takes 20 MiB.
        const { buffer, byteOffset, byteLength } = await handle.readFile()
        return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
      } finally {
        await handle.close()
      }
    },
    // The server sends a file Blob with its length, without reading it into this process.
    async part(start, end) {
      await handle.close()
      return (await openAsBlob(path)).slice(start, end + 1)
    },
  }
}
