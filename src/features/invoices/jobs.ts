import { addDays, localDate } from '../../core/dates.ts'
import type { Deps } from '../../deps.ts'
import { systemCtx } from '../../jobs/worker.ts'
import { findOrganization } from '../organizations/store.ts'
import { markOverdue } from './service.ts'
import { lateInvoices } from './store.ts'

const BATCH = 256

/** Marks what fell due as OVERDUE, each by the calendar day of its own organization. @returns how many */
export async function markOverdueInvoices(deps: Deps): Promise<number> {
  let marked = 0
  // A day ahead of UTC nobody is further than this; the organization's own day decides.
  const latest = addDays(new Date(deps.clock.now()).toISOString().slice(0, 10), 1)
  let found = -1
  while (found !== 0) {
    const late = lateInvoices(deps.db, latest, BATCH).filter((row) => {
      const org = findOrganization(deps.db, row.orgId)
      return org !== undefined && row.dueDate < localDate(deps.clock.now(), org.timeZone)
    })
    await Promise.all(
      late.map((row) =>
        deps.write(
          row.orgId,
          (tx) => markOverdue(systemCtx(deps, tx, row.orgId, `overdue-${row.id}`), row.id) !== undefined,
        ),
      ),
    )
    found = late.length
    marked += found
  }
  return marked
}
