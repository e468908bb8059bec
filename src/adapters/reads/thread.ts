import type { Worker } from 'node:worker_threads'
import type { Store } from '../../../db/open.ts'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { endThread, type FINISH, finishThread, startThread } from '../threads.ts'
import type { LongRead, LongReads } from './port.ts'

/** The data the thread starts with. */
export type Begin = {
  readonly file: string
  /** Where files are kept. */
  readonly files: Pick<Config, 'dataDir' | 'files'>
  /** Whether somebody waits for what it reads; else it gives way to the service. */
  readonly awaited: boolean
}
export type ReadRequest = { readonly id: number; readonly read: LongRead } | { readonly giveUp: number } | typeof FINISH
export type Answer = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly refused: Pick<AppError, 'code' | 'text' | 'details'> }
  | { readonly message: string; readonly code: string }
)
type InHand = { readonly resolve: (result: unknown) => void; readonly reject: (e: unknown) => void }

const RETRY_S = 2
/** The thread ends when nobody has asked for so long. */
const IDLE_MS = 30_000
const later = (cause?: unknown) => new AppError('overloaded', undefined, { retryAfter: RETRY_S }, cause)

function errorOf(answer: Exclude<Answer, { result: unknown }>): unknown {
  if ('refused' in answer) return new AppError(answer.refused.code, answer.refused.text, answer.refused.details)
  return Object.assign(new Error(answer.message), { code: answer.code })
}

/** A thread that makes them in turns. `start`: begins it; it takes a ReadRequest and answers with an Answer. */
function createReader(start: () => Worker) {
  const inHand = new Map<number, InHand>()
  let thread: Worker | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let lastId = 0
  let closed = false
  let finished: (() => void) | undefined

  async function end(): Promise<void> {
    const idle = thread
    thread = undefined
    if (idle) await finishThread(idle)
  }
  function settle(id: number, how: (task: InHand) => void): void {
    const task = inHand.get(id)
    inHand.delete(id)
    if (task) how(task)
    if (inHand.size > 0) return
    finished?.()
    idle = setTimeout(() => void end(), IDLE_MS)
    idle.unref()
  }
  function begin(): Worker {
    const begun = start()
    // The service does not wait for it when it stops.
    begun.unref()
    begun.on('message', (answer: Answer) =>
      settle(answer.id, ({ resolve, reject }) =>
        'result' in answer ? resolve(answer.result) : reject(errorOf(answer)),
      ),
    )
    const broken = (e: unknown): void => {
      if (thread !== begun) return
      thread = undefined
      void endThread(begun)
      for (const id of [...inHand.keys()]) settle(id, ({ reject }) => reject(later(e)))
    }
    begun.once('error', broken)
    begun.once('exit', (code) => broken(new Error(`the thread of long reads ended with ${code}`)))
    return begun
  }
  async function ask(read: LongRead, stopping?: AbortSignal): Promise<unknown> {
    if (closed) throw later()
    stopping?.throwIfAborted()
    clearTimeout(idle)
    thread ??= begin()
    lastId += 1
    const id = lastId
    const giveUp = (): void => thread?.postMessage({ giveUp: id } satisfies ReadRequest)
    stopping?.addEventListener('abort', giveUp)
    try {
      return await new Promise((resolve, reject) => {
        inHand.set(id, { resolve, reject })
        thread?.postMessage({ id, read } satisfies ReadRequest)
      })
    } finally {
      stopping?.removeEventListener('abort', giveUp)
    }
  }

  return {
    ask,
    async close(): Promise<void> {
      closed = true
      clearTimeout(idle)
      // A thread that is terminated inside SQLite ends the whole process, so each read ends by itself.
      if (inHand.size > 0) {
        for (const id of inHand.keys()) thread?.postMessage({ giveUp: id } satisfies ReadRequest)
        await new Promise<void>((resolve) => {
          finished = resolve
        })
      }
      clearTimeout(idle)
      await end()
    },
  }
}

/** One thread makes what people wait for, another exports and archives. */
export function createLongReads(
  { file, snapshot, counted }: Pick<Store, 'file' | 'snapshot' | 'counted'>,
  files: Begin['files'],
  start = (awaited: boolean) => startThread('reads', { file, files, awaited } satisfies Begin),
): LongReads {
  const [awaited, others] = [createReader(() => start(true)), createReader(() => start(false))]
  return {
    run: <T>(...[read, here, stopping]: Parameters<LongReads['run']>) => {
      const { ask } = read.kind === 'report' || read.kind === 'paper' ? awaited : others
      return (file === ':memory:' ? snapshot(here) : counted(() => ask(read, stopping))) as Promise<T>
    },
    close: async () => void (await Promise.all([awaited.close(), others.close()])),
  }
}
