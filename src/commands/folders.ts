import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { StoreError } from '../../db/store-error.ts'
import type { Config } from '../config.ts'

/**
 * Detects a second data folder on this machine, which a relative LOYER_DATA creates as soon as a command starts in
 * another directory. The folders in use are listed per user of the machine, under the XDG state path. Prints a notice
 * when this start would create a new, empty folder although another is in use.
 */
export function secondFolder(config: Config): void {
  const { sandbox, dataDir, databaseFile } = config
  if (sandbox) return
  const file = join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'loyer', 'folders.json')
  const known = readFolders(file).filter((folder) => folder !== dataDir && isOwn(folder))
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${JSON.stringify([...known, dataDir])}\n`, { mode: 0o600 })
  } catch {
    // A service account without a home has one folder, named in its unit, and needs no notice.
  }
  if (known.length > 0 && !existsSync(databaseFile))
    process.stderr.write(
      `This starts a new data folder, ${dataDir}, beside ${known.join(', ')}. If you meant that one, stop and set LOYER_DATA to it.\n`,
    )
}

/** Whether this user has a database there: root, or whoever shares a list of folders, is told of nobody else's. */
function isOwn(folder: string): boolean {
  try {
    const { uid } = statSync(join(folder, 'loyer.db'))
    return process.geteuid === undefined || uid === process.geteuid()
  } catch {
    return false
  }
}

function readFolders(file: string): readonly string[] {
  try {
    const folders: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(folders) ? folders.filter((folder) => typeof folder === 'string') : []
  } catch {
    return []
  }
}

/** Refuses a folder that no service has used, which a wrong LOYER_DATA names. @throws StoreError */
export function expectDatabase({ dataDir, databaseFile }: Pick<Config, 'dataDir' | 'databaseFile'>): void {
  if (!existsSync(databaseFile))
    throw new StoreError(66, `${dataDir} holds no database. Set LOYER_DATA to the folder of the service.`)
}
