const MAX_KEYS = 50_000

/** A token bucket per key, in memory; the map stays small because full buckets are forgotten. */
export type Limiter = { readonly take: (key: string, cost?: number) => number }

/**
 * @param perSecond tokens that come back each second
 * @param burst tokens at most
 * @param now monotonic milliseconds
 * @returns `take(key, cost)`: 0 when allowed, else the seconds (at least 1) after which what it costs (1 unless said) passes
 */
export function createLimiter(perSecond: number, burst: number, now: () => number = () => performance.now()): Limiter {
  const buckets = new Map<string, { tokens: number; at: number }>()
  let sweepAt = now() + 60_000
  const refill = (bucket: { tokens: number; at: number }, at: number) =>
    Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond)
  return {
    take(key, cost = 1) {
      const at = now()
      if (at >= sweepAt || buckets.size > MAX_KEYS) {
        for (const [k, b] of buckets) if (refill(b, at) >= burst) buckets.delete(k)
        // Under a flood of keys those longest unseen give way, a fifth at a time: memory and work stay bounded.
        if (buckets.size > MAX_KEYS)
          for (const k of buckets.keys())
            if (buckets.size > MAX_KEYS * 0.8) buckets.delete(k)
            else break
        sweepAt = at + 60_000
      }
      const bucket = buckets.get(key)
      const tokens = bucket ? refill(bucket, at) : burst
      // Deleted first, so that the map's order is that of last use.
      buckets.delete(key)
      if (tokens < cost) {
        buckets.set(key, { tokens, at })
        return Math.max(1, Math.ceil((cost - tokens) / perSecond))
      }
      buckets.set(key, { tokens: tokens - cost, at })
      return 0
    },
  }
}
export const unlimited: Limiter = { take: () => 0 }
