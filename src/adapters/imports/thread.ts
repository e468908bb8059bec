import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import type { ImportThread } from './port.ts'

/** What the thread begins with; `ahead`: by how much business time runs before the wall clock, ms. */
export type Begin = {
  readonly file: string
  readonly media: string
  readonly ahead: number
  readonly orgId: string
  readonly importId: string
}
type Failed = Pick<AppError, 'code' | 'text' | 'details'>
/** From the thread: it asks for its turn to write, has written, or has ended. */
export type Told =
  | { readonly kind: 'turn' }
  | { readonly kind: 'written'; readonly orgId: string | null }
  | { readonly kind: 'end' }
  | { readonly kind: 'refused'; readonly error: Failed }
  | { readonly kind: 'broke'; readonly error: unknown }

type GiveBack = (orgId?: string | null) => void
type Options = {
  readonly file: string
  readonly media: string
  readonly ahead: () => number
  /** Holds back the writes of others until what it gives is called. */
  readonly lend: () => Promise<GiveBack>
}

// In the compiled binary this module is part of the main one, which stands where src does in the source tree.
const inSource = import.meta.url.endsWith('/adapters/imports/thread.ts')
const THREAD = new URL(inSource ? './worker.ts' : import.meta.url, import.meta.url)

/** A thread for each run; one that dies fails that run only. */
export function createImportThread({ file, media, ahead, lend }: Options): ImportThread {
  const running = new Set<Worker>()
  let held: Promise<void> = Promise.resolve()

  async function follow(thread: Worker): Promise<void> {
    let giveBack: GiveBack | undefined
    let released = (): void => {}
    const release = (orgId: string | null): void => {
      giveBack?.(orgId)
      giveBack = undefined
      released()
    }
    try {
      await new Promise<void>((resolve, reject) => {
        const hear = async (told: Told): Promise<void> => {
          if (told.kind === 'turn') {
            giveBack = await lend()
            held = new Promise((done) => {
              released = done
            })
            thread.postMessage('go')
          } else if (told.kind === 'written') release(told.orgId)
          else if (told.kind === 'end') resolve()
          else if (told.kind === 'broke') reject(told.error)
          else reject(new AppError(told.error.code, told.error.text, told.error.details))
        }
        thread.on('message', (told: Told) => void hear(told).catch(reject))
        thread.once('error', reject)
        thread.once('exit', (code) => reject(new Error(`the import thread ended with ${code}`)))
      })
    } finally {
      release(null)
      running.delete(thread)
      thread.removeAllListeners()
      // A thread that fails while it ends has nobody to tell.
      thread.on('error', () => {})
      void thread.terminate()
    }
  }

  return {
    run(orgId, importId) {
      const workerData: Begin = { file, media, ahead: ahead(), orgId, importId }
      const thread = new Worker(THREAD, { workerData })
      running.add(thread)
      return follow(thread)
    },
    async close() {
      await held
      for (const thread of running) await thread.terminate()
    },
  }
}
