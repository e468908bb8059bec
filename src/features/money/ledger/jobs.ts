import { systemCtx } from '../../../context.ts'
import { dayOf, ENTRY } from '../../../core/accounts.ts'
import { firstOfMonth } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { sweep } from '../../people/organizations/service.ts'
import { followFees } from './service.ts'
import { monthlyFeesDue } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'stopping'>

/** Enters the management fees by the month, on the first day of each. @returns of how many properties */
export const bookMonthlyFees = (deps: Work): Promise<number> =>
  sweep(
    deps,
    'fees',
    (timeZone, today, limit) => {
      const month = firstOfMonth(today)
      return monthlyFeesDue(deps.db).all({ timeZone, month, day: dayOf(month), kind: ENTRY.FEE, limit })
    },
    ({ orgId, id, since }) =>
      deps.write(orgId, (tx) => followFees(systemCtx(deps, tx, orgId, `fees-${id}`), id, since)),
  )
