import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'

/**
 * Notices a second data folder on this machine, which a relative LOYER_DATA makes as soon as a command starts in another
 * directory. The folders in use are remembered for each user of the machine, in the place of the XDG specification.
 * Tells the operator when this start would begin a new, empty folder although another one is in use. Returns the settings.
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
    // A service without a home has one folder, which its unit names: it can do without the notice.
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
