import { createHash } from 'node:crypto'
import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { expectFile, syncFolder } from '../../db/files.ts'
import { StoreError } from '../../db/store-error.ts'
import { openArchive, saveArchive } from '../adapters/archive/file.ts'
import { isUuid } from '../core/id.ts'
import { forgetHalfImport, restoreExport } from '../features/data/exports/jobs.ts'
import { exportFrozen, freeze, moveAway, noteExport, open, release, remove } from '../features/data/exports/moves.ts'
import { exportAll } from '../features/data/exports/service.ts'
import { silentLog } from '../log.ts'
import { buildDeps } from '../wiring.ts'
import { openFolder } from './beside.ts'
import { type Command, type CommandLine, UsageError } from './command.ts'
import { expectDatabase } from './folders.ts'
import { orTidy } from './interrupt.ts'

/** The operating system's user, for the audit trail; a container may have no name for them. */
function atTheServer(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Does the work of a command in a folder beside the service. */
async function inFolder<T>(
  folder: CommandLine['folder'],
  work: (deps: ReturnType<typeof openFolder>['deps'], publicUrl: string) => Promise<T>,
): Promise<T> {
  const config = folder()
  const opened = openFolder(config)
  try {
    return await work(opened.deps, config.publicUrl)
  } finally {
    opened.close()
  }
}

/** @throws UsageError for what is no id */
function expectId(option: string, id: string): void {
  if (!isUuid(id)) throw new UsageError(`--${option}: an organization id is a UUID.`)
}

/** `loyer import FILE.zip | --open CODE | --undo ID`: imports an organization's export; opens one that moves, or undoes that. */
export const importFile: Command = async ({ folder, files, values: { operator = false, open: code, undo } }) => {
  const [file] = files
  if ([file, code, undo].filter((option) => option !== undefined).length !== 1 || files.length > 1)
    throw new UsageError('Say which file to import, or --open CODE, or --undo ID.')
  if (code !== undefined) {
    const org = await inFolder(folder, (deps) => open(deps, code, atTheServer()))
    return `organization ${org}\nopen: its people sign in here from now on`
  }
  if (undo !== undefined) {
    expectId('undo', undo)
    await inFolder(folder, async (deps) => {
      const half = await forgetHalfImport(deps)
      if (half === 0) await remove(deps, undo, 'ARRIVED')
    })
    return `organization ${undo}\nremoved: it lives where it was`
  }
  if (file === undefined) throw new UsageError('Say which file to import.')
  expectFile(file)
  const archive = openArchive(file)
  try {
    const config = folder()
    // An empty folder becomes a new service's, as by its first start.
    if (!existsSync(config.databaseFile)) await (await buildDeps(config, silentLog)).close()
    return await inFolder(folder, async (deps, publicUrl) => {
      const done = await restoreExport(deps, archive, { by: atTheServer(), operator })
      return [
        `organization ${done.organizationId}`,
        `rows ${done.rows}`,
        `files ${done.files}`,
        `sha256 ${done.sha256}`,
        ...(done.closed
          ? [
              `closed: it lives at the other service until that one lets go. There: loyer export --organization ${done.organizationId} --moved-to ${publicUrl}`,
            ]
          : []),
      ].join('\n')
    })
  } finally {
    archive.close()
  }
}

/** `loyer export FILE.zip`: all of an organization in one file; with `--organization` one that moves, and the end of that. */
export const exportFile: Command = (line) => {
  const { values, files } = line
  const { organization, release: ends, forget = false, org } = values
  const to = values['moved-to']
  const acts = [files.length > 0, ends === true, to !== undefined, forget].filter(Boolean).length
  if (organization === undefined) {
    if (ends || forget || to !== undefined) throw new UsageError('Say which organization, by --organization ID.')
    return exportCopy(line)
  }
  expectId('organization', organization)
  if (org !== undefined) throw new UsageError('Say --organization, which freezes it, or --org, which does not.')
  if (acts !== 1 || files.length > 1)
    throw new UsageError('Say which file to write, or --release, or --moved-to URL, or --forget.')
  return inFolder(line.folder, async (deps) => {
    const who = { org: organization, by: atTheServer() }
    if (to !== undefined) {
      const opening = await moveAway(deps, who, to)
      return `organization ${organization}\nmoved: its addresses lead to ${to}\nthere: loyer import --open ${opening}`
    }
    if (forget) {
      await remove(deps, organization, 'MOVED')
      return `organization ${organization}\nforgotten: nothing of it is left here`
    }
    if (ends) {
      await release(deps, who)
      return `organization ${organization}\nreleased: it goes on here`
    }
    return exportMoving(deps, who, files[0] ?? '')
  })
}

/**
 * Freezes an organization and packs it. The file gets its name when it is complete and noted: killed before, the same
 * command makes it anew; killed after, it finds it.
 */
async function exportMoving(
  deps: ReturnType<typeof openFolder>['deps'],
  who: { readonly org: string; readonly by: string },
  file: string,
): Promise<string> {
  const { org } = who
  const part = `${file}.part`
  const known = await digestOf(file)
  const move = await freeze(deps, who)
  const lines = (sha256: string, files?: number): string =>
    [
      `organization ${org}`,
      ...(files === undefined ? [] : [`files ${files}`]),
      `sha256 ${sha256}`,
      'frozen: it lives here, and nothing of it can be changed. Import the file at the other service; --release undoes this',
    ].join('\n')
  if (known !== undefined && known === move.sha256) return lines(known)
  if (known !== undefined)
    throw new StoreError(
      73,
      `${file} is there already and is another file. The organization is frozen; choose another name, or \`loyer export --organization ${org} --release\`.`,
    )
  const tidy = (): void => rmSync(part, { force: true })
  return orTidy(tidy, async () => {
    tidy()
    const { sha256, files } = await exportFrozen(deps, { org, key: move.key }, async (archive) => {
      await saveArchive(part, archive)
      return (await digestOf(part)) ?? ''
    })
    await noteExport(deps, org, sha256)
    renameSync(part, file)
    syncFolder(dirname(file))
    return lines(sha256, files)
  })
}

/** The SHA-256 of a file in hex; undefined where there is none. */
async function digestOf(file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined
  expectFile(file)
  const digest = createHash('sha256')
  for await (const piece of createReadStream(file)) digest.update(piece as Buffer)
  return digest.digest('hex')
}

async function exportCopy({ folder, files, values: { org } }: CommandLine): Promise<string> {
  const [file] = files
  if (file === undefined || files.length > 1) throw new UsageError('Say which file to write.')
  const config = folder()
  expectDatabase(config)
  const running = await buildDeps(config, silentLog)
  try {
    const isThere = existsSync(file)
    const save = (archive: ReadableStream<Uint8Array>) =>
      orTidy(
        () => {
          if (!isThere) rmSync(file, { force: true })
        },
        () => saveArchive(file, archive),
      )
    const done = await exportAll(running.deps, { org, by: atTheServer(), save })
    return `organization ${done.organizationId}\nfiles ${done.files}`
  } finally {
    await running.close()
  }
}
