import { Worker } from 'node:worker_threads'

const inSource = import.meta.url.endsWith('/adapters/threads.ts')
/** In the compiled binary this module is part of the main one, and the importing thread is the program itself. */
const scriptOf = (name: 'imports' | 'integrity' | 'pdf'): URL =>
  new URL(
    inSource ? `./${name}/worker.ts` : name === 'imports' ? import.meta.url : `./adapters/${name}/worker.ts`,
    import.meta.url,
  )

/** Deno does not end a thread that is in a loop, but heeds this; Bun ends it, and heeds nothing. */
const resourceLimits = { maxOldGenerationSizeMb: 600, maxYoungGenerationSizeMb: 64 }

/** Starts the thread of an adapter: its `worker.ts`, with what `workerData` gives it. */
export const startThread = (name: 'imports' | 'integrity' | 'pdf', workerData?: unknown): Worker =>
  new Worker(scriptOf(name), { workerData, resourceLimits })

/** Ends a thread at once, whatever it does. What it still says, or how it ends, is heard by nobody. */
export async function endThread(thread: Worker): Promise<void> {
  thread.removeAllListeners()
  // An error without a listener would end the service.
  thread.on('error', () => {})
  await thread.terminate()
}
