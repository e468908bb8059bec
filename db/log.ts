import Database from 'better-sqlite3'
import { isStorageFailure } from './store-error.ts'

/** Bytes of the write-ahead log that stay when it begins anew. */
export const LONGEST_LOG = 64 * 2 ** 20

/**
 * Keeps the commits of this connection from copying a long log into the file or truncating it, while another connection
 * does that: either would hold up every write. @returns the function that ends this
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

/** For a thread beside the one that commits: copies the log into the file, and truncates it if nobody reads it. */
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
