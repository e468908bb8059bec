import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { accountsOf, followUser } from './service.ts'

/** Gone there meanwhile: nothing is left to change. */
const unlessGone = (e: unknown): void => {
  if (!(e instanceof AppError && e.code === 'not_found')) throw e
}

/** What the identity provider has not taken over yet. */
export const userHandlers = (deps: Pick<Deps, 'db' | 'identity' | 'access'>): Handlers => ({
  'user.changed': ({ orgId, payload }) =>
    followUser(deps, orgId ?? '', String(payload?.userId), payload?.status === true).catch(unlessGone),
  'user.sessions': ({ payload }) => accountsOf(deps).endSessions(String(payload?.subject)).catch(unlessGone),
})
