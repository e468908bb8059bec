import { setTimeout } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { endThread, startThread } from '../threads.ts'
import type { Aside, AsideOptions } from './port.ts'

/** The data a thread starts with. `ahead`: business time minus real time; `lead`: real time minus the machine's clock, ms. */
export type Begin = {
  readonly file: string
  /** Where media are kept. */
  readonly files: Pick<Config, 'dataDir' | 'files'>
  readonly ahead: number
  readonly lead: number
  readonly name: string
  readonly input: object
  /** Not 0 once the service stops. */
  readonly stop: Int32Array<SharedArrayBuffer>
}
type Failed = Pick<AppError, 'code' | 'text' | 'details'>
/** Messages of the thread: it asks for the write lock, has written, notes something, or has ended. */
export type ThreadMessage =
  | { readonly kind: 'turn' }
  | { readonly kind: 'written'; readonly orgId: string | null; readonly much: boolean }
  | { readonly kind: 'note'; readonly note: object }
  | { readonly kind: 'end'; readonly result?: unknown }
  | { readonly kind: 'refused'; readonly error: Failed }
  | { readonly kind: 'broke'; readonly error: unknown }

type GiveBack = (orgId?: string | null, much?: boolean) => (() => void) | undefined
type Options = {
  readonly file: string
  readonly files: Begin['files']
  readonly ahead: () => number
  readonly lead?: () => number
  /** Blocks other writers until the returned function is called. */
  readonly lend: () => Promise<GiveBack>
  /** Memory of the process in bytes. */
  readonly rss?: () => number
  readonly start?: (begin: Begin) => Worker
}

const WATCH_MS = 100
const HELD_MS = 20
/** How many of one person, of one organization and of all may be waiting or running; they run one after another. */
const MOST = { person: 2, organization: 4, all: 8 } as const
const RETRY_S = 5
const enough = (en: string, fr: string) => new AppError('too_many_requests', { en, fr }, { retryAfter: RETRY_S })
const later = () => new AppError('overloaded', undefined, { retryAfter: RETRY_S })
/** NaN, which exceeds no limit, when no file handle is left for reading it. */
function rssNow(): number {
  try {
    return process.memoryUsage.rss()
  } catch {
    return Number.NaN
  }
}

/**
 * One thread per function; a crash fails that one only. Memory is watched from here: Bun ignores `resourceLimits`, in the
 * compiled binary too, but terminates a thread at once even in a loop. Deno honours them.
 */
export function createAside({
  file,
  files,
  ahead,
  lead = () => 0,
  lend,
  rss = rssNow,
  start = (begin) => startThread('aside', begin),
}: Options): Aside {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const running = new Set<Worker>()
  /** Threads that must not be terminated: they write, or have written something that is not answered yet. */
  const unbreakable = new Set<Worker>()
  let closed = false

  async function follow(thread: Worker, { memory, noted, by }: AsideOptions): Promise<unknown> {
    let over = false
    let giveBack: GiveBack | undefined
    const most = rss() + (memory?.most ?? 0)
    let watch: ReturnType<typeof setInterval> | undefined
    let settle: (() => void) | undefined
    const release = (orgId: string | null, much = false): void => {
      settle = giveBack?.(orgId, much) ?? settle
      giveBack = undefined
      // Nobody waits for an answer of the service's own work.
      if (!by) unbreakable.delete(thread)
    }
    try {
      return await new Promise<unknown>((resolve, reject) => {
        // A thread that writes must not be terminated; it has finished reading by then.
        if (memory)
          watch = setInterval(() => giveBack === undefined && rss() > most && reject(memory.refusal()), WATCH_MS)
        const hear = async (message: ThreadMessage): Promise<void> => {
          if (message.kind === 'turn') {
            const lent = await lend()
            // It may have ended while it waited for another; after a stop none may begin to write.
            if (over || (closed && !unbreakable.has(thread))) return void lent()
            giveBack = lent
            unbreakable.add(thread)
            thread.postMessage('go')
          } else if (message.kind === 'written') release(message.orgId, message.much)
          else if (message.kind === 'note') noted?.(message.note)
          else if (message.kind === 'end') resolve(message.result)
          else if (message.kind === 'broke') reject(message.error)
          else reject(new AppError(message.error.code, message.error.text, message.error.details))
        }
        thread.on('message', (message: ThreadMessage) => void hear(message).catch(reject))
        thread.once('error', reject)
        thread.once('exit', (code) =>
          reject(closed ? later() : new Error(`the thread of long writes ended with ${code}`)),
        )
      })
    } finally {
      over = true
      clearInterval(watch)
      release(null)
      unbreakable.delete(thread)
      settle?.()
      running.delete(thread)
      void endThread(thread)
    }
  }

  let latest: Promise<unknown> = Promise.resolve()
  const waiting = new Set<NonNullable<AsideOptions['by']>>()
  /** @throws too_many_requests, overloaded */
  function checkTurn({ orgId, userId }: NonNullable<AsideOptions['by']>): void {
    const ofAll = [...waiting].filter((other) => other.orgId === orgId)
    if (ofAll.filter((other) => other.userId === userId).length >= MOST.person)
      throw enough(
        `${MOST.person} long changes of yours are being made already. Wait for one, then ask again.`,
        `${MOST.person} de vos modifications longues sont déjà en cours. Attendez-en une, puis réessayez.`,
      )
    if (ofAll.length >= MOST.organization)
      throw enough(
        `${MOST.organization} long changes of your organization are being made already. Wait for one, then ask again.`,
        `${MOST.organization} modifications longues de votre organisation sont déjà en cours. Attendez-en une, puis réessayez.`,
      )
    if (waiting.size >= MOST.all) throw later()
  }
  async function begin(name: string, input: object, options: AsideOptions): Promise<unknown> {
    if (closed) throw later()
    const thread = start({ file, files, ahead: ahead(), lead: lead(), name, input, stop })
    running.add(thread)
    return follow(thread, options)
  }

  return {
    async run(name, input, options = {}) {
      if (!options.by) return begin(name, input, options)
      checkTurn(options.by)
      const place = { ...options.by }
      waiting.add(place)
      const mine = latest.then(() => begin(name, input, options))
      const settled = (): void => void waiting.delete(place)
      latest = mine.then(settled, settled)
      return mine
    },
    async close() {
      closed = true
      Atomics.store(stop, 0, 1)
      while (unbreakable.size > 0) await setTimeout(HELD_MS)
      for (const thread of running) await thread.terminate()
    },
  }
}
