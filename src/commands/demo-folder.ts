import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, removeAll, syncFolder, takeLock } from '../../db/files.ts'
import type { Config } from '../config.ts'

/** Folders that a start creates in a data folder. */
const FOLDERS = ['keys', 'media', 'documents', 'backups']
const DATABASE = ['', '-wal', '-shm', '-journal', '.new', '.closed', '.reserve']

const markOf = (dataDir: string): string => join(dataDir, 'demo.unfinished')

/**
 * Prepares a demo: a new folder is marked until all sample data are there, and the leftovers of a killed start in a marked
 * folder are deleted. A folder without the mark is complete, or somebody's own, and is not touched. @throws StoreError while
 * another process serves the folder
 */
export function beginDemo(config: Config): void {
  const { dataDir, databaseFile } = config
  if (existsSync(markOf(dataDir))) emptyFolder(config)
  else if (!existsSync(databaseFile) && FOLDERS.every((name) => !existsSync(join(dataDir, name)))) mark(dataDir)
}

/** Marks a completed demo again and deletes its data; a start that finds the mark goes on with that. */
export function discardDemo(config: Config): void {
  mark(config.dataDir)
  emptyFolder(config)
}

/** Removes the mark: the demo is complete, or somebody continues with it, so the folder must not be deleted any more. */
export function markDemoComplete({ dataDir }: Config): void {
  rmSync(markOf(dataDir), { force: true })
  syncFolder(dataDir)
}

/** Deletes database, keys, papers and media of a folder. @throws StoreError while another process serves it */
export function emptyFolder({ dataDir, databaseFile }: Config): void {
  makeFolder(dirname(databaseFile))
  const lock = takeLock(databaseFile)
  for (const name of FOLDERS) removeAll(join(dataDir, name))
  for (const end of DATABASE) rmSync(databaseFile + end, { force: true })
  lock.close()
}

function mark(dataDir: string): void {
  makeFolder(dataDir)
  writeFileSync(
    markOf(dataDir),
    'This folder is being filled with sample data. Until that is done, `loyer demo` begins it anew.\n',
  )
  syncFolder(dataDir)
}
