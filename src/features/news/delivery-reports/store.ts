import { lt } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { deliveryReport } from '../../../../db/schema/operations.ts'
import { purging } from '../../../../db/slices.ts'

const add = query('deliveryReport.add', ['key', 'earlyId', 'earlyStatus', 'createdAt'], (db, p) =>
  db
    .insert(deliveryReport)
    .values(p as never)
    .onConflictDoNothing()
    .prepare(),
)
/** Whether this report is new: vendors repeat one until it is answered. */
export const noteReport = (
  tx: Tx,
  key: string,
  createdAt: number,
  early?: { readonly vendorMessageId: string; readonly status: string },
): boolean =>
  add(tx).run({ key, earlyId: early?.vendorMessageId || null, earlyStatus: early?.status ?? null, createdAt })
    .changes === 1

export const purgeReports = purging('deliveryReport.purge', ['before'], deliveryReport, (p) =>
  lt(deliveryReport.createdAt, p.before),
)
