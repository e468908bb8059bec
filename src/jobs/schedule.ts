import type { Tx } from '../../db/open.ts'
import { soon } from '../core/event-loop.ts'
import type { Deps } from '../deps.ts'
import { createDeliverer } from '../features/data/events/jobs.ts'
import { createDispatcher, recoverMessages } from '../features/people/messages/jobs.ts'
import { handlers, periodic } from './registry.ts'
import { createWorker, recoverJobs } from './worker.ts'

const SECOND = 1000

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

/** Starts the worker and the timers. Every timer's work is idempotent; errors are logged and it runs again. */
export async function startSchedule(deps: Deps) {
  const worker = createWorker(deps, handlers(deps))
  const dispatcher = createDispatcher(deps)
  const deliverer = createDeliverer(deps)
  const timers = new Set<ReturnType<typeof setInterval>>()
  const busy = new Set<Promise<void>>()
  let stopped = false

  function every(ms: number, name: string, work: () => Promise<unknown>, atOnce = false): void {
    let running = false
    const once = (): void => {
      if (running || stopped) return
      running = true
      const done = work()
        .then(
          (count) => {
            if (atOnce && Number(count) > 0) soon(once)
          },
          (e: unknown) => {
            if (!deps.stopping.aborted) deps.log.error('schedule.failed', e, { name })
          },
        )
        .finally(() => {
          running = false
          busy.delete(done)
        })
      busy.add(done)
    }
    timers.add(setInterval(once, ms))
    once()
  }

  worker.start()
  for (const { name, seconds, work, atOnce } of periodic(deps)) every(seconds * SECOND, name, work, atOnce)
  every(60 * SECOND, 'jobs', worker.tidy)
  every(SECOND / 2, 'outbox', dispatcher.round)
  every(SECOND, 'webhooks', deliverer.round)
  return {
    async stop(): Promise<void> {
      stopped = true
      deliverer.stop()
      for (const timer of timers) clearInterval(timer)
      await Promise.all([...busy, worker.stop()])
      await Promise.all([dispatcher.settled(), deliverer.settled()])
    },
  }
}
