import { hash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { checkCopy, type Facts, factsOf } from '../../db/copy.ts'
import { makeFolder, removeAll, syncFile } from '../../db/files.ts'
import { migrations } from '../../db/migrations.ts'
import { isNotUnpacked, reason, StoreError } from '../../db/store-error.ts'
import manifest from '../../package.json' with { type: 'json' }
import { DATABASE, FOLDERS } from '../adapters/backups/format.ts'
import { filesOf } from '../adapters/backups/pack.ts'
import { type Replaced, removedText, replace, stagingOf, whileStopped } from '../adapters/backups/replace.ts'
import { type Unpacked, unpack } from '../adapters/backups/unpack.ts'
import type { Config } from '../config.ts'
import { balanced, checkUnpacked, describe, fetched, readBackup } from './backup.ts'
import { type Command, type CommandLine, spoken, UsageError } from './command.ts'
import { expectDatabase } from './folders.ts'
import { orTidy } from './interrupt.ts'
import { checkPrevious, ownProgram, previousProgram } from './program.ts'
import { isOfImage } from './service.ts'
import { expectSettled, newerOf, putBack } from './swap.ts'

type Folder = Pick<Config, 'dataDir' | 'databaseFile'>

/** The contents of the present database; undefined if there is none, or it cannot be read. */
function present({ databaseFile }: Folder): Facts | undefined {
  try {
    return existsSync(databaseFile) ? factsOf(databaseFile) : undefined
  } catch (e) {
    if (isNotUnpacked(e)) throw e
    return undefined
  }
}

/** Rows now and afterwards, in lines. */
const rowsOf = (now: Facts | undefined, then: Facts): string[] =>
  Object.entries(then.rows).map(([word, n]) => `${word} ${now?.rows[word] ?? 0} -> ${n}`)

/** Which files would come, go and stay, and whether the master key is another. */
function filesThen({ dataDir }: Folder, { entries }: Unpacked): string[] {
  const now = new Map(filesOf(dataDir).map(({ name, path, size }) => [name, { path, size }]))
  const then = entries.filter(({ name }) => name !== DATABASE)
  const key = then.find(({ name }) => name === 'keys/master.key')
  const path = now.get('keys/master.key')?.path
  const isOther = key && path && hash('sha256', readFileSync(path), 'hex') !== key.sha256
  // Every master key has the same size.
  const stay = then.filter((entry) => now.get(entry.name)?.size === entry.size && !(isOther && entry === key)).length
  return [
    `files: ${then.length - stay} come, ${now.size - stay} go, ${stay} stay`,
    ...(isOther ? ['the master key is replaced by that of the backup'] : []),
  ]
}

const updated = (schema: number): string[] =>
  schema < migrations.length ? [`the next start brings schema ${schema} up to ${migrations.length}`] : []

/** A copy of a database beside the one that it is to replace. */
function stageDatabase({ databaseFile }: Folder, from: string): string {
  const staged = `${databaseFile}.restored`
  rmSync(staged, { force: true })
  try {
    copyFileSync(from, staged)
    syncFile(staged)
  } catch (e) {
    rmSync(staged, { force: true })
    throw new StoreError(73, `Nothing was replaced: ${from} could not be copied to ${staged}: ${reason(e)}.`, e)
  }
  return staged
}

/** `loyer restore FILE|s3://… [--plain] [--dry-run]`: checks a backup, then puts it in place of what is there, which is kept beside. */
export const restore: Command = async ({ folder, config, files, values }) => {
  const [file] = files
  if (file === undefined || files.length > 1) throw new UsageError('Say which backup to restore.')
  if (values['dry-run']) {
    const settings = config()
    expectSettled(settings)
    const { name, unpacked, facts } = await readBackup(file, settings.backup, values)
    const changes = [...rowsOf(present(settings), facts), ...filesThen(settings, unpacked), ...updated(facts.schema)]
    return [...describe(name, unpacked), ...balanced(facts), ...changes, 'Nothing was changed.'].join('\n')
  }
  const settings = folder()
  const { dataDir } = settings
  return whileStopped(settings, async () => {
    const staging = stagingOf(dataDir)
    try {
      const { passphrase } = settings.backup
      const { path, name, unpacked } = await orTidy(
        () => removeAll(staging),
        async () => {
          removeAll(staging)
          makeFolder(staging)
          const path = await fetched(file, settings.backup, staging)
          const name = path === file ? file : basename(path)
          return {
            path,
            name,
            unpacked: await unpack(path, {
              passphrase,
              plain: values.plain,
              version: manifest.version,
              folder: staging,
              name,
            }),
          }
        },
      )
      const facts = checkUnpacked(name, staging)
      if (path !== file) rmSync(path)
      const changes = [...rowsOf(present(settings), facts), ...filesThen(settings, unpacked), ...updated(facts.schema)]
      const replaced = replace(settings, { folders: FOLDERS, database: join(staging, DATABASE), atMs: Date.now() })
      return [
        ...describe(name, unpacked),
        ...balanced(facts),
        ...changes,
        `Restored to ${dataDir}${replaced.folder === undefined ? '' : `; what it replaced is in ${replaced.folder}`}.`,
        ...removedText(replaced),
      ].join('\n')
    } catch (e) {
      removeAll(staging)
      throw e
    }
  })
}

/** The newest copy from before an update that this program can open, older than the database of now. */
function copyBefore({ dataDir }: Folder, below: number): { path: string; facts: Facts } | undefined {
  const folder = join(dataDir, 'backups')
  const copies = (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => {
    if (!/^before-schema-\d+\.db$/.test(name)) return []
    const path = join(folder, name)
    const facts = factsOf(path)
    return facts.schema < below && facts.schema <= migrations.length ? [{ path, facts }] : []
  })
  return copies.sort((a, b) => b.facts.schema - a.facts.schema)[0]
}

/** `loyer rollback [--dry-run]`: puts back the database that was copied before the last update, and the program. */
export const rollback: Command = (line) => rollBack(line, ownProgram())

/** Rolls back with the program at a path. `ofImage`: it came with the image of its container. @throws StoreError */
export async function rollBack(
  { folder, config, files, values }: CommandLine,
  program: string | undefined,
  ofImage = isOfImage(program),
) {
  if (files.length > 0) throw new UsageError('rollback takes no file.')
  const dry = values['dry-run'] === true
  const settings = dry ? config() : folder()
  if (dry) expectSettled(settings)
  expectDatabase(settings)
  const now = present(settings)
  if (!now) throw new StoreError(66, `${settings.databaseFile} cannot be read. Nothing was changed.`)
  const older = previousProgram(program)
  const candidate = copyBefore(settings, now.schema)
  // A copy from before the last update of the program belongs to an update before that.
  const copy = candidate && older && statSync(candidate.path).mtimeMs < older.replacedAt ? undefined : candidate
  if (!copy && !older)
    throw new StoreError(
      66,
      `${join(settings.dataDir, 'backups')} has no copy from before an update that this Loyer (schema ${migrations.length}) can open. Nothing was changed.`,
    )
  if (ofImage && !older && copy && copy.facts.schema < migrations.length)
    throw new StoreError(
      77,
      spoken({
        en: 'This image is the newer Loyer, which would update the database again at its start. Nothing was changed. Put the image before it back first (docker tag loyer:before loyer), then repeat this.',
        fr: 'Cette image est le Loyer plus récent, qui mettrait de nouveau la base à jour à son démarrage. Rien n’a été modifié. Remettez d’abord l’image précédente (docker tag loyer:before loyer), puis recommencez.',
      }),
    )
  const lines = [
    ...(copy ? changesTo(now, copy) : ['the database stays as it is: the last update did not change its schema']),
    ...(older ? [`${older.path} comes back in the place of this program`] : []),
  ]
  if (dry) return [...lines, 'Nothing was changed.'].join('\n')
  return whileStopped(settings, () => {
    const version = older && program !== undefined ? checkPrevious(program) : undefined
    const replaced = copy && replaceDatabase(settings, copy.path, older && program)
    const back = replaced
      ? [`The database is back; the newer one is in ${replaced.folder}.`, ...removedText(replaced)]
      : []
    if (older && program !== undefined) {
      if (!replaced) putBack(program)
      return [
        ...lines,
        ...back,
        `Loyer ${version} is in place again; the newer one is ${newerOf(program)}. Start it.`,
      ].join('\n')
    }
    const next =
      copy && copy.facts.schema < migrations.length
        ? `Start the Loyer that it was made by: this one (schema ${migrations.length}) would update it again.`
        : 'Start this Loyer.'
    return [...lines, ...back, next].join('\n')
  })
}

/** Puts a copy in place of the database, and the program kept beside `program` in place of that: both or neither. */
function replaceDatabase(settings: Folder, path: string, program: string | undefined): Replaced {
  const staged = stageDatabase(settings, path)
  try {
    return replace(settings, { folders: [], database: staged, atMs: Date.now(), program }, putBack)
  } catch (e) {
    rmSync(staged, { force: true })
    throw e
  }
}

/** What a copy would change, in lines. @throws StoreError if it is damaged */
function changesTo(now: Facts, { path, facts }: { readonly path: string; readonly facts: Facts }): string[] {
  checkCopy(path)
  const copied = statSync(path).mtime.toISOString()
  return [`${path}: schema ${now.schema} -> ${facts.schema}, copied ${copied}`, ...rowsOf(now, facts)]
}
