import Database from 'better-sqlite3'
import { isStorageFailure } from './store-error.ts'

/** Bytes of the write-ahead log that stay when it begins anew. */
export const LONGEST_LOG = 64 * 2 ** 20

/**
 * While another connection brings a long log into the file, no commit of this one does so, or makes the log short: either
 * would hold everybody up. @returns what ends that
 */
export function leaveLog(client: Database.Database): () => void {
  client.pragma('wal_autocheckpoint = 0')
  client.pragma('journal_size_limit = -1')
  return () => {
    if (!client.open) return
    client.pragma('wal_autocheckpoint = 1000')
    client.pragma(`journal_size_limit = ${LONGEST_LOG}`)
  }
}

/** How many pages of the log are not in the file yet. */
export function pagesLeft(client: Database.Database): number {
  const [found] = client.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
  return found ? found.log - found.checkpointed : 0
}

/** For a thread beside the one that commits: brings the log of a database into the file, and makes it short where nobody reads it. */
export function openCopier(file: string): (mode: 'PASSIVE' | 'TRUNCATE') => void {
  const client = new Database(file, { fileMustExist: true })
  client.pragma('synchronous = FULL')
  client.pragma('busy_timeout = 100')
  return (mode) => {
    try {
      client.pragma(`wal_checkpoint(${mode})`)
    } catch (e) {
      // Without room on the disk the log stays as it is, and a later one tries again.
      if (!isStorageFailure(e)) throw e
    }
  }
}
