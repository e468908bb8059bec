import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder, syncFile, syncFolder, takeLock } from '../../../db/files.ts'
import { StoreError } from '../../../db/store-error.ts'

type Target = { readonly dataDir: string; readonly databaseFile: string }
type Move = { readonly from: string; readonly to: string }
type Journal = { readonly moves: readonly Move[]; readonly keptIn: string; readonly remove: readonly string[] }

const journalOf = (dataDir: string): string => join(dataDir, 'restore.json')
/** Where a restore unpacks; on the disk of the data folder, so that a rename puts it in place. */
export const stagingOf = (dataDir: string): string => join(dataDir, 'restore.new')
/** What belongs to a database file besides it. */
const BESIDE = ['', '-wal', '-shm', '-journal', '.closed']

function carryOut(dataDir: string, { moves, remove }: Journal): void {
  for (const { from, to } of moves) {
    // Done already before a power cut, if its target is there.
    if (!existsSync(from) || existsSync(to)) continue
    makeFolder(dirname(to))
    renameSync(from, to)
    for (const folder of [dirname(from), dirname(to)]) syncFolder(folder)
  }
  for (const path of remove) rmSync(path, { recursive: true, force: true })
  rmSync(journalOf(dataDir), { force: true })
  syncFolder(dataDir)
}

/**
 * Plans to put staged files in the place of a data folder's own: `folders` are those of `stagingOf`, `database` is a
 * file on the disk of the database. What they replace is moved to a folder with the time in its name. The moves are
 * written down first: if the process is killed, the next command finishes them, so there is the old state or the new,
 * never half of each. Call it with the lock of the database.
 */
export function planReplacing(
  { dataDir, databaseFile }: Target,
  { folders, database, atMs }: { folders: readonly string[]; database: string; atMs: number },
): Journal {
  const keptIn = join(dataDir, `replaced-${new Date(atMs).toISOString().replaceAll(/[:.]/g, '')}`)
  if (existsSync(keptIn)) throw new StoreError(73, `${keptIn} is there already: try again in a second.`)
  const staging = stagingOf(dataDir)
  // A database outside of the data folder may be on another disk, where its old file stays too.
  const inFolder = dirname(databaseFile) === dataDir
  const keptDatabase = inFolder ? join(keptIn, basename(databaseFile)) : `${databaseFile}.${basename(keptIn)}`
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
  const journal: Journal = { moves, keptIn, remove: [staging] }
  const file = journalOf(dataDir)
  writeFileSync(`${file}.new`, JSON.stringify(journal), { mode: 0o600 })
  syncFile(`${file}.new`)
  renameSync(`${file}.new`, file)
  syncFolder(dataDir)
  return journal
}

export type Replaced = {
  /** The folder with what was replaced, if there was any. */
  readonly kept: string | undefined
  /** What earlier ones had replaced, and is gone now. */
  readonly removed: readonly string[]
}
/** The same, and carries it out; what the last three replaced is kept. */
export function replace(target: Target, staged: Parameters<typeof planReplacing>[1]): Replaced {
  const journal = planReplacing(target, staged)
  carryOut(target.dataDir, journal)
  return { kept: existsSync(journal.keptIn) ? journal.keptIn : undefined, removed: forgetOld(target) }
}

/** A sentence on what was removed, for the lines of a command. */
export const removedText = ({ removed }: Replaced): string[] =>
  removed.length === 0
    ? []
    : [`What the last ${KEPT} replaced is kept; removed: ${removed.map((path) => basename(path)).join(', ')}`]

const KEPT = 3
const STAMPED = /(?:^|\.)replaced-(\d{4}-\d\d-\d\dT\d+Z)/
/** Removes what was replaced before the last three times; a database outside of the data folder has its own beside it. */
function forgetOld({ dataDir, databaseFile }: Target): string[] {
  const found = [...new Set([dataDir, dirname(databaseFile)])].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => {
      const [, stamp] = STAMPED.exec(name) ?? []
      const isOurs = name.startsWith(folder === dataDir ? 'replaced-' : `${basename(databaseFile)}.replaced-`)
      return stamp === undefined || !isOurs ? [] : [{ stamp, path: join(folder, name) }]
    }),
  )
  const kept = [...new Set(found.map(({ stamp }) => stamp))].sort().slice(-KEPT)
  const old = found.filter(({ stamp }) => !kept.includes(stamp)).map(({ path }) => path)
  for (const path of old) rmSync(path, { recursive: true, force: true })
  return old.sort()
}

/**
 * Finishes a restore or rollback whose process was killed. Returns at once if there is none. @throws StoreError while
 * that process still runs
 */
export function finishReplacing({ dataDir, databaseFile }: Target): void {
  const file = journalOf(dataDir)
  if (!existsSync(file)) return
  const lock = takeLock(databaseFile)
  try {
    if (existsSync(file)) carryOut(dataDir, JSON.parse(readFileSync(file, 'utf8')) as Journal)
  } finally {
    lock.close()
  }
}

/** Runs `work` while no service has the database open. @throws StoreError where one has */
export async function whileStopped<T>({ dataDir, databaseFile }: Target, work: () => T | Promise<T>): Promise<T> {
  makeFolder(dataDir)
  makeFolder(dirname(databaseFile))
  const lock = takeLock(databaseFile)
  try {
    return await work()
  } finally {
    lock.close()
  }
}
