import type { Worker } from 'node:worker_threads'
import { endThread, startThread } from '../threads.ts'
import type { Backups, Made } from './port.ts'
import { type Plan, readState, tidyUp } from './run.ts'

type Answer = { readonly made?: Made; readonly reason?: string }

/** How long the end of a thread is waited for: it may be in the middle of a long copy. */
const END_MS = 2_000

/** Backups in a thread of their own: requests are answered meanwhile. */
export function createBackups(plan: Plan): Backups {
  let running: Promise<Made> | undefined
  let inHand: Worker | undefined
  const run = (): Promise<Made> =>
    new Promise((resolve, reject) => {
      const thread = startThread('backups', { plan })
      inHand = thread
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
        inHand = undefined
      })
      return running
    },
    async close() {
      if (!inHand) return
      await Promise.race([endThread(inHand), new Promise((resolve) => setTimeout(resolve, END_MS).unref())])
      tidyUp(plan)
    },
  }
}
