import { systemCtx } from '../../../context.ts'
import { dayOf } from '../../../core/accounts.ts'
import { addMonths, firstOfMonth } from '../../../core/dates.ts'
import type { ManagementFee } from '../../../core/management-fees.ts'
import type { Deps } from '../../../deps.ts'
import { sweep } from '../../people/organizations/service.ts'
import { followFees } from './service.ts'
import { withMonthlyFees } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'stopping'>

/** The last first day of a month, up to today, on which a fee by the month is due; undefined if none ever was. */
function lastDue(fees: readonly ManagementFee[], today: string): string | undefined {
  const begun = fees[0]?.from ?? today
  for (let day = firstOfMonth(today); day >= begun; day = addMonths(day, -1))
    if (fees.findLast(({ from }) => from <= day)?.monthlyAmount) return day
  return undefined
}

/** Enters the management fees by the month, on the first day of each. @returns of how many properties */
export const bookMonthlyFees = (deps: Work): Promise<number> =>
  sweep(
    deps,
    'fees',
    (timeZone, today, limit) =>
      withMonthlyFees(deps.db)
        .all({ timeZone })
        .flatMap(({ id, orgId, fees, lastDay }) => {
          const due = lastDue(fees ?? [], today)
          return due !== undefined && dayOf(due) > (lastDay ?? 0) ? [{ id, orgId, since: fees?.[0]?.from ?? due }] : []
        })
        .slice(0, limit),
    ({ orgId, id, since }) =>
      deps.write(orgId, (tx) => followFees(systemCtx(deps, tx, orgId, `fees-${id}`), id, since)),
  )
