import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { sweep } from '../../people/organizations/service.ts'
import { continueSeries } from './service.ts'
import { dueSeries } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'stopping'>

/** Makes the expenses whose day has come in their organization's time zone. @returns how many series went on */
export const repeatExpenses = (deps: Work): Promise<number> =>
  sweep(
    deps,
    'expenses',
    (timeZone, today, limit) => dueSeries(deps.db).all({ timeZone, today, limit }),
    ({ orgId, id }) => deps.write(orgId, (tx) => continueSeries(systemCtx(deps, tx, orgId, `expense-${id}`), id)),
  )
