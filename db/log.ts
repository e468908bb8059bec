import type Database from 'better-sqlite3'

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
