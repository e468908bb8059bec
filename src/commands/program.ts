import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isAlive } from '../../db/files.ts'
import { isDenied, isReadOnly, reason, StoreError } from '../../db/store-error.ts'
import { lineFor, previousOf, swap } from './swap.ts'

const PIECE = 1024 * 1024
/** What minisign signs of a file. */
export const HASH = 'blake2b512'
const RUN_MS = 60_000
const HEAD = 4096

/** The path of the running binary; undefined for Loyer run from source. */
export const ownProgram = (): string | undefined =>
  /\$bunfs|~BUN/.test(import.meta.url) ? realpathSync(process.execPath) : undefined

const MACHINES: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' }
/** The machine that a program was made for, by its first bytes. */
function machineOf(path: string): string {
  const head = Buffer.alloc(HEAD)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, HEAD, 0)
  } finally {
    closeSync(file)
  }
  if (head.readUInt32BE(0) === 0x7f454c46)
    return `Linux ${MACHINES[head.readUInt16LE(18)] ?? 'of another kind'}${head.includes('ld-musl') ? ' with musl' : ''}`
  if (head.readUInt32LE(0) === 0xfeedfacf) return `macOS ${head.readUInt32LE(4) === 0x0100000c ? 'arm64' : 'x64'}`
  if (head.toString('latin1', 0, 2) === 'MZ') return 'Windows'
  return head.toString('latin1', 0, 2) === '#!' ? 'any machine with a shell' : 'no machine: it is no program'
}

/** What `--version` of a program prints; undefined where it does not run here. */
function versionOf(path: string): string | undefined {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: RUN_MS, env: {} })
  return status === 0 ? /^\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] : undefined
}
const isOlder = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) < 0

/**
 * Refuses a program older than the one in place, such as the copy that was installed first, after an update: it could
 * not open the database. @throws StoreError
 */
export function expectNotOlder(from: string, program: string): void {
  const [ours, installed] = [versionOf(from), versionOf(program)]
  if (ours === undefined || installed === undefined || !isOlder(ours, installed)) return
  throw new StoreError(
    65,
    `${program} is Loyer ${installed}, and this is ${ours}. Nothing was changed. \`sudo loyer install\` installs the newer one again, \`${lineFor(program, 'rollback')}\` goes back.`,
  )
}

export function hashOf(path: string): Buffer {
  const hash = createHash(HASH)
  const file = openSync(path, 'r')
  const piece = Buffer.allocUnsafe(PIECE)
  try {
    for (let n = readSync(file, piece, 0, PIECE, null); n > 0; n = readSync(file, piece, 0, PIECE, null))
      hash.update(piece.subarray(0, n))
  } finally {
    closeSync(file)
  }
  return hash.digest()
}

/** Copies a file and lets `see` read each piece; so the copy has exactly the bytes that were checked. */
function copySeen(from: string, to: string, see: (piece: Uint8Array) => void): void {
  const input = openSync(from, 'r')
  try {
    const output = openSync(to, 'w', 0o700)
    try {
      const piece = Buffer.allocUnsafe(PIECE)
      for (let n = readSync(input, piece, 0, PIECE, null); n > 0; n = readSync(input, piece, 0, PIECE, null)) {
        see(piece.subarray(0, n))
        for (let at = 0; at < n; ) at += writeSync(output, piece, at, n - at)
      }
      fsyncSync(output)
    } finally {
      closeSync(output)
    }
  } finally {
    closeSync(input)
  }
}

const notYours = (program: string, e: unknown): StoreError =>
  new StoreError(
    77,
    isReadOnly(e)
      ? `${dirname(program)} is on a disk that is read-only here. Nothing was changed. Mount it for writing, then run the same.`
      : `${dirname(program)} is not yours to change: run the same with sudo. Nothing was changed.`,
    e,
  )

/** Removes what updates that were killed have left beside the program. @throws StoreError while another one is under way */
function expectAlone(program: string): void {
  const [folder, start] = [dirname(program), `${basename(program)}.new-`]
  for (const name of readdirSync(folder)) {
    const pid = Number(name.startsWith(start) ? name.slice(start.length) : process.pid)
    if (isAlive(pid))
      throw new StoreError(
        75,
        `Another update is under way. Nothing was changed. If there is none, delete ${join(folder, name)}.`,
      )
    if (pid !== process.pid) rmSync(join(folder, name))
  }
}

type Newer = {
  readonly file: string
  readonly program: string
  readonly version: string
  readonly see: (piece: Uint8Array) => void
  /** Called once every piece was seen. @returns the signed name, loyer-VERSION-MACHINE @throws if it must not be used */
  readonly check: () => string
}
/**
 * Puts a newer program in the place of this one: copied beside it and flushed, checked as copied, run once for its
 * version, then renamed. @returns its version; undefined where it is in place already @throws StoreError; the present
 * program then stays in place
 */
export function replaceProgram({ file, program, version, see, check }: Newer): string | undefined {
  // Named by the process: two at once must not write into one file, or one has checked what the other wrote.
  const staged = `${program}.new-${process.pid}`
  const refuse = (why: string): StoreError => new StoreError(65, `${file} cannot be used: ${why}. Nothing was changed.`)
  try {
    // Once its own file is there: so of two at once, at least one sees the other.
    writeFileSync(staged, '', { mode: 0o700 })
    expectAlone(program)
    copySeen(file, staged, see)
    const name = check()
    const [theirs, ours] = [machineOf(staged), machineOf(program)]
    if (theirs !== ours) throw refuse(`it was made for ${theirs}, and this Loyer for ${ours}`)
    const next = versionOf(staged)
    if (next === undefined) throw refuse('it does not run on this machine')
    // A release cannot pass for another one: its name was signed with it.
    if (!name.startsWith(`loyer-${next}-`)) throw refuse(`it is Loyer ${next}, and was signed as ${name}`)
    if (isOlder(next, version))
      throw refuse(`it is Loyer ${next}, and this is ${version}: \`${lineFor(program, 'rollback')}\` goes back`)
    // Twice the same would leave no other to go back to.
    if (hashOf(staged).equals(hashOf(program))) {
      rmSync(staged)
      return undefined
    }
    swap(staged, program, previousOf(program))
    return next
  } catch (e) {
    // On a read-only disk even this would fail, and hide the reason.
    if (existsSync(staged)) rmSync(staged)
    if (e instanceof StoreError) throw e
    if (isDenied(e)) throw notYours(program, e)
    throw new StoreError(73, `${program} could not be replaced, and is as it was: ${reason(e)}.`, e)
  }
}

/** The program before the last update, and when that was, epoch ms; undefined where none is kept. */
export function previousProgram(program: string | undefined): { path: string; replacedAt: number } | undefined {
  if (program === undefined || !existsSync(previousOf(program))) return undefined
  const path = previousOf(program)
  // A rename sets ctime, and reading a file does not: it is the time of the update.
  return { path, replacedAt: statSync(path).ctimeMs }
}
/**
 * The version of the program that is kept, once it is certain that the program in place can be replaced.
 * @throws StoreError if it cannot
 */
export function checkPrevious(program: string): string | undefined {
  try {
    accessSync(dirname(program), constants.W_OK)
  } catch (e) {
    throw notYours(program, e)
  }
  return versionOf(previousOf(program))
}
