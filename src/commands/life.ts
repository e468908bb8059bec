import manifest from '../../package.json' with { type: 'json' }
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { buildDeps, type Deps } from '../deps.ts'
import { recoverWork, startSchedule } from '../jobs/schedule.ts'
import type { Log } from '../log.ts'
import type { Listening } from './listen.ts'

/** Timeout of running jobs at the end, ms. */
const JOBS_MS = 8_000
/** The machine's clock, before a service replaces it by one that never goes back. */
const machineTime = Date.now

/** The service without its listener. */
export type Life = {
  readonly deps: Deps
  readonly fetch: ReturnType<typeof createApp>['fetch']
  /** Listens by workers, where there are several processes. */
  readonly listen: (() => Promise<Listening>) | undefined
  /** Starts jobs and timers. */
  readonly work: () => Promise<void>
  /** Interrupts jobs and streams, waits for them beside `others`, then closes the database. */
  readonly end: (others: Promise<unknown>) => Promise<void>
}

/** Opens the data folder, and prepares it before the first request. `reset`: begins a demo anew. */
export async function openLife(
  config: Config,
  log: Log,
  prepare: (deps: Deps) => Promise<void>,
  reset?: () => Promise<void>,
): Promise<Life> {
  Date.now = machineTime
  let forget: ((subject?: string) => void) | undefined
  const running = await buildDeps(config, log, (subject) => forget?.(subject))
  // The OpenID library reads this clock: both must agree.
  Date.now = running.deps.clock.wall
  try {
    await prepare(running.deps)
  } catch (e) {
    await running.close()
    throw e
  }
  // Loaded where it is asked for: one process needs none of it.
  const team =
    config.workers > 1 ? (await import('./workers/team.ts')).createTeam(config, log, running.deps) : undefined
  forget = team?.forget
  const deps = { ...running.deps, ...(reset && { reset }), ...team?.deps }
  const app = createApp(deps, manifest.version)
  let schedule: ReturnType<typeof startSchedule> | undefined
  const fetch = deps.observer.observed(app.fetch, app.routeOf)
  return {
    deps,
    fetch,
    listen: team && (() => team.listen(fetch)),
    async work() {
      // One commit: a process that is killed within its first minute has said what time it was, too.
      const kept = deps.time?.keep().catch((e: unknown) => log.error('clock.not_kept', e))
      await Promise.all([recoverWork(deps), kept])
      if (deps.stopping.aborted) return
      schedule = startSchedule(deps)
      await schedule
    },
    async end(others) {
      running.stop()
      const jobs = schedule?.then((started) => started.stop())
      // An unfinished job runs again at the next start, as after a crash.
      await Promise.race([Promise.all([others, jobs]), new Promise((late) => setTimeout(late, JOBS_MS))])
      team?.end()
      await running.close()
    },
  }
}
