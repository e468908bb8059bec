import type { Caller } from '../context.ts'
import { WRITES } from '../core/budgets.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { pathOf } from './edge.ts'
import { createLimiter, unlimited } from './limits.ts'

const DAY_S = 86_400
/** What goes on while the disk is nearly full: money that comes in or is told of, what an account needs to be safe, and what makes room. */
const VITAL =
  /^\/api\/v1\/(?:payments|invoices\/[^/]+\/(?:payments|pay)|bookings\/[^/]+\/(?:payments|refunds|deposit|terminate|cancel)|deposits|mobile-money|me\/(?:password|sessions|phone)|account|registration|admin\/audit\/archives)(?:[/-]|$)/

const spent = (en: string, fr: string, retryAfter: number) =>
  new AppError('too_many_requests', { en, fr }, { retryAfter })

/**
 * Judges each write of the API before it is done: what its caller and their organization have written today, and whether
 * the disk takes more. In memory: a restart gives a new day. @throws too_many_requests, storage_unavailable
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
            fr: "Le disque de ce serveur est presque plein : seuls les paiements sont encore enregistrés. Rien n'a été modifié ; prévenez son exploitant.",
          },
          { retryAfter: 60 },
        ),
      )
    const own = (scope.kind === 'tenant' ? perTenant : perLandlord)(userId, size)
    if (own > 0)
      throw spent(
        'You have changed as much today as one person may. Wait, then go on; larger lists come in by an import.',
        "Vous avez atteint le nombre de modifications permis par personne et par jour. Patientez, puis continuez ; les longues listes s'importent par fichier.",
        own,
      )
    const all = perOrganization(orgId, size)
    if (all > 0)
      throw spent(
        'Your organization has changed as much today as one may. Wait, then go on; larger lists come in by an import.',
        "Votre organisation a atteint le nombre de modifications permis par jour. Patientez, puis continuez ; les longues listes s'importent par fichier.",
        all,
      )
  }
}
export type Spend = ReturnType<typeof createSpending>

/** Bytes of a request's body, as it came or as it was read: without a length it came in pieces. */
export function sizeOf(request: Request, body: unknown): number {
  const length = request.headers.get('content-length')
  return length === null ? JSON.stringify(body ?? '').length : Number(length)
}
