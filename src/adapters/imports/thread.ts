import { setTimeout } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import { IMPORT_MEMORY } from '../../core/budgets.ts'
import { AppError } from '../../errors.ts'
import { endThread, startThread } from '../threads.ts'
import type { ImportThread, LongChange } from './port.ts'

/** The data a thread starts with. `ahead`: business time minus real time; `lead`: real time minus the machine's clock, ms. */
export type Begin = {
  readonly file: string
  /** Where media are kept. */
  readonly files: Pick<Config, 'dataDir' | 'files'>
  readonly ahead: number
  readonly lead: number
  readonly task:
    | { readonly kind: 'import'; readonly orgId: string; readonly importId: string }
    | { readonly kind: 'change'; readonly change: LongChange }
}
type Failed = Pick<AppError, 'code' | 'text' | 'details'>
/** Messages of the thread: it asks for the write lock, has written, or has ended. */
export type ThreadMessage =
  | { readonly kind: 'turn' }
  | { readonly kind: 'written'; readonly orgId: string | null; readonly much: boolean }
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
  /** Memory of the process in bytes, and the growth allowed during a run. */
  readonly rss?: () => number
  readonly memory?: number
  readonly start?: (begin: Begin) => Worker
}

const WATCH_MS = 100
const HELD_MS = 20
/**
 * How many changes of properties and leases may wait, of one person, of one organization and in all; they run one after
 * another.
 */
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
const tooMuchMemory = () =>
  new AppError('validation_failed', {
    en: 'This file takes too much memory to be read. Nothing came in; divide it and try again.',
    fr: 'La lecture de ce fichier demande trop de mémoire. Rien n’a été importé ; divisez-le et réessayez.',
  })

/**
 * One thread per run; a crash fails that run only. Memory is watched from here: Bun ignores `resourceLimits`, in the
 * compiled binary too, but terminates a thread at once even in a loop. Deno honours them.
 */
export function createImportThread({
  file,
  files,
  ahead,
  lead = () => 0,
  lend,
  rss = rssNow,
  memory = IMPORT_MEMORY,
  start = (begin) => startThread('imports', begin),
}: Options): ImportThread {
  const running = new Set<Worker>()
  /** Threads that must not be terminated: they write, or have written something that is not answered yet. */
  const unbreakable = new Set<Worker>()

  async function follow(thread: Worker, watched: boolean): Promise<unknown> {
    let over = false
    let giveBack: GiveBack | undefined
    const most = rss() + memory
    let watch: ReturnType<typeof setInterval> | undefined
    let settle: (() => void) | undefined
    const release = (orgId: string | null, much = false): void => {
      settle = giveBack?.(orgId, much) ?? settle
      giveBack = undefined
      if (watched) unbreakable.delete(thread)
    }
    try {
      return await new Promise<unknown>((resolve, reject) => {
        // A thread that writes must not be terminated; it has finished reading by then.
        if (watched)
          watch = setInterval(() => giveBack === undefined && rss() > most && reject(tooMuchMemory()), WATCH_MS)
        const hear = async (told: ThreadMessage): Promise<void> => {
          if (told.kind === 'turn') {
            const lent = await lend()
            // The run may have ended while it waited for another; after a stop none may begin to write.
            if (over || (closed && !unbreakable.has(thread))) return void lent()
            giveBack = lent
            unbreakable.add(thread)
            thread.postMessage('go')
          } else if (told.kind === 'written') release(told.orgId, told.much)
          else if (told.kind === 'end') resolve(told.result)
          else if (told.kind === 'broke') reject(told.error)
          else reject(new AppError(told.error.code, told.error.text, told.error.details))
        }
        thread.on('message', (told: ThreadMessage) => void hear(told).catch(reject))
        thread.once('error', reject)
        // For a stopped import its own run decides how it goes on.
        const stopped = (): boolean => closed && !watched
        thread.once('exit', (code) => reject(stopped() ? later() : new Error(`the import thread ended with ${code}`)))
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

  let latest: Promise<void> = Promise.resolve()
  const inHand = new Set<LongChange['caller']>()
  /** @throws too_many_requests, overloaded */
  function checkTurn({ orgId, userId }: LongChange['caller']): void {
    const ofAll = [...inHand].filter((other) => other.orgId === orgId)
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
    if (inHand.size >= MOST.all) throw later()
  }
  let closed = false
  async function begin(task: Begin['task']): Promise<unknown> {
    if (closed) throw later()
    const thread = start({ file, files, ahead: ahead(), lead: lead(), task })
    running.add(thread)
    // Memory is watched for files only, which anybody may have made; a change reads the organization's own rows.
    return follow(thread, task.kind === 'import')
  }

  return {
    run: async (orgId, importId) => void (await begin({ kind: 'import', orgId, importId })),
    change(change) {
      checkTurn(change.caller)
      const place = { ...change.caller }
      inHand.add(place)
      const mine = latest.then(() => begin({ kind: 'change', change }))
      const settled = (): void => void inHand.delete(place)
      latest = mine.then(settled, settled)
      return mine
    },
    async close() {
      closed = true
      while (unbreakable.size > 0) await setTimeout(HELD_MS)
      for (const thread of running) await thread.terminate()
    },
  }
}
