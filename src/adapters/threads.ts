import { closeSync, openSync } from 'node:fs'
import { devNull, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'

const inSource = import.meta.url.endsWith('/adapters/threads.ts')
type Name = 'aside' | 'backups' | 'checkpoints' | 'integrity' | 'lists' | 'pdf' | 'reads'
/** In the compiled binary this module is part of another one, at the root. */
const scriptOf = (name: Name): URL =>
  new URL(inSource ? `./${name}/worker.ts` : `./adapters/${name}/worker.ts`, import.meta.url)

/** Memory limit for Deno, which cannot terminate a thread in a loop; Bun can, and ignores the limit. */
const resourceLimits = { maxOldGenerationSizeMb: 600, maxYoungGenerationSizeMb: 64 }

/** File handles that a thread takes while it starts, and some more. */
const HANDLES = 16
const RETRY_S = 5
/** Bun ends the whole process when a thread finds no handle at its start. @throws overloaded */
function expectHandles(): void {
  const held: number[] = []
  try {
    while (held.length < HANDLES) held.push(openSync(devNull, 'r'))
  } catch (e) {
    throw new AppError('overloaded', undefined, { retryAfter: RETRY_S }, e)
  } finally {
    for (const handle of held) closeSync(handle)
  }
}

/** Starts the thread of an adapter: its `worker.ts` with the given `workerData`. @throws overloaded without file handles */
export function startThread(name: Name, workerData?: unknown): Worker {
  expectHandles()
  return new Worker(scriptOf(name), { workerData, resourceLimits })
}

/** In a thread: gives way to the service. Linux has a priority for each thread; elsewhere it would be that of the whole process. */
export function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(10)
  } catch {
    // Not permitted: the thread is as fast as ever.
  }
}

/** Asks a thread to close its connections; it answers with the same word. */
export const FINISH = 'finish'
/** Ends a thread that has nothing in hand. Were its connections left open, the write-ahead log would stay behind. */
export async function finishThread(thread: Worker): Promise<void> {
  thread.removeAllListeners()
  // Nothing else may keep the process alive meanwhile.
  thread.ref()
  await new Promise<void>((resolve) => {
    thread.on('message', (answer) => answer === FINISH && resolve())
    thread.on('error', () => resolve())
    thread.on('exit', () => resolve())
    thread.postMessage(FINISH)
  })
  await endThread(thread)
}

/** Terminates a thread at once; later messages and its exit are ignored. */
export async function endThread(thread: Worker): Promise<void> {
  thread.removeAllListeners()
  // An error event without a listener would end the service.
  thread.on('error', () => {})
  await thread.terminate()
}
