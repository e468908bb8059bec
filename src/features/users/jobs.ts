import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../jobs/worker.ts'
import { followUser } from './service.ts'

/** What the identity provider has not taken over yet. */
export const userHandlers = (deps: Pick<Deps, 'db' | 'identity' | 'access'>): Handlers => ({
  'user.changed': ({ orgId, payload }) =>
    followUser(deps, orgId ?? '', String(payload?.userId), payload?.status === true).catch((e: unknown) => {
      // Gone there meanwhile: nothing is left to change.
      if (!(e instanceof AppError && e.code === 'not_found')) throw e
    }),
})
