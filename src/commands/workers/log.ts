import { createHold, MUCH, pagesOf } from '../../../db/log.ts'
import type { Store } from '../../../db/open.ts'
import type { Copier } from '../../adapters/checkpoints/checkpoints.ts'
import { soon } from '../../core/turn.ts'
import type { Log } from '../../log.ts'
import type { Memory } from './memory.ts'

/** Pages to copy at a time: as many as SQLite itself does. */
const LONG = 1000
/** Pages from which on the log is to begin anew; SQLite finds a page among so many in one table of the log's index. */
const ANEW = 4000
/** Pages that the writer copies itself: fewer than a thread would have to copy again after each commit. */
const FEW = 200
/** How long to wait for running reads, and the pause after a wait in vain, ms. */
const WAIT_MS = 20
const AGAIN_MS = 500
/** The same while long reads wait to begin. */
const AGAIN_HELD_MS = 50
/** The usual time of the store, see db/open.ts. */
const BUSY_MS = 5000

/**
 * Copies a long write-ahead log into the file, after the answers of the commit that made it long, so that it begins anew.
 * SQLite does so by itself only while nobody reads, and busy workers leave no such moment; until then each commit would
 * copy its pages and wait for the disk twice. The log keeps its size, because a file that grows is slower to write.
 * A thread copies, because a long report in a worker may have left much. `now`: monotonic milliseconds.
 */
export function createLogKeeper(
  { client, health }: Pick<Store, 'client' | 'health'>,
  { setBrief, setHold }: Pick<Memory, 'setBrief' | 'setHold'>,
  { run }: Pick<Copier, 'run'>,
  log: Log,
  now = (): number => performance.now(),
) {
  const hold = createHold(now)
  let waiting = false
  let copying = false
  let inVain = Number.NEGATIVE_INFINITY

  /** Copies the rest. @returns whether nobody reads from the log any more */
  function begin(): boolean {
    try {
      client.pragma(`busy_timeout = ${WAIT_MS}`)
      const [found] = client.pragma('wal_checkpoint(RESTART)') as { busy: number }[]
      return found?.busy === 0
    } finally {
      client.pragma(`busy_timeout = ${BUSY_MS}`)
    }
  }
  /** @returns whether the log begins anew, or may still grow */
  async function shorten(): Promise<boolean> {
    const before = pagesOf(client).log
    await run('PASSIVE')
    if (!client.open) return false
    const after = pagesOf(client)
    // Somebody reads from long before.
    if (after.log - after.left < before - LONG) return false
    if (after.log < ANEW) return true
    setBrief(true)
    // What was committed during the copy; left to the thread, it would wait for the disk at the same time as commits do.
    if (after.left > 0 && after.left < FEW) client.pragma('wal_checkpoint(PASSIVE)')
    // The next commit begins it anew if nobody reads from it by then; to wait for that holds up all writes for some 10 ms.
    if (after.log < MUCH) return true
    if (!begin()) return false
    setBrief(false)
    setHold(false)
    return true
  }
  async function look(): Promise<void> {
    // Said again each time, because a large import sets it back.
    client.pragma('wal_autocheckpoint = 0')
    const pages = pagesOf(client)
    const long = pages.left >= LONG || (pages.log >= ANEW && pages.left > 0)
    const held = hold(pages)
    setHold(held)
    if (!long) setBrief(false)
    if (!long || copying || health.failingFor() !== undefined) return
    if (now() - inVain < (held ? AGAIN_HELD_MS : AGAIN_MS)) return
    copying = true
    try {
      if (!(await shorten())) inVain = now()
    } catch (e) {
      inVain = now()
      log.warn('log.not_shortened', { detail: e instanceof Error ? e.message : String(e) })
    } finally {
      copying = false
    }
  }
  return {
    look,
    /** Call it after each commit. */
    committed(): void {
      if (waiting) return
      waiting = true
      soon(() => {
        waiting = false
        if (client.open) void look()
      })
    },
  }
}
