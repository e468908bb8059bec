import type { Deps } from '../../deps.ts'
import { systemCtx } from '../../jobs/worker.ts'
import { sweep } from '../organizations/service.ts'
import { remindOfExpiry } from './service.ts'
import { dueReminders } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log'>

/** Reminds of papers that expire, each by the calendar day of its own organization. @returns how many it looked at */
export const remindOfExpiries = (deps: Work): Promise<number> =>
  sweep(
    deps,
    'verification',
    (timeZone, today, limit) => dueReminders(deps.db, timeZone, today, limit),
    ({ orgId, caseId, id }) =>
      deps.write(orgId, (tx) => remindOfExpiry(systemCtx(deps, tx, orgId, `expiry-${id}`), caseId, id)),
  )
