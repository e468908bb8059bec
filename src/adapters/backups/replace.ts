import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder, removeAll, syncFile, syncFolder, takeLock } from '../../../db/files.ts'
import { reason, StoreError } from '../../../db/store-error.ts'

type Target = { readonly dataDir: string; readonly databaseFile: string }
type Move = { readonly from: string; readonly to: string }
type Journal = {
  readonly moves: readonly Move[]
  readonly keptIn: string
  readonly remove: readonly string[]
  /** The program that its previous version, kept beside it, replaces together with the database. */
  readonly program?: string | undefined
}
type PutBack = (program: string) => void
/** How a program gets its place again; `expect` throws before anything is moved if this process cannot do it. */
type Program = { readonly expect: PutBack; readonly putBack: PutBack }

const journalOf = (dataDir: string): string => join(dataDir, 'restore.json')
/** Whether a restore or rollback was cut off in this folder, and waits to be finished. */
export const isCutOff = (dataDir: string): boolean => existsSync(journalOf(dataDir))
/** Where a restore unpacks; on the disk of the data folder, so that a rename puts it in place. */
export const stagingOf = (dataDir: string): string => join(dataDir, 'restore.new')
/** What belongs to a database file besides it. */
const BESIDE = ['', '-wal', '-shm', '-journal', '.closed']

function move({ from, to }: Move): void {
  makeFolder(dirname(to))
  renameSync(from, to)
  for (const folder of [dirname(from), dirname(to)]) syncFolder(folder)
}

function forgetJournal(dataDir: string): void {
  rmSync(journalOf(dataDir), { force: true })
  syncFolder(dataDir)
}

/** Makes the remaining moves. @throws the error of a failed move, after undoing all, those of a killed process too */
function carryOut(dataDir: string, { moves, keptIn, remove, program }: Journal, putBack: PutBack): void {
  const make = (all: readonly Move[]): void => {
    for (const one of all) if (existsSync(one.from) && !existsSync(one.to)) move(one)
  }
  try {
    make(moves)
    if (program !== undefined) putBack(program)
  } catch (e) {
    make(moves.map(({ from, to }) => ({ from: to, to: from })).toReversed())
    if (existsSync(keptIn) && readdirSync(keptIn).length === 0) rmdirSync(keptIn)
    forgetJournal(dataDir)
    // Not before: a plan without its staged files would be carried out in part.
    for (const path of remove) removeAll(path)
    throw new StoreError(73, `Nothing was replaced, ${dataDir} is as it was: ${reason(e)}.`, e)
  }
  for (const path of remove) removeAll(path)
  forgetJournal(dataDir)
}

type Staged = {
  readonly folders: readonly string[]
  readonly database: string
  readonly atMs: number
  readonly program?: string | undefined
}

/**
 * Plans to put staged files in the place of a data folder's own: `folders` are those of `stagingOf`, `database` is a
 * file on the same disk. What they replace is moved to a folder with the time in its name. The moves are
 * written down first: if the process is killed, the next command finishes them, so there is the old state or the new,
 * never half of each. Call it with the lock of the database.
 */
export function planReplacing(
  { dataDir, databaseFile }: Target,
  { folders, database, atMs, program }: Staged,
): Journal {
  const keptIn = join(dataDir, `replaced-${new Date(atMs).toISOString().replaceAll(/[:.]/g, '')}`)
  if (existsSync(keptIn)) throw new StoreError(73, `${keptIn} is there already: try again in a second.`)
  const staging = stagingOf(dataDir)
  const keptDatabase = join(keptIn, basename(databaseFile))
  const old = [
    ...BESIDE.map((end) => ({ from: databaseFile + end, to: keptDatabase + end })),
    ...folders.map((name) => ({ from: join(dataDir, name), to: join(keptIn, name) })),
  ]
  const fresh = [
    ...folders.map((name) => ({ from: join(staging, name), to: join(dataDir, name) })),
    { from: database, to: databaseFile },
  ]
  // Only what is there now: a move that finds the new file in the old one's place would take it away again.
  const moves = [...old, ...fresh].filter(({ from }) => existsSync(from))
  const journal: Journal = { moves, keptIn, remove: [staging, database], program }
  const file = journalOf(dataDir)
  try {
    // On a full disk this line fails, before anything is planned.
    if (moves.some(({ to }) => dirname(to) === keptIn)) makeFolder(keptIn)
    writeFileSync(`${file}.new`, JSON.stringify(journal), { mode: 0o600 })
    syncFile(`${file}.new`)
  } catch (e) {
    for (const path of [`${file}.new`, keptIn]) removeAll(path)
    throw new StoreError(73, `Nothing was replaced, ${dataDir} is as it was: ${reason(e)}.`, e)
  }
  renameSync(`${file}.new`, file)
  syncFolder(dataDir)
  return journal
}

export type Replaced = {
  /** The folder with what was replaced, if there was any. */
  readonly folder: string | undefined
  /** Folders that earlier calls had kept, and that are removed now. */
  readonly removed: readonly string[]
}
/**
 * Plans and makes the moves; what the last three calls replaced is kept. `putBack` puts the previous program back in its
 * place. @throws StoreError with the error of a failed move; everything is then as before
 */
export function replace(target: Target, staged: Staged, putBack: PutBack = () => {}): Replaced {
  const journal = planReplacing(target, staged)
  carryOut(target.dataDir, journal, putBack)
  return {
    folder: existsSync(journal.keptIn) ? journal.keptIn : undefined,
    removed: forgetOld(target.dataDir, journal.keptIn),
  }
}

/** A sentence about the removed folders, for a command to print. */
export const removedText = ({ removed }: Replaced): string[] =>
  removed.length === 0
    ? []
    : [`What the last ${KEPT} replaced is kept; removed: ${removed.map((path) => basename(path)).join(', ')}`]

const KEPT = 3
const STAMPED = /^replaced-\d{4}-\d\d-\d\dT\d+Z/
/** Removes what was replaced before the last three times. */
function forgetOld(dataDir: string, latest: string): string[] {
  const replaced = readdirSync(dataDir)
    .filter((name) => STAMPED.test(name))
    .sort()
  // By a clock that was never set, what was replaced just now would be the oldest.
  const retained = [...replaced.slice(-KEPT), basename(latest)]
  const old = replaced.filter((name) => !retained.includes(name)).map((name) => join(dataDir, name))
  for (const path of old) removeAll(path)
  return old
}

/**
 * Finishes a restore or rollback whose process was killed. Returns at once if there is none.
 * @throws StoreError while that process still runs
 */
export function finishReplacing({ dataDir, databaseFile }: Target, { expect, putBack }: Program): void {
  if (!isCutOff(dataDir)) return
  const lock = takeLock(databaseFile)
  try {
    if (!isCutOff(dataDir)) return
    const journal = JSON.parse(readFileSync(journalOf(dataDir), 'utf8')) as Journal
    if (journal.program !== undefined) expect(journal.program)
    carryOut(dataDir, journal, putBack)
  } finally {
    lock.close()
  }
}

/** Runs `work` while no service has the database open. @throws StoreError where one has */
export async function whileStopped<T>({ dataDir, databaseFile }: Target, work: () => T | Promise<T>): Promise<T> {
  makeFolder(dataDir)
  const lock = takeLock(databaseFile)
  try {
    return await work()
  } finally {
    lock.close()
  }
}
