import manifest from '../../package.json' with { type: 'json' }
import { type Base, createBase } from '../base.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { pathOf, peerOf, setPeer } from '../http/request.ts'
import type { startSchedule } from '../jobs/schedule.ts'
import type { Log } from '../log.ts'
import { buildDeps } from '../wiring.ts'
import type { Fetch } from './listen.ts'

/** Timeout of running jobs at the end, ms. */
const JOBS_MS = 8_000
/** The machine's clock, before a service replaces it by one that never goes back. */
const machineTime = Date.now

/** The service without its listener. */
export type Life = {
  readonly deps: Deps
  readonly fetch: Fetch
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
  const running = await buildDeps(config, log)
  // The OpenID library reads this clock: both must agree.
  Date.now = running.deps.clock.wall
  try {
    await prepare(running.deps)
  } catch (e) {
    await running.close()
    throw e
  }
  const deps = { ...running.deps, ...(reset && { reset }) }
  const base = createBase(deps, manifest.version)
  const app = growing(base, async () => (await import('../app.ts')).complete(base))
  let schedule: Promise<Pick<Awaited<ReturnType<typeof startSchedule>>, 'stop'>> | undefined
  const fetch = deps.observer.observed(app.fetch, base.routes.routeOf)
  return {
    deps,
    fetch,
    async work() {
      const { recoverWork, startSchedule } = await import('../jobs/schedule.ts')
      // In one commit: even a process that is killed within its first minute has then recorded its time.
      const timeStored = deps.time?.keep().catch((e: unknown) => log.error('clock.not_kept', e))
      await Promise.all([recoverWork(deps), timeStored])
      if (deps.stopping.aborted) return
      schedule = startSchedule(deps)
      await Promise.all([schedule, app.grow()])
    },
    async end(others) {
      running.stop()
      const jobs = schedule?.then((started) => started.stop())
      // An unfinished job runs again at the next start, as after a crash.
      await Promise.race([Promise.all([others, jobs]), new Promise((late) => setTimeout(late, JOBS_MS))])
      // A clock that is set back while nothing runs must not revive what expired within the last minute.
      await deps.time?.keep().catch((e: unknown) => log.error('clock.not_kept', e))
      await running.close()
    },
  }
}

/** The path whose answer names every route. */
const OF_ALL = '/openapi.json'

/**
 * Answers what the base has at once, so that a server is there soon after its start. The first request for anything
 * else loads the features, and waits for them.
 */
export function growing(
  base: Pick<Base, 'fetch' | 'routes'>,
  load: () => Promise<unknown>,
): { readonly fetch: Life['fetch']; readonly grow: () => Promise<void> } {
  let isWhole = false
  let loading: Promise<void> | undefined
  const begin = async (): Promise<void> => {
    try {
      await load()
      isWhole = true
    } catch (e) {
      // A machine that was out of handles or memory may have some for the next request.
      loading = undefined
      throw e
    }
  }
  const grow = (): Promise<void> => {
    loading ??= begin()
    return loading
  }
  const answers = (method: string, path: string): boolean =>
    path !== OF_ALL && base.routes.routeOf(method, path) !== 'none'
  return {
    grow,
    fetch(request) {
      if (isWhole || answers(request.method, pathOf(request.url))) return base.fetch(request)
      // The client's address is gone if it disconnects meanwhile.
      const peer = peerOf(request)
      if (peer !== undefined) setPeer(request, peer)
      return grow().then(() => base.fetch(request))
    },
  }
}
