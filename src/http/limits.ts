import { spendElsewhere } from '../../db/budgets.ts'
import type { Config } from '../config.ts'
import type { Caller } from '../context.ts'
import { PAPERS_AT_ONCE, REQUESTS, WRITES } from '../core/budgets.ts'
import { networkOf } from '../core/network.ts'
import type { Deps } from '../deps.ts'
import { AppError, tooManyElsewhere } from '../errors.ts'
import { type Edge, pathOf } from './request.ts'

const MAX_KEYS = 50_000

/** `take`: 0 if allowed, else the seconds (at least 1) until there are tokens for `cost` (default 1). */
type Limiter = { readonly take: (key: string, cost?: number) => number }

/**
 * A token bucket per key, in memory; full buckets are dropped, so that the map stays small.
 * @param perSecond tokens refilled each second
 * @param burst most tokens in a bucket
 * @param now monotonic milliseconds
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
        // Under a flood of keys, the fifth unused for longest is dropped, so that memory and work stay bounded.
        if (buckets.size > MAX_KEYS)
          for (const k of buckets.keys())
            if (buckets.size > MAX_KEYS * 0.8) buckets.delete(k)
            else break
        sweepAt = at + 60_000
      }
      const bucket = buckets.get(key)
      const tokens = bucket ? refill(bucket, at) : burst
      // Delete before set: the map's order is then the order of last use.
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

/** Paths of the OpenID provider that count as requests: all but discovery, certs and the pages' assets. */
const COUNTED_REALM = /^\/realms\/svc\/(?!\.well-known\/|resources\/|protocol\/openid-connect\/certs$)/
/** Paths that send codes to numbers or accept codes from strangers. */
const SIGN_UP =
  /^\/(?:(?:api\/v1\/(?:registration|account\/password-reset)|u)\/|(?:register|recover)(?:\/|$)|(?:api\/v1\/)?setup$)/
/** Pages with forms, and the front page, which looks for the session behind a cookie. */
const DOORS = /^\/(?:$|(?:setup|demo|register|recover)(?:\/|$))/

/** Rate limits by caller and by address. Each throws too_many_requests (429) when exceeded. */
export function createLimits({ rateLimits }: Pick<Config, 'rateLimits'>) {
  const limiter = (of: keyof typeof REQUESTS) =>
    rateLimits ? createLimiter(REQUESTS[of].perSecond, REQUESTS[of].burst) : unlimited
  const perUser = limiter('user')
  const perAddress = limiter('address')
  const signUp = limiter('signUp')
  const webhooks = limiter('deliveryReports')
  const guesses = limiter('papers')
  const photos = limiter('photos')
  const spend = (seconds: number): void => {
    if (seconds > 0) throw new AppError('too_many_requests', undefined, { retryAfter: seconds })
  }
  return {
    user: (userId: string): void => spend(perUser.take(userId)),
    badToken: (edge: Edge): void => spend(perAddress.take(networkOf(edge.address))),
    /** Requests to public routes, which have no caller. */
    stranger(edge: Edge, method: string): void {
      const { path } = edge
      const network = networkOf(edge.address)
      if (path.startsWith('/webhooks/')) spend(webhooks.take(network))
      else if (path.startsWith('/media-files/public/')) spend(photos.take(network))
      // A paper's code has no dot; a path with one is the page's stylesheet or script.
      else if (path.startsWith('/verify/')) spend(path.includes('.') ? 0 : guesses.take(network))
      else if (path.startsWith('/api/') || /^\/[aiprsu]\//.test(path) || DOORS.test(path) || COUNTED_REALM.test(path)) {
        if (method === 'POST' && SIGN_UP.test(path)) spend(signUp.take(network))
        spend(perAddress.take(network))
      }
    },
  }
}
export type Limits = ReturnType<typeof createLimits>

const DAY_S = 86_400
/** Writes allowed while the disk is nearly full: payments, the safety of accounts, and what frees space. */
const VITAL =
  /^\/api\/v1\/(?:payments|invoices\/[^/]+\/(?:payments|pay)|bookings\/[^/]+\/(?:payments|refunds|deposit|terminate|cancel)|deposits|mobile-money|me\/(?:password|sessions|phone)|account|registration|admin\/(?:users\/[^/]+|audit\/archives)|notices\/[^/]+\/revoke-link)(?:[/-]|$)/

const spent = (en: string, fr: string, retryAfter: number) =>
  new AppError('too_many_requests', { en, fr }, { retryAfter })

/**
 * Checks each write of the API before it runs: how much its caller and their organization have written today, and
 * whether the disk has room. The counts are in memory, so a restart resets them. @throws too_many_requests,
 * storage_unavailable
 */
export function createSpending({ config, room, store }: Pick<Deps, 'config' | 'room' | 'store'>) {
  const limiter = (aDay: number) => (config.rateLimits ? createLimiter(aDay / DAY_S, aDay) : unlimited)
  const budget = ({ changes, bytes }: { readonly changes: number; readonly bytes: number }) => {
    const [times, sizes] = [limiter(changes), limiter(bytes)]
    return (key: string, size: number) => times.take(key) || (size > 0 ? sizes.take(key, size) : 0)
  }
  const perTenant = budget(WRITES.tenant)
  const perLandlord = budget(WRITES.landlord)
  const perOrganization = budget(WRITES.organization)

  return (request: Request, { userId, orgId, scope }: Caller, size: number): void => {
    if (request.method !== 'DELETE' && request.method !== 'GET' && room?.isLow() && !VITAL.test(pathOf(request.url)))
      throw store.health.lost(
        1,
        new AppError(
          'storage_unavailable',
          {
            en: 'The disk of this server is nearly full, so nothing more is taken in but payments. Nothing was changed; tell its operator.',
            fr: 'Le disque de ce serveur est presque plein : seuls les paiements sont encore enregistrés. Rien n’a été modifié ; prévenez son exploitant.',
          },
          { retryAfter: 60 },
        ),
      )
    const own = (scope.kind === 'tenant' ? perTenant : perLandlord)(userId, size)
    if (own > 0)
      throw spent(
        'You have changed as much today as one person may. Wait, then go on; larger lists come in by an import.',
        'Vous avez atteint le nombre de modifications permis par personne et par jour. Patientez, puis continuez\u00a0; les longues listes s’importent par fichier.',
        own,
      )
    const all = perOrganization(orgId, size)
    if (all > 0)
      throw spent(
        'Your organization has changed as much today as one may. Wait, then go on; larger lists come in by an import.',
        'Votre organisation a atteint le nombre de modifications permis par jour. Patientez, puis continuez\u00a0; les longues listes s’importent par fichier.',
        all,
      )
  }
}

/**
 * Counts the numbers for which a caller learns of an account in another organization; the count stays although the refused
 * write is undone. @throws too_many_requests once the day's budget is used up
 */
export const createTelling =
  ({ write, clock }: Pick<Deps, 'write' | 'clock'>) =>
  async <T>(caller: Caller, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (e) {
      if (!(e instanceof AppError) || e.code !== 'member_elsewhere') throw e
      const left = await write(caller.orgId, (tx) => spendElsewhere(tx, caller, clock.now()))
      throw left > 0 ? e : tooManyElsewhere(clock.now())
    }
  }

/** Size of a request's body in bytes: as declared, or measured from what was read if it came in chunks. */
export function sizeOf(request: Request, body: unknown): number {
  const length = request.headers.get('content-length')
  return length === null ? JSON.stringify(body ?? '').length : Number(length)
}

/** Limits how many costly operations a caller runs at once. @throws too_many_requests */
export function createTurns(most: number = PAPERS_AT_ONCE) {
  const inHand = new Map<string, number>()
  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const others = inHand.get(userId) ?? 0
    if (others >= most)
      throw new AppError(
        'too_many_requests',
        {
          en: `${most} of your papers or reports are being made already. Wait for one, then ask again.`,
          fr: `${most} de vos documents ou rapports sont déjà en préparation. Attendez-en un, puis réessayez.`,
        },
        { retryAfter: 3 },
      )
    inHand.set(userId, others + 1)
    try {
      return await work()
    } finally {
      const left = (inHand.get(userId) ?? 1) - 1
      if (left === 0) inHand.delete(userId)
      else inHand.set(userId, left)
    }
  }
}
