import { endThread, startThread } from '../threads.ts'
import type { CheckDatabase } from './port.ts'

/** Checks in a thread of its own: a large file takes minutes, in which requests are answered. */
export const checkInThread: CheckDatabase = (file) =>
  new Promise((resolve, reject) => {
    const thread = startThread('integrity', file)
    // The service does not wait for the check when it stops.
    thread.unref()
    thread.once('message', (problems: readonly string[]) => {
      resolve(problems)
      void endThread(thread)
    })
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`the check ended with ${code}`)))
  })
