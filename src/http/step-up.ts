import { requiresFactor } from '../../db/settings.ts'
import { isFresh } from '../context.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { callerOf } from './request.ts'

/** Seconds for which a second factor allows sensitive operations. */
export const STEP_UP_SECONDS = 900

/**
 * Refuses a token without a recent second factor (RFC 9470) if the organization requires one or the user has one.
 * @throws step_up_required
 */
export function createStepUp({ db, embedded, clock }: Pick<Deps, 'db' | 'embedded' | 'clock'>) {
  return (request: Request): void => {
    const { orgId, userId, roles, acr, authTime = 0 } = callerOf(request)
    if (acr === '2' && authTime + STEP_UP_SECONDS > clock.wall() / 1000) return
    if (requiresFactor(db, orgId, roles) || embedded?.hasSecondFactor(userId)) throw new AppError('step_up_required')
  }
}

/** Refuses a token whose sign-in is older than five minutes, whoever holds it. @throws reauthentication_required */
export function createFreshness({ clock }: Pick<Deps, 'clock'>) {
  return (request: Request): void => {
    if (isFresh(callerOf(request).authTime, clock.wall())) return
    throw new AppError('reauthentication_required', {
      en: 'You signed in more than five minutes ago. Sign in again to confirm that it is you, then repeat the change.',
      fr: 'Votre connexion date de plus de cinq minutes. Reconnectez-vous pour confirmer que c’est vous, puis recommencez la modification.',
    })
  }
}
