import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { checkCopy } from '../../../db/copy.ts'
import { isAlive, makeFolder, removeAll } from '../../../db/files.ts'
import { isDenied, reason, StoreError } from '../../../db/store-error.ts'
import type { Config } from '../../config.ts'
import { DAY_MS } from '../../core/dates.ts'
import type { S3Settings } from '../s3.ts'
import { folderPlace } from './folder.ts'
import { DATABASE } from './format.ts'
import { nameOf, outdated, readName } from './names.ts'
import { filesOf, pack, type Source } from './pack.ts'
import type { Backup, BackupState, CreatedBackup } from './port.ts'
import { type Place, s3Place } from './s3.ts'
import { dateInside, unpack } from './unpack.ts'

export type Plan = Source & {
  /** A folder, or s3://bucket/prefix with `s3`. */
  readonly to: string
  readonly s3?: S3Settings | undefined
  readonly passphrase?: string | undefined
}

const stateFile = (dataDir: string): string => join(dataDir, 'backups', 'state.json')
const NOTHING: BackupState = { backups: [] }

/** What is known of the backups of a data folder; nothing if the file is missing or damaged. */
export function readState(dataDir: string): BackupState {
  try {
    return { ...NOTHING, ...(JSON.parse(readFileSync(stateFile(dataDir), 'utf8')) as Partial<BackupState> | null) }
  } catch {
    return NOTHING
  }
}

function writeState(dataDir: string, state: BackupState): void {
  const file = stateFile(dataDir)
  makeFolder(join(dataDir, 'backups'))
  writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

const TEMPORARY = /^\.(?:work|part)-(\d+)-/
/** Removes what a killed backup left: the names hold the process that made them. */
function tidy(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, pid] = TEMPORARY.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) removeAll(join(folder, name))
  }
}

/** The folder where a backup is packed. */
const folderOf = ({ to, s3, dataDir }: Plan): string => (s3 ? join(dataDir, 'backups') : to)
/** Removes the leftovers of backups that ended early, those of this process included. */
export function tidyUp(plan: Plan): void {
  for (const one of new Set([join(plan.dataDir, 'backups'), folderOf(plan)])) tidy(one)
}

/** Refuses if the copy of the database and the backup would fill the disk: a service needs room for its writes. */
function checkRoom(folder: string, needed: number): void {
  const { bavail, blocks, bsize } = statfsSync(folder)
  const floor = Math.min(256 * 2 ** 20, blocks * bsize * 0.05)
  if (bavail * bsize < needed + floor)
    throw new StoreError(
      73,
      `There is too little room in ${folder} for a backup: ${Math.ceil((needed + floor) / 2 ** 20)} MB are needed, ${Math.floor((bavail * bsize) / 2 ** 20)} MB are free.`,
    )
}

/** The unit of an installed service lets it write to the folders that were in the settings when it was made. */
const closed = (folder: string, e: unknown): StoreError =>
  new StoreError(
    73,
    `No backup was made: the service may not write to ${folder} (${reason(e)}). Connect its disk if that is missing, or give the folder to the service’s user; if Loyer was installed with another folder in the settings, run \`sudo loyer install\` again.`,
    e,
  )

type Known = { readonly passphrase: string | undefined; readonly known: readonly Backup[] }
/** The backups at a place, with the dates inside them: anybody who may write there can give a file any name. */
async function dated(place: Place, { passphrase, known }: Known): Promise<Backup[]> {
  const all: Backup[] = []
  for (const file of await place.list()) {
    const read = readName(file.name)
    if (!read) continue
    const before = known.find(({ name, sizeBytes }) => name === file.name && sizeBytes === file.sizeBytes)
    const chunks = before ? undefined : await place.read(file)
    const createdAt = before?.createdAt ?? (chunks && (await dateInside(chunks, passphrase)))
    if (createdAt !== undefined) all.push({ ...file, createdAt, encrypted: read.encrypted })
  }
  return all
}

async function make(
  plan: Plan,
  atMs: number,
  stopped: () => boolean,
): Promise<{ created: CreatedBackup; backups: readonly Backup[] }> {
  const goOn = (): void => {
    if (stopped()) throw new Error('the service stops')
  }
  const { to, s3, passphrase, ...source } = plan
  const began = performance.now()
  const own = join(source.dataDir, 'backups')
  const folder = folderOf(plan)
  makeFolder(own)
  makeFolder(folder)
  tidyUp(plan)
  const database = statSync(source.databaseFile).size
  // Compressed it is smaller; the files are compressed already.
  const packed = database / 2 + filesOf(source.dataDir).reduce((sum, { size }) => sum + size, 0)
  const isOneDisk = statSync(own).dev === statSync(folder).dev
  checkRoom(own, database + (isOneDisk ? packed : 0))
  if (!isOneDisk) checkRoom(folder, packed)
  const workFolder = mkdtempSync(join(own, `.work-${process.pid}-`))
  const name = nameOf(atMs, passphrase !== undefined)
  const part = join(folder, `.part-${process.pid}-${name}`)
  try {
    const { sizeBytes, sha256, head } = await pack(source, { to: part, workFolder, passphrase, atMs })
    goOn()
    // Opened and checked before it gets its name: what has the name of a backup can be restored.
    await unpack(part, { passphrase, version: source.version, folder: workFolder, only: 'database' })
    const { wrong } = checkCopy(join(workFolder, DATABASE))
    goOn()
    const place = s3 ? s3Place(to, s3) : folderPlace(folder)
    await place.put(part, name, sha256)
    const all = await dated(place, { passphrase, known: readState(source.dataDir).backups })
    // What is of a day to come was made by a clock that was ahead, or by a stranger: it displaces nothing.
    const past = all.filter(({ createdAt }) => Date.parse(createdAt) < atMs + DAY_MS)
    const old = new Set(outdated(past).filter((one) => one.name !== name))
    for (const { name } of old) await place.remove(name)
    const backups = all.filter((one) => !old.has(one)).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const encrypted = passphrase !== undefined
    const { createdAt, filesAt } = head
    const backup = { name, sizeBytes, sha256, encrypted, createdAt, place: to, seconds, ...(wrong ? { wrong } : {}) }
    return { created: filesAt === undefined ? backup : { ...backup, filesAt }, backups }
  } finally {
    rmSync(part, { force: true })
    removeAll(workFolder)
  }
}

/**
 * Makes a backup of a data folder, while it is served or while it is not: packs it, opens and checks what it packed,
 * brings it to its place, and removes those that are no longer kept. The outcome is written to the state file. `atMs`: its
 * date; `stopped`: whether to give up, asked between two steps; then no failure is recorded. @throws StoreError
 */
export async function backUp(plan: Plan, atMs = Date.now(), stopped = () => false): Promise<CreatedBackup> {
  const { dataDir } = plan
  try {
    const { created, backups } = await make(plan, atMs, stopped)
    writeState(dataDir, { last: created, backups })
    return created
  } catch (thrown) {
    // What does not stop in time loses the folder that it works in: that is no failure of the disk.
    if (stopped()) throw new Error('the service stops', { cause: thrown })
    const e = isDenied(thrown) ? closed(folderOf(plan), thrown) : thrown
    const failed = { at: new Date(atMs).toISOString(), reason: e instanceof Error ? e.message : String(e) }
    try {
      writeState(dataDir, { ...readState(dataDir), failed })
    } catch {
      // The disk is full: the caller gets the first error.
    }
    throw e
  }
}

type Settings = Pick<Config, 'dataDir' | 'databaseFile' | 'backup' | 'files'>
/** The plan of the settings; undefined where they say `off`. */
export const planOf = (
  { dataDir, databaseFile, files, backup: { place, passphrase } }: Settings,
  version: string,
): Plan | undefined => place && { dataDir, databaseFile, version, passphrase, filesAt: files?.to, ...place }
