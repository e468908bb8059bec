import type { Outcome } from './port.ts'
import type { Vendor } from './request.ts'

/** Consecutive failures that open the breaker, and how long it stays open. */
const FAILURES = 5
const OPEN_MS = 30_000
/** Concurrent messages per vendor, and the delay before a message beyond them is retried. */
const AT_ONCE = 16
const BUSY_MS = 250

export type Guarded = Vendor & {
  /** Milliseconds until the breaker lets a message through; 0 while it is closed. */
  readonly pausedMs: () => number
}

/**
 * A circuit breaker: five failures in a row open it for thirty seconds; then one message is tried, and its outcome
 * decides. `monotonic` in milliseconds that no clock change moves.
 */
export function guarded(vendor: Vendor, monotonic: () => number = () => performance.now()): Guarded {
  let failures = 0
  let openUntil: number | undefined
  let probing = false
  let underWay = 0

  const pausedMs = (): number => {
    if (openUntil === undefined) return 0
    const left = openUntil - monotonic()
    return left > 0 ? left : probing ? BUSY_MS : 0
  }
  const untried = (reason: string, afterMs: number): Outcome => ({
    took: false,
    reason,
    again: true,
    fault: 'vendor',
    afterMs,
    untried: true,
  })

  return {
    ...vendor,
    pausedMs,
    async send(...message) {
      const wait = pausedMs()
      if (wait > 0) return untried('breaker_open', wait)
      if (underWay >= AT_ONCE) return untried('busy', BUSY_MS)
      const probe = openUntil !== undefined
      probing = probe
      underWay += 1
      try {
        const outcome = await vendor
          .send(...message)
          .catch((): Outcome => ({ took: false, reason: 'adapter_failed', again: false, fault: 'vendor' }))
        if (outcome.took || outcome.fault === 'message') {
          failures = 0
          openUntil = undefined
        } else {
          failures += 1
          if (probe || failures >= FAILURES) openUntil = monotonic() + OPEN_MS
        }
        return outcome
      } finally {
        underWay -= 1
        if (probe) probing = false
      }
    },
  }
}
