import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { finishErasure } from './service.ts'

/** What is left to do once an account is closed. */
export const personalDataHandlers = (deps: Deps): Handlers => ({
  'user.erased': ({ orgId, source }) => finishErasure(deps, orgId ?? '', source),
})
