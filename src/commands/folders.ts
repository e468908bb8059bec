import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'

/**
 * Detects a second data folder on this machine, which a relative LOYER_DATA creates as soon as a command starts in
 * another directory. The folders in use are listed per user of the machine, under the XDG state path. Prints a notice
 * when this start would create a new, empty folder although another is in use. Returns the settings.
 */
export function secondFolder(config: Config): Config {
  const { sandbox, dataDir, databaseFile } = config
  if (sandbox) return config
  const file = join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'loyer', 'folders.json')
  const known = readFolders(file).filter((folder) => folder !== dataDir && existsSync(join(folder, 'loyer.db')))
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
  return config
}

function readFolders(file: string): readonly string[] {
  try {
    const folders: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(folders) ? folders.filter((folder) => typeof folder === 'string') : []
  } catch {
    return []
  }
}
