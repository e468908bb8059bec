import { once } from 'node:events'
import type { Store } from '../../../db/open.ts'
import { endThread, startThread } from '../threads.ts'

/** Pages of a log that a commit may copy; a page takes some 5 µs, and the wait for the disk much more. */
const LONG = 2000

/**
 * While a long report is read, no commit can copy the write-ahead log into the database file, and the first commit
 * afterwards would copy all of it and hold up every write. A thread copies it instead, and then shortens the log.
 */
export function copyLongLogs({ file, lend, node, whenRead }: Store): void {
  let copying = false
  async function copy(): Promise<void> {
    const thread = startThread('checkpoints', file)
    // The service does not wait for this when it stops.
    thread.unref()
    const run = (mode: 'PASSIVE' | 'TRUNCATE') => {
      thread.postMessage(mode)
      return once(thread, 'message')
    }
    try {
      await run('PASSIVE')
      // The log of changes of several nodes has the writes of one connection only, and lends none.
      const giveBack = node ? undefined : await lend()
      if (giveBack) await run('TRUNCATE').finally(() => giveBack(null, false))
    } finally {
      await endThread(thread)
    }
  }
  whenRead((pages, leave) => {
    if (copying || pages < LONG) return
    copying = true
    const resume = leave()
    copy()
      // If this fails, a commit copies the log after all.
      .catch(() => {})
      .finally(() => {
        resume()
        copying = false
      })
  })
}
