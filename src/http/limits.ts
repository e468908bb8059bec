import type { Config } from '../config.ts'
import { networkOf } from '../core/network.ts'
import { AppError } from '../errors.ts'
import type { Edge } from './edge.ts'

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

/** Of the OpenID provider all but discovery, certs and the pages' assets counts as a request. */
const COUNTED_REALM = /^\/realms\/svc\/(?!\.well-known\/|resources\/|protocol\/openid-connect\/certs$)/
/** What sends codes to numbers or takes them from strangers. */
const SIGN_UP = /^\/(?:api\/v1\/(?:registration|account\/password-reset)|u)\//

/** How often one caller or one address may ask. Each throws too_many_requests (429) beyond. */
export function createLimits({ rateLimits }: Pick<Config, 'rateLimits'>) {
  const limiter = (perSecond: number, burst: number) => (rateLimits ? createLimiter(perSecond, burst) : unlimited)
  const perUser = limiter(20, 60)
  // Whose token is bad is a stranger too, so that guessing is no cheaper than asking.
  const perAddress = limiter(5, 60)
  const signUp = limiter(10 / 60, 10)
  const webhooks = limiter(50, 200)
  const guesses = limiter(0.5, 30)
  const spend = (seconds: number): void => {
    if (seconds > 0) throw new AppError('too_many_requests', undefined, { retryAfter: seconds })
  }
  return {
    user: (userId: string): void => spend(perUser.take(userId)),
    badToken: (edge: Edge): void => spend(perAddress.take(networkOf(edge.address))),
    /** Requests of public routes, which name nobody. */
    stranger(edge: Edge, method: string): void {
      const { path } = edge
      const network = networkOf(edge.address)
      if (path.startsWith('/webhooks/')) spend(webhooks.take(network))
      // A code has no dot: what has one is the pages' own stylesheet or script.
      else if (path.startsWith('/verify/')) spend(path.includes('.') ? 0 : guesses.take(network))
      else if (path.startsWith('/api/') || /^\/[iu]\//.test(path) || COUNTED_REALM.test(path)) {
        if (method === 'POST' && SIGN_UP.test(path)) spend(signUp.take(network))
        spend(perAddress.take(network))
      }
    },
  }
}
export type Limits = ReturnType<typeof createLimits>
