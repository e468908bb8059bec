import type { Deps } from '../../../deps.ts'
import { systemCtx } from '../../../jobs/worker.ts'
import { sweep } from '../../people/organizations/service.ts'
import { lapsedBefore } from './rules.ts'
import { lapseCase, remindOfExpiry } from './service.ts'
import { dueReminders, lapsedCases } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'stopping'>

/** Reminds of papers that expire, each by the calendar day of its own organization. @returns how many it looked at */
export const remindOfExpiries = (deps: Work): Promise<number> =>
  sweep(
    deps,
    'verification',
    (timeZone, today, limit) => dueReminders(deps.db, timeZone, today, limit),
    ({ orgId, caseId, id }) =>
      deps.write(orgId, (tx) => remindOfExpiry(systemCtx(deps, tx, orgId, `expiry-${id}`), caseId, id)),
  )

const BATCH = 500
/** Forgets the papers of cases that came to nothing half a year ago, so many an hour; one that fails holds up no other. */
export async function forgetLapsedCases(deps: Work): Promise<void> {
  for (const { orgId, id } of lapsedCases(deps.db, lapsedBefore(deps.clock.now()), BATCH)) {
    if (deps.stopping.aborted) break
    await deps
      .write(orgId, (tx) => {
        lapseCase(systemCtx(deps, tx, orgId, `lapse-${id}`), id)
        return true
      })
      .catch((e: unknown) => deps.log.error('verification.lapse_failed', e, { id }))
  }
}
