import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { Store } from '../../../db/open.ts'
import { endThread, finishThread, startThread } from '../threads.ts'

/** Pages of a log that a commit may copy; a page takes some 5 µs, and the wait for the disk much more. */
const LONG = 2000

/** Copies the log of a database in a thread, which starts when it is first needed. */
function createCopier(file: string) {
  let thread: Worker | undefined
  async function end(): Promise<void> {
    const mine = thread
    thread = undefined
    if (mine) await finishThread(mine)
  }
  return {
    async run(mode: 'PASSIVE' | 'TRUNCATE'): Promise<void> {
      thread ??= startThread('checkpoints', file)
      // The service does not wait for this when it stops.
      thread.unref()
      try {
        thread.postMessage(mode)
        await once(thread, 'message')
      } catch (e) {
        // The next one is another's.
        if (thread) await endThread(thread)
        thread = undefined
        throw e
      }
    },
    end,
  }
}
/**
 * While a long report is read, no commit can copy the write-ahead log into the database file, and the first commit
 * afterwards would copy all of it and hold up every write. A thread copies it instead, and then shortens the log.
 */
export function copyLongLogs({ file, lend, whenRead }: Store): void {
  let copying = false
  async function copy(): Promise<void> {
    const copier = createCopier(file)
    try {
      await copier.run('PASSIVE')
      const giveBack = await lend()
      await copier.run('TRUNCATE').finally(() => giveBack(null, false))
    } finally {
      await copier.end()
    }
  }
  whenRead((pages, leave) => {
    if (copying || pages < LONG) return undefined
    copying = true
    const resume = leave()
    return (
      copy()
        // If this fails, a commit copies the log after all.
        .catch(() => {})
        .finally(() => {
          resume()
          copying = false
        })
    )
  })
}
