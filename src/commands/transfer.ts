import { existsSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { expectFile } from '../../db/files.ts'
import { openArchive, saveArchive } from '../adapters/archive/file.ts'
import { restoreExport } from '../features/data/exports/jobs.ts'
import { exportAll } from '../features/data/exports/service.ts'
import { silentLog } from '../log.ts'
import { buildDeps } from '../wiring.ts'
import { type Command, UsageError } from './command.ts'
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

/** `loyer import FILE.zip`: imports an organization's export. */
export const importFile: Command = async ({ folder, files, values: { operator = false } }) => {
  const [file] = files
  if (file === undefined || files.length > 1) throw new UsageError('Say which file to import.')
  expectFile(file)
  const archive = openArchive(file)
  try {
    const running = await buildDeps(folder(), silentLog)
    try {
      const done = await restoreExport(running.deps, archive, { by: atTheServer(), operator })
      return `organization ${done.organizationId}\nrows ${done.rows}\nfiles ${done.files}\nsha256 ${done.sha256}`
    } finally {
      await running.close()
    }
  } finally {
    archive.close()
  }
}

/** `loyer export FILE.zip`: all of an organization in one file. */
export const exportFile: Command = async ({ folder, files, values: { org } }) => {
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
