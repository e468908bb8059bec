import { basename, join } from 'node:path'
import { type Checked, checkCopy } from '../../db/copy.ts'
import { removeAll, temporaryFolder } from '../../db/files.ts'
import { refuseNewer } from '../../db/migrate.ts'
import { readOnlyOrEmpty } from '../../db/snapshot.ts'
import { isNotUnpacked, reason, StoreError } from '../../db/store-error.ts'
import manifest from '../../package.json' with { type: 'json' }
import { DATABASE, refuse } from '../adapters/backups/format.ts'
import { backUp, tidyUp } from '../adapters/backups/run.ts'
import { download } from '../adapters/backups/s3.ts'
import { type Unpacked, unpack } from '../adapters/backups/unpack.ts'
import { type Config, ConfigError } from '../config.ts'
import { timeBeside } from '../time.ts'
import { type Command, UsageError } from './command.ts'
import { expectDatabase } from './folders.ts'
import { orTidy } from './interrupt.ts'

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`

/** `loyer backup [--to FOLDER|s3://…]`: one archive of everything, while the service runs or while it is stopped. */
export const backup: Command = async ({ folder, files, values: { to } }) => {
  if (files.length > 0) throw new UsageError('Say where to with --to FOLDER.')
  const config = folder()
  expectDatabase(config)
  const { dataDir, databaseFile, files: fileStore, backup: settings } = config
  const place = to === undefined ? settings.place : placeOf(to, settings)
  if (!place) throw new UsageError('BACKUP_TO is off: say where to with --to FOLDER.')
  const plan = {
    dataDir,
    databaseFile,
    version: manifest.version,
    passphrase: settings.passphrase,
    filesAt: fileStore?.to,
    ...place,
  }
  const backup = await orTidy(
    () => tidyUp(plan),
    () => backUp(plan, timeIn(databaseFile)),
  )
  const lock = backup.encrypted ? 'encrypted' : 'not encrypted: whoever has the file can read everything'
  return `${backup.place.replace(/\/$/, '')}/${backup.name}\n${megabytes(backup.sizeBytes)} in ${backup.seconds} s, opened and checked, ${lock}\nsha256 ${backup.sha256}${without(backup.filesAt)}`
}

/**
 * The service's time: dated by a clock that was never set, a backup would be the first that later ones remove.
 * @throws StoreError for a database that is newer than this program
 */
function timeIn(file: string): number {
  const db = readOnlyOrEmpty(file)
  try {
    refuseNewer(db.$client)
    return timeBeside(db)
  } catch (e) {
    if (e instanceof StoreError) throw e
    // A damaged database: the backup itself says so.
    return Date.now()
  } finally {
    db.$client.close()
  }
}

const without = (filesAt: string | undefined): string =>
  filesAt === undefined ? '' : `\nphotos and papers are not in it: they are stored in ${filesAt}`

/** The place that an argument names. @throws ConfigError where settings of its storage are missing */
function placeOf(to: string, settings: Config['backup']) {
  const problems: string[] = []
  const place = settings.placeOf(to, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  return place
}

/** The file that an argument names; a backup in S3 is downloaded to a folder first. @throws StoreError, ConfigError */
export async function fetched(file: string, settings: Config['backup'], folder: string): Promise<string> {
  const { s3 } = file.startsWith('s3://') ? (placeOf(file, settings) ?? {}) : {}
  return s3 ? download(file, s3, folder) : file
}

/** Opens the database that was unpacked from a backup. @throws StoreError that names the backup */
export function checkUnpacked(file: string, folder: string): Checked {
  try {
    return checkCopy(join(folder, DATABASE))
  } catch (e) {
    // That says nothing of the backup.
    if (isNotUnpacked(e)) throw e
    throw refuse(file, `its database is not whole: ${reason(e).split('. ')[0]}`, e)
  }
}

/** Whether the books of a checked database balance, in a line. */
export const balanced = ({ wrong }: Checked): string[] =>
  wrong === undefined
    ? []
    : [
        wrong === 0
          ? 'its books balance to the franc'
          : `its books do not balance in ${wrong} places: \`loyer check\` names them once it is restored`,
      ]

/** What a backup is and holds, in lines. */
export function describe(file: string, { head, entries, encrypted, sizeBytes }: Unpacked): string[] {
  const papers = entries.length - 1
  return [
    `${file} is whole: ${megabytes(sizeBytes)}, ${encrypted ? 'encrypted' : 'not encrypted'}`,
    `made ${head.createdAt} by Loyer ${head.loyer}, schema ${head.schema}`,
    `a database and ${papers} ${papers === 1 ? 'file' : 'files'}, ${megabytes(head.bytes)}${without(head.filesAt)}`,
  ]
}

/** Reads and checks a backup, its database too, in a folder that is removed afterwards. @throws StoreError */
export async function readBackup(
  named: string,
  settings: Config['backup'],
  { plain }: { readonly plain?: boolean | undefined },
) {
  let workFolder: string | undefined
  const tidy = (): void => {
    if (workFolder !== undefined) removeAll(workFolder)
  }
  try {
    return await orTidy(tidy, async () => {
      const folder = temporaryFolder('loyer-verify-')
      workFolder = folder
      const file = await fetched(named, settings, folder)
      const name = file === named ? file : basename(file)
      const { passphrase } = settings
      const unpacked = await unpack(file, {
        passphrase,
        plain,
        version: manifest.version,
        folder,
        only: 'database',
        name,
      })
      return { name, unpacked, facts: checkUnpacked(name, folder) }
    })
  } finally {
    tidy()
  }
}

/** `loyer verify FILE|s3://… [--plain]`: reads a whole backup and opens its database. */
export const verify: Command = async ({ config, files, values }) => {
  const [file] = files
  if (file === undefined || files.length > 1) throw new UsageError('Say which backup to check.')
  const { name, unpacked, facts } = await readBackup(file, config().backup, values)
  return [
    ...describe(name, unpacked),
    ...Object.entries(facts.rows).map(([word, n]) => `${word} ${n}`),
    ...balanced(facts),
  ].join('\n')
}
