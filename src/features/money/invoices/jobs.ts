import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { sweep } from '../../people/organizations/service.ts'
import { markOverdue } from './service.ts'
import { lateInvoices } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'stopping'>

/** Marks what fell due as OVERDUE, each by the calendar day of its own organization. @returns how many */
export const markOverdueInvoices = (deps: Work): Promise<number> =>
  sweep(
    deps,
    'overdue',
    (timeZone, today, limit) => lateInvoices(deps.db).all({ timeZone, today, limit }),
    ({ orgId, id }) =>
      deps.write(orgId, (tx) => markOverdue(systemCtx(deps, tx, orgId, `overdue-${id}`), id) !== undefined),
  )
