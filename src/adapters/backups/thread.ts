import { endThread, startThread } from '../threads.ts'
import type { Backups, Made } from './port.ts'
import { type Plan, readState } from './run.ts'

type Answer = { readonly made?: Made; readonly reason?: string }

/** Backups in a thread of their own: requests are answered meanwhile. */
export function createBackups(plan: Plan): Backups {
  let running: Promise<Made> | undefined
  const run = (): Promise<Made> =>
    new Promise((resolve, reject) => {
      const thread = startThread('backups', { plan })
      // The service does not wait for a backup when it stops.
      thread.unref()
      thread.once('message', ({ made, reason }: Answer) => {
        if (made) resolve(made)
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
  }
}
