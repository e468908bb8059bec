import type { Tx } from '../../db/open.ts'
import { soon } from '../core/event-loop.ts'
import type { Deps } from '../deps.ts'
import { createDeliverer } from '../features/data/events/jobs.ts'
import { createDispatcher, recoverMessages } from '../features/people/messages/jobs.ts'
import { handlers, type Periodic, periodic } from './registry.ts'
import { createWorker, recoverJobs } from './worker.ts'

/** One timer looks at the database for all tasks; what a commit of this process brings does not wait for it. */
const SECOND = 1000
/** However fast commits follow each other, they wake no oftener than this, ms. */
const WAKE_MS = 200

/**
 * Releases the jobs and messages that the previous process had claimed, so that they continue at once. Call it before
 * anything is served: later a claim may be this process's own.
 */
export async function recoverWork({ write, clock, log }: Pick<Deps, 'write' | 'clock' | 'log'>): Promise<void> {
  const wall = clock.wall()
  const work = (tx: Tx): true => {
    recoverJobs(tx, wall)
    recoverMessages(tx, wall)
    return true
  }
  // If this fails (a full disk), they continue when their leases expire.
  await write(null, work).catch((e: unknown) => log.error('work.not_recovered', e))
}

/** Starts the worker and the timer. Every task is idempotent; errors are logged and it runs again. */
export async function startSchedule(deps: Deps) {
  const worker = createWorker(deps, handlers(deps))
  const dispatcher = createDispatcher(deps)
  const deliverer = createDeliverer(deps)
  const busy = new Set<Promise<void>>()
  let stopped = false

  /** @returns a function that begins a round; one that is asked for during another follows it, if `woken` */
  function rounds({ name, work, atOnce }: Periodic): (woken: boolean) => void {
    let running = false
    let again = false
    return function begin(woken) {
      if (stopped) return
      if (running) {
        again ||= woken
        return
      }
      running = true
      again = false
      const done = work()
        .then(
          (count) => {
            if (atOnce && Number(count) > 0) again = true
          },
          (e: unknown) => {
            if (!deps.stopping.aborted) deps.log.error('schedule.failed', e, { name })
          },
        )
        .finally(() => {
          running = false
          busy.delete(done)
          if (again) soon(() => begin(false))
        })
      busy.add(done)
    }
  }

  const tasks = [
    { name: 'worker', seconds: 1, work: worker.round, prompt: true } as const,
    { name: 'outbox', seconds: 1, work: dispatcher.round, prompt: true } as const,
    { name: 'webhooks', seconds: 1, work: deliverer.round, prompt: true } as const,
    { name: 'jobs', seconds: 60, work: worker.tidy },
    ...periodic(deps),
  ].map((task: Periodic) => ({ ...task, begin: rounds(task) }))

  let beats = 0
  const beat = setInterval(() => {
    beats += 1
    for (const { seconds, begin } of tasks) if (beats % seconds === 0) begin(false)
  }, SECOND)

  let wokenAt = Number.NEGATIVE_INFINITY
  let waking: ReturnType<typeof setTimeout> | undefined
  deps.store.whenWritten(() => {
    if (stopped) return
    waking ??= setTimeout(
      () => {
        waking = undefined
        wokenAt = performance.now()
        for (const { prompt, begin } of tasks) if (prompt) begin(true)
      },
      Math.max(0, wokenAt + WAKE_MS - performance.now()),
    )
  })
  for (const { begin } of tasks) begin(false)
  return {
    async stop(): Promise<void> {
      stopped = true
      worker.stop()
      deliverer.stop()
      clearInterval(beat)
      clearTimeout(waking)
      await Promise.all(busy)
      await Promise.all([dispatcher.settled(), deliverer.settled()])
    },
  }
}
