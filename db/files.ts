import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { noTemporary, reason, StoreError, sqliteCode } from './store-error.ts'

/**
 * Flushes a folder: a renamed file survives a power loss only once its folder is on disk too. Windows cannot do this
 * and need not.
 */
export function syncFolder(folder: string): void {
  let fd: number | undefined
  try {
    fd = openSync(folder, 'r')
    fsyncSync(fd)
  } catch {
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** The folder and those above it that are not there, the innermost first. */
export function missingOf(folder: string): readonly string[] {
  const missing: string[] = []
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.push(at)
  return missing
}

/** Makes a private folder and its missing parents, and flushes each parent before it returns. */
export function makeFolder(folder: string, sync = syncFolder): void {
  const missing = missingOf(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const path of missing) sync(dirname(path))
}

/** Makes a private folder for temporary files. Remove it when done. @throws StoreError */
export function temporaryFolder(start: string): string {
  try {
    return mkdtempSync(join(tmpdir(), start))
  } catch (e) {
    throw noTemporary(e)
  }
}

/** Removes a file, or a folder with all that is in it, if it is there. Bun's own recursive removal fails under Wine. */
export function removeAll(path: string): void {
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory()
  for (const name of isFolder ? readdirSync(path) : []) removeAll(join(path, name))
  if (isFolder) rmdirSync(path)
  else rmSync(path, { force: true })
}

/** Refuses a folder, a pipe or a device, which cannot be read twice or never ends. @throws StoreError */
export function expectFile(path: string): void {
  let isFile: boolean | undefined
  try {
    isFile = statSync(path, { throwIfNoEntry: false })?.isFile()
  } catch (e) {
    // A file where a folder should be.
    if (!(e instanceof Error && 'code' in e && e.code === 'ENOTDIR')) throw e
  }
  if (isFile === undefined) throw new StoreError(66, `There is no file ${path}.`)
  if (!isFile) throw new StoreError(66, `${path} is no file, but a folder, a pipe or a device.`)
}

/** Whether a process is running, other than this one. */
export const isAlive = (pid: number): boolean => {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (e) {
    return e instanceof Error && 'code' in e && e.code === 'EPERM'
  }
}

export function syncFile(file: string): void {
  const fd = openSync(file, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Makes an empty file that only its owner may read; fails if the file exists. */
export const createPrivate = (file: string): void => closeSync(openSync(file, 'wx', 0o600))

/** Size of a file in bytes; undefined when there is no file. */
export const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size

/** A folder's owner, or this user where that is root. */
function ownerOf(folder: string): { readonly uid: number; readonly gid: number } {
  const { uid, gid } = statSync(folder)
  return uid === 0 ? { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 } : { uid, gid }
}
/** The line that gives a folder, with all that is in it, to its owner. */
export function givingBack(folder: string): string {
  const { uid, gid } = ownerOf(folder)
  return `sudo chown -R ${uid}:${gid} ${folder}`
}
const LEVELS = 2
/** The first file of the upper levels of a folder that another than its owner made there, as root may by mistake. */
export function strangerIn(folder: string, { uid } = ownerOf(folder), levels = LEVELS): string | undefined {
  // Windows knows no such owners; a disk's own folder is root's.
  if (process.getuid === undefined) return undefined
  for (const name of readdirSync(folder).filter((name) => name !== 'lost+found')) {
    const path = join(folder, name)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat && stat.uid !== uid) return path
    const inside = stat?.isDirectory() && levels > 1 ? strangerIn(path, { uid, gid: 0 }, levels - 1) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}
/** What to do about it, as the end of a message; empty where there is none, or the folder cannot be read. */
export function strangerText(folder: string): string {
  try {
    const path = strangerIn(folder)
    return path === undefined ? '' : ` ${path} belongs to another user. Give it back: ${givingBack(folder)}`
  } catch {
    // The message begins with the error that matters.
    return ''
  }
}

const RESERVE_BYTES = 512 * 1024
const reserveOf = (file: string): string => `${file}.reserve`

/** Reserves a little disk space for the next start, if there is any. */
export function holdReserve(file: string): void {
  const path = reserveOf(file)
  if (sizeOf(path) !== undefined) return
  try {
    writeFileSync(path, Buffer.alloc(RESERVE_BYTES), { mode: 0o600 })
  } catch {
    rmSync(path, { force: true })
  }
}

/** Frees the reserved space. @returns whether there was any */
export function giveReserve(file: string): boolean {
  const isReserved = (sizeOf(reserveOf(file)) ?? 0) > 0
  rmSync(reserveOf(file), { force: true })
  return isReserved
}

/**
 * Makes sure that only one process serves a database: the write transaction on the lock file stays open as long as
 * the returned Database is referenced. IMMEDIATE needs one lock only; with EXCLUSIVE, two processes that start
 * together can block each other. Nothing is written, so a killed process leaves no journal.
 */
export function takeLock(file: string): Database.Database {
  const path = `${file}.lock`
  if (sizeOf(path) === undefined) {
    try {
      createPrivate(path)
    } catch (e) {
      // Another process may have made the file meanwhile. Any other problem shows when the file is opened.
      if (sizeOf(path) === undefined) throw e
    }
  }
  const lock = new Database(path, { timeout: 0 })
  try {
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN IMMEDIATE')
    return lock
  } catch (e) {
    lock.close()
    if (/^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(e)))
      throw new StoreError(
        75,
        `Another Loyer is already running on ${file}. Stop it first, or choose another LOYER_DATA.`,
      )
    throw new StoreError(78, `The lock file ${path} cannot be used: ${reason(e)}. Delete it, or make it writable.`, e)
  }
}
