import { accessSync, constants, existsSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { type Config, ConfigError } from '../config.ts'

/** The settings of this machine's service, as `loyer install` writes them; LOYER_CONFIG names another file, or none. */
export const SERVICE_SETTINGS = '/etc/loyer.env'
/** Where `loyer install` puts the program. */
export const INSTALLED = '/usr/local/bin/loyer'
/** Whether Docker or Podman runs this process. */
export const isContainer = (): boolean => existsSync('/.dockerenv') || existsSync('/run/.containerenv')
/** Whether a program came with the image of its container: only another image replaces it. */
export const isOfImage = (program: string | undefined, container = isContainer()): boolean =>
  container && program === INSTALLED
/** The account of this machine that the service runs as. */
export const SERVICE_USER = 'loyer'

type Env = Readonly<Record<string, string | undefined>>
const asUser = `Run it as the service does: sudo -u ${SERVICE_USER} loyer …`

/** Where the service's settings are, if it is installed. */
export const settingsPath = (env: Env): string => env.LOYER_CONFIG ?? SERVICE_SETTINGS

/**
 * The settings file of the service on this machine, so that every command means the same folder; undefined where none
 * is installed, or the environment names a folder itself. @throws ConfigError if this user may not read it
 */
export function serviceSettings(env: Env): string | undefined {
  const file = settingsPath(env)
  if (file === '' || env.LOYER_DATA || !existsSync(file)) return undefined
  try {
    accessSync(file, constants.R_OK)
  } catch {
    throw new ConfigError([`${file} holds the settings of this machine's service, and you may not read it. ${asUser}`])
  }
  return file
}

/**
 * Lets root work in the service's folder as its owner, who can then open the new files. A rollback needs it: only
 * root may change the program, and only the owner should change the data. @returns whether root does
 */
export function actAsOwner({ dataDir }: Config): boolean {
  const { seteuid, setegid } = process
  const owner = statSync(dataDir, { throwIfNoEntry: false })
  if (process.getuid?.() !== 0 || !owner || owner.uid === 0 || !seteuid || !setegid) return false
  // SQLite's native part is loaded at its first use, and may lie where only root can read.
  new Database(':memory:').close()
  setegid.call(process, owner.gid)
  seteuid.call(process, owner.uid)
  return true
}
/** Runs a part of that work with root's rights again. */
export function asRoot<T>(work: () => T): T {
  const owner = process.geteuid?.()
  if (process.getuid?.() !== 0 || !owner) return work()
  process.seteuid?.(0)
  try {
    return work()
  } finally {
    process.seteuid?.(owner)
  }
}

/** Refuses root in the folder of a service that is not installed: the service could not open root's files. */
export function refuseRoot(config: Config): void {
  const { databaseFile, dataDir } = config
  const there = statSync(databaseFile, { throwIfNoEntry: false }) ?? statSync(dataDir, { throwIfNoEntry: false })
  const owner = there?.uid ?? 0
  if (process.getuid?.() === 0 && owner !== 0)
    throw new ConfigError([
      `LOYER_DATA: ${config.dataDir} belongs to another user. Run it as that user: sudo -u '#${owner}' loyer …`,
    ])
}

/** Refuses to write into the service's folder as another user, because the service could not open those files. */
export function refuseOtherUser(config: Config): void {
  const owner = statSync(config.dataDir, { throwIfNoEntry: false })?.uid
  const self = process.getuid?.()
  if (self !== undefined && owner !== undefined && owner !== self)
    throw new ConfigError([`LOYER_DATA: ${config.dataDir} belongs to another user. ${asUser}`])
}
