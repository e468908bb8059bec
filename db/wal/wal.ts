import Database from 'better-sqlite3'
import { isStorageFailure } from '../store-error.ts'

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

/** How many pages the log has, and how many of them are not in the file yet. */
export function pagesOf(client: Database.Database): { readonly log: number; readonly left: number } {
  const [state] = client.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
  return { log: state?.log ?? 0, left: state ? state.log - state.checkpointed : 0 }
}

/** Pages of a log that is to begin anew before more long reads begin: half of what stays of it. */
export const MUCH = LONGEST_LOG / 2 / 4096
/** How long new reads are held up for it, and for how long no more once that was in vain, ms. */
const HELD_MS = 5000
const LEFT_MS = 30_000

/**
 * Whether new long reads wait for those under way. The log begins anew only when nobody reads from it: were there always
 * a report that began before the last one ended, it would grow until the disk is full. `now`: monotonic milliseconds.
 */
export function createHold(now = (): number => performance.now()): (pages: ReturnType<typeof pagesOf>) => boolean {
  let since = Number.NEGATIVE_INFINITY
  return ({ log, left }) => {
    // What begins when all of it is in the file does not read from it.
    if (log < MUCH || left === 0) {
      since = Number.NEGATIVE_INFINITY
      return false
    }
    // Somebody may read for minutes, such as an export that a slow storage takes.
    if (now() - since >= HELD_MS + LEFT_MS) since = now()
    return now() - since < HELD_MS
  }
}

/** For a thread beside the one that commits: copies the log into the file, and truncates it if nobody reads it. */
export function openCopier(file: string) {
  const client = new Database(file, { fileMustExist: true })
  client.pragma('synchronous = FULL')
  client.pragma('busy_timeout = 100')
  return {
    copy(mode: 'PASSIVE' | 'TRUNCATE'): void {
      try {
        client.pragma(`wal_checkpoint(${mode})`)
      } catch (e) {
        // Without room on the disk the log stays as it is, and a later one tries again.
        if (!isStorageFailure(e)) throw e
      }
    },
    close: (): void => void client.close(),
  }
}
