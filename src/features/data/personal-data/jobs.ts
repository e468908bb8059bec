import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { finishErasure } from './service.ts'

/** The work that remains after an account is closed. */
export const personalDataHandlers = (deps: Deps): Handlers => ({
  'user.erased': ({ orgId, source }) => finishErasure(deps, orgId ?? '', source),
})
