import { Worker } from 'node:worker_threads'
import type { CheckDatabase } from './port.ts'

// In the compiled binary this module is part of the main one, which stands where src does in the source tree.
const inSource = import.meta.url.endsWith('/adapters/integrity/check.ts')
const THREAD = new URL(inSource ? './worker.ts' : './adapters/integrity/worker.ts', import.meta.url)

/** The check in a thread of its own: a large file takes minutes, in which requests are answered. */
export const checkInThread: CheckDatabase = (file) =>
  new Promise((resolve, reject) => {
    const thread = new Worker(THREAD, { workerData: file })
    // A stopping service does not wait for it.
    thread.unref()
    thread.once('message', (problems: readonly string[]) => {
      resolve(problems)
      void thread.terminate()
    })
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`the check ended with ${code}`)))
  })
