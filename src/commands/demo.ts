import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, syncFolder, takeLock } from '../../db/files.ts'
import type { Config } from '../config.ts'
import type { Command } from './command.ts'
import { run } from './run.ts'

/** `loyer demo`: a sandbox with sample data, made at its first start. */
export const demo: Command = async ({ config: settings }) => {
  const config = settings({ defaults: { LOYER_MODE: 'sandbox', LOYER_DATA: 'loyer-demo' } })
  beginDemo(config)
  const { DEMO_PASSWORD, DEMO_USERS, seedDemo } = await import('../features/system/demo/seed.ts')
  await run(config, {
    prepare: ({ deps }) => seedDemo(deps).then(() => markDemoComplete(config)),
    started: () => void process.stdout.write(`${demoText(config, DEMO_USERS, DEMO_PASSWORD)}\n`),
  })
  return undefined
}

/** Folders that a start creates in a data folder. */
const FOLDERS = ['keys', 'media', 'documents', 'backups']
const DATABASE = ['', '-wal', '-shm', '-journal', '.new', '.closed', '.reserve']

const markOf = (dataDir: string): string => join(dataDir, 'demo.unfinished')

/**
 * Prepares a demo: a new folder is marked until all sample data are there, and what a killed start left under the mark
 * is deleted. A folder that was ever completed, or that is somebody's own, is not touched. @throws StoreError while
 * another process serves the folder
 */
function beginDemo({ dataDir, databaseFile }: Config): void {
  const mark = markOf(dataDir)
  if (existsSync(mark)) {
    makeFolder(dirname(databaseFile))
    // Refuses a second demo while the first one is being filled.
    const lock = takeLock(databaseFile)
    for (const name of FOLDERS) rmSync(join(dataDir, name), { recursive: true, force: true })
    for (const end of DATABASE) rmSync(databaseFile + end, { force: true })
    lock.close()
  } else if (!existsSync(databaseFile) && FOLDERS.every((name) => !existsSync(join(dataDir, name)))) {
    makeFolder(dataDir)
    writeFileSync(
      mark,
      'This folder is being filled with sample data. Until that is done, `loyer demo` begins it anew.\n',
    )
    syncFolder(dataDir)
  }
}

/** Removes the mark: the demo is complete, or somebody continues with it, so the folder must not be deleted any more. */
export function markDemoComplete({ dataDir }: Config): void {
  rmSync(markOf(dataDir), { force: true })
  syncFolder(dataDir)
}

type Person = { readonly role: string; readonly phone: string; readonly firstName: string; readonly lastName: string }
/** The lines that a demo prints when it is ready. */
function demoText({ publicUrl }: Config, people: readonly Person[], password: string): string {
  const token = `$(curl -s ${publicUrl}/api/v1/sandbox/token -H 'Content-Type: application/json' -d '{"role":"OWNER"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
  return [
    '',
    `  Loyer is running: ${publicUrl}   (API reference: ${publicUrl}/docs)`,
    '',
    `  Demo accounts, password ${password}:`,
    ...people.map((u) => `    ${u.role.padEnd(8)} ${u.phone}  ${u.firstName} ${u.lastName}`),
    '',
    '  Paste this to see its properties:',
    `    curl -s ${publicUrl}/api/v1/properties -H "Authorization: Bearer ${token}"`,
    '',
  ].join('\n')
}
