import { endThread, startThread } from '../threads.ts'
import type { Backups, CreatedBackup } from './port.ts'
import { type Plan, readState, tidyUp } from './run.ts'

type Answer = { readonly created?: CreatedBackup; readonly reason?: string }

/** How long the thread is waited for: it may be in the middle of a long copy. */
const END_MS = 2_000

/** Backups in a thread of their own: requests are answered meanwhile. `wall`: their dates are by the service's time. */
export function createBackups(plan: Plan, wall: () => number = Date.now): Backups {
  let running: Promise<CreatedBackup> | undefined
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const run = (): Promise<CreatedBackup> =>
    new Promise((resolve, reject) => {
      const thread = startThread('backups', { plan, stop, atMs: wall() })
      // The service does not wait for a backup when it stops.
      thread.unref()
      thread.once('message', ({ created, reason }: Answer) => {
        if (created) resolve(created)
        else reject(new Error(reason))
        void endThread(thread)
      })
      thread.once('error', reject)
      thread.once('exit', (code) => reject(new Error(`the backup ended with ${code}`)))
    })
  return {
    state: () => readState(plan.dataDir),
    running: () => running !== undefined,
    run() {
      running ??= run().finally(() => {
        running = undefined
      })
      return running
    },
    async close() {
      if (!running) return
      // A thread that is terminated inside SQLite ends the whole process, so it is asked to stop.
      Atomics.store(stop, 0, 1)
      const ended = running.catch(() => undefined)
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, END_MS).unref())])
      tidyUp(plan)
    },
  }
}
