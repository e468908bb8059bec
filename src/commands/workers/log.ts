import type { Store } from '../../../db/open.ts'
import { soon } from '../../core/turn.ts'
import type { Log } from '../../log.ts'
import type { Memory } from './memory.ts'

/** Pages of a long write-ahead log: as many as SQLite itself allows. */
const LONG = 1000
/** How long to wait for running reads, and the pause after a wait in vain, ms. */
const WAIT_MS = 20
const AGAIN_MS = 500
/** The usual time of the store, see db/open.ts. */
const BUSY_MS = 5000

/**
 * Copies a long write-ahead log into the file, after the answers of the commit that made it long, so that it begins anew.
 * SQLite does so by itself only while nobody reads, and busy workers leave no such moment; until then each commit would
 * copy its pages and wait for the disk twice. The log keeps its size, because a file that grows is slower to write.
 * `now`: monotonic milliseconds.
 */
export function createLogKeeper(
  { client, health }: Pick<Store, 'client' | 'health'>,
  { setBrief }: Pick<Memory, 'setBrief'>,
  log: Log,
  now = (): number => performance.now(),
) {
  let waiting = false
  let inVain = Number.NEGATIVE_INFINITY

  /** @returns whether nobody reads from the log any more */
  function begin(): boolean {
    try {
      client.pragma(`busy_timeout = ${WAIT_MS}`)
      const [found] = client.pragma('wal_checkpoint(RESTART)') as { busy: number }[]
      return found?.busy === 0
    } catch (e) {
      log.warn('log.not_shortened', { detail: e instanceof Error ? e.message : String(e) })
      return false
    } finally {
      client.pragma(`busy_timeout = ${BUSY_MS}`)
    }
  }
  function look(): void {
    // Said again each time, because a large import sets it back.
    client.pragma('wal_autocheckpoint = 0')
    const [{ log: pages, checkpointed } = { log: 0, checkpointed: 0 }] = client.pragma('wal_checkpoint(NOOP)') as {
      log: number
      checkpointed: number
    }[]
    const long = pages >= LONG && pages > checkpointed
    setBrief(long)
    if (!long || health.failingFor() !== undefined || now() - inVain < AGAIN_MS) return
    if (begin()) setBrief(false)
    else inVain = now()
  }
  return {
    look,
    /** Call it after each commit. */
    committed(): void {
      if (waiting) return
      waiting = true
      soon(() => {
        waiting = false
        if (client.open) look()
      })
    },
  }
}
