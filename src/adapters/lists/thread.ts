import type { Worker } from 'node:worker_threads'
import type { Found, Reading } from '../../../db/list-reading.ts'
import { LIST_S } from '../../core/budgets.ts'
import { AppError } from '../../errors.ts'
import { endThread, type FINISH, finishThread, startThread } from '../threads.ts'
import type { ListThread } from './port.ts'

/** The next statement of a list; `begin`: the list itself, if the thread does not know it yet. */
export type ListStep =
  | { readonly id: number; readonly begin?: Reading | undefined }
  | { readonly forget: number }
  | typeof FINISH
export type ListAnswer =
  | { readonly more: true }
  | { readonly found: Found }
  | { readonly message: string; readonly code: string }
type Task = {
  readonly id: number
  readonly userId: string
  readonly reading: Reading
  readonly resolve: (found: Found) => void
  readonly reject: (e: unknown) => void
  /** The thread that has begun it. */
  on?: Worker
  /** The caller already got the answer that the list takes too long. */
  over?: true
}

/** Lists that wait, of one person and of all. */
const MOST = { person: 16, all: 128 } as const
const RETRY_S = 2
/** The thread ends when nobody has asked for so long. */
const IDLE_MS = 30_000

const tooLong = () =>
  new AppError(
    'overloaded',
    {
      en: `This list was not read within ${LIST_S} s. Ask for less: one property or lease, or a shorter time, and without \`count\`; or again later, if the server is busy.`,
      fr: `Cette liste n’a pas pu être lue en ${LIST_S} s. Demandez-en moins\u00a0: un seul bien ou bail, ou une durée plus courte, et sans \`count\`\u00a0; ou réessayez plus tard, si le serveur est occupé.`,
    },
    { retryAfter: 30 },
  )

const enough = () =>
  new AppError(
    'too_many_requests',
    {
      en: `${MOST.person} long lists of yours are being read already. Wait for one, then ask again.`,
      fr: `${MOST.person} de vos longues listes sont déjà en cours de lecture. Attendez-en une, puis réessayez.`,
    },
    { retryAfter: RETRY_S },
  )

/**
 * `start`: begins the thread, which takes a ListStep and answers with a ListAnswer. A list of many properties has a
 * statement for each: after every one it is somebody else's turn.
 */
export function createListThread(
  file: string,
  start = () => startThread('lists', file),
  longestMs = LIST_S * 1000,
): ListThread {
  /** The waiting lists of each person, in the order of the persons' turns. */
  const waiting = new Map<string, Task[]>()
  let thread: Worker | undefined
  let inHand: Task | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let closed = false
  let lastId = 0

  async function end(e?: unknown): Promise<void> {
    clearTimeout(idle)
    const ended = thread
    thread = undefined
    const task = inHand
    inHand = undefined
    // A thread that is terminated inside SQLite ends the whole process, so it ends after its answer.
    if (ended && task && e === undefined) ended.off('message', hear).once('message', () => void endThread(ended))
    task?.reject(e ?? new AppError('overloaded', undefined, { retryAfter: RETRY_S }))
    if (ended && e !== undefined) await endThread(ended)
    else if (ended && !task) await finishThread(ended)
  }
  /** Puts a begun list before the other lists of its person, and the person behind everybody else. */
  function goOn(task: Task): void {
    const others = waiting.get(task.userId) ?? []
    waiting.delete(task.userId)
    waiting.set(task.userId, [task, ...others])
  }
  function hear(answer: ListAnswer): void {
    const task = inHand
    inHand = undefined
    if ('more' in answer) {
      if (task?.over) thread?.postMessage({ forget: task.id } satisfies ListStep)
      else if (task) goOn(task)
    } else if ('found' in answer) task?.resolve(answer.found)
    else task?.reject(Object.assign(new Error(answer.message), { code: answer.code }))
    next()
  }
  /** Gives up a waiting or begun list; a running statement cannot be interrupted and runs to its end. */
  function giveUp(task: Task): void {
    task.over = true
    task.reject(tooLong())
    if (task === inHand) return
    const others = (waiting.get(task.userId) ?? []).filter((other) => other !== task)
    if (others.length > 0) waiting.set(task.userId, others)
    else waiting.delete(task.userId)
    if (thread && task.on === thread) thread.postMessage({ forget: task.id } satisfies ListStep)
  }
  function begin(): Worker {
    const begun = start()
    // The service does not wait for a list when it stops.
    begun.unref()
    begun.on('message', hear)
    const broken = (e: unknown): void => {
      if (thread !== begun) return
      void end(e)
      next()
    }
    begun.once('error', broken)
    begun.once('exit', (code) => broken(new Error(`the thread of lists ended with ${code}`)))
    return begun
  }
  function next(): void {
    if (inHand || closed) return
    const [turn] = waiting
    if (!turn) {
      idle = setTimeout(() => void end(), IDLE_MS)
      idle.unref()
      return
    }
    const [userId, tasks] = turn
    const task = tasks.shift()
    waiting.delete(userId)
    if (tasks.length > 0) waiting.set(userId, tasks)
    if (!task) return
    inHand = task
    try {
      thread ??= begin()
    } catch (e) {
      inHand = undefined
      task.reject(e)
      next()
      return
    }
    const step: ListStep = { id: task.id, begin: task.on === thread ? undefined : task.reading }
    task.on = thread
    thread.postMessage(step)
  }

  return {
    read: (userId, reading) =>
      new Promise((resolve, reject) => {
        const mine = waiting.get(userId) ?? []
        if (mine.length >= MOST.person) throw enough()
        const all = [...waiting.values()].reduce((n, tasks) => n + tasks.length, 0)
        if (closed || all >= MOST.all) throw new AppError('overloaded', undefined, { retryAfter: RETRY_S })
        clearTimeout(idle)
        lastId += 1
        const task: Task = {
          id: lastId,
          userId,
          reading,
          resolve: (found) => settled(() => resolve(found)),
          reject: (e) => settled(() => reject(e)),
        }
        const late = setTimeout(() => giveUp(task), longestMs)
        const settled = (tell: () => void): void => {
          clearTimeout(late)
          tell()
        }
        waiting.set(userId, [...mine, task])
        next()
      }),
    async close() {
      closed = true
      const left = [...waiting.values()].flat()
      waiting.clear()
      for (const { reject } of left) reject(new AppError('overloaded', undefined, { retryAfter: RETRY_S }))
      await end()
    },
  }
}
