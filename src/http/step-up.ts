import { eq } from 'drizzle-orm'
import { query } from '../../db/query.ts'
import { organization } from '../../db/schema/organizations.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { callerOf } from './request.ts'

/** Seconds for which a second factor allows sensitive operations. */
export const STEP_UP_SECONDS = 900

const requirementOf = query('stepUp.asked', ['orgId'], (db, p) =>
  db.select({ secondFactor: organization.secondFactor }).from(organization).where(eq(organization.id, p.orgId)),
)

/**
 * Refuses a token without a recent second factor (RFC 9470) if the organization requires one or the user has one.
 * @throws step_up_required
 */
export function createStepUp({ db, embedded, clock }: Pick<Deps, 'db' | 'embedded' | 'clock'>) {
  return (request: Request): void => {
    const { orgId, userId, roles, acr, authTime = 0 } = callerOf(request)
    if (acr === '2' && authTime + STEP_UP_SECONDS > clock.wall() / 1000) return
    const staff = roles.includes('ADMIN') || roles.includes('MANAGER')
    if ((staff && requirementOf(db).get({ orgId })?.secondFactor === 'STAFF') || embedded?.hasSecondFactor(userId))
      throw new AppError('step_up_required')
  }
}
