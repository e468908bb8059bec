import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { finishErasure, redrawUnnamed } from './service.ts'

/** The work that remains after an account is closed. */
export const personalDataHandlers = (deps: Deps): Handlers => ({
  'user.erased': ({ orgId, source }) => finishErasure(deps, orgId ?? '', source),
  'document.unnamed': ({ orgId, source }) => redrawUnnamed(deps, orgId ?? '', source.split(':')[0] ?? ''),
})
