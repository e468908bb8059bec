import { RESETS } from '../core/budgets.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Life } from './life.ts'
import type { Fetch } from './listen.ts'

/** How long requests in flight may take, ms, and how often they are counted. */
const REQUESTS_MS = 5_000
const COUNT_MS = 20
/** How often a demo looks whether its time is up, ms. */
const LOOK_MS = 5_000

const RESTING = JSON.stringify({
  type: 'urn:loyer:problem:overloaded',
  title: 'Service Unavailable',
  status: 503,
  code: 'overloaded',
  detail:
    'The demo is being reset. Try again in a few seconds. La démonstration est remise en état. Réessayez dans quelques secondes.',
})
const rest = (): Response =>
  new Response(RESTING, {
    status: 503,
    headers: { 'content-type': 'application/problem+json; charset=utf-8', 'retry-after': '5' },
  })

export type Demo = {
  /** Deletes what the data folder holds, once it is closed. */
  readonly empty: () => void
  /** Whether its time is up. */
  readonly isDue: (deps: Deps) => boolean
}
type Lives = { readonly current: () => Life; readonly fetch: Fetch; readonly stop: () => Promise<void> }

/**
 * Serves one life of a demo after the other behind the same listener: the old one ends, its folder is emptied, the next
 * begins. Without a demo there is one life.
 */
export async function openLives(
  open: (reset?: () => Promise<void>) => Promise<Life>,
  { log, limited, demo }: { readonly log: Log; readonly limited: boolean; readonly demo?: Demo | undefined },
): Promise<Lives> {
  if (!demo) {
    const life = await open()
    return { current: () => life, fetch: life.fetch, async stop() {} }
  }
  let under: Promise<void> | undefined
  let resting = false
  let pending = 0
  /** Requests that asked for a reset and wait for it. */
  let asking = 0
  const requestTimes: number[] = []
  let life = await open(reset)

  async function replace(): Promise<void> {
    resting = true
    const late = performance.now() + REQUESTS_MS
    const idle = async (): Promise<void> => {
      while (pending > asking && performance.now() < late) await new Promise((resolve) => setTimeout(resolve, COUNT_MS))
    }
    await life.end(idle())
    demo?.empty()
    life = await open(reset)
    resting = false
    await life.work()
    log.info('demo.reset')
  }
  /** Requests during a reset wait for the same one. If it fails, the next start begins the demo anew. */
  function again(): Promise<void> {
    under ??= replace()
      .catch((e: unknown) => {
        log.error('demo.not_reset', e)
        process.exit(75)
      })
      .finally(() => {
        under = undefined
      })
    return under
  }
  /** For visitors. @throws too_many_requests */
  async function reset(): Promise<void> {
    const now = performance.now()
    const oldest = requestTimes.length < RESETS.most ? undefined : requestTimes[0]
    const wait = oldest === undefined ? 0 : oldest + RESETS.ms - now
    if (limited && !under && wait > 0)
      throw new AppError('too_many_requests', undefined, { retryAfter: Math.ceil(wait / 1000) })
    if (!under) requestTimes.splice(0, requestTimes.length, ...[...requestTimes, now].slice(-RESETS.most))
    asking += 1
    await again().finally(() => {
      asking -= 1
    })
  }
  const timer = setInterval(() => {
    if (!under && demo.isDue(life.deps)) void again()
  }, LOOK_MS)

  return {
    current: () => life,
    async fetch(request) {
      if (resting) return rest()
      pending += 1
      try {
        return await life.fetch(request)
      } finally {
        pending -= 1
      }
    },
    async stop() {
      clearInterval(timer)
      await under
    },
  }
}
