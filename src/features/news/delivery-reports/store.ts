import { lt } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { deliveryReport } from '../../../../db/schema/operations.ts'
import { purging } from '../../../../db/write/purge.ts'

/** Whether this report is new: vendors repeat one until it is answered. */
export const noteReport = (
  tx: Tx,
  key: string,
  createdAt: number,
  early?: { readonly vendorMessageId: string; readonly status: string },
): boolean =>
  tx
    .insert(deliveryReport)
    .values({ key, earlyId: early?.vendorMessageId || null, earlyStatus: early?.status ?? null, createdAt })
    .onConflictDoNothing()
    .run().changes === 1

export const purgeReports = purging('deliveryReport.purge', ['before'], deliveryReport, (p) =>
  lt(deliveryReport.createdAt, p.before),
)
